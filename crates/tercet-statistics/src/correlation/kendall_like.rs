//! The Kendall-like coefficient of WMT17 to WMT20 ("DARR": direct assessment as relative ranking; Bojar, Graham &
//! Kamran, WMT17).
//!
//! ```text
//! τ = (C − D) / (C + D)
//! ```
//!
//! over pairs of translations whose human scores are at least a threshold apart (25 of 100 points), since differences
//! below it may be chance. A pair is concordant if the metric puts the better one strictly above; everything else,
//! ties in the metric too, is discordant.
//!
//! # Agreement
//! mt-metrics-eval 68a481a's `KendallLike`: 0 where there are no such pairs. Its threshold includes the difference that
//! equals it, on the rounded difference of the doubles; with threshold 0, pairs tied in gold are discordant. Averages
//! over items weigh each item by its pairs, which is one ratio over all of them.
//!
//! Counting is one sweep up the sorted human scores, as in [`PairCounts`](super::PairCounts).

use super::fenwick::Fenwick;
use super::order::{dense_ranks, sort_places, value};
use std::iter::Sum;
use std::ops::AddAssign;

/// The pairs whose human scores are far enough apart. Counts of several rows can be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KendallLike {
    /// Pairs in which the metric ranks the better one strictly higher.
    pub concordant: u64,
    /// All other pairs, ties in the metric included.
    pub discordant: u64,
}

impl KendallLike {
    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.concordant + self.discordant
    }

    /// (C − D)/(C + D); 0 if there are no pairs.
    pub fn value(&self) -> f64 {
        match self.pairs() {
            0 => 0.0,
            pairs => (self.concordant as f64 - self.discordant as f64) / pairs as f64,
        }
    }
}

impl AddAssign for KendallLike {
    fn add_assign(&mut self, other: KendallLike) {
        self.concordant += other.concordant;
        self.discordant += other.discordant;
    }
}

impl Sum for KendallLike {
    fn sum<I: Iterator<Item = KendallLike>>(counts: I) -> KendallLike {
        let mut sum = KendallLike::default();
        counts.for_each(|counts| sum += counts);
        sum
    }
}

/// Rows up to this length are counted pair by pair.
const DIRECT: usize = 32;

/// Counts the pairs whose gold scores are at least `threshold` apart; WMT's is 25. Scores must not be
/// NaN.
///
/// # Panics
/// If the rows differ in length.
pub fn kendall_like(gold: &[f64], metric: &[f64], threshold: f64) -> KendallLike {
    assert_eq!(gold.len(), metric.len(), "rows of different length");
    if gold.len() <= DIRECT { one_by_one(gold, metric, threshold) } else { sweep(gold, metric, threshold) }
}

fn one_by_one(gold: &[f64], metric: &[f64], threshold: f64) -> KendallLike {
    let (mut concordant, mut pairs) = (0u64, 0u64);
    for later in 1..gold.len() {
        let (g, m) = (gold[later], metric[later]);
        for (&gold, &metric) in gold[..later].iter().zip(&metric[..later]) {
            let apart = (g - gold).abs() >= threshold;
            let agree = ((g > gold) & (m > metric)) | ((g < gold) & (m < metric));
            pairs += u64::from(apart);
            concordant += u64::from(apart & agree);
        }
    }
    KendallLike { concordant, discordant: pairs - concordant }
}

/// Visits the gold scores in ascending order; the table has the metric's ranks of those at least `threshold` lower.
fn sweep(gold: &[f64], metric: &[f64], threshold: f64) -> KendallLike {
    let (ranks, ties) = dense_ranks(metric);
    let (mut sorted, mut table) = (Vec::new(), Fenwick::default());
    sort_places(gold, &mut sorted);
    table.reset(ties.classes as usize);
    let (mut concordant, mut pairs, mut below, mut apart) = (0, 0, 0, 0);
    for (at, &(key, place)) in sorted.iter().enumerate() {
        let difference = |other: usize| value(key) - value(sorted[other].0);
        while apart < at && difference(apart) >= threshold {
            apart += 1;
        }
        while below < apart && difference(below) > 0.0 {
            table.add(ranks[sorted[below].1 as usize]);
            below += 1;
        }
        pairs += apart as u64;
        concordant += table.below(ranks[place as usize]);
    }
    KendallLike { concordant, discordant: pairs - concordant }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn a_tie_in_the_metric_is_against_it() {
        let counts = kendall_like(&[50.0, 75.0, 99.0, 100.0], &[1.0, 2.0, 2.0, 2.0], 25.0);
        // 50 is 25 or more below all others, 75 below 100: there the metric has a tie.
        assert_eq!(counts, KendallLike { concordant: 3, discordant: 1 });
        assert_eq!(counts.value(), 0.5);
    }

    #[test]
    fn without_pairs_the_value_is_zero() {
        assert_eq!(kendall_like(&[50.0, 60.0], &[1.0, 2.0], 25.0).value(), 0.0);
        assert_eq!(kendall_like(&[], &[], 25.0).pairs(), 0);
    }

    #[test]
    fn with_threshold_zero_pairs_tied_in_gold_are_discordant() {
        assert_eq!(kendall_like(&[1.0, 1.0], &[1.0, 2.0], 0.0), KendallLike { concordant: 0, discordant: 1 });
    }

    proptest! {
        #[test]
        fn the_sweep_counts_what_pairs_one_by_one_do(
            rows in vec(((-9..9i32).prop_map(|i| f64::from(i) / 10.0), (-4..4i32).prop_map(f64::from)), 0..250),
            threshold in prop_oneof![Just(0.0), Just(0.1), Just(0.3), Just(-1.0), 0.0..2.0f64],
        ) {
            let (gold, metric): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
            prop_assert_eq!(sweep(&gold, &metric, threshold), one_by_one(&gold, &metric, threshold));
        }
    }
}
