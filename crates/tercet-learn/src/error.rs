//! What can go wrong: one enum, causes kept.
//!
//! A message says what, where and what to do, in lower case and without a full stop.

use crate::progress::Stopped;
use std::error::Error as StdError;
use std::io;
use std::path::PathBuf;

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Whatever a callback of the caller failed with.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// Everything the crate can refuse.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller asked the work to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Nothing to learn from.
    #[error("{what} is empty: there is nothing to learn from")]
    Empty {
        /// What is empty.
        what: String,
    },
    /// Shapes that do not fit.
    #[error("{what}: expected {expected}, found {found}")]
    Shape {
        /// Which thing, in which operation.
        what: String,
        /// The shape that would fit.
        expected: String,
        /// The shape that was given.
        found: String,
    },
    /// An input number that is NaN or infinite.
    #[error("{what}, row {row}, column {column}: {value} is not a finite number (counted from 0)")]
    NotFinite {
        /// Which table.
        what: String,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// The number.
        value: f32,
    },
    /// An example that points to a row that is not there, or has an impossible target.
    #[error("example {example} (counted from 0): {reason}")]
    BadExample {
        /// Its index.
        example: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The loss, or a gradient, became NaN or infinite.
    #[error(
        "epoch {epoch}: the loss of example {example} (counted from 0) is {loss}: lower the learning rate or scale the inputs"
    )]
    Diverged {
        /// Epoch, counted from 1.
        epoch: usize,
        /// The first example whose loss is not finite.
        example: usize,
        /// The loss.
        loss: f64,
    },
    /// An output of a network that is NaN or infinite.
    #[error(
        "example {example} (counted from 0), {order}: the network gives {logit}, which is no decision: \
         scale the inputs, or train again with a lower learning rate"
    )]
    BadLogit {
        /// The first example whose logit is not finite.
        example: usize,
        /// In which order it was seen.
        order: &'static str,
        /// The logit.
        logit: f32,
    },
    /// A setting outside its range.
    #[error("setting `{setting}` cannot be {value}: expected {expected}")]
    BadSetting {
        /// The setting.
        setting: String,
        /// Its value.
        value: String,
        /// What would have been accepted.
        expected: String,
    },
    /// A saved state that belongs to another network or another run.
    #[error("the saved state does not fit: {reason}")]
    NotResumable {
        /// What differs.
        reason: String,
    },
    /// A callback of the caller failed.
    #[error("{what} failed after epoch {epoch}")]
    Callback {
        /// Which one.
        what: &'static str,
        /// Epoch, counted from 1.
        epoch: usize,
        /// Its error.
        #[source]
        source: Cause,
    },
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

impl Error {
    /// A shape that does not fit.
    pub(crate) fn shape(what: impl Into<String>, expected: impl ToString, found: impl ToString) -> Self {
        Error::Shape { what: what.into(), expected: expected.to_string(), found: found.to_string() }
    }

    /// A setting outside its range.
    pub(crate) fn setting(setting: &str, value: impl ToString, expected: &str) -> Self {
        Error::BadSetting {
            setting: setting.to_owned(),
            value: value.to_string(),
            expected: expected.to_owned(),
        }
    }
}
