//! How large a network may be, so that sizes from a recipe or a file are checked before memory is allocated.
//!
//! # Choices
//! The limits are far above the networks of the papers (vectors of some hundred numbers, up to 150 units) and below
//! what overflows: with every size at its limit the counts of this crate stay under 2⁶³. 2³¹ numbers are 8 GiB in
//! single precision. The window of a convolution has a lower limit, because that many zero vectors separate the lists
//! of a batch.

use crate::error::{Error, Result};

/// Maximum of any size.
pub const MAX_SIZE: usize = 1_000_000;

/// Maximum length of the window of a convolution.
pub const MAX_WINDOW: usize = 1_000;

/// Maximum number of recurrent layers.
pub const MAX_LAYERS: usize = 100;

/// Maximum number of learned values, without an embedding matrix.
pub const MAX_PARAMETERS: u64 = 1 << 31;

/// Returns an error if a size is above its limit.
pub(super) fn check_size(name: &str, size: usize, most: usize) -> Result<()> {
    Error::check_setting(size <= most, name, size, &format!("at most {most}"))
}

/// Returns an error if a size is 0 or above its limit.
pub(super) fn check_positive(name: &str, size: usize, most: usize) -> Result<()> {
    Error::check_setting(size > 0, name, size, "at least 1")?;
    check_size(name, size, most)
}

/// Returns an error if a network has too many learned values.
pub(super) fn check_parameters(count: u64) -> Result<()> {
    let expected = format!("at most {MAX_PARAMETERS} numbers to learn: take smaller sizes");
    Error::check_setting(count <= MAX_PARAMETERS, "sizes", count, &expected)
}

/// Returns an error if a training has no batches, epochs or patience.
pub(super) fn check_counts(batch_size: usize, epochs: usize, patience: Option<usize>) -> Result<()> {
    for (name, value) in [("batch_size", batch_size), ("epochs", epochs)] {
        Error::check_setting(value > 0, name, 0, "at least 1")?;
    }
    Error::check_setting(patience != Some(0), "patience", 0, "at least 1, or none")
}
