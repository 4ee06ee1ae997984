//! The distributions behind p-values and intervals, accurate in the far tails.
//!
//! - [`beta`]: the regularised incomplete beta function, used for Pearson's r and Student's t.
//! - [`normal`]: the survival function and quantile of the standard normal distribution.
//! - [`student`]: the same for Student's t.
//! - [`kendall`]: the exact distribution of Kendall's S among permutations.
//!
//! All are computed without forming 1 − p or the exponential of a difference of large logarithms, so that a p-value
//! of 1e-179 has as many correct digits as one of 0.05.

pub mod beta;
pub mod kendall;
pub mod normal;
pub mod student;

mod stirling;
