//! The result of holding metrics against people: one [`Agreement`] for each set, language pair, level, statistic and
//! metric; what reports print.

use super::statistic_name::{GroupedStatistic, IntervalKind, Test};
use crate::corpora::Level;

/// How far one metric agrees with people.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The set of judgements.
    pub set: String,
    /// The language pair; `all` where several are pooled.
    pub pair: String,
    /// Whether systems or segments are judged.
    pub level: Level,
    /// The statistic.
    pub statistic: GroupedStatistic,
    /// The human scores or rankings it is computed against.
    pub human: String,
    /// The metric as it was asked for, or as its file calls it.
    pub metric: String,
    /// What exactly the metric's scores are; for scores from files, the name.
    pub signature: String,
    /// The value.
    pub value: f64,
    /// The lower end of its 95% interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many judgements or items are behind it.
    pub n: usize,
    /// The metric's significance cluster among those of the same table, 1 the best.
    pub cluster: Option<usize>,
    /// The metrics it is ahead of, with the probability that it leads by so much by chance.
    pub ahead_of: Vec<(String, f64)>,
}

/// Scores of one metric beside those of people; what is plotted.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// The set of judgements.
    pub set: String,
    /// The language pair.
    pub pair: String,
    /// Whether a point is a system or a segment.
    pub level: Level,
    /// What the human scores are.
    pub human: String,
    /// The metric.
    pub metric: String,
    /// Whether it gives less for better.
    pub lower_is_better: bool,
    /// (human, metric, what it is), the metric's scores as they are.
    pub points: Vec<Point>,
}

/// One system, or one output.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What people gave it.
    pub human: f64,
    /// What the metric gave it.
    pub metric: f64,
    /// The system.
    pub system: String,
    /// The segment, if it is one.
    pub segment: Option<String>,
}

/// All that a run of `correlate` found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgreementReport {
    /// The values, set by set, pair by pair, statistic by statistic, metric by metric.
    pub agreements: Vec<Agreement>,
    /// What there is to plot.
    pub points: Vec<Points>,
    /// How the intervals were made.
    pub interval: IntervalKind,
    /// How the clusters were made, if any were.
    pub test: Option<Test>,
    /// From which p on metrics share a cluster.
    pub alpha: f64,
    /// Whether tables of p-values are shown to people; machines get them anyway.
    pub show_p_values: bool,
    /// How many draws.
    pub draws: usize,
    /// The seed.
    pub seed: u64,
}
