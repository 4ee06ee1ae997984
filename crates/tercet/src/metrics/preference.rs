//! Which of two translations is better, and how surely.
//!
//! [`Preference`] is the second contract beside [`Metric`]: the probability that people would prefer `a` to `b`. Metrics
//! trained on pairs give it natively; a metric that only scores gives it through a logistic curve on the difference of
//! its two segment scores,
//!
//! ```text
//! p(a better than b) = 1 / (1 + exp(−slope · (score(a) − score(b))))
//! ```
//!
//! with the slope fitted to human judgements. The curve is antisymmetric by construction:
//! `prefer(r, a, b) + prefer(r, b, a) = 1`, and equal scores give one half.

use super::{Direction, Metric, Segment};
use crate::error::Result;

/// Says which of two translations is better.
pub trait Preference: Send + Sync {
    /// The probability that `a` is better than `b`, given what both should say.
    fn prefer(&self, references: &[&str], a: &str, b: &str) -> Result<f64>;
}

/// A scoring metric turned into a preference by a logistic curve.
pub struct LogisticPreference {
    metric: Box<dyn Metric>,
    slope: f64,
}

impl LogisticPreference {
    /// Uses `slope` per unit of score; positive, whatever the metric's direction.
    pub fn new(metric: Box<dyn Metric>, slope: f64) -> Self {
        LogisticPreference { metric, slope }
    }

    /// The slope that makes past judgements most likely: `differences` are `score(better) − score(worse)` of each
    /// judged pair. Newton's method on the log-likelihood, which is concave in the slope.
    pub fn fit(metric: Box<dyn Metric>, differences: &[f64]) -> Self {
        let sign = direction_sign(metric.direction());
        let differences: Vec<f64> = differences.iter().map(|difference| sign * difference).collect();
        let slope = fit_slope(&differences);
        LogisticPreference { metric, slope }
    }

    /// The slope in use.
    pub fn slope(&self) -> f64 {
        self.slope
    }
}

impl Preference for LogisticPreference {
    fn prefer(&self, references: &[&str], a: &str, b: &str) -> Result<f64> {
        let tallies = self.metric.tally(&[Segment::new(a, references), Segment::new(b, references)])?;
        let difference = self.metric.segment_score(&tallies[0]) - self.metric.segment_score(&tallies[1]);
        Ok(logistic(self.slope * direction_sign(self.metric.direction()) * difference))
    }
}

fn direction_sign(direction: Direction) -> f64 {
    match direction {
        Direction::HigherIsBetter => 1.0,
        Direction::LowerIsBetter => -1.0,
    }
}

/// The logistic function, written so that `logistic(x) + logistic(−x)` is one to the last bit.
fn logistic(x: f64) -> f64 {
    if x < 0.0 { 1.0 - logistic(-x) } else { 1.0 / (1.0 + (-x).exp()) }
}

fn fit_slope(differences: &[f64]) -> f64 {
    // A slope beyond which the curve is a step on any metric's scale; reached when the pairs are separable.
    const STEEPEST: f64 = 1e3;
    let mut slope = 0.0;
    for _ in 0..100 {
        let (mut gradient, mut curvature) = (0.0, 0.0);
        for &difference in differences {
            let p = logistic(slope * difference);
            gradient += (1.0 - p) * difference;
            curvature += p * (1.0 - p) * difference * difference;
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
    use crate::metrics::build;

    #[test]
    fn preference_is_antisymmetric_and_follows_the_direction_of_the_metric() -> Result<()> {
        let references = ["the cat sat on the mat"];
        for (name, slope) in [("bleu", 0.05), ("ter", 0.05)] {
            let preference = LogisticPreference::new(build(name)?, slope);
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
        let slope = fit_slope(&[1.0, 1.0, 1.0, -1.0]);
        assert!((slope - 3f64.ln()).abs() < 1e-9, "{slope}");
    }
}
