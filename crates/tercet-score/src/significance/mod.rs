//! Confidence intervals and paired tests for any metric, from the tallies of segments.
//!
//! All metrics and systems of a call share the same draws. Tallies of resamples are sums, and the sums of many
//! resamples are one matrix product: (resamples × segments) multiplicities by (segments × counts). Whole counts are
//! summed without rounding, so the product equals what numpy adds up one by one.
//!
//! # Agreement
//! Equal to sacreBLEU 2.6.0 with numpy 2.4.6 for the same seed (randomisation with [`EqualTrials::LeftOut`]). sacreBLEU
//! treats seed 0 as "none" in its paired tests, and without a seed draws new resamples for each system; here 0 is a
//! seed, and systems always share the draws. In approximate randomisation, fractional counts (TER's mean reference
//! length) may differ from numpy's in the last bit.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment, Tally};
//! use tercet_base::progress::Progress;
//! use tercet_score::significance::{MetricTallies, Resampling, bootstrap};
//!
//! let bleu = Registry::lexical().build("bleu")?;
//! let references = [["the cat sat on the mat"], ["it rained all day long"]];
//! let tallies = |lines: [&'static str; 2]| {
//!     bleu.tally(&[Segment::new(lines[0], &references[0]), Segment::new(lines[1], &references[1])])
//! };
//! let first = tallies(["the cat sat on a mat", "it rained all day"])?;
//! let second = tallies(["a cat was on the mat", "it rained all day long"])?;
//! let measured = MetricTallies { metric: bleu.as_ref(), systems: vec![&first, &second] };
//! let results = bootstrap(&[measured], &Resampling { samples: 1000, seed: Some(12345) }, Progress::none())?;
//! let (interval, comparison) = (results[0].interval(1), results[0].compare(0, 1));
//! assert!(interval.low < interval.high);
//! assert!(comparison.p_value > 0.05);
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod approximate_randomisation;
mod blocks;
mod bootstrap;
mod sign_flips;
mod tally_matrix;

pub use crate::statistics::significance::approximate_randomisation::EqualTrials;
pub use approximate_randomisation::approximate_randomisation;
pub use bootstrap::{Bootstrap, bootstrap, bootstrap_after_trials};
pub use sign_flips::sign_flips;

use crate::error::{Error, Result};
use crate::metrics::{Metric, Tally};
use serde::{Deserialize, Serialize};

/// The number of resamples or trials, and their seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resampling {
    /// The number of resamples or trials.
    pub samples: usize,
    /// The seed; without one, every call draws differently.
    pub seed: Option<u64>,
}

/// A metric and its tallies for every segment of every system.
#[derive(Clone)]
pub struct MetricTallies<'a> {
    /// The metric.
    pub metric: &'a dyn Metric,
    /// The tallies of each system, by segment.
    pub systems: Vec<&'a [Tally]>,
}

/// The result of a paired test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestResult {
    /// The score of the system minus that of the baseline, on the whole test set.
    pub difference: f64,
    /// The p-value.
    pub p_value: f64,
}

impl MetricTallies<'_> {
    /// The score of each system on the whole test set.
    pub fn scores(&self) -> Vec<f64> {
        let score = |tallies: &&[Tally]| self.metric.score(&Tally::sum(*tallies));
        self.systems.iter().map(score).collect()
    }

    /// The same from sums that are rounded after each segment, as in sacreBLEU.
    pub fn scores_in_order(&self) -> Vec<f64> {
        let score = |tallies: &&[Tally]| self.metric.score(&Tally::sum_in_order(*tallies));
        self.systems.iter().map(score).collect()
    }

    /// The number of tallies that are not the same for two systems.
    pub(super) fn differing(&self, (a, b): (usize, usize)) -> usize {
        self.systems[a].iter().zip(self.systems[b]).filter(|(a, b)| a != b).count()
    }
}

/// At most so many scores of resamples are held in memory.
const MAX_SCORES: usize = 100_000_000;

/// Returns an error for no resamples, or for more than memory holds if each has so many scores.
pub(super) fn check_samples(resampling: &Resampling, scores: usize) -> Result<()> {
    let (samples, most) = (resampling.samples, MAX_SCORES / scores.max(1));
    if samples == 0 {
        let message = "0 resamples say nothing (ask for at least 1, better 1000)";
        return Err(Error::Unusable(message.to_owned()));
    }
    if samples > most {
        return Err(Error::TooManyResamples { samples, limit: most });
    }
    Ok(())
}

/// The number of segments, the same for all systems of all metrics.
fn segments(measured: &[MetricTallies<'_>], resampling: &Resampling) -> Result<u32> {
    let unusable = |message: String| Err(Error::Unusable(message));
    check_samples(resampling, measured.iter().map(|measured| measured.systems.len()).sum())?;
    if measured.is_empty() || measured.iter().any(|measured| measured.systems.is_empty()) {
        return Err(Error::NothingToResample { missing: "every metric needs at least one system" });
    }
    let count = measured[0].systems[0].len();
    for tallies in measured.iter().flat_map(|measured| &measured.systems) {
        if tallies.len() != count {
            let other = tallies.len();
            return unusable(format!(
                "systems with {count} and {other} segments cannot be compared (give the same segments for each)"
            ));
        }
    }
    for measured in measured {
        for (system, tallies) in measured.systems.iter().enumerate() {
            let what = || format!("{} of system {}", measured.metric.title(), system + 1);
            tallies.iter().try_for_each(|tally| tally.check_finite(what))?;
        }
    }
    match u32::try_from(count) {
        Ok(0) => unusable("nothing to resample: there are no segments".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => unusable(format!("{count} segments are too many to resample (at most {})", u32::MAX)),
    }
}

#[cfg(test)]
mod tests;
