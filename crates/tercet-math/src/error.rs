//! What can be wrong with a matrix.

/// A result with the crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A matrix or list that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It has the wrong size.
    #[error("{what}: expected {expected}, found {found}")]
    Shape {
        /// What has the wrong size.
        what: String,
        /// The required size.
        expected: String,
        /// The size that was given.
        found: String,
    },
    /// A number is NaN or infinite.
    #[error("{what}, row {row}, column {column}: {value} is not a finite number (counted from 0)")]
    NotFinite {
        /// Name of the table.
        what: String,
        /// Row, counted from 0.
        row: usize,
        /// Column, counted from 0.
        column: usize,
        /// The value.
        value: f64,
    },
}

impl Error {
    /// An error about a size.
    pub fn shape(what: impl Into<String>, expected: impl ToString, found: impl ToString) -> Self {
        Error::Shape { what: what.into(), expected: expected.to_string(), found: found.to_string() }
    }
}

impl From<Error> for tercet_base::Error {
    fn from(error: Error) -> Self {
        tercet_base::error::Learning { kind: tercet_base::ErrorKind::Training, cause: Box::new(error) }.into()
    }
}
