//! Does one metric agree better with people than another, or is it chance? PERM-BOTH, the permutation test of Deutsch,
//! Dror & Roth (TACL 2021), by scores and by pairs.
//!
//! If two metrics were equally good, it would not matter which of them gave which score. A draw tosses a coin for every
//! score and exchanges the two metrics' on tails; with Δ′ the difference in agreement of what comes out,
//!
//! ```text
//! p = #{ draws : Δ′ ≥ Δ } / draws,        Δ = agreement(second) − agreement(first)
//! ```
//!
//! is small when the second metric is better than chance would have it.
//!
//! - [`perm_both_scores`]: any coefficient; scores are exchanged, standardised to mean 0 and deviation 1.
//! - [`perm_both_calibrated`]: the same for accuracy with ties, whose threshold is found anew at every draw.
//! - [`perm_both_pairs`]: exchanged are the metrics' verdicts on pairs of translations, each with its own threshold.
//! - [`compare_all`]: every two of many metrics; [`assign_ranks`] makes clusters of what comes out.
//!
//! # Agreement
//! `PermutationSigDiff`, `PairwisePermutationSigDiff` and `AssignRanks` of mt-metrics-eval (68a481a), toss for toss with
//! [`Coins::Legacy`]. p is a share of the draws as there, without the real result as one more of them.
//!
//! # Choices
//! [`Coins::Generator`], the default, uses all 64 bits of a draw: other tosses, the same p within Monte-Carlo error.
//! Agreement with ties is counted in whole numbers, so that a draw that equals Δ counts; there, rounding decides.
//! Early stopping is asked for at every end of a block; that tool's test by pairs asks only if the block's last draw
//! exceeded Δ. A metric that gives all places the same score is standardised to 0 (scipy: not a number).

mod calibrated;
mod coins;
mod lanes;
mod matrix;
mod pairs;
mod scores;
mod weights;

pub use calibrated::perm_both_calibrated;
pub use coins::Coins;
pub use matrix::{Coefficient, Test, assign_ranks, compare_all};
pub use pairs::perm_both_pairs;
pub use scores::perm_both_scores;

use crate::statistics::Grouping;

/// What metrics are asked to agree with.
#[derive(Clone, Copy, Debug)]
pub struct Gold<'a> {
    /// What is compared with what.
    pub grouping: Grouping,
    /// How many systems there are.
    pub systems: usize,
    /// People's scores, system by system.
    pub scores: &'a [Option<f64>],
}

/// How many permutations are drawn, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draws {
    /// How many.
    pub count: usize,
    /// Where the tosses come from.
    pub coins: Coins,
    /// When fewer do.
    pub early_stop: Option<EarlyStop>,
}

impl Default for Draws {
    fn default() -> Self {
        Draws { count: 1000, coins: Coins::default(), early_stop: None }
    }
}

/// Stops when the p-value is clear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyStop {
    /// After so many draws, and again after as many more.
    pub block: usize,
    /// Stop if p is smaller.
    pub below: f64,
    /// Stop if p is larger.
    pub above: f64,
}

impl Default for EarlyStop {
    /// That of mt-metrics-eval.
    fn default() -> Self {
        EarlyStop { block: 1000, below: 0.02, above: 0.5 }
    }
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The share of draws that differ as much: small if the second metric is better. NaN without draws.
    pub p_value: f64,
    /// Agreement of the second metric minus that of the first.
    pub delta: f64,
    /// The draws.
    pub replicates: Vec<Replicate>,
}

/// The two metrics after an exchange.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replicate {
    /// Agreement of what the first has become.
    pub first: f64,
    /// Agreement of what the second has become.
    pub second: f64,
}

/// Counts draws until there are enough.
struct Tally {
    draws: Draws,
    exceeding: usize,
    replicates: Vec<Replicate>,
}

impl Tally {
    fn new(draws: Draws) -> Self {
        Tally { draws, exceeding: 0, replicates: Vec::with_capacity(draws.count) }
    }

    /// How many are to come at most.
    fn left(&self) -> usize {
        self.draws.count - self.replicates.len()
    }

    /// Takes a draw; the rest is not wanted if that was enough.
    fn push(&mut self, exceeds: bool, replicate: Replicate) {
        self.exceeding += usize::from(exceeds);
        self.replicates.push(replicate);
        let drawn = self.replicates.len();
        if let Some(stop) = self.draws.early_stop
            && drawn.is_multiple_of(stop.block.max(1))
            && (self.p_value() < stop.below || self.p_value() > stop.above)
        {
            self.draws.count = drawn;
        }
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
