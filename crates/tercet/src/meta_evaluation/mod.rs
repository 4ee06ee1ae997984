//! Scores × human judgements → agreement: how good is a metric?
//!
//! One file per protocol: [`RelativeRanking`] (Kendall's τ of WMT11–16), [`ScoredSegments`] (direct assessment, DARR, MQM:
//! coefficients with any grouping, accuracy with calibrated ties), [`SystemLevel`], [`SoftAccuracy`], and accuracy over
//! several language pairs ([`pooled_accuracy`]). Each is a [`Statistic`]: a value for a metric's scores, and the same on
//! draws of segments; intervals and significance clusters need nothing else. [`correlate`] runs all that a set of
//! judgements allows. [`systems`] puts systems in order from judgements alone.

mod agreement;
mod choice;
mod clusters;
mod correlate;
mod draws;
mod from_files;
mod human_systems;
mod measured;
mod plan;
mod pooled;
mod relative_ranking;
mod scored_segments;
mod set;
mod soft_accuracy;
mod statistic;
mod system_level;
pub mod systems;

pub use agreement::{Agreement, Point, Points, Report};
pub use choice::{Chosen, DARR_THRESHOLD, IntervalKind, StatisticName, Test};
pub use correlate::{Finding, Request, SystemScores, correlate};
pub use draws::{Draws, percentile_interval};
pub use from_files::scores_from_files;
pub use human_systems::human_systems;
pub use measured::{MetricOnSet, Wanted, score_texts};
pub use pooled::pooled_accuracy;
pub use relative_ranking::{RelativeRanking, TauDefinition, Votes};
pub use scored_segments::{Coefficient, ScoredSegments};
pub use set::JudgedSet;
pub use soft_accuracy::SoftAccuracy;
pub use statistic::Statistic;
pub use system_level::{HumanSystems, SystemCoefficient, SystemLevel};

#[cfg(test)]
mod tests;
