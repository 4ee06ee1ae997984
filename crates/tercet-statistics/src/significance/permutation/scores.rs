//! PERM-BOTH by scores, for any coefficient.

use super::coins::{BLOCK, Tosses};
use super::{Difference, Draws, Gold, Replicate, Tally};
use crate::progress::{Progress, Stopped};
use crate::summation::{mean, pairwise_sum};

/// Tests whether the second metric agrees better, by a coefficient of gold and metric scores within a group. NaN leaves
/// the group out (return 0 instead for mt-metrics-eval's `replace_nans_with_zeros`).
/// The agreement is the mean over groups, 0 if none is defined.
///
/// Scores without a gold score are removed before standardisation; coins are tossed group by group.
///
/// # Panics
/// If there are not as many scores as gold scores.
pub fn perm_both_scores(
    gold: Gold,
    first: &[f64],
    second: &[f64],
    coefficient: impl Fn(&[f64], &[f64]) -> f64,
    draws: Draws,
    progress: Progress<'_>,
) -> Result<Difference, Stopped> {
    assert_eq!((first.len(), second.len()), (gold.scores.len(), gold.scores.len()), "gold scores and scores");
    let groups = Groups::new(gold);
    let (first, second) = (standardised(&groups.pick(first)), standardised(&groups.pick(second)));
    let agreement = |scores: &[f64]| groups.agreement(scores, &coefficient);
    let delta = agreement(&second) - agreement(&first);
    let mut tosses = Tosses::new(draws.coins, first.len());
    let mut tally = Tally::new(draws, progress);
    while tally.left() > 0 {
        let block = tosses.block(tally.left().min(BLOCK));
        for draw in 0..tally.left().min(BLOCK) {
            let (one, other) = exchange(&first, &second, block, draw);
            let replicate = Replicate { first: agreement(&one), second: agreement(&other) };
            tally.push(replicate.second - replicate.first >= delta, replicate)?;
            if tally.left() == 0 {
                break;
            }
        }
    }
    Ok(tally.difference(delta))
}

/// Both metrics' scores, each kept on heads.
fn exchange(first: &[f64], second: &[f64], tosses: &[u64], draw: usize) -> (Vec<f64>, Vec<f64>) {
    let places = first.iter().zip(second).zip(tosses);
    places.map(|((&a, &b), word)| if word >> draw & 1 == 1 { (a, b) } else { (b, a) }).unzip()
}

/// Mean 0 and deviation 1: scipy's `zscore`, to the last bit. NaN stays NaN and does not count. All others are 0
/// if they are equal or one is infinite.
pub(super) fn standardised(scores: &[f64]) -> Vec<f64> {
    let numbers: Vec<f64> = scores.iter().copied().filter(|score| !score.is_nan()).collect();
    let mut turned = standardised_numbers(&numbers).into_iter();
    let place = |score: &f64| if score.is_nan() { f64::NAN } else { turned.next().unwrap_or(0.0) };
    scores.iter().map(place).collect()
}

fn standardised_numbers(scores: &[f64]) -> Vec<f64> {
    let centre = mean(scores);
    let from_centre: Vec<f64> = scores.iter().map(|score| score - centre).collect();
    let squares: Vec<f64> = from_centre.iter().map(|distance| distance * distance).collect();
    let deviation = (pairwise_sum(&squares) / scores.len() as f64).sqrt();
    let constant = scores.iter().all(|score| score == &scores[0]);
    if constant || !deviation.is_normal() {
        return vec![0.0; scores.len()];
    }
    from_centre.into_iter().map(|distance| distance / deviation).collect()
}

/// The indices of judged scores, group by group.
struct Groups {
    places: Vec<usize>,
    gold: Vec<f64>,
    ends: Vec<usize>,
}

impl Groups {
    fn new(gold: Gold) -> Self {
        let mut groups = gold.grouping.groups(gold.systems, gold.scores);
        groups.retain(|group| !group.is_empty());
        let ends = groups.iter().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        let ends = ends.collect();
        let places: Vec<usize> = groups.into_iter().flatten().collect();
        Groups { gold: places.iter().filter_map(|&place| gold.scores[place]).collect(), places, ends }
    }

    fn pick(&self, scores: &[f64]) -> Vec<f64> {
        self.places.iter().map(|&place| scores[place]).collect()
    }

    fn agreement(&self, scores: &[f64], coefficient: &impl Fn(&[f64], &[f64]) -> f64) -> f64 {
        let mut start = 0;
        let values = self.ends.iter().map(|&end| {
            let places = std::mem::replace(&mut start, end)..end;
            coefficient(&self.gold[places.clone()], &scores[places])
        });
        let defined: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
        if defined.is_empty() { 0.0 } else { mean(&defined) }
    }
}
