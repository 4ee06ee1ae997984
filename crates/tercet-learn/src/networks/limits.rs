//! How large a network may be, so that sizes from a recipe or a file are refused before they are allocated; and how small a tensor
//! stays whole in a file.
//!
//! # Choices
//! The limits are ours. They lie far above the networks of the papers (vectors of some hundreds, up to 150 units) and
//! below what overflows: with every size at its limit the counts of this crate stay under 2⁶³. 2³¹ numbers are 8 GiB in
//! single precision. A window of a convolution has a lower limit, because as many zero vectors lie between all lists of
//! a batch.

use crate::error::{Error, Result};

/// The most that any one size may be.
pub const MOST: usize = 1_000_000;

/// The most words that a window may have.
pub const LONGEST_WINDOW: usize = 1_000;

/// The most recurrent layers that lie on one another.
pub const MOST_LAYERS: usize = 100;

/// The most numbers that a network may learn, an embedding matrix not counted.
pub const MOST_PARAMETERS: u64 = 1 << 31;

/// Refuses a size above its limit.
pub(super) fn check_size(name: &str, size: usize, most: usize) -> Result<()> {
    if size <= most {
        return Ok(());
    }
    Err(Error::setting(name, size, &format!("at most {most}")))
}

/// Refuses a size of nothing, and one above its limit.
pub(super) fn check_positive(name: &str, size: usize, most: usize) -> Result<()> {
    if size == 0 { Err(Error::setting(name, size, "at least 1")) } else { check_size(name, size, most) }
}

/// Refuses sizes that are too many numbers together.
pub(super) fn check_parameters(count: u64) -> Result<()> {
    if count <= MOST_PARAMETERS {
        return Ok(());
    }
    let expected = format!("at most {MOST_PARAMETERS} numbers to learn: take smaller sizes");
    Err(Error::setting("sizes", count, &expected))
}
