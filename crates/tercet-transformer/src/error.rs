//! What can go wrong: files that are missing, damaged, or do not belong together.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is damaged, or describes something that this crate does not compute.
    #[error("{path}: {what}")]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong, and what to do where that is known.
        what: String,
    },
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
