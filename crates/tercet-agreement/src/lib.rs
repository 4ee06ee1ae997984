//! How well does a metric agree with human judgements?
//!
//! One file per protocol: [`RelativeRanking`] (Kendall's τ of WMT11–16), `ScoredSegments` (direct assessment, DARR,
//! MQM: coefficients with any grouping, accuracy with calibrated ties), [`SystemLevel`], `SoftAccuracy`, and accuracy
//! over several language pairs ([`pooled_accuracy`]). Each is a [`Statistic`]: a value for a metric's scores, and the
//! same on draws of segments, from which intervals and significance clusters are computed. [`CorrelateJob`] is the
//! whole use case; [`correlate`] computes all statistics that a set of judgements allows. [`systems`] ranks systems by
//! judgements alone, [`raters`] says how far raters agree, [`campaign`] chooses what people should judge, [`spans`]
//! compares what metrics mark with what people mark, [`challenge`] counts how often metrics tell a good translation
//! from a damaged one.
//!
//! ```
//! use tercet_agreement::{RelativeRanking, TauDefinition};
//! use tercet_corpora::{Comparison, Outcome};
//!
//! // Of two systems and two segments, people prefer the first system both times; the metric does so once.
//! let better = |segment| Comparison { segment, first: 0, second: 1, outcome: Outcome::First };
//! let judged = RelativeRanking::new(TauDefinition::Wmt14, &[better(0), better(1)], 2, 2, |_| true);
//! let counts = judged.votes(&[0.9, 0.2, 0.5, 0.4]);
//! assert_eq!((counts.concordant, counts.discordant, counts.value(judged.definition())), (1, 1, 0.0));
//! ```

mod agreement;
pub mod campaign;
pub mod challenge;
mod clusters;
mod correlate;
mod draws;
mod from_files;
mod given_scores;
mod human_systems;
mod in_order;
mod job;
mod metric_on_set;
mod overall;
mod plan;
mod points;
mod pooled;
mod post_edits;
pub mod raters;
mod relative_ranking;
mod rows;
mod scored_segments;
mod set;
mod soft_accuracy;
pub mod spans;
mod statistic;
mod statistic_name;
mod system_level;
pub mod systems;

pub use agreement::{Agreement, AgreementCeiling, AgreementReport, Point, Points};
pub use correlate::{CorrelateResult, SystemScores, correlate};
pub use draws::Draws;
pub use from_files::scores_by_name;
pub use given_scores::ScoreTable;
pub use human_systems::human_systems;
pub use job::{CorrelateJob, MAX_DRAWS};
pub use metric_on_set::{MetricOnSet, ScoreOptions, score_texts};
pub use overall::{OverallRow, POOLED, TaskAttribute};
pub use pooled::pooled_accuracy;
pub use post_edits::PostEdits;
pub use relative_ranking::{RelativeRanking, TauCounts, TauDefinition};
pub use scored_segments::{Coefficient, Ties};
pub use set::JudgedSet;
pub use statistic::{MIN_SYSTEMS, Statistic};
pub use statistic_name::{Average, GroupedStatistic, IntervalKind, Missing, StatisticName, Test};
pub use system_level::{HumanSystems, SystemCoefficient, SystemLevel};

#[cfg(test)]
mod tests;

pub(crate) use tercet_base::{choice, error, progress, warning};
pub(crate) use tercet_corpora as corpora;
pub(crate) use tercet_metrics as metrics;
pub(crate) use tercet_score as scoring;
pub(crate) use tercet_statistics as statistics;
pub(crate) use tercet_text as text;
