//! What can go wrong with a file of columns.

use arrow_schema::{ArrowError, DataType};
use parquet::errors::ParquetError;
use std::io;
use std::path::{Path, PathBuf};

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that could not be opened or read.
    #[error("cannot read {}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file that is neither Parquet nor Arrow, or of a kind that is not read.
    #[error("{} {what}", .path.display())]
    NotColumns {
        /// The file.
        path: PathBuf,
        /// What it is, and what to do.
        what: String,
    },
    /// A file whose content is damaged, or uses a part of the format that is not read.
    #[error("{}: {} cannot be read: {what}", .path.display(), rows(*.row))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first row that could not be read, from 1; 0 for the description of the file.
        row: u64,
        /// What the reader said.
        what: String,
    },
    /// A column that the file does not have.
    #[error("{} has no column `{name}` (its columns: {known})", .path.display())]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The name that was asked for.
        name: String,
        /// The names of all columns.
        known: String,
    },
    /// A name that two columns have.
    #[error("{} has two columns `{name}`: rename one", .path.display())]
    TwoColumns {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A column that is not text.
    #[error("{}: column `{name}` has the type {found}, expected {expected}", .path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The column.
        name: String,
        /// Its type.
        found: Box<DataType>,
        /// What was expected.
        expected: &'static str,
    },
    /// A row without a text.
    #[error("{}: row {row}: column `{name}` {what}", .path.display())]
    NoText {
        /// The file.
        path: PathBuf,
        /// The row, from 1.
        row: u64,
        /// The column.
        name: String,
        /// What is there instead.
        what: &'static str,
    },
    /// A part whose columns are not those of the first part.
    #[error("{} has other columns than {}: all parts of a table must have the same", .path.display(), .first.display())]
    OtherColumns {
        /// The file.
        path: PathBuf,
        /// The first part.
        first: PathBuf,
    },
    /// A result that cannot be written.
    #[error("cannot write the columns: {0}")]
    Write(String),
}

fn rows(row: u64) -> String {
    if row == 0 { "the description of its columns".to_owned() } else { format!("row {row} or a later one") }
}

impl Error {
    /// An error of opening or reading.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Error::Read { path: path.to_owned(), source }
    }

    /// An error of the reader of a format.
    pub(crate) fn damaged(path: &Path, row: u64, error: impl Into<FormatError>) -> Self {
        match error.into().0 {
            Ok(source) => Error::io(path, source),
            Err(what) => Error::Damaged { path: path.to_owned(), row, what },
        }
    }
}

/// What a reader or writer of a format says: an error of the system, or a message.
pub(crate) struct FormatError(pub Result<io::Error, String>);

impl From<ArrowError> for FormatError {
    fn from(error: ArrowError) -> Self {
        FormatError(match error {
            // A file that ends early, or sends the reader to a place before its start, is damaged.
            ArrowError::IoError(what, source)
                if matches!(source.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput) =>
            {
                Err(what)
            }
            ArrowError::IoError(_, source) => Ok(source),
            other => Err(other.to_string()),
        })
    }
}

impl From<ParquetError> for FormatError {
    fn from(error: ParquetError) -> Self {
        FormatError(Err(error.to_string()))
    }
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        Error::Write(error.to_string())
    }
}

impl From<ParquetError> for Error {
    fn from(error: ParquetError) -> Self {
        Error::Write(error.to_string())
    }
}
