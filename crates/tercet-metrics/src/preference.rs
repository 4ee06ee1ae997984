//! The probability that one of two translations is better.
//!
//! A [`Preference`] gives the probability that humans would prefer `a` to `b`. Metrics trained on pairs compute it
//! directly; for other metrics it is a logistic curve on the difference of two segment scores,
//!
//! ```text
//! p(a better than b) = 1 / (1 + exp(−slope · (score(a) − score(b))))
//! ```
//!
//! with the slope fitted to human judgements (`slopes.rs`). The curve is antisymmetric by construction:
//! `prefer(r, a, b) + prefer(r, b, a) = 1`, and equal scores give one half. This holds for every preference:
//! a test of no difference relies on it when it exchanges the two translations.

use super::{Metric, Segment, Spec, Tally};
use crate::error::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Two translations of one segment.
#[derive(Clone, Copy, Debug)]
pub struct TranslationPair<'a> {
    /// The references of both.
    pub references: &'a [&'a str],
    /// One translation.
    pub a: &'a str,
    /// The other.
    pub b: &'a str,
    /// The source of both, for metrics that use it.
    pub source: Option<&'a str>,
}

impl<'a> TranslationPair<'a> {
    /// Both translations.
    pub fn both(&self) -> [&'a str; 2] {
        [self.a, self.b]
    }

    /// Both translations as segments.
    pub fn segments(&self) -> [Segment<'a>; 2] {
        self.both().map(|hypothesis| Segment { hypothesis, references: self.references, source: self.source })
    }
}

/// Compares two translations. Antisymmetric: exchanging the two gives one minus the probability, and
/// two equal translations give one half.
pub trait Preference: Send + Sync {
    /// The metric that it judges by.
    fn metric(&self) -> &dyn Metric;

    /// The signature of the probabilities. Default: that of the metric.
    fn signature(&self) -> Spec {
        self.metric().signature()
    }

    /// The same preference for these references, if it depends on the references of all segments, as
    /// [`Metric::prepare`].
    fn prepare(&self, _references: &[&[&str]]) -> Result<Option<Arc<dyn Preference>>> {
        Ok(None)
    }

    /// The probability that `a` is better than `b`, for each pair.
    fn prefer_all(&self, pairs: &[TranslationPair<'_>]) -> Result<Vec<f64>>;

    /// The probability that `a` is better than `b`, from their tallies by the metric with the same signature; `None` if
    /// tallies do not say it. It has the digits of [`prefer_all`](Preference::prefer_all), so that what was scored need
    /// not be scored again.
    fn prefer_tallies(&self, _a: &Tally, _b: &Tally) -> Option<f64> {
        None
    }

    /// The number of translations so far whose scores come from a search that ended early: see
    /// [`Metric::is_unfinished`].
    fn unfinished(&self) -> usize {
        0
    }

    /// The probability that `a` is better than `b`, given their references.
    fn prefer(&self, references: &[&str], a: &str, b: &str) -> Result<f64> {
        Ok(self.prefer_all(&[TranslationPair { references, a, b, source: None }])?[0])
    }
}

/// A scoring metric turned into a preference by a logistic curve.
pub struct LogisticPreference {
    metric: Arc<dyn Metric>,
    slope: f64,
    unfinished: AtomicUsize,
}

impl LogisticPreference {
    /// `slope` is per unit of score, and positive for metrics of either direction.
    pub fn new(metric: Arc<dyn Metric>, slope: f64) -> Self {
        LogisticPreference { metric, slope, unfinished: AtomicUsize::new(0) }
    }

    /// The slope that makes past judgements most likely: `differences` are `score(better) − score(worse)` of each
    /// judged pair, in groups of equal weight. Newton's method on the
    /// log-likelihood, which is concave in the slope.
    pub fn fit(metric: Arc<dyn Metric>, differences: &[Vec<f64>]) -> Self {
        let sign = metric.direction().sign();
        let slope = sign * fit_slope(differences);
        LogisticPreference::new(metric, slope)
    }

    /// The probability that the first of two translations is better, from `score(first) − score(second)`.
    pub fn probability(&self, difference: f64) -> f64 {
        logistic(self.slope * self.metric.direction().sign() * difference)
    }

    /// The slope in use.
    pub fn slope(&self) -> f64 {
        self.slope
    }
}

impl Preference for LogisticPreference {
    fn metric(&self) -> &dyn Metric {
        &*self.metric
    }

    fn signature(&self) -> Spec {
        self.metric.signature().with("slope", self.slope)
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Preference>>> {
        let prepared = self.metric.prepare(references)?;
        Ok(prepared.map(|metric| Arc::new(LogisticPreference::new(metric, self.slope)) as _))
    }

    fn prefer_all(&self, pairs: &[TranslationPair<'_>]) -> Result<Vec<f64>> {
        let segments: Vec<Segment<'_>> = pairs.iter().flat_map(TranslationPair::segments).collect();
        let tallies = self.metric.tally(&segments)?;
        let unfinished = tallies.iter().filter(|tally| self.metric.is_unfinished(tally)).count();
        self.unfinished.fetch_add(unfinished, Ordering::Relaxed);
        let probability = |two: &[Tally; 2]| {
            let [a, b] = two.each_ref().map(|tally| self.metric.segment_score(tally));
            self.probability(a - b)
        };
        Ok(tallies.as_chunks().0.iter().map(probability).collect())
    }

    fn prefer_tallies(&self, a: &Tally, b: &Tally) -> Option<f64> {
        Some(self.probability(self.metric.segment_score(a) - self.metric.segment_score(b)))
    }

    fn unfinished(&self) -> usize {
        self.unfinished.load(Ordering::Relaxed)
    }
}

/// The logistic function, written so that `logistic(x) + logistic(−x)` is one to the last bit.
pub fn logistic(x: f64) -> f64 {
    if x < 0.0 { 1.0 - logistic(-x) } else { 1.0 / (1.0 + (-x).exp()) }
}

/// The slope with which differences of scores fit preferences best.
pub fn fit_slope(groups: &[Vec<f64>]) -> f64 {
    // The maximum slope: the curve is then a step on any metric's scale. Reached if the pairs are separable.
    const STEEPEST: f64 = 1e3;
    let mut slope = 0.0;
    for _ in 0..100 {
        let (mut gradient, mut curvature) = (0.0, 0.0);
        for differences in groups {
            let weight = 1.0 / differences.len() as f64;
            for &difference in differences {
                let p = logistic(slope * difference);
                gradient += weight * (1.0 - p) * difference;
                curvature += weight * p * (1.0 - p) * difference * difference;
            }
        }
        if curvature <= f64::MIN_POSITIVE {
            break;
        }
        let step = gradient / curvature;
        slope = (slope + step).clamp(-STEEPEST, STEEPEST);
        if step.abs() <= 1e-12 * slope.abs() {
            break;
        }
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    #[test]
    fn preference_is_antisymmetric_and_follows_the_direction_of_the_metric() -> Result<()> {
        let references = ["the cat sat on the mat"];
        for (name, slope) in [("bleu", 0.05), ("ter", 0.05)] {
            let preference = LogisticPreference::new(Registry::lexical().build(name)?, slope);
            let good = preference.prefer(&references, "the cat sat on the mat", "a dog ate my hat")?;
            let bad = preference.prefer(&references, "a dog ate my hat", "the cat sat on the mat")?;
            assert_eq!(good + bad, 1.0);
            assert!(good > 0.9, "{name}: {good}");
            assert_eq!(preference.prefer(&references, "same words", "same words")?, 0.5);
        }
        Ok(())
    }

    #[test]
    fn the_fitted_slope_solves_the_likelihood_equation() {
        // Three pairs of four agree by one point: p = 3/4, so slope = ln 3.
        let slope = fit_slope(&[vec![1.0, 1.0, 1.0, -1.0]]);
        assert!((slope - 3f64.ln()).abs() < 1e-9, "{slope}");
    }

    #[test]
    fn groups_weigh_the_same_however_many_judgements_they_have() -> Result<()> {
        // Shares of 3/4 and 1/4 cancel, though the first group is the larger.
        let many = [1.0, 1.0, 1.0, -1.0].repeat(50);
        let slope = fit_slope(&[many.clone(), vec![1.0, -1.0, -1.0, -1.0]]);
        assert!(slope.abs() < 1e-9, "{slope}");
        // An error rate that falls by one point for the better translation has a positive slope too.
        let fewer_errors = many.iter().map(|difference: &f64| -difference).collect();
        let fitted = LogisticPreference::fit(Registry::lexical().build("ter")?, &[fewer_errors]);
        assert!((fitted.slope() - 3f64.ln()).abs() < 1e-9, "{}", fitted.slope());
        assert!((fitted.probability(-1.0) - 0.75).abs() < 1e-12);
        Ok(())
    }
}
