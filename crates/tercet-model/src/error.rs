//! What can be wrong with a model and its file.

use std::io;
use std::path::PathBuf;
use tercet_base::ErrorKind;
use tercet_base::error::Learning;
use tercet_base::files::WriteError;

/// A result with the crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A model or its file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Tensors of the wrong number or size.
    #[error(transparent)]
    Matrix(#[from] tercet_math::Error),
    /// A file that cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file that is not what was expected, or is damaged.
    #[error("{}: {reason}", path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
}

impl From<WriteError> for Error {
    fn from(WriteError { path, source }: WriteError) -> Self {
        Error::Write { path, source }
    }
}

impl From<Error> for tercet_base::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Matrix(error) => error.into(),
            Error::Read { path, source } => tercet_base::Error::Read { path, source },
            Error::Write { path, source } => tercet_base::Error::Write { path, source },
            Error::BadFile { .. } => Learning { kind: ErrorKind::Model, cause: Box::new(error) }.into(),
        }
    }
}
