//! Numbers in, coefficients and decisions out.
//!
//! - [`random`]: numpy's generators, so that a seed means here what it means there.
//! - [`summation`]: numpy's rounded means and Python's exact ones.
//! - [`significance`]: how sure a score or a difference is.

pub(crate) mod matrix;
pub mod random;
pub mod significance;
pub mod summation;
