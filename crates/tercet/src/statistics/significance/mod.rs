//! How sure is a score, how sure a difference: one test per file.
//!
//! - [`bootstrap`]: the 95% interval of a score.
//! - [`paired_bootstrap`]: is the difference of two systems chance? By resampling segments.
//! - [`approximate_randomisation`]: the same question, by exchanging the systems' outputs.
//! - [`permutation`]: does one metric agree better with people than another? By exchanging their scores.
//! - [`sign_flips`]: is a mean of paired differences chance? By turning them round.
//! - [`rank_sum`]: is one system's row of scores above another's?
//! - [`williams`]: is the difference of two metrics' correlations with people chance?
//! - [`holm`]: many comparisons at once.
//!
//! The tests see numbers only; `scoring::significance` brings them together with metrics.

pub(crate) mod approximate_randomisation;
pub(crate) mod bootstrap;
mod holm;
pub(crate) mod paired_bootstrap;
pub mod permutation;
pub(crate) mod rank_sum;
pub(crate) mod sign_flips;
mod williams;

pub use holm::holm;
pub use williams::{williams, williams_two_sided};

/// The probability of a result at least as extreme by chance: the real result counts as one trial, so that it is never
/// 0 and the test keeps its level (Noreen, 1989).
///
/// ```text
/// p = (exceeding + 1) / (trials + 1)
/// ```
pub(crate) fn p_value(exceeding: usize, trials: usize) -> f64 {
    (exceeding + 1) as f64 / (trials + 1) as f64
}
