//! Does one metric agree significantly better with humans than another? PERM-BOTH, the permutation test of Deutsch,
//! Dror & Roth (TACL 2021), by scores and by pairs.
//!
//! If two metrics were equally good, it would not matter which of them gave which score. A draw tosses a coin for every
//! score and exchanges the two metrics' scores on tails; with Δ′ the difference in agreement after the exchange,
//!
//! ```text
//! p = #{ draws : Δ′ ≥ Δ } / draws,        Δ = agreement(second) − agreement(first)
//! ```
//!
//! is small when the second metric is significantly better.
//!
//! - [`perm_both_scores`]: any coefficient; scores are exchanged, standardised to mean 0 and deviation 1.
//! - [`perm_both_calibrated`]: the same for accuracy with ties, whose threshold is recomputed at every draw.
//! - [`perm_both_pairs`]: exchanges the metrics' preferences on pairs of translations, each with its own tie threshold.
//! - [`compare_flat`]: the same p-values for Pearson, Spearman and Kendall over one vector, many draws at once.
//! - [`compare_all`]: every pair of several metrics; [`assign_ranks`] derives clusters from the p-values.
//!
//! `progress` of a test of two metrics does not advance; it is asked after every draw whether to stop.
//!
//! # Agreement
//! `PermutationSigDiff`, `PairwisePermutationSigDiff` and `AssignRanks` of mt-metrics-eval (68a481a), toss for toss
//! with [`Coins::Legacy`]. p is a share of the draws as there, without counting the observed result as a draw.
//!
//! # Choices
//! [`Coins::Generator`], the default, uses all 64 bits of a draw: other tosses, the same p within Monte-Carlo error.
//! Agreement with ties is counted in integers, so that a draw that equals Δ counts; in that tool rounding decides.
//! Early stopping is checked after every block; that tool's test by pairs checks only if the block's last draw exceeded
//! Δ. A constant metric is standardised to 0 (scipy: NaN).

mod calibrated;
mod coins;
mod fast;
mod lanes;
mod matrix;
mod pairs;
mod scores;
mod weights;

pub use calibrated::perm_both_calibrated;
pub use coins::Coins;
pub use fast::{FlatCoefficient, compare_flat};
pub use matrix::{Coefficient, PermutationTest, assign_ranks, compare_all};
pub use pairs::perm_both_pairs;
pub use scores::perm_both_scores;

use crate::Grouping;
use crate::progress::{Progress, Stopped};

/// The human scores that metrics are compared with.
#[derive(Clone, Copy, Debug)]
pub struct Gold<'a> {
    /// Which scores are correlated together.
    pub grouping: Grouping,
    /// The number of systems.
    pub systems: usize,
    /// Human scores, system by system.
    pub scores: &'a [Option<f64>],
}

/// The number and kind of random permutations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draws {
    /// The maximum number of draws.
    pub count: usize,
    /// The random generator.
    pub coins: Coins,
    /// When to stop before `count` draws.
    pub early_stop: Option<EarlyStop>,
}

impl Default for Draws {
    fn default() -> Self {
        Draws { count: 1000, coins: Coins::default(), early_stop: None }
    }
}

/// Stops once the p-value is outside an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyStop {
    /// The number of draws between two checks.
    pub block: usize,
    /// Stop if p is smaller.
    pub below: f64,
    /// Stop if p is larger.
    pub above: f64,
}

impl Default for EarlyStop {
    /// The defaults of mt-metrics-eval.
    fn default() -> Self {
        EarlyStop { block: 1000, below: 0.02, above: 0.5 }
    }
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The share of draws with Δ′ ≥ Δ: small if the second metric is better. NaN without draws.
    pub p_value: f64,
    /// Agreement of the second metric minus that of the first.
    pub delta: f64,
    /// The agreement of both metrics in each draw.
    pub replicates: Vec<Replicate>,
}

/// The agreement of both metrics after an exchange.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replicate {
    /// Agreement of the first metric.
    pub first: f64,
    /// Agreement of the second metric.
    pub second: f64,
}

/// Counts draws until `count` or early stopping is reached.
struct Tally<'p> {
    draws: Draws,
    progress: Progress<'p>,
    exceeding: usize,
    replicates: Vec<Replicate>,
}

impl<'p> Tally<'p> {
    fn new(draws: Draws, progress: Progress<'p>) -> Self {
        Tally { draws, progress, exceeding: 0, replicates: Vec::new() }
    }

    /// The number of draws left.
    fn left(&self) -> usize {
        self.draws.count - self.replicates.len()
    }

    /// Adds a draw; sets the number left to 0 if the p-value is clear.
    fn push(&mut self, exceeds: bool, replicate: Replicate) -> Result<(), Stopped> {
        self.exceeding += usize::from(exceeds);
        self.replicates.push(replicate);
        let drawn = self.replicates.len();
        if let Some(stop) = self.draws.early_stop
            && drawn.is_multiple_of(stop.block.max(1))
            && (self.p_value() < stop.below || self.p_value() > stop.above)
        {
            self.draws.count = drawn;
        }
        self.progress.check()
    }

    fn p_value(&self) -> f64 {
        self.exceeding as f64 / self.replicates.len() as f64
    }

    fn difference(self, delta: f64) -> Difference {
        Difference { p_value: self.p_value(), delta, replicates: self.replicates }
    }
}

#[cfg(test)]
mod tests;
