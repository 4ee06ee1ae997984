//! Soft pairwise accuracy: does a metric separate systems as confidently as humans do? (Thompson, Mathur, Deutsch &
//! Khayrallah, WMT 2024.)
//!
//! For every pair of systems, p is the one-sided p-value of a paired permutation test: how often the first leads the
//! second by at least as much when the scores of each segment are exchanged at random. With pᴴ from human scores and pᴹ
//! from the metric's,
//!
//! ```text
//! SPA = 1 − mean over pairs i < j of | pᴴᵢⱼ − pᴹᵢⱼ |
//! ```
//!
//! so that a metric loses nothing on a pair that humans cannot separate either.
//!
//! # Agreement
//! `compute_pairwise_p_values` and `compute_one_minus_pce` of mt-metrics-eval (68a481a): the same coins
//! (`default_rng(seed).random(dtype=float32)`, rounded to the nearest, one row for all systems), scores in single
//! precision.
//!
//! # Choices
//! That tool adds in single precision, in the order of the BLAS it finds, and a tie between a permuted lead and the
//! real one is decided by rounding. Here the single-precision scores are added in double precision, where sums of
//! scores of similar size are exact, and a tie counts as one. Where gold scores are missing it drops these entries and
//! splits what is left into rows of equal length, which mixes systems unless all lack equally many; here only segments
//! with a gold score of every system are used.

use super::random::Generator;
use super::summation::mean;
use tercet_math::matrix_product;

/// The number and seed of random permutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permutations {
    /// The number of permutations.
    pub count: usize,
    /// The seed of numpy's generator.
    pub seed: u64,
}

impl Default for Permutations {
    /// Those of mt-metrics-eval.
    fn default() -> Self {
        Permutations { count: 1000, seed: 4 }
    }
}

/// For each pair of systems i < j, in the order (0, 1), (0, 2), …, (1, 2), …: the p-value of "i is better than j".
/// `scores` has the segments' scores system by system.
///
/// # Panics
/// If the scores are not equally many for each system, or there are no permutations.
pub fn pairwise_p_values(systems: usize, scores: &[f64], permutations: Permutations) -> Vec<f64> {
    let segments = scores.len().checked_div(systems).unwrap_or(0);
    CoinSigns::new(segments, permutations).p_values(systems, scores)
}

/// The random signs of all permutations, drawn once and used for any number of matrices.
#[derive(Clone, Debug)]
pub struct CoinSigns {
    segments: usize,
    permutations: usize,
    /// Permutation by permutation, 1 or −1 for each segment.
    signs: Vec<f64>,
}

impl CoinSigns {
    /// Signs for this many segments.
    ///
    /// # Panics
    /// If there are no permutations.
    pub fn new(segments: usize, permutations: Permutations) -> Self {
        assert!(permutations.count > 0, "p-values need permutations");
        let mut generator = Generator::new(Some(permutations.seed));
        // `rint(random(dtype=float32))`: a half is rounded to 0.
        let toss = |_| if generator.random_f32() > 0.5 { 1.0 } else { -1.0 };
        let signs = (0..permutations.count * segments).map(toss).collect();
        CoinSigns { segments, permutations: permutations.count, signs }
    }

    /// The p-values of [`pairwise_p_values`] with these signs.
    ///
    /// # Panics
    /// If there are not `systems` × segments scores.
    pub fn p_values(&self, systems: usize, scores: &[f64]) -> Vec<f64> {
        let (segments, pairs) = (self.segments, systems * systems.saturating_sub(1) / 2);
        assert_eq!(scores.len(), systems * segments, "each system has a score on each segment");
        if systems == 0 || segments == 0 {
            return vec![1.0; pairs];
        }
        // Rounded to single precision as in mt-metrics-eval, then double. Rows are segments, columns systems.
        let mut columns = vec![0.0; scores.len()];
        for (system, row) in scores.chunks_exact(segments).enumerate() {
            for (segment, &score) in row.iter().enumerate() {
                columns[segment * systems + system] = f64::from(score as f32);
            }
        }
        let totals = matrix_product(&vec![1.0; segments], &columns, segments, systems);
        let sums = matrix_product(&self.signs, &columns, segments, systems);
        let mut exceeding = vec![0usize; pairs];
        for sums in sums.chunks_exact(systems) {
            for (count, (i, j)) in exceeding.iter_mut().zip(all_pairs(systems)) {
                *count += usize::from(sums[i] - sums[j] >= totals[i] - totals[j]);
            }
        }
        exceeding.into_iter().map(|count| count as f64 / self.permutations as f64).collect()
    }
}

/// All pairs i < j, row by row.
fn all_pairs(systems: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..systems).flat_map(move |i| (i + 1..systems).map(move |j| (i, j)))
}

/// 1 − the mean absolute difference of human and metric p-values. NaN if there is no pair of systems.
///
/// # Panics
/// If there are not equally many of each.
pub fn soft_pairwise_agreement(gold: &[f64], metric: &[f64]) -> f64 {
    assert_eq!(gold.len(), metric.len(), "p-values of the same pairs");
    let errors: Vec<f64> = gold.iter().zip(metric).map(|(gold, metric)| (gold - metric).abs()).collect();
    1.0 - mean(&errors)
}

/// Soft pairwise accuracy, from segments' scores system by system. NaN with fewer than two systems.
///
/// # Panics
/// If there are not as many scores as gold scores, or not equally many for each system.
pub fn soft_pairwise_accuracy(systems: usize, gold: &[Option<f64>], metric: &[f64], permutations: Permutations) -> f64 {
    assert_eq!(gold.len(), metric.len(), "gold scores and scores");
    let segments = gold.len().checked_div(systems).unwrap_or(0);
    let judged: Vec<bool> =
        (0..segments).map(|segment| (0..systems).all(|i| gold[i * segments + segment].is_some())).collect();
    let places = || (0..gold.len()).filter(|place| judged[place % segments]);
    let gold: Vec<f64> = places().filter_map(|place| gold[place]).collect();
    let metric: Vec<f64> = places().map(|place| metric[place]).collect();
    let p_values = |scores: &[f64]| pairwise_p_values(systems, scores, permutations);
    soft_pairwise_agreement(&p_values(&gold), &p_values(&metric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_systems_exceed_their_difference_always() {
        let p_values = pairwise_p_values(2, &[1.0, 2.0, 3.0, 1.0, 2.0, 3.0], Permutations::default());
        assert_eq!(p_values, [1.0]);
    }

    // python -c "import numpy as np; from mt_metrics_eval import pce; print(pce.compute_pairwise_p_values(
    // np.array([[.8,.9,.7,1.,.6],[.2,.3,.1,.4,.0],[.8,.1,.9,.2,.7]]), 1000))"
    #[test]
    fn p_values_are_those_of_numpys_coins() {
        let scores = [0.8, 0.9, 0.7, 1.0, 0.6, 0.2, 0.3, 0.1, 0.4, 0.0, 0.8, 0.1, 0.9, 0.2, 0.7];
        assert_eq!(pairwise_p_values(3, &scores, Permutations::default()), P_VALUES);
    }

    const P_VALUES: [f64; 3] = [0.036, 0.243, 0.89];

    #[test]
    fn a_metric_that_repeats_people_is_perfect_and_its_mirror_is_not() {
        let gold = [3.0, 4.0, 5.0, 1.0, 2.0, 4.0];
        let mirrored = gold.map(|score| -score);
        let accuracy = |metric: &[f64]| soft_pairwise_accuracy(2, &gold.map(Some), metric, Permutations::default());
        assert_eq!(accuracy(&gold), 1.0);
        assert!(accuracy(&mirrored) < 0.2);
    }

    #[test]
    fn segments_that_some_system_lacks_take_no_part() {
        let gold = [Some(1.0), None, Some(3.0), Some(2.0), Some(9.0), Some(5.0)];
        let metric = [0.1, 77.0, 0.3, 0.2, -5.0, 0.4];
        let whole = soft_pairwise_accuracy(2, &gold, &metric, Permutations::default());
        let kept = ([1.0, 3.0, 2.0, 5.0].map(Some), [0.1, 0.3, 0.2, 0.4]);
        assert_eq!(whole, soft_pairwise_accuracy(2, &kept.0, &kept.1, Permutations::default()));
    }

    #[test]
    fn one_system_has_no_pair() {
        assert!(soft_pairwise_accuracy(1, &[Some(1.0)], &[1.0], Permutations::default()).is_nan());
    }
}
