//! Numbers in, coefficients and decisions out.
//!
//! - [`Grouping`]: how a matrix of scores is cut into the vectors that are correlated.
//! - [`correlation`]: how far two rows of numbers agree.
//! - [`distributions`]: what p-values are read from.
//! - [`random`]: numpy's generators, so that a seed means here what it means there.
//! - [`summation`]: numpy's rounded means and Python's exact ones.
//! - [`significance`]: how sure a score or a difference is.
//! - [`calibrate_ties`]: agreement over pairs when scores that are close count as equal.
//! - [`soft_pairwise_accuracy`]: agreement on how surely one system beats another.

pub mod correlation;
pub(crate) mod distributions;
mod grouping;
pub mod random;
pub mod significance;
mod soft_pairwise_accuracy;
pub(crate) mod summation;
mod tie_calibration;

pub use grouping::Grouping;
pub(crate) use soft_pairwise_accuracy::{CoinSigns, soft_pairwise_agreement};
pub use soft_pairwise_accuracy::{Permutations, pairwise_p_values, soft_pairwise_accuracy};
pub(crate) use tercet_learn::matrix;
pub use tie_calibration::{Calibration, TieVariant, calibrate_ties, calibrate_ties_sampled};
