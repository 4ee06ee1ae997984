//! Tie calibration: how far apart must two scores of a metric be to count as different? (Deutsch, Foster & Freitag,
//! "Ties matter", EMNLP 2023.)
//!
//! Humans often give two translations the same score, metrics hardly ever do. So a metric's scores count as tied when
//! they differ by at most ε, and ε is chosen to maximise agreement with humans. A pair of translations is right if both
//! tie it or both prefer the same one; within a group of n pairs
//!
//! ```text
//! acc₂₃ = right / n        τ₂₃ = (right − wrong) / n = 2 acc₂₃ − 1
//! ```
//!
//! and the value is the mean over the groups that have a pair. Candidates for ε are 0 and every difference between two
//! scores of a group; of equally good ones the first is used.
//!
//! # Agreement
//! Equal to `KendallWithTiesOpt` of mt-metrics-eval (68a481a, Python 3.11) bit for bit, the threshold included. That
//! tool keeps a running sum of rounded quotients, so that equally good thresholds can differ in the last bit: acc₂₃ and
//! τ₂₃ then pick different ones. [`calibrate_ties`] adds in the same order and picks the same. The permutation test
//! that calibrates at every draw counts in integers instead: values are equal up to rounding.
//!
//! # Choices
//! Where no group has a pair (that tool divides by zero) the result is `None`. A NaN difference never counts as a tie.
//!
//! # Example
//! ```
//! use tercet_statistics::{Grouping, TieVariant, calibrate_ties};
//!
//! let gold = [5.0, 5.0, 1.0].map(Some);
//! let calibration = calibrate_ties(Grouping::None, 3, &gold, &[0.9, 0.8, 0.1], TieVariant::Acc23).unwrap();
//! assert_eq!((calibration.value, calibration.threshold), (1.0, 0.9 - 0.8));
//! ```

use super::grouping::Grouping;
use super::random::LegacyGenerator;

/// The agreement that calibration maximises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieVariant {
    /// Kendall's τ with ties: from −1 to 1.
    Tau23,
    /// Pairwise accuracy with ties: from 0 to 1.
    #[default]
    Acc23,
}

impl TieVariant {
    /// The value of a group with `right` of its `pairs` right.
    pub fn value(self, right: i64, pairs: i64) -> f64 {
        match self {
            TieVariant::Tau23 => (2 * right - pairs) as f64 / pairs as f64,
            TieVariant::Acc23 => right as f64 / pairs as f64,
        }
    }

    /// The value for this share of right pairs.
    pub fn of_share(self, share: f64) -> f64 {
        match self {
            TieVariant::Tau23 => 2.0 * share - 1.0,
            TieVariant::Acc23 => share,
        }
    }
}

/// The best tie threshold and the agreement it gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Scores that differ by no more than this are tied.
    pub threshold: f64,
    /// The agreement with that threshold.
    pub value: f64,
    /// The number of groups averaged.
    pub groups: usize,
    /// The number of pairs in these groups.
    pub pairs: usize,
    /// The number of pairs that the threshold ties.
    pub tied: usize,
    /// The number of pairs with equal gold scores.
    pub tied_by_gold: usize,
}

/// The threshold with which a metric agrees best with the gold scores. None if no group has a pair.
///
/// # Panics
/// If there are not as many scores as gold scores.
pub fn calibrate_ties(
    grouping: Grouping,
    systems: usize,
    gold: &[Option<f64>],
    metric: &[f64],
    variant: TieVariant,
) -> Option<Calibration> {
    calibrate(grouping, systems, gold, metric, variant, || true)
}

/// [`calibrate_ties`] on a sample of the pairs, each taken with probability `rate`: value and threshold are then
/// approximate. The draws are those of numpy's `random.random() <= rate`, pair by pair.
///
/// # Panics
/// If there are not as many scores as gold scores.
pub fn calibrate_ties_sampled(
    grouping: Grouping,
    systems: usize,
    gold: &[Option<f64>],
    metric: &[f64],
    variant: TieVariant,
    (rate, generator): (f64, &mut LegacyGenerator),
) -> Option<Calibration> {
    calibrate(grouping, systems, gold, metric, variant, || rate >= 1.0 || generator.random() <= rate)
}

fn calibrate(
    grouping: Grouping,
    systems: usize,
    gold: &[Option<f64>],
    metric: &[f64],
    variant: TieVariant,
    mut taken: impl FnMut() -> bool,
) -> Option<Calibration> {
    assert_eq!(gold.len(), metric.len(), "gold scores and scores");
    let (mut groups, mut pairs) = (Vec::new(), Vec::new());
    for places in grouping.groups(systems, gold) {
        let mut group = Group::default();
        for (i, &a) in places.iter().enumerate() {
            for &b in places[i + 1..].iter().filter(|_| taken()) {
                let pair = Pair::new(groups.len(), (gold[a], gold[b]), (metric[a], metric[b]));
                group.pairs += 1;
                group.right += i64::from(pair.right);
                pairs.push(pair);
            }
        }
        if group.pairs > 0 {
            groups.push(group);
        }
    }
    (!groups.is_empty()).then(|| sweep(pairs, groups, variant))
}

/// Two scores of a group.
#[derive(Clone, Copy)]
struct Pair {
    /// The bits of |difference|: not negative, so they sort as the number does, NaN last.
    difference: u64,
    group: u32,
    /// Whether the pair is right as it is, and as a tie.
    right: bool,
    right_as_tie: bool,
}

impl Pair {
    fn new(group: usize, gold: (Option<f64>, Option<f64>), metric: (f64, f64)) -> Self {
        Pair {
            difference: (metric.0 - metric.1).abs().to_bits(),
            group: u32::try_from(group).expect("fewer than 2³² groups"),
            right: gold.0.partial_cmp(&gold.1) == metric.0.partial_cmp(&metric.1),
            right_as_tie: gold.0 == gold.1,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Group {
    right: i64,
    pairs: i64,
}

/// Turns pairs into ties, closest first, and keeps the best value found.
fn sweep(mut pairs: Vec<Pair>, mut groups: Vec<Group>, variant: TieVariant) -> Calibration {
    pairs.sort_by_key(|pair| pair.difference);
    let mut values: Vec<f64> = groups.iter().map(|group| variant.value(group.right, group.pairs)).collect();
    let mut sum: f64 = values.iter().fold(0.0, |sum, value| sum + value);
    let mut best = Best { groups: groups.len() as f64, threshold: 0, sum: f64::NEG_INFINITY };
    let mut threshold = 0;
    let numbers = pairs.partition_point(|pair| !f64::from_bits(pair.difference).is_nan());
    for pair in &pairs[..numbers] {
        if pair.difference != threshold {
            best.offer(threshold, sum);
            threshold = pair.difference;
        }
        let value = &mut values[pair.group as usize];
        // Subtracted and added again even if nothing changes, since mt-metrics-eval rounds there too.
        sum -= *value;
        if pair.right != pair.right_as_tie {
            let group = &mut groups[pair.group as usize];
            group.right += if pair.right_as_tie { 1 } else { -1 };
            *value = variant.value(group.right, group.pairs);
        }
        sum += *value;
    }
    best.offer(threshold, sum);
    Calibration {
        threshold: f64::from_bits(best.threshold),
        value: best.sum / best.groups,
        groups: groups.len(),
        pairs: pairs.len(),
        tied: pairs.partition_point(|pair| pair.difference <= best.threshold),
        tied_by_gold: pairs.iter().filter(|pair| pair.right_as_tie).count(),
    }
}

/// The first threshold with the highest mean.
struct Best {
    groups: f64,
    threshold: u64,
    sum: f64,
}

impl Best {
    fn offer(&mut self, threshold: u64, sum: f64) {
        // Means are compared, as in mt-metrics-eval: two sums can have the same mean.
        if sum > self.sum && sum / self.groups > self.sum / self.groups {
            (self.threshold, self.sum) = (threshold, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn calibration(gold: &[f64], metric: &[f64], variant: TieVariant) -> (f64, f64) {
        let gold: Vec<Option<f64>> = gold.iter().copied().map(Some).collect();
        let found = calibrate_ties(Grouping::None, 1, &gold, metric, variant).unwrap();
        (found.value, found.threshold)
    }

    #[test]
    fn without_gain_nothing_is_tied() {
        assert_eq!(calibration(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0], TieVariant::Acc23), (1.0, 0.0));
        assert_eq!(calibration(&[3.0, 2.0, 1.0], &[1.0, 2.0, 3.0], TieVariant::Tau23), (-1.0, 0.0));
    }

    #[test]
    fn ties_of_the_metric_count_as_they_are() {
        assert_eq!(calibration(&[1.0, 1.0, 2.0], &[5.0, 5.0, 7.0], TieVariant::Acc23), (1.0, 0.0));
    }

    #[test]
    fn all_pairs_of_one_difference_are_tied_together() {
        // 0–1 and 2–3 would be right as ties, 1–2 would not; all three differ by 1.
        let (value, threshold) = calibration(&[1.0, 1.0, 2.0, 2.0], &[0.0, 1.0, 2.0, 3.0], TieVariant::Acc23);
        assert_eq!((value, threshold), (5.0 / 6.0, 1.0));
    }

    #[test]
    fn groups_without_a_pair_take_no_part() {
        let gold = [Some(1.0), None, Some(1.0), Some(2.0)];
        let found = calibrate_ties(Grouping::Item, 2, &gold, &[1.0, 0.0, 2.0, 0.0], TieVariant::Acc23).unwrap();
        assert_eq!(found, Calibration { threshold: 1.0, value: 1.0, groups: 1, pairs: 1, tied: 1, tied_by_gold: 1 });
        assert_eq!(calibrate_ties(Grouping::Item, 1, &gold, &[0.0; 4], TieVariant::Acc23), None);
    }

    #[test]
    fn nan_is_never_tied_nor_right() {
        let (value, threshold) = calibration(&[1.0, 1.0, 2.0], &[f64::NAN, 1.0, 2.0], TieVariant::Acc23);
        assert_eq!((value, threshold), (1.0 / 3.0, 0.0));
    }

    // python -c "import numpy as np; from mt_metrics_eval import stats; np.random.seed(7);
    // print(stats.KendallWithTiesOpt( [1,1,2,3,3,5,5,5], [.3,.1,.2,.9,.5,.6,.8,.7], 'acc23', 2, 'sys', .6)[:2])"
    #[test]
    fn a_sample_is_numpys() {
        let gold = [1.0, 1.0, 2.0, 3.0, 3.0, 5.0, 5.0, 5.0].map(Some);
        let metric = [0.3, 0.1, 0.2, 0.9, 0.5, 0.6, 0.8, 0.7];
        let sample = (0.6, &mut LegacyGenerator::new(7));
        let found = calibrate_ties_sampled(Grouping::System, 2, &gold, &metric, TieVariant::Acc23, sample).unwrap();
        assert_eq!((found.value, found.threshold, found.pairs), SAMPLED);
    }

    const SAMPLED: (f64, f64, usize) = (0.75, 0.20000000000000007, 7);

    proptest! {
        /// The definition, with every candidate tried.
        #[test]
        fn no_threshold_is_better(scores in prop::collection::vec((0u8..4, 0u8..12), 2..25)) {
            let gold: Vec<Option<f64>> = scores.iter().map(|&(g, _)| Some(f64::from(g))).collect();
            let metric: Vec<f64> = scores.iter().map(|&(_, m)| f64::from(m)).collect();
            let found = calibrate_ties(Grouping::None, 1, &gold, &metric, TieVariant::Acc23).unwrap();
            let right_at = |threshold: f64| {
                let pairs = (0..gold.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
                pairs.filter(|&(i, j)| {
                    let tied = (metric[i] - metric[j]).abs() <= threshold;
                    let order = if tied { Some(std::cmp::Ordering::Equal) } else { metric[i].partial_cmp(&metric[j]) };
                    gold[i].partial_cmp(&gold[j]) == order
                }).count()
            };
            let best = (0..12).map(|t| right_at(f64::from(t))).max().unwrap();
            prop_assert_eq!(right_at(found.threshold), best);
            prop_assert!((found.value - best as f64 / found.pairs as f64).abs() < 1e-12);
        }

        #[test]
        fn both_variants_are_one(scores in prop::collection::vec((0u8..4, -5f64..5.0), 2..25)) {
            let gold: Vec<Option<f64>> = scores.iter().map(|&(g, _)| Some(f64::from(g))).collect();
            let metric: Vec<f64> = scores.iter().map(|&(_, m)| m).collect();
            let value = |variant| calibrate_ties(Grouping::None, 1, &gold, &metric, variant).unwrap().value;
            let expected = TieVariant::Tau23.of_share(value(TieVariant::Acc23));
            prop_assert!((value(TieVariant::Tau23) - expected).abs() < 1e-12);
        }
    }
}
