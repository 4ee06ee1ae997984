//! Tests of every pair of metrics, and the clusters that result.

use super::calibrated::perm_both_calibrated;
use super::pairs::Layout;
use super::scores::perm_both_scores;
use super::{Difference, Draws, Gold};
use crate::TieVariant;
use crate::progress::{Progress, Stopped};
use rayon::prelude::*;

/// A coefficient of gold scores and a metric's within a group; NaN where it is undefined.
pub type Coefficient<'a> = &'a (dyn Fn(&[f64], &[f64]) -> f64 + Sync);

/// How two metrics are compared.
#[derive(Clone, Copy)]
pub enum PermutationTest<'a> {
    /// By scores, with a coefficient.
    Scores(Coefficient<'a>),
    /// By scores, with agreement with ties whose threshold is recomputed at every draw.
    Calibrated(TieVariant),
    /// By pairs.
    Pairs(TieVariant),
}

/// For metrics in order of agreement, the best first: the p-values of "row is better than column" above the diagonal,
/// 0 elsewhere.
///
/// Pairs of metrics are distributed over the threads of the rayon pool. All use the same coins, so that a p-value
/// depends neither on threads nor on the other metrics. `progress` advances by pairs of metrics.
///
/// # Panics
/// If a metric does not have as many scores as there are gold scores.
pub fn compare_all(
    gold: Gold,
    metrics: &[&[f64]],
    test: PermutationTest,
    draws: Draws,
    progress: Progress<'_>,
) -> Result<Vec<Vec<f64>>, Stopped> {
    let prepared = match test {
        PermutationTest::Pairs(variant) => Some(Verdicts::new(gold, metrics, variant)),
        _ => None,
    };
    let p_value = |better: usize, worse: usize| {
        let (first, second) = (metrics[worse], metrics[better]);
        let found = match (test, &prepared) {
            (PermutationTest::Scores(coefficient), _) => {
                perm_both_scores(gold, first, second, coefficient, draws, progress)
            }
            (PermutationTest::Calibrated(variant) | PermutationTest::Pairs(variant), None) => {
                perm_both_calibrated(gold, first, second, variant, draws, progress)
            }
            (PermutationTest::Calibrated(variant) | PermutationTest::Pairs(variant), Some(verdicts)) => {
                verdicts.test(better, worse, variant, (draws, progress))
            }
        };
        found.map(|found| found.p_value)
    };
    let count = metrics.len();
    let pairs: Vec<(usize, usize)> = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))).collect();
    let p_values: Vec<f64> = pairs
        .par_iter()
        .map(|&(better, worse)| {
            let p_value = p_value(better, worse)?;
            progress.advance(1).map(|()| p_value)
        })
        .collect::<Result<_, Stopped>>()?;
    let mut matrix = vec![vec![0.0; count]; count];
    for (&(better, worse), p_value) in pairs.iter().zip(p_values) {
        matrix[better][worse] = p_value;
    }
    Ok(matrix)
}

/// The right and wrong pairs of each metric, computed once.
struct Verdicts {
    layout: Layout,
    of_metrics: Vec<Vec<bool>>,
}

impl Verdicts {
    fn new(gold: Gold, metrics: &[&[f64]], variant: TieVariant) -> Self {
        let layout = Layout::new(gold);
        let verdicts = |scores: &&[f64]| layout.verdicts(gold, scores, variant, None);
        let of_metrics = metrics.par_iter().map(verdicts).collect();
        Verdicts { layout, of_metrics }
    }

    fn test(
        &self,
        better: usize,
        worse: usize,
        variant: TieVariant,
        draws: (Draws, Progress<'_>),
    ) -> Result<Difference, Stopped> {
        self.layout.test(&self.of_metrics[worse], &self.of_metrics[better], variant, draws)
    }
}

/// The cluster of each metric, counted from 1, from the p-values of [`compare_all`]: a new one begins at the first
/// metric that some member of the current one beats at level `alpha`.
pub fn assign_ranks(p_values: &[Vec<f64>], alpha: f64) -> Vec<usize> {
    let (mut rank, mut start) = (1, 0);
    let rank_of = |column: usize| {
        if (start..column).any(|row| p_values[row][column] <= alpha) {
            rank += 1;
            start = column;
        }
        rank
    };
    (0..p_values.len()).map(rank_of).collect()
}
