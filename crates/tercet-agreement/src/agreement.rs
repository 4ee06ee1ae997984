//! The results of [`correlate`](super::correlate): one [`Agreement`] for each set, language pair, level, statistic and
//! metric.

use super::statistic_name::{GroupedStatistic, IntervalKind, Test};
use crate::corpora::Level;
use crate::statistics::Calibration;

/// The agreement of one metric with human judgements.
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
    /// The metric as requested, or its name in a score file.
    pub metric: String,
    /// What papers call the metric; for scores from files, the name.
    pub title: String,
    /// The signature of the metric's scores; for scores from files, the name.
    pub signature: String,
    /// The value.
    pub value: f64,
    /// The lower end of its 95% interval, by draws of segments where there are any.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// At system level, the ends of the 95% interval by draws of systems: `None` if there are too few of them, or all
    /// draws give the same value.
    pub over_systems: Option<(f64, f64)>,
    /// The threshold below which the metric's scores count as tied, and the number of ties, if ties are calibrated.
    pub ties: Option<Calibration>,
    /// The number of judgements or items.
    pub n: usize,
    /// The metric's significance cluster among those of the same table, 1 the best.
    pub cluster: Option<usize>,
    /// The metrics with a lower value, each with the p-value of the difference.
    pub ahead_of: Vec<(String, f64)>,
}

/// Scores of one metric and of humans, for a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// The set of judgements.
    pub set: String,
    /// The language pair.
    pub pair: String,
    /// Whether a point is a system or a segment.
    pub level: Level,
    /// The name of the human scores.
    pub human: String,
    /// The metric.
    pub metric: String,
    /// Whether lower scores are better.
    pub lower_is_better: bool,
    /// One point per system or segment, with the metric's original scores.
    pub points: Vec<Point>,
}

/// One system, or one output.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The human score.
    pub human: f64,
    /// The metric's score.
    pub metric: f64,
    /// The system.
    pub system: String,
    /// The segment, at segment level.
    pub segment: Option<String>,
}

/// The results of [`correlate`](super::correlate) on one or more sets, as reports print them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgreementReport {
    /// The values, set by set, pair by pair, statistic by statistic, metric by metric.
    pub agreements: Vec<Agreement>,
    /// Points for plots.
    pub points: Vec<Points>,
    /// The method of the intervals.
    pub interval: IntervalKind,
    /// The test behind the clusters, if there was one.
    pub test: Option<Test>,
    /// The significance level of the clusters.
    pub alpha: f64,
    /// Whether text, Markdown and LaTeX show tables of p-values; the other formats always have them.
    pub show_p_values: bool,
    /// The number of draws.
    pub draws: usize,
    /// The seed.
    pub seed: u64,
}

impl AgreementReport {
    /// Puts the metrics of each set, language pair and statistic in order, the best agreement first; those that are not
    /// defined come last.
    pub fn sort_by_value(&mut self) {
        let same = |a: &Agreement, b: &Agreement| {
            (&a.set, &a.pair, a.level, &a.human, &a.statistic)
                == (&b.set, &b.pair, b.level, &b.human, &b.statistic)
        };
        for group in self.agreements.chunk_by_mut(same) {
            let value = |of: &Agreement| if of.value.is_nan() { f64::INFINITY } else { -of.value };
            group.sort_by(|a, b| value(a).total_cmp(&value(b)));
        }
    }
}
