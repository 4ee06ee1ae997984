//! Confidence intervals and significance tests, one per file.
//!
//! - `bootstrap`: the 95% interval of a score.
//! - `paired_bootstrap`: the difference of two systems, by resampling segments.
//! - `segment_draws`: the draws of resamples of data in parts.
//! - `approximate_randomisation`: the same, by exchanging the systems' outputs.
//! - [`permutation`]: does one metric agree better with humans than another? By exchanging their scores.
//! - `sign_flips`: is a mean of paired differences 0? By flipping their signs.
//! - `rank_sum`: are the scores of one system higher than those of another?
//! - [`williams`]: do two metrics correlate differently with human scores?
//! - [`holm()`]: correction for multiple comparisons.
//!
//! These work on numbers; `tercet-score` applies them to metrics.

pub mod approximate_randomisation;
pub mod bootstrap;
mod holm;
pub mod paired_bootstrap;
pub mod permutation;
pub mod rank_sum;
pub mod segment_draws;
pub mod sign_flips;
mod williams;

pub use holm::holm;
pub use williams::{williams, williams_two_sided};

/// The probability of a result at least as extreme by chance: the observed result counts as one trial, so that it
/// is never 0 and the test keeps its level (Noreen, 1989).
///
/// ```text
/// p = (exceeding + 1) / (trials + 1)
/// ```
pub fn p_value(exceeding: usize, trials: usize) -> f64 {
    (exceeding + 1) as f64 / (trials + 1) as f64
}
