//! What is known of each rater.

use super::krippendorff::krippendorff_alpha;
use super::{RatedUnit, mean_and_deviation};
use crate::statistics::correlation::{kendall_b, pearson};
use serde::Serialize;

/// Common outputs of two raters, or of a rater and the others, below which they are not compared.
pub const MIN_COMMON: usize = 20;

/// A difference of means, in standard deviations of all scores, that makes a rater an outlier.
const FAR: f64 = 0.5;

/// The quantile of the normal distribution at p < .01, two-sided.
const QUANTILE: f64 = 2.575_829_303_548_901;

/// Why a rater is an outlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outlier {
    /// Agrees with the others less than the median rater does.
    Disagrees,
    /// Gives lower scores than the others to the same outputs.
    Stricter,
    /// Gives higher scores than the others to the same outputs.
    MoreLenient,
}

impl Outlier {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Outlier::Disagrees => "disagrees",
            Outlier::Stricter => "stricter",
            Outlier::MoreLenient => "more lenient",
        }
    }
}

/// One rater.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaterStatistics {
    /// The name.
    pub rater: String,
    /// The number of outputs that were judged.
    pub n: usize,
    /// The mean of the scores.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// The number of outputs that others judged too.
    pub common: usize,
    /// Pearson's r with the mean of the others.
    pub pearson: Option<f64>,
    /// Kendall's τ-b with each other rater, averaged by the number of common outputs.
    pub tau: Option<f64>,
    /// The mean of the differences to the others' mean.
    pub difference: Option<f64>,
    /// Krippendorff's α of the others.
    pub alpha_without: Option<f64>,
    /// Whether the rater is unlike the others.
    pub outlier: Vec<Outlier>,
}

/// The raters, in the order of their names.
pub(super) fn of_raters(units: &[RatedUnit], names: &[String]) -> Vec<RaterStatistics> {
    let all: Vec<f64> = units.iter().flat_map(|unit| unit.scores.iter().map(|(_, score)| *score)).collect();
    let spread = if all.is_empty() { 0.0 } else { mean_and_deviation(&all).1 };
    let mut raters: Vec<RaterStatistics> =
        names.iter().enumerate().map(|(rater, name)| one(units, rater, name, names.len())).collect();
    raters.retain(|rater| rater.n > 0);
    let mut known: Vec<f64> = raters.iter().filter_map(|rater| rater.pearson).collect();
    known.sort_unstable_by(f64::total_cmp);
    let median = known.get(known.len() / 2).copied();
    for rater in &mut raters {
        if let (Some(r), Some(median)) = (rater.pearson, median.filter(|_| known.len() > 2)) {
            let fisher = |r: f64| r.clamp(-0.999_999, 0.999_999).atanh();
            let error = 1.0 / ((rater.common as f64 - 3.0).max(1.0)).sqrt();
            if fisher(r) + QUANTILE * error < fisher(median) {
                rater.outlier.push(Outlier::Disagrees);
            }
        }
        match rater.difference {
            Some(difference) if difference < -FAR * spread => rater.outlier.push(Outlier::Stricter),
            Some(difference) if difference > FAR * spread => rater.outlier.push(Outlier::MoreLenient),
            _ => {}
        }
    }
    raters
}

fn one(units: &[RatedUnit], rater: usize, name: &str, raters: usize) -> RaterStatistics {
    let (mut own, mut paired, mut without) = (Vec::new(), (Vec::new(), Vec::new()), Vec::new());
    let mut with_each: Vec<(Vec<f64>, Vec<f64>)> = vec![Default::default(); raters];
    for unit in units {
        let score = unit.scores.iter().find(|(other, _)| *other == rater).map(|(_, score)| *score);
        let others: Vec<f64> =
            unit.scores.iter().filter(|(other, _)| *other != rater).map(|(_, score)| *score).collect();
        if let Some(score) = score {
            own.push(score);
            if !others.is_empty() {
                paired.0.push(score);
                paired.1.push(others.iter().sum::<f64>() / others.len() as f64);
            }
            for (other, of_other) in unit.scores.iter().filter(|(other, _)| *other != rater) {
                with_each[*other].0.push(score);
                with_each[*other].1.push(*of_other);
            }
        }
        without.push(others);
    }
    let (mean, deviation) = if own.is_empty() { (f64::NAN, f64::NAN) } else { mean_and_deviation(&own) };
    let common = paired.0.len();
    let is_enough = common >= MIN_COMMON;
    let defined = |value: f64| (!value.is_nan()).then_some(value);
    let taus = with_each
        .iter()
        .filter(|(own, _)| own.len() >= MIN_COMMON)
        .filter_map(|(own, other)| Some((defined(kendall_b(own, other).value)?, own.len() as f64)));
    let (sum, weights) = taus.fold((0.0, 0.0), |(sum, weights), (tau, n)| (sum + tau * n, weights + n));
    let differences = paired.0.iter().zip(&paired.1).map(|(own, others)| own - others);
    RaterStatistics {
        rater: name.to_owned(),
        n: own.len(),
        mean,
        deviation,
        common,
        pearson: is_enough.then(|| pearson(&paired.0, &paired.1).value).and_then(defined),
        tau: (weights > 0.0).then(|| sum / weights),
        difference: is_enough.then(|| differences.sum::<f64>() / common as f64),
        alpha_without: defined(krippendorff_alpha(&without)),
        outlier: Vec::new(),
    }
}
