//! The ceiling that noise in the judgements puts on a correlation.

use super::{RatedUnit, mean};
use crate::corpora::{HumanScores, Judgements};
use foldhash::HashMap;
use serde::Serialize;

/// Pairs of identical outputs below which nothing is said.
const MIN_PAIRS: usize = 30;

/// How much of the variance of scores is no noise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ceiling {
    /// The correlation of two judgements of the same thing.
    pub reliability: f64,
    /// The largest Pearson of a metric without error: the square root.
    pub ceiling: f64,
    /// The number of outputs, or of pairs of identical outputs.
    pub n: usize,
    /// The share of pairs of identical outputs whose scores are equal, which they may be because they were judged once.
    pub equal: Option<f64>,
}

impl Ceiling {
    fn new(reliability: f64, n: usize, equal: Option<f64>) -> Ceiling {
        Ceiling { reliability, ceiling: reliability.clamp(0.0, 1.0).sqrt(), n, equal }
    }
}

/// From outputs that several systems have in common for a segment, with a score for each: the intraclass correlation of
/// all pairs. `None` if there are fewer than 30 pairs, or all scores are the same.
pub fn ceiling_of_identical(judgements: &Judgements, scores: &HumanScores) -> Option<Ceiling> {
    let texts = judgements.texts.as_ref()?;
    let (mut pairs, mut equal) = (Vec::new(), 0);
    for segment in 0..judgements.segments.len() {
        let mut of_output: HashMap<&str, Vec<f64>> = HashMap::default();
        let mut order: Vec<&str> = Vec::new();
        for system in 0..judgements.systems.len() {
            let output = texts.outputs.get(system).and_then(|lines| lines.get(segment)?.as_deref());
            if let (Some(output), Some(score)) = (output, scores.values[system].get(segment).copied().flatten()) {
                let found = of_output.entry(output).or_insert_with(|| {
                    order.push(output);
                    Vec::new()
                });
                found.push(score);
            }
        }
        for output in order {
            let scores = &of_output[output];
            for (place, first) in scores.iter().enumerate() {
                for second in &scores[place + 1..] {
                    equal += usize::from(first == second);
                    pairs.push((*first, *second));
                }
            }
        }
    }
    if pairs.len() < MIN_PAIRS {
        return None;
    }
    let center = mean(pairs.iter().flat_map(|(first, second)| [*first, *second]).collect());
    let product = |(first, second): &(f64, f64)| (first - center) * (second - center);
    let square = |(first, second): &(f64, f64)| ((first - center).powi(2) + (second - center).powi(2)) / 2.0;
    let common: f64 = pairs.iter().map(product).sum();
    let all: f64 = pairs.iter().map(square).sum();
    let share = equal as f64 / pairs.len() as f64;
    (all > 0.0).then(|| Ceiling::new(common / all, pairs.len(), Some(share)))
}

/// From raters of the same outputs: the one-way intraclass correlation of the mean of an output's scores (Shrout and
/// Fleiss 1979, ICC(1, k)), with the mean number of raters as k. `None` if fewer than two outputs have several raters.
pub(super) fn ceiling_of_raters(units: &[RatedUnit]) -> Option<Ceiling> {
    let units: Vec<Vec<f64>> = units
        .iter()
        .filter(|unit| unit.scores.len() > 1)
        .map(|unit| unit.scores.iter().map(|(_, score)| *score).collect())
        .collect();
    let (count, n) = (units.len() as f64, units.iter().map(Vec::len).sum::<usize>() as f64);
    if units.len() < 2 {
        return None;
    }
    let center = mean(units.concat());
    let means: Vec<f64> = units.iter().map(|unit| unit.iter().sum::<f64>() / unit.len() as f64).collect();
    let sizes = units.iter().map(|unit| unit.len() as f64);
    let between: f64 = sizes.zip(&means).map(|(size, mean)| size * (mean - center).powi(2)).sum();
    let within: f64 =
        units.iter().zip(&means).flat_map(|(unit, mean)| unit.iter().map(move |x| (x - mean).powi(2))).sum();
    let (between, within) = (between / (count - 1.0), within / (n - count));
    (between > 0.0).then(|| Ceiling::new(1.0 - within / between, units.len(), None))
}
