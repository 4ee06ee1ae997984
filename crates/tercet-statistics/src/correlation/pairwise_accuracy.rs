//! Pairwise accuracy of system scores (Kocmi et al., "To ship or not to ship", WMT21; first by Mathur et al., 2020).
//!
//! ```text
//! accuracy = |{pairs of systems: sign of the metric's difference = sign of the human difference}| / |pairs|
//! ```
//!
//! Over several language pairs or test sets, pairs are added before dividing.
//!
//! # Agreement
//! mt-metrics-eval 68a481a's `Agreement`: a tie agrees with a tie only. Kocmi et al. leave out pairs that are tied
//! in gold, which hardly ever happens to means of many judgements.

use super::PairCounts;
use std::iter::Sum;
use std::ops::AddAssign;

/// The number of pairs of systems on which metric and humans agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairwiseAccuracy {
    /// Pairs on which they agree.
    pub agreeing: u64,
    /// All pairs.
    pub pairs: u64,
}

/// Counts the pairs of systems on which metric and humans agree.
///
/// # Panics
/// If the rows differ in length.
pub fn pairwise_accuracy(gold: &[f64], metric: &[f64]) -> PairwiseAccuracy {
    let counts = PairCounts::new(gold, metric, 0.0);
    PairwiseAccuracy { agreeing: counts.concordant + counts.ties_both, pairs: counts.pairs() }
}

impl PairwiseAccuracy {
    /// The share of pairs; NaN if there are none.
    pub fn value(&self) -> f64 {
        self.agreeing as f64 / self.pairs as f64
    }
}

impl AddAssign for PairwiseAccuracy {
    fn add_assign(&mut self, other: PairwiseAccuracy) {
        self.agreeing += other.agreeing;
        self.pairs += other.pairs;
    }
}

impl Sum for PairwiseAccuracy {
    fn sum<I: Iterator<Item = PairwiseAccuracy>>(parts: I) -> PairwiseAccuracy {
        let mut sum = PairwiseAccuracy::default();
        parts.for_each(|counts| sum += counts);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_agrees_with_a_tie_only() {
        let accuracy = pairwise_accuracy(&[1.0, 1.0, 2.0, 3.0], &[4.0, 4.0, 4.0, 5.0]);
        assert_eq!(accuracy, PairwiseAccuracy { agreeing: 4, pairs: 6 });
    }

    #[test]
    fn language_pairs_are_added_before_dividing() {
        let parts =
            [pairwise_accuracy(&[1.0, 2.0], &[2.0, 1.0]), pairwise_accuracy(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0])];
        assert_eq!(parts.into_iter().sum::<PairwiseAccuracy>().value(), 0.75);
        assert!(PairwiseAccuracy::default().value().is_nan());
    }
}
