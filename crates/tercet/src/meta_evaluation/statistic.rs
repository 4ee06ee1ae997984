//! What a protocol of agreement has to offer, so that intervals and tests can be had for all of them.
//!
//! A metric's scores come as one vector, of systems or of outputs system by system, turned so that more is better.

use super::draws::Draws;
use super::metric_on_set::MetricOnSet;

/// A way to measure how far a metric agrees with people, on one set of judgements.
pub trait Statistic: Sync {
    /// How many judgements or items are behind the value.
    fn n(&self) -> usize;

    /// Which of a metric's scores it looks at; `None` if the metric has none of the kind.
    fn scores<'m>(&self, metric: &'m MetricOnSet) -> Option<&'m [f64]>;

    /// The value for these scores; NaN where it is not defined.
    fn value(&self, scores: &[f64]) -> f64;

    /// The value on every draw of segments; `None` if nothing is known of single segments.
    fn replicates(&self, metric: &MetricOnSet, draws: &Draws) -> Option<Vec<f64>>;

    /// The places of the scores that matter.
    fn judged(&self) -> &[bool];
}

/// The mean of `values`, NaNs left out; NaN of none.
pub(super) fn mean_of_defined(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values
        .filter(|value| !value.is_nan())
        .fold((0.0, 0usize), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { f64::NAN } else { sum / count as f64 }
}
