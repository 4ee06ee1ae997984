//! Approximate randomisation of pairs of systems by every metric.

use super::tally_matrix::{EXACT, TallyMatrix, is_whole};
use super::{MetricTallies, Resampling, TestResult, blocks, segments};
use crate::error::Result;
use crate::metrics::{Metric, Tally};
use crate::progress::Progress;
use crate::statistics::random::Generator;
use crate::statistics::significance::approximate_randomisation::{EqualTrials, Selections, as_extreme};
use crate::statistics::significance::p_value;
use crate::statistics::summation::Real;
use tercet_math::Element;

/// Tests pairs (baseline, system) of systems, given by index; for each metric, one result per pair.
/// `equal` says whether trials that equal the observed difference count; `progress` advances by trials.
pub fn approximate_randomisation(
    measured: &[MetricTallies<'_>],
    pairs: &[(usize, usize)],
    trials: &Resampling,
    equal: EqualTrials,
    progress: Progress<'_>,
) -> Result<Vec<Vec<TestResult>>> {
    let segments = segments(measured, trials)? as usize;
    let by_metric: Vec<PairedTrials<'_>> = measured.iter().map(|measured| PairedTrials::new(measured, pairs)).collect();
    let rows = blocks::rows(trials.samples, segments);
    let draws = Selections::new(Generator::new(trials.seed), trials.samples, segments, rows);
    progress.stage("approximate randomisation", trials.samples, "trials")?;
    let counts: Vec<Vec<Vec<usize>>> = blocks::map(draws, (rows, trials.samples), progress, |selections| {
        let count = |metric_trials: &PairedTrials<'_>| metric_trials.as_extreme(&selections, equal);
        by_metric.iter().map(count).collect()
    })?;
    let compare = |(metric, metric_trials): (usize, &PairedTrials<'_>)| {
        let compare = |(pair, &difference): (usize, &f64)| TestResult {
            difference,
            p_value: p_value(counts.iter().map(|block| block[metric][pair]).sum(), trials.samples),
        };
        metric_trials.differences.iter().enumerate().map(compare).collect()
    };
    Ok(by_metric.iter().enumerate().map(compare).collect())
}

/// Scores the pseudo-systems of one metric.
struct PairedTrials<'a> {
    metric: &'a dyn Metric,
    pairs: &'a [(usize, usize)],
    /// The observed difference of each pair.
    differences: Vec<f64>,
    counts: Counts,
    /// The sums of each system over all segments.
    totals: Vec<f64>,
    width: usize,
}

/// The counts, in single precision if that sums them without rounding.
enum Counts {
    Single(TallyMatrix<f32>),
    Double(TallyMatrix<f64>),
}

impl<'a> PairedTrials<'a> {
    fn new(measured: &MetricTallies<'a>, pairs: &'a [(usize, usize)]) -> Self {
        let scores = measured.scores();
        let counts = Counts::new(measured);
        PairedTrials {
            metric: measured.metric,
            pairs,
            differences: pairs.iter().map(|&(a, b)| scores[b] - scores[a]).collect(),
            totals: counts.selected(&vec![true; measured.systems[0].len()]),
            counts,
            width: measured.systems[0][0].len(),
        }
    }

    /// For each pair, the number of these trials whose pseudo-systems differ as much as the systems do, or more.
    fn as_extreme(&self, selections: &[bool], equal: EqualTrials) -> Vec<usize> {
        let kept = self.counts.selected(selections);
        let count = |(&pair, &difference): (&(usize, usize), &f64)| {
            let trials = kept.chunks_exact(self.totals.len());
            let scores: Vec<(f64, f64)> = trials.map(|kept| self.scores(kept, pair)).collect();
            as_extreme(&scores, difference, equal)
        };
        self.pairs.iter().zip(&self.differences).map(count).collect()
    }

    /// The scores of pseudo-systems A (the kept segments of a, the others of b) and B (the rest).
    fn scores(&self, kept: &[f64], (a, b): (usize, usize)) -> (f64, f64) {
        let shuffled = |own: usize, other: usize| {
            let (own, other) = (own * self.width, other * self.width);
            let sum = |i: usize| kept[own + i] + (self.totals[other + i] - kept[other + i]);
            self.metric.score(&Tally::new((0..self.width).map(sum).collect()))
        };
        (shuffled(a, b), shuffled(b, a))
    }
}

impl Counts {
    fn new(measured: &MetricTallies<'_>) -> Self {
        let single = TallyMatrix::<f32>::new(measured);
        let totals = || single.weighted(&vec![1.0; measured.systems[0].len()]);
        if is_whole(measured) && totals().iter().all(|&total| total < EXACT) {
            Counts::Single(single)
        } else {
            Counts::Double(TallyMatrix::new(measured))
        }
    }

    /// The sums over the selected segments, one row per selection.
    fn selected(&self, selections: &[bool]) -> Vec<f64> {
        match self {
            Counts::Single(tally_matrix) => selected(tally_matrix, selections),
            Counts::Double(tally_matrix) => selected(tally_matrix, selections),
        }
    }
}

fn selected<T: Element + Real>(tally_matrix: &TallyMatrix<T>, selections: &[bool]) -> Vec<f64> {
    let weight = |&selected: &bool| if selected { T::ONE } else { T::default() };
    let weights: Vec<T> = selections.iter().map(weight).collect();
    tally_matrix.weighted(&weights).into_iter().map(Into::into).collect()
}
