//! Correlation coefficients, resampling, significance tests.
//!
//! - [`Grouping`]: which scores of a matrix are correlated together.
//! - [`correlation`]: coefficients between two rows of numbers.
//! - [`random`]: numpy's random generators: the same seed gives the same draws.
//! - [`significance`]: confidence intervals and significance tests.
//! - [`calibrate_ties`]: accuracy over pairs when close scores count as tied.
//! - [`soft_pairwise_accuracy`]: agreement on the p-values of "one system beats the other".

pub mod correlation;
pub mod distributions;
pub mod exact_sum;
mod grouping;
pub mod random;
pub mod significance;
mod soft_pairwise_accuracy;
pub mod summation;
mod tie_calibration;

pub use grouping::Grouping;
pub use soft_pairwise_accuracy::{CoinSigns, soft_pairwise_agreement};
pub use soft_pairwise_accuracy::{Permutations, pairwise_p_values, soft_pairwise_accuracy};
pub use tie_calibration::{Calibration, TieVariant, calibrate_ties, calibrate_ties_sampled};

pub(crate) use tercet_base::progress;
