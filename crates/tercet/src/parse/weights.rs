//! The bytes of a parser's file, before anyone knows what it holds.

use crate::error::{Error, Result};
use std::path::Path;
use tercet_learn::checkpoint::read_whole;

/// Reads a file of weights; a folder is none.
pub(super) fn read_weights(path: &Path) -> Result<Vec<u8>> {
    read_whole(path).map_err(|error| match error {
        tercet_learn::Error::Read { path, source } => Error::Read { path, source },
        other => other.into(),
    })
}
