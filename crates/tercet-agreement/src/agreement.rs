//! The results of [`correlate`](super::correlate): one [`Agreement`] for each set, language pair, level, statistic and
//! metric.

use super::job::CorrelateJob;
use super::raters::Ceiling;
use super::statistic_name::GroupedStatistic;
use crate::corpora::Level;
use crate::statistics::Calibration;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

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

/// The object of the JSON format: see `report/agreement.rs`.
impl Serialize for Agreement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ties = self.ties.as_ref();
        let mut object = serializer.serialize_struct("Agreement", 20)?;
        object.serialize_field("set", &self.set)?;
        object.serialize_field("pair", &self.pair)?;
        object.serialize_field("level", &self.level)?;
        object.serialize_field("statistic", &self.statistic.label())?;
        object.serialize_field("metric", &self.metric)?;
        object.serialize_field("value", &self.value)?;
        object.serialize_field("low", &self.low)?;
        object.serialize_field("high", &self.high)?;
        object.serialize_field("n", &self.n)?;
        object.serialize_field("grouping", &self.statistic.grouping)?;
        object.serialize_field("human", &self.human)?;
        object.serialize_field("cluster", &self.cluster)?;
        object.serialize_field("ahead_of", &ByMetric(&self.ahead_of))?;
        object.serialize_field("signature", &self.signature)?;
        object.serialize_field("systems_low", &self.over_systems.map(|(low, _)| low))?;
        object.serialize_field("systems_high", &self.over_systems.map(|(_, high)| high))?;
        object.serialize_field("tie_threshold", &ties.map(|ties| ties.threshold))?;
        object.serialize_field("tied_pairs", &ties.map(|ties| ties.tied))?;
        object.serialize_field("human_tied_pairs", &ties.map(|ties| ties.tied_by_gold))?;
        object.serialize_field("pairs", &ties.map(|ties| ties.pairs))?;
        object.end()
    }
}

/// `{metric: p}`.
struct ByMetric<'a>(&'a [(String, f64)]);

impl Serialize for ByMetric<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(metric, p)| (metric, p)))
    }
}

/// Scores of one metric and of humans, for a plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// The highest Pearson over segments that a metric without error reaches, by identical outputs that were judged twice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgreementCeiling {
    /// The set of judgements.
    pub set: String,
    /// The language pair.
    pub pair: String,
    /// The name of the human scores.
    pub human: String,
    /// The ceiling.
    pub ceiling: Ceiling,
}

/// The results of [`correlate`](super::correlate) on one or more sets, as reports print them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AgreementReport {
    /// The values, set by set, pair by pair, statistic by statistic, metric by metric.
    pub agreements: Vec<Agreement>,
    /// Points for plots.
    pub points: Vec<Points>,
    /// How far noise in the judgements lets any metric agree with them, where it is known.
    pub ceilings: Vec<AgreementCeiling>,
    /// What was asked for.
    pub job: CorrelateJob,
}

impl AgreementReport {
    /// Puts the metrics of each set, language pair and statistic in order, the best agreement first; those that are not
    /// defined come last.
    pub fn sort_by_value(&mut self) {
        let same = |a: &Agreement, b: &Agreement| {
            (&a.set, &a.pair, a.level, &a.human, &a.statistic) == (&b.set, &b.pair, b.level, &b.human, &b.statistic)
        };
        for group in self.agreements.chunk_by_mut(same) {
            let value = |of: &Agreement| if of.value.is_nan() { f64::INFINITY } else { -of.value };
            group.sort_by(|a, b| value(a).total_cmp(&value(b)));
        }
    }
}
