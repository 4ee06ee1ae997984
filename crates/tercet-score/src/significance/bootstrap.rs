//! Bootstrap resampling of every system by every metric.

use super::tally_matrix::{EXACT, TallyMatrix, is_whole};
use super::{MetricTallies, Resampling, TestResult, blocks, segments};
use crate::error::Result;
use crate::metrics::{Metric, Resampled, Tally};
use crate::progress::Progress;
use crate::statistics::random::Generator;
use crate::statistics::significance::bootstrap::{Block, Interval, Replicates, Resamples};
use crate::statistics::significance::paired_bootstrap::paired_bootstrap;

/// One metric's scores of all systems on the same resamples.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// The score of each system on the whole test set.
    pub scores: Vec<f64>,
    /// The scores of each system on the resamples.
    pub replicates: Vec<Replicates>,
}

impl Bootstrap {
    /// The interval of a system as sacreBLEU's paired tests print it.
    pub fn interval(&self, system: usize) -> Interval {
        self.replicates[system].interval()
    }

    /// The interval of a system as sacreBLEU's `--confidence` prints it: with an exact mean.
    pub fn exact_interval(&self, system: usize) -> Interval {
        self.replicates[system].exact_interval()
    }

    /// The paired bootstrap test of a system against a baseline.
    pub fn compare(&self, baseline: usize, system: usize) -> TestResult {
        let difference = self.scores[system] - self.scores[baseline];
        let (a, b) = (&self.replicates[baseline], &self.replicates[system]);
        TestResult { difference, p_value: paired_bootstrap(a, b, difference) }
    }
}

/// Scores every system on the same resamples, by every metric. `progress` advances by resamples.
pub fn bootstrap(
    measured: &[MetricTallies<'_>],
    resampling: &Resampling,
    progress: Progress<'_>,
) -> Result<Vec<Bootstrap>> {
    bootstrap_after_trials(measured, resampling, 0, progress)
}

/// The same with the resamples that one generator draws after the coin tosses of so many trials of approximate
/// randomisation: sacreBLEU's intervals beside that test.
pub fn bootstrap_after_trials(
    measured: &[MetricTallies<'_>],
    resampling: &Resampling,
    trials: usize,
    progress: Progress<'_>,
) -> Result<Vec<Bootstrap>> {
    let (segments, samples) = (segments(measured, resampling)?, resampling.samples);
    let scorers: Vec<ResampleScorer<'_>> = measured.iter().map(ResampleScorer::new).collect();
    progress.stage("bootstrap resampling", samples, "resamples")?;
    let rows = blocks::rows(samples, segments as usize);
    let mut generator = Generator::new(resampling.seed);
    generator.skip_tosses(trials as u64 * u64::from(segments));
    let draws = Resamples::new(generator, samples, segments, rows);
    let any_whole = scorers.iter().any(|scorer| scorer.whole);
    let scores: Vec<Vec<Vec<Resampled>>> = blocks::map(draws, (rows, samples), progress, |block| {
        let multiplicities = match any_whole {
            true => block.multiplicities(),
            false => Vec::new(),
        };
        let score = |scorer: &ResampleScorer<'_>| scorer.scores(&block, &multiplicities);
        scorers.iter().map(score).collect()
    })?;
    let gather = |(metric, measured): (usize, &MetricTallies<'_>)| {
        let systems = measured.systems.len();
        let of = |system| scores.iter().flat_map(move |block| block[metric].iter().skip(system).step_by(systems));
        Bootstrap { scores: measured.scores(), replicates: (0..systems).map(|system| replicates(of(system))).collect() }
    };
    Ok(measured.iter().enumerate().map(gather).collect())
}

/// Single precision if all scores are, else double, as in numpy.
fn replicates<'a>(scores: impl Iterator<Item = &'a Resampled> + Clone) -> Replicates {
    let single = |score: &Resampled| match *score {
        Resampled::Single(score) => Some(score),
        Resampled::Double(_) => None,
    };
    let double = |score: &Resampled| match *score {
        Resampled::Single(score) => f64::from(score),
        Resampled::Double(score) => score,
    };
    let singles: Option<Vec<f32>> = scores.clone().map(single).collect();
    singles.map_or_else(|| Replicates::Double(scores.map(double).collect()), Replicates::Single)
}

/// Scores resamples with one metric.
struct ResampleScorer<'a> {
    metric: &'a dyn Metric,
    /// In single precision, for scores in it and for the matrix product.
    single: TallyMatrix<f32>,
    /// In double precision, for metrics scored in it.
    double: Option<TallyMatrix<f64>>,
    /// Whether the matrix product equals adding up segments one by one.
    whole: bool,
}

impl<'a> ResampleScorer<'a> {
    fn new(measured: &MetricTallies<'a>) -> Self {
        let single = TallyMatrix::<f32>::new(measured);
        let sums = &single.sum(&[0])[..single.width];
        let probe = measured.metric.sacrebleu().and_then(|metric| metric.score_single(sums));
        ResampleScorer {
            metric: measured.metric,
            double: probe.is_none().then(|| TallyMatrix::new(measured)),
            whole: is_whole(measured),
            single,
        }
    }

    /// The scores of all systems on the first resample, then on the second, …
    fn scores(&self, block: &Block, multiplicities: &[f32]) -> Vec<Resampled> {
        let products = match self.whole {
            true => self.single.weighted(multiplicities),
            false => Vec::new(),
        };
        let mut products = products.chunks_exact(self.single.columns);
        let mut scores = Vec::new();
        for resample in block.resamples() {
            let exact = products.next().filter(|sums| sums.iter().all(|&sum| sum < EXACT));
            match (&self.double, exact) {
                (None, Some(sums)) => self.score_single(sums, &mut scores),
                (None, None) => self.score_single(&self.single.sum(resample), &mut scores),
                (Some(_), Some(sums)) => {
                    let sums: Vec<f64> = sums.iter().copied().map(f64::from).collect();
                    self.score_double(&sums, &mut scores);
                }
                (Some(double), None) => self.score_double(&double.sum(resample), &mut scores),
            }
        }
        scores
    }

    fn score_single(&self, sums: &[f32], scores: &mut Vec<Resampled>) {
        let score = |sums| {
            let scored = self.metric.sacrebleu().and_then(|metric| metric.score_single(sums));
            scored.expect("a metric always scores in the same precision")
        };
        scores.extend(sums.chunks_exact(self.single.width).map(score));
    }

    fn score_double(&self, sums: &[f64], scores: &mut Vec<Resampled>) {
        let score = |sums: &[f64]| Resampled::Double(self.metric.score(&Tally::new(sums.to_vec())));
        scores.extend(sums.chunks_exact(self.single.width).map(score));
    }
}
