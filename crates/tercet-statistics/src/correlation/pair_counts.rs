//! How often gold and metric agree on which of two is better: every tau with ties is computed from it.
//!
//! Both gold and metric order or tie each pair. Five numbers count the combinations (Deutsch, Foster & Freitag, "Ties
//! matter", EMNLP 2023):
//!
//! ```text
//! τ_b   = (C − D) / √(C + D + T_gold) / √(C + D + T_metric)
//! τ_23  = (C + T_both − D − T_gold − T_metric) / pairs
//! acc_23 = (C + T_both) / pairs
//! ```
//!
//! A metric whose scores are no further apart than epsilon ties them: |mᵢ − mⱼ| ≤ ε on the rounded difference of the
//! two doubles, as mt-metrics-eval computes it. Rounding keeps order, so among sorted scores those tied with the j-th
//! and not above it are a range ending at j whose start never decreases: one sweep with a table of partial sums over
//! gold's ranks counts all pairs in O(n log n), for any ε. Short rows are counted pair by pair, which is faster and
//! needs no memory.
//!
//! # Agreement
//! mt-metrics-eval 68a481a's `KendallVariants`, with its NaN: tau-b if all pairs are tied in gold or in the metric,
//! every tau if there are no pairs. Infinite scores are tied with themselves for every ε (there: only for ε = 0).

use super::fenwick::Fenwick;
use super::order::{dense_ranks, sort_places, value};
use std::iter::Sum;
use std::ops::AddAssign;

/// The pairs of two rows, by how gold and metric order them. Counts of several rows can be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Both rank the same one higher.
    pub concordant: u64,
    /// They rank different ones higher.
    pub discordant: u64,
    /// Tied in gold only.
    pub ties_gold: u64,
    /// Tied in the metric only.
    pub ties_metric: u64,
    /// Tied in both.
    pub ties_both: u64,
}

impl PairCounts {
    /// Counts the pairs of two rows. Scores must not be NaN.
    ///
    /// # Panics
    /// If the rows differ in length, or ε is negative or NaN.
    pub fn new(gold: &[f64], metric: &[f64], epsilon: f64) -> PairCounts {
        assert_eq!(gold.len(), metric.len(), "rows of different length");
        assert!(epsilon >= 0.0, "epsilon {epsilon} is not a distance");
        if gold.len() <= DIRECT { one_by_one(gold, metric, epsilon) } else { sweep(gold, metric, epsilon) }
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.concordant + self.discordant + self.ties_gold + self.ties_metric + self.ties_both
    }

    /// C − D.
    pub(super) fn balance(&self) -> f64 {
        self.concordant as f64 - self.discordant as f64
    }

    /// Kendall's tau-b; NaN if gold or metric ties all pairs.
    pub fn tau_b(&self) -> f64 {
        let ordered = self.concordant + self.discordant;
        let (by_metric, by_gold) = (ordered + self.ties_gold, ordered + self.ties_metric);
        if by_metric == 0 || by_gold == 0 {
            return f64::NAN;
        }
        self.balance() / (by_metric as f64).sqrt() / (by_gold as f64).sqrt()
    }

    /// Stuart's tau-c of one row of `n`, of which gold or metric, whichever has fewer, has `classes` different
    /// values; NaN if either ties all pairs. Defined for ε = 0 only.
    pub fn tau_c(&self, n: u64, classes: u64) -> f64 {
        let (n, classes) = (n as f64, classes as f64);
        if self.tau_b().is_nan() { f64::NAN } else { 2.0 * self.balance() / (n * n * (classes - 1.0) / classes) }
    }

    /// Agreement less disagreement, where a tie agrees with a tie only.
    pub fn tau_23(&self) -> f64 {
        let agreeing = self.concordant + self.ties_both;
        let disagreeing = self.discordant + self.ties_gold + self.ties_metric;
        (agreeing as f64 - disagreeing as f64) / self.pairs() as f64
    }

    /// The share of pairs on which gold and metric say the same, ties included: pairwise accuracy.
    pub fn acc_23(&self) -> f64 {
        (self.concordant + self.ties_both) as f64 / self.pairs() as f64
    }
}

impl AddAssign for PairCounts {
    fn add_assign(&mut self, other: PairCounts) {
        self.concordant += other.concordant;
        self.discordant += other.discordant;
        self.ties_gold += other.ties_gold;
        self.ties_metric += other.ties_metric;
        self.ties_both += other.ties_both;
    }
}

impl Sum for PairCounts {
    fn sum<I: Iterator<Item = PairCounts>>(counts: I) -> PairCounts {
        let mut sum = PairCounts::default();
        counts.for_each(|counts| sum += counts);
        sum
    }
}

/// Rows up to this length are counted pair by pair.
const DIRECT: usize = 32;

fn tied(a: f64, b: f64, epsilon: f64) -> bool {
    (a == b) | ((a - b).abs() <= epsilon)
}

fn one_by_one(gold: &[f64], metric: &[f64], epsilon: f64) -> PairCounts {
    let (mut same_side, mut in_gold, mut in_metric, mut in_both) = (0u64, 0u64, 0u64, 0u64);
    for later in 1..gold.len() {
        let (g, m) = (gold[later], metric[later]);
        for (&gold, &metric) in gold[..later].iter().zip(&metric[..later]) {
            let (gold_tie, metric_tie) = (g == gold, tied(m, metric, epsilon));
            same_side += u64::from(!gold_tie & !metric_tie & ((g > gold) == (m > metric)));
            in_gold += u64::from(gold_tie);
            in_metric += u64::from(metric_tie);
            in_both += u64::from(gold_tie & metric_tie);
        }
    }
    let pairs = gold.len() as u64 * (gold.len() as u64).saturating_sub(1) / 2;
    let (ties_gold, ties_metric) = (in_gold - in_both, in_metric - in_both);
    PairCounts {
        concordant: same_side,
        discordant: pairs - same_side - ties_gold - ties_metric - in_both,
        ties_gold,
        ties_metric,
        ties_both: in_both,
    }
}

/// Visits the metric's scores in ascending order; the table has those that are lower and not tied.
fn sweep(gold: &[f64], metric: &[f64], epsilon: f64) -> PairCounts {
    let (ranks, ties) = dense_ranks(gold);
    let (mut sorted, mut table) = (Vec::new(), Fenwick::default());
    sort_places(metric, &mut sorted);
    table.reset(ties.classes as usize);
    let (mut counts, mut tied_in_metric, mut start) = (PairCounts::default(), 0, 0);
    for (at, &(key, place)) in sorted.iter().enumerate() {
        let score = value(key);
        while start < at && !tied(score, value(sorted[start].0), epsilon) {
            table.add(ranks[sorted[start].1 as usize]);
            start += 1;
        }
        let rank = ranks[place as usize];
        let (below, same) = (table.below(rank), table.at(rank));
        counts.concordant += below;
        counts.ties_gold += same;
        counts.discordant += start as u64 - below - same;
        tied_in_metric += (at - start) as u64;
    }
    counts.ties_both = ties.pairs - counts.ties_gold;
    counts.ties_metric = tied_in_metric - counts.ties_both;
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn every_pair_is_in_one_count() {
        let counts = PairCounts::new(&[1.0, 2.0, 2.0, 3.0], &[5.0, 5.0, 5.25, 1.0], 0.25);
        let expected = PairCounts { concordant: 0, discordant: 3, ties_gold: 0, ties_metric: 2, ties_both: 1 };
        assert_eq!(counts, expected);
        assert_eq!(counts.tau_b(), -3.0 / 3f64.sqrt() / 5f64.sqrt());
        assert_eq!((counts.tau_23(), counts.acc_23()), (-4.0 / 6.0, 1.0 / 6.0));
    }

    #[test]
    fn rounding_decides_on_the_edge_of_epsilon() {
        // 0.3 − 0.2 is less than 0.1 in doubles, 0.4 − 0.3 is more.
        assert_eq!(PairCounts::new(&[1.0, 2.0], &[0.2, 0.3], 0.1).ties_metric, 1);
        assert_eq!(PairCounts::new(&[1.0, 2.0], &[0.3, 0.4], 0.1).concordant, 1);
    }

    #[test]
    fn no_pairs_and_nothing_but_ties_have_no_tau() {
        let nothing = PairCounts::new(&[1.0], &[1.0], 0.0);
        assert!(nothing.tau_b().is_nan() && nothing.tau_23().is_nan() && nothing.acc_23().is_nan());
        let tied = PairCounts::new(&[1.0, 2.0, 3.0], &[7.0, 7.0, 7.0], 0.0);
        assert!(tied.tau_b().is_nan() && tied.tau_c(3, 1).is_nan());
        assert_eq!((tied.tau_23(), tied.acc_23()), (-1.0, 0.0));
    }

    #[test]
    fn infinite_scores_are_tied_with_themselves() {
        for epsilon in [0.0, 0.5] {
            let scores = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY];
            assert_eq!(PairCounts::new(&[1.0, 2.0, 0.0], &scores, epsilon).ties_metric, 1);
        }
    }

    #[test]
    #[should_panic(expected = "epsilon -1 is not a distance")]
    fn a_negative_epsilon_is_refused() {
        PairCounts::new(&[1.0], &[1.0], -1.0);
    }

    fn rows(values: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
        let gold = (-3..3i32).prop_map(f64::from);
        vec((gold, values), 0..250).prop_map(|rows| rows.into_iter().unzip())
    }

    proptest! {
        #[test]
        fn the_sweep_counts_what_pairs_one_by_one_do(
            (gold, metric) in rows(prop_oneof![
                (-9..9i32).prop_map(|i| f64::from(i) / 10.0),
                any::<i8>().prop_map(f64::from)
            ]),
            epsilon in prop_oneof![Just(0.0), Just(0.1), Just(0.3), 0.0..5.0f64],
        ) {
            prop_assert_eq!(sweep(&gold, &metric, epsilon), one_by_one(&gold, &metric, epsilon));
        }
    }
}
