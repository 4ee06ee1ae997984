//! The interface of all statistics of agreement, from which intervals and tests are computed.
//!
//! A metric's scores are one vector, of systems or of outputs system by system, negated if necessary so that higher is
//! better.

use super::draws::Draws;
use super::metric_on_set::MetricOnSet;
use crate::progress::Stopped;
use crate::statistics::Calibration;
use crate::statistics::significance::permutation::FlatCoefficient;

/// The fewest systems from which an interval over systems is computed: four have only 35 different draws.
pub const MIN_SYSTEMS: usize = 5;

/// A measure of a metric's agreement with human judgements of one set.
pub trait Statistic: Sync {
    /// The number of judgements or items.
    fn n(&self) -> usize;

    /// The scores of the metric that it uses, of systems or of outputs; `None` if the metric has none.
    fn scores<'m>(&self, metric: &'m MetricOnSet) -> Option<&'m [f64]>;

    /// The value for these scores; NaN where it is not defined.
    fn value(&self, scores: &[f64]) -> f64;

    /// The value, and the calibration it comes from if ties are calibrated.
    fn calibrated(&self, scores: &[f64]) -> (f64, Option<Calibration>) {
        (self.value(scores), None)
    }

    /// The value on draws of systems, whose scores stay as they are; `None` for statistics of segments, and if there
    /// are fewer than [`MIN_SYSTEMS`]; an error if the draws say to stop.
    fn on_drawn_systems(&self, _scores: &[f64], _draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        Ok(None)
    }

    /// The value on every draw of segments; `None` without scores of segments, an error if the draws say to stop.
    fn replicates(&self, metric: &MetricOnSet, draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped>;

    /// The coefficient with the human scores of what is [judged](Statistic::judged), if it is one of all these at once.
    fn flat(&self) -> Option<(FlatCoefficient, Vec<f64>)> {
        None
    }

    /// Which of the scores are used.
    fn judged(&self) -> &[bool];

    /// The value for the scores of two metrics, the first in place of people; `None` if that is not defined.
    fn between(&self, _first: &[f64], _second: &[f64]) -> Option<f64> {
        None
    }
}

/// The mean of `values` without NaN; NaN if there are none.
pub(super) fn mean_of_defined(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        values.filter(|value| !value.is_nan()).fold((0.0, 0usize), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { f64::NAN } else { sum / count as f64 }
}
