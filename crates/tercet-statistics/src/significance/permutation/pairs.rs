//! PERM-BOTH by pairs: instead of scores, verdicts (right or wrong) on pairs of translations are exchanged.
//!
//! Each metric judges every pair of a group with its own tie threshold; a pair on which both are right or both wrong
//! changes nothing when exchanged. Let H be the second metric's gain over the first, summed over the pairs whose coin
//! shows heads: then the second metric's sum is first + H after the exchange, the first's is
//! second − H, and Δ′ ≥ Δ exactly where H ≥ Δ. So a draw only counts bits.

use super::coins::Coins;
use super::weights::Weights;
use super::{Difference, Draws, Gold, Replicate, Tally};
use crate::progress::{Progress, Stopped};
use crate::random::{Generator, LegacyGenerator};
use crate::{TieVariant, calibrate_ties};
use std::cmp::Ordering;

/// Tests whether the second metric agrees better, with fixed tie thresholds of the first and the second; `None` is the
/// best threshold. p is 1 if no group has a pair.
///
/// # Panics
/// If there are not as many scores as gold scores.
pub fn perm_both_pairs(
    gold: Gold,
    [first, second]: [&[f64]; 2],
    variant: TieVariant,
    [of_first, of_second]: [Option<f64>; 2],
    draws: Draws,
    progress: Progress<'_>,
) -> Result<Difference, Stopped> {
    let layout = Layout::new(gold);
    let verdicts = |scores, threshold| layout.verdicts(gold, scores, variant, threshold);
    layout.test(&verdicts(first, of_first), &verdicts(second, of_second), variant, (draws, progress))
}

/// The pairs of all groups, group by group.
pub(super) struct Layout {
    groups: Vec<Vec<usize>>,
    weights: Weights,
}

impl Layout {
    pub(super) fn new(gold: Gold) -> Self {
        let mut groups = gold.grouping.groups(gold.systems, gold.scores);
        groups.retain(|places| places.len() > 1);
        let sizes: Vec<usize> = groups.iter().map(|places| pairs_of(places.len())).collect();
        Layout { groups, weights: Weights::new(&sizes) }
    }

    /// Whether a metric is right, for every pair.
    pub(super) fn verdicts(
        &self,
        gold: Gold,
        scores: &[f64],
        variant: TieVariant,
        threshold: Option<f64>,
    ) -> Vec<bool> {
        assert_eq!(scores.len(), gold.scores.len(), "gold scores and scores");
        let best = || calibrate_ties(gold.grouping, gold.systems, gold.scores, scores, variant);
        let threshold = threshold.or_else(|| Some(best()?.threshold)).unwrap_or(0.0);
        let right = |a: usize, b: usize| {
            let tied = (scores[a] - scores[b]).abs() <= threshold;
            let order = if tied { Some(Ordering::Equal) } else { scores[a].partial_cmp(&scores[b]) };
            gold.scores[a].partial_cmp(&gold.scores[b]) == order
        };
        let pairs = self.groups.iter().flat_map(|places| {
            places.iter().enumerate().flat_map(|(i, &a)| places[i + 1..].iter().map(move |&b| (a, b)))
        });
        pairs.map(|(a, b)| right(a, b)).collect()
    }

    pub(super) fn test(
        &self,
        first: &[bool],
        second: &[bool],
        variant: TieVariant,
        (draws, progress): (Draws, Progress<'_>),
    ) -> Result<Difference, Stopped> {
        let (first_sum, second_sum) = (self.sum(first), self.sum(second));
        let delta = second_sum - first_sum;
        let value = |sum: i64| variant.of_share(sum as f64 / self.weights.whole as f64);
        let mut exchanges = Exchanges::new(self, first, second, draws.coins);
        let mut tally = Tally::new(draws, progress);
        while tally.left() > 0 {
            let gain = exchanges.draw();
            let replicate = Replicate { first: value(second_sum - gain), second: value(first_sum + gain) };
            tally.push(gain >= delta, replicate)?;
        }
        Ok(tally.difference(value(second_sum) - value(first_sum)))
    }

    fn sum(&self, verdicts: &[bool]) -> i64 {
        let right = |range: &[bool]| range.iter().filter(|&&right| right).count() as i64;
        self.by_group(verdicts).map(|(weight, _, verdicts)| weight * right(verdicts)).sum()
    }

    /// Each group's weight, number of scores and slice of `pairs`.
    fn by_group<'a, T>(&'a self, mut pairs: &'a [T]) -> impl Iterator<Item = (i64, usize, &'a [T])> {
        self.groups.iter().zip(&self.weights.of_groups).map(move |(places, &weight)| {
            let (of_group, rest) = pairs.split_at(pairs_of(places.len()));
            pairs = rest;
            (weight, places.len(), of_group)
        })
    }
}

fn pairs_of(places: usize) -> usize {
    places * (places - 1) / 2
}

/// Draws the gain of the second metric over the first on pairs whose coin shows heads.
enum Exchanges {
    /// Only pairs on which exactly one metric is right have a coin; they are counted by weight.
    Bits { generator: Generator, classes: Vec<Class> },
    /// n × n coins for a group of n as in mt-metrics-eval, of which the upper triangle is used.
    Matrices { generator: Box<LegacyGenerator>, gains: Vec<i64> },
}

/// Pairs of one weight.
struct Class {
    weight: i64,
    second_alone: usize,
    first_alone: usize,
}

impl Exchanges {
    fn new(layout: &Layout, first: &[bool], second: &[bool], coins: Coins) -> Self {
        let gains: Vec<i8> =
            first.iter().zip(second).map(|(&first, &second)| i8::from(second) - i8::from(first)).collect();
        match coins {
            Coins::Generator(seed) => {
                Exchanges::Bits { generator: Generator::new(Some(seed)), classes: classes(layout, &gains) }
            }
            Coins::Legacy(seed) => Exchanges::Matrices {
                generator: Box::new(LegacyGenerator::new(seed)),
                gains: layout.by_group(&gains).flat_map(|(weight, n, gains)| square(weight, n, gains)).collect(),
            },
        }
    }

    fn draw(&mut self) -> i64 {
        match self {
            Exchanges::Bits { generator, classes } => {
                let mut gain = |class: &Class| {
                    class.weight * (heads(generator, class.second_alone) - heads(generator, class.first_alone))
                };
                classes.iter().map(&mut gain).sum()
            }
            Exchanges::Matrices { generator, gains } => {
                gains.iter().map(|&gain| if generator.binomial(0.5) { gain } else { 0 }).sum()
            }
        }
    }
}

/// The number of heads among this many coins.
fn heads(generator: &mut Generator, coins: usize) -> i64 {
    let whole: u32 = (0..coins / 64).map(|_| generator.next_u64().count_ones()).sum();
    let rest = match coins % 64 {
        0 => 0,
        rest => (generator.next_u64() >> (64 - rest)).count_ones(),
    };
    i64::from(whole) + i64::from(rest)
}

/// Pairs on which exactly one metric is right, counted by weight, the smallest weight first.
fn classes(layout: &Layout, gains: &[i8]) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for (weight, _, gains) in layout.by_group(gains) {
        let alone = |sign: i8| gains.iter().filter(|&&gain| gain == sign).count();
        let at = classes.binary_search_by_key(&weight, |class| class.weight).unwrap_or_else(|at| {
            classes.insert(at, Class { weight, second_alone: 0, first_alone: 0 });
            at
        });
        classes[at].second_alone += alone(1);
        classes[at].first_alone += alone(-1);
    }
    classes
}

/// A group's gains in the upper triangle of a matrix, row by row.
fn square(weight: i64, n: usize, gains: &[i8]) -> Vec<i64> {
    let mut gains = gains.iter().map(|&gain| weight * i64::from(gain));
    let cells = (0..n * n).map(|cell| if cell % n > cell / n { gains.next().unwrap_or(0) } else { 0 });
    cells.collect()
}
