//! PERM-BOTH by scores for agreement with ties, the threshold recomputed at every draw.

use super::coins::{BLOCK, Tosses};
use super::lanes::{Step, ThresholdSweep};
use super::scores::standardised;
use super::weights::Weights;
use super::{Difference, Draws, Gold, Replicate, Tally};
use crate::TieVariant;
use crate::progress::{Progress, Stopped};

/// Tests whether the second metric agrees better, each with its best tie threshold at every draw.
///
/// Scores without a gold score are standardised and exchanged with the others, as
/// mt-metrics-eval does for this statistic. p is 1 if no group has a pair.
///
/// # Panics
/// If there are not as many scores as gold scores.
pub fn perm_both_calibrated(
    gold: Gold,
    first: &[f64],
    second: &[f64],
    variant: TieVariant,
    draws: Draws,
    progress: Progress<'_>,
) -> Result<Difference, Stopped> {
    let scores = [standardised(first), standardised(second)];
    let (walk, whole) = sweep(gold, &scores);
    let value = |sum: i64| variant.of_share(sum as f64 / whole as f64);
    let mut tosses = Tosses::new(draws.coins, gold.scores.len());
    let mut tally = Tally::new(draws, progress);
    let mut delta = None;
    while tally.left() > 0 || delta.is_none() {
        // The first block starts with a draw without any exchange.
        let observed = usize::from(delta.is_none());
        let drawn = tally.left().min(BLOCK - observed);
        let block: Vec<u64> = tosses.block(drawn).iter().map(|word| word << observed | observed as u64).collect();
        for [first, second] in walk.best(&block, drawn + observed) {
            let replicate = Replicate { first: value(first), second: value(second) };
            let Some(delta) = delta else {
                delta = Some(second - first);
                continue;
            };
            if tally.left() > 0 {
                tally.push(second - first >= delta, replicate)?;
            }
        }
    }
    let delta = delta.unwrap_or_default() as f64 / whole as f64;
    Ok(tally.difference(variant.of_share(delta) - variant.of_share(0.0)))
}

/// All differences that can occur, sorted, and the total weight.
fn sweep(gold: Gold, scores: &[Vec<f64>; 2]) -> (ThresholdSweep, i64) {
    assert!(scores.iter().all(|scores| scores.len() == gold.scores.len()), "gold scores and scores");
    let mut groups = gold.grouping.groups(gold.systems, gold.scores);
    groups.retain(|places| places.len() > 1);
    let sizes: Vec<usize> = groups.iter().map(|places| places.len() * (places.len() - 1) / 2).collect();
    let weights = Weights::new(&sizes);
    let mut sorted: Vec<(u64, Step)> = Vec::new();
    let mut of_places = vec![0; gold.scores.len()];
    let mut start = 0;
    for (places, &weight) in groups.iter().zip(&weights.of_groups) {
        for (i, &a) in places.iter().enumerate() {
            of_places[a] = weight;
            for &b in &places[i + 1..] {
                start += if gold.scores[a] == gold.scores[b] { weight } else { 0 };
                sorted.extend(steps(gold.scores, scores, (a, b)));
            }
        }
    }
    sorted.sort_unstable_by_key(|&(key, _)| key);
    let steps: Vec<Step> = sorted.into_iter().map(|(_, step)| step).collect();
    let weight_of = |step: &Step| of_places[step.places().0] as f64;
    let weights_of_steps = (!weights.are_ones()).then(|| steps.iter().map(weight_of).collect());
    (ThresholdSweep { weights: weights_of_steps, steps, start }, weights.whole)
}

/// The steps of one pair with their sort keys: up to four differences, without those that change nothing.
fn steps(gold: &[Option<f64>], scores: &[Vec<f64>; 2], (a, b): (usize, usize)) -> impl Iterator<Item = (u64, Step)> {
    let order = gold[a].partial_cmp(&gold[b]);
    let tied = gold[a] == gold[b];
    [(false, false), (false, true), (true, false), (true, true)].into_iter().filter_map(move |(x, y)| {
        let (left, right) = (scores[usize::from(x)][a], scores[usize::from(y)][b]);
        let up = left.partial_cmp(&right) == order;
        ((tied || up) && left != right).then(|| (key((left - right).abs(), up), Step::new((a, x), (b, y), up)))
    })
}

/// Sorts large differences before small ones and, of equal ones, minus before plus. The sign bit, always 0,
/// is shifted out for the latter.
fn key(difference: f64, up: bool) -> u64 {
    !difference.to_bits() << 1 | u64::from(up)
}
