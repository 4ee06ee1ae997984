//! PERM-BOTH by scores over one vector of all scores, for coefficients of which many draws can be computed at once.
//!
//! The p-values are those of [`perm_both_scores`](super::perm_both_scores): ranks are counted in integers
//! ([`rank_lanes`](crate::rank_lanes)), and Pearson's r is computed again from the exchanged scores where a draw comes
//! so close to the observed difference that rounding could decide.
//!
//! Pearson's r of exchanged scores needs three sums: of products with gold, of squares and of scores. Each is the sum
//! over the scores that one metric keeps plus the sum over those that it gets, so it is enough to have them for each
//! metric and draw, whatever the other metric is.

use super::Draws;
use super::coins::{BLOCK, Tosses};
use super::scores::standardised;
use crate::correlation::{kendall_b_value, pearson_value, spearman_value};
use crate::progress::{Progress, Stopped};
use crate::rank_lanes::{ExchangedRanks, RankCoefficient};
use crate::summation::mean;
use rayon::prelude::*;
use tercet_math::widest;

/// A coefficient over one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlatCoefficient {
    /// Pearson's r.
    Pearson,
    /// Spearman's ρ.
    Spearman,
    /// Kendall's τ-b.
    KendallB,
}

/// Blocks of coins whose rows are in memory at the same time.
const BLOCKS: usize = 16;

/// The differences at which rounding could decide.
const CLOSE: f64 = 1e-9;

/// For metrics in order of agreement, the best first: the p-values of "row is better than column" above the diagonal,
/// 0 elsewhere, as [`compare_all`](super::compare_all) gives them for this coefficient without groups. `None` if a
/// score is not a number or there are too many.
///
/// # Panics
/// If a metric does not have as many scores as there are gold scores.
pub fn compare_flat(
    gold: &[f64],
    metrics: &[&[f64]],
    coefficient: FlatCoefficient,
    draws: Draws,
    progress: Progress<'_>,
) -> Result<Option<Vec<Vec<f64>>>, Stopped> {
    assert!(metrics.iter().all(|scores| scores.len() == gold.len()), "gold scores and scores");
    let is_number = |scores: &[f64]| scores.iter().all(|score| score.is_finite());
    if draws.early_stop.is_some() || draws.count == 0 || !is_number(gold) || !metrics.iter().all(|of| is_number(of)) {
        return Ok(None);
    }
    let scores: Vec<Vec<f64>> = metrics.iter().map(|scores| standardised(scores)).collect();
    let value = |scores: &[f64]| {
        let value = match coefficient {
            FlatCoefficient::Pearson => pearson_value(gold, scores),
            FlatCoefficient::Spearman => spearman_value(gold, scores),
            FlatCoefficient::KendallB => kendall_b_value(gold, scores),
        };
        if value.is_nan() { 0.0 } else { value }
    };
    let observed: Vec<f64> = scores.iter().map(|scores| value(scores)).collect();
    let count = metrics.len();
    let pairs: Vec<(usize, usize)> = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))).collect();
    let mut exceeding = vec![0usize; pairs.len()];
    let mut tosses = Tosses::new(draws.coins, gold.len());
    let mut left = draws.count;
    while left > 0 {
        let mut blocks: Vec<(Vec<u64>, usize)> = Vec::new();
        while left > 0 && blocks.len() < BLOCKS {
            let drawn = left.min(BLOCK);
            blocks.push((tosses.block(drawn).to_vec(), drawn));
            left -= drawn;
        }
        let exceeds = |pair: (usize, usize)| observed[pair.0] - observed[pair.1];
        let found: Option<Vec<usize>> = match coefficient {
            FlatCoefficient::Pearson => Some(by_sums(gold, &scores, &blocks, &pairs, &exceeds, &value, progress)?),
            FlatCoefficient::Spearman => {
                by_ranks(RankCoefficient::Spearman, gold, &scores, &blocks, &pairs, &exceeds, progress)?
            }
            FlatCoefficient::KendallB => {
                by_ranks(RankCoefficient::KendallB, gold, &scores, &blocks, &pairs, &exceeds, progress)?
            }
        };
        let Some(found) = found else { return Ok(None) };
        exceeding.iter_mut().zip(found).for_each(|(all, found)| *all += found);
    }
    let mut matrix = vec![vec![0.0; count]; count];
    for (&(better, worse), exceeding) in pairs.iter().zip(exceeding) {
        matrix[better][worse] = exceeding as f64 / draws.count as f64;
        progress.advance(1)?;
    }
    Ok(Some(matrix))
}

/// How many draws of these blocks exceed the observed difference, for each pair of metrics.
type Delta<'a> = &'a (dyn Fn((usize, usize)) -> f64 + Sync);

fn by_ranks(
    coefficient: RankCoefficient,
    gold: &[f64],
    scores: &[Vec<f64>],
    blocks: &[(Vec<u64>, usize)],
    pairs: &[(usize, usize)],
    delta: Delta<'_>,
    progress: Progress<'_>,
) -> Result<Option<Vec<usize>>, Stopped> {
    let words: Vec<&[u64]> = blocks.iter().map(|(words, _)| words.as_slice()).collect();
    let Some(exchanged) = ExchangedRanks::new(coefficient, gold, &words) else { return Ok(None) };
    let count = |&pair: &(usize, usize)| {
        let (better, worse) = pair;
        let sorted = exchanged.sorted(&scores[worse], &scores[better]);
        let mut exceeding = 0;
        for (block, (_, drawn)) in blocks.iter().enumerate() {
            progress.check()?;
            let or_zero = |value: f64| if value.is_nan() { 0.0 } else { value };
            let exceeds = |[first, second]: &&[f64; 2]| or_zero(*second) - or_zero(*first) >= delta(pair);
            exceeding += exchanged.block(&sorted, block).iter().take(*drawn).filter(exceeds).count();
        }
        Ok(exceeding)
    };
    pairs.par_iter().map(count).collect::<Result<Vec<usize>, Stopped>>().map(Some)
}

/// Sums over the scores that a metric keeps, in each draw of a block.
#[derive(Clone)]
struct Kept {
    products: [f64; BLOCK],
    squares: [f64; BLOCK],
    sums: [f64; BLOCK],
}

impl Default for Kept {
    fn default() -> Self {
        Kept { products: [0.0; BLOCK], squares: [0.0; BLOCK], sums: [0.0; BLOCK] }
    }
}

widest! {
    fn add_kept(gold: &[f64], scores: &[f64], heads: &[[i16; BLOCK]], kept: &mut Kept) {
        for ((&gold, &score), row) in gold.iter().zip(scores).zip(heads) {
            let (product, square) = (gold * score, score * score);
            for (draw, &keeps) in row.iter().enumerate() {
                let keeps = f64::from(keeps);
                kept.products[draw] += keeps * product;
                kept.squares[draw] += keeps * square;
                kept.sums[draw] += keeps * score;
            }
        }
    }
}

fn by_sums(
    gold: &[f64],
    scores: &[Vec<f64>],
    blocks: &[(Vec<u64>, usize)],
    pairs: &[(usize, usize)],
    delta: Delta<'_>,
    value: &(dyn Fn(&[f64]) -> f64 + Sync),
    progress: Progress<'_>,
) -> Result<Vec<usize>, Stopped> {
    let n = gold.len() as f64;
    let centre = mean(gold);
    let gold: Vec<f64> = gold.iter().map(|score| score - centre).collect();
    let norm = gold.iter().map(|score| score * score).sum::<f64>().sqrt();
    let mut exceeding = vec![0; pairs.len()];
    for (words, drawn) in blocks {
        let row = |&word: &u64| -> [i16; BLOCK] { std::array::from_fn(|draw| (word >> draw & 1) as i16) };
        let heads: Vec<[i16; BLOCK]> = words.iter().map(row).collect();
        let ones = vec![[1i16; BLOCK]; heads.len()];
        let of = |scores: &Vec<f64>| {
            let (mut kept, mut all) = (Kept::default(), Kept::default());
            add_kept(&gold, scores, &heads, &mut kept);
            add_kept(&gold, scores, &ones, &mut all);
            (kept, all)
        };
        let sums: Vec<(Kept, Kept)> = scores.par_iter().map(of).collect();
        let r = |own: usize, other: usize, draw: usize| {
            let ((own, _), (kept, all)) = (&sums[own], &sums[other]);
            let sum = own.sums[draw] + all.sums[draw] - kept.sums[draw];
            let square = own.squares[draw] + all.squares[draw] - kept.squares[draw];
            let product = own.products[draw] + all.products[draw] - kept.products[draw];
            let variation = square - sum * sum / n;
            // Nearly constant scores are left to the exact way.
            (variation > 1e-6 * n).then(|| product / (norm * variation.sqrt()))
        };
        let exactly = |(better, worse): (usize, usize), draw: usize| {
            let pick = |own: &[f64], other: &[f64]| -> Vec<f64> {
                let kept = words.iter().map(|word| word >> draw & 1 == 1);
                own.iter().zip(other).zip(kept).map(|((&own, &other), kept)| if kept { own } else { other }).collect()
            };
            let (first, second) = (&scores[worse], &scores[better]);
            value(&pick(second, first)) - value(&pick(first, second))
        };
        let count = |&pair: &(usize, usize)| {
            progress.check()?;
            let (better, worse) = pair;
            let exceeds = |draw: &usize| {
                let about = r(better, worse, *draw).zip(r(worse, better, *draw)).map(|(second, first)| second - first);
                match about.filter(|about| (about - delta(pair)).abs() > CLOSE) {
                    Some(about) => about >= delta(pair),
                    None => exactly(pair, *draw) >= delta(pair),
                }
            };
            Ok((0..*drawn).filter(exceeds).count())
        };
        let found: Vec<usize> = pairs.par_iter().map(count).collect::<Result<_, Stopped>>()?;
        exceeding.iter_mut().zip(found).for_each(|(all, found)| *all += found);
    }
    Ok(exceeding)
}

#[cfg(test)]
mod tests {
    use super::super::{Coins, Gold, PermutationTest, compare_all};
    use super::*;
    use crate::Grouping;
    use crate::random::Generator;

    #[test]
    fn p_values_are_those_of_single_draws() {
        let mut generator = Generator::new(Some(3));
        let mut row = |length: usize, distinct: u64| -> Vec<f64> {
            (0..length).map(|_| (generator.next_u64() % distinct) as f64).collect()
        };
        for (length, distinct) in [(5, 3), (60, 1 << 50), (400, 7)] {
            let gold = row(length, 5.min(distinct));
            let mut metrics: Vec<Vec<f64>> = (0..4).map(|_| row(length, distinct)).collect();
            // The same metric twice, and a constant one: differences that are 0 count.
            metrics.push(metrics[0].clone());
            metrics.push(vec![2.0; length]);
            metrics.push(gold.iter().zip(&metrics[1]).map(|(gold, noise)| gold * 1e16 + noise).collect());
            let metrics: Vec<&[f64]> = metrics.iter().map(Vec::as_slice).collect();
            let draws = Draws { count: 150, coins: Coins::Generator(5), early_stop: None };
            let wrapped: Vec<Option<f64>> = gold.iter().copied().map(Some).collect();
            let all = Gold { grouping: Grouping::None, systems: 1, scores: &wrapped };
            type Single = fn(&[f64], &[f64]) -> f64;
            let each: [(FlatCoefficient, Single); 3] = [
                (FlatCoefficient::Pearson, pearson_value),
                (FlatCoefficient::Spearman, spearman_value),
                (FlatCoefficient::KendallB, kendall_b_value),
            ];
            for (coefficient, single) in each {
                let expected =
                    compare_all(all, &metrics, PermutationTest::Scores(&single), draws, Progress::none()).unwrap();
                let found = compare_flat(&gold, &metrics, coefficient, draws, Progress::none()).unwrap().unwrap();
                assert_eq!(found, expected, "{coefficient:?} {length}");
            }
        }
        let draws = Draws::default();
        let unfit = compare_flat(&[1.0, f64::NAN], &[&[1.0, 2.0]], FlatCoefficient::Pearson, draws, Progress::none());
        assert_eq!(unfit.unwrap(), None);
    }
}
