//! Numbers in, coefficients and decisions out.
//!
//! - [`Grouping`]: how a matrix of scores is cut into the vectors that are correlated.
//! - [`random`]: numpy's generators, so that a seed means here what it means there.
//! - [`summation`]: numpy's rounded means and Python's exact ones.
//! - [`significance`]: how sure a score or a difference is.

mod grouping;
pub(crate) mod matrix;
pub mod random;
pub mod significance;
pub mod summation;

pub use grouping::Grouping;
