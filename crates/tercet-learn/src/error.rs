//! The error type of the crate.
//!
//! A message says what, where and what to do, in lower case and without a full stop.

use crate::files::WriteError;
use crate::networks::TreeError;
use crate::progress::Stopped;
use std::error::Error as StdError;
use tercet_base::ErrorKind;
use tercet_base::choice::UnknownChoice;
use tercet_base::error::Learning;

/// A result with the crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of a caller's callback, of any type.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// What can fail in this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller asked the work to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// There is no data to learn from.
    #[error("{what} is empty: there is nothing to learn from")]
    Empty {
        /// What is empty.
        what: String,
    },
    /// A matrix or list has the wrong size, or a number that is NaN or infinite.
    #[error(transparent)]
    Matrix(#[from] tercet_math::Error),
    /// An example refers to a row that does not exist, or has an invalid target.
    #[error("example {example} (counted from 0): {reason}")]
    BadExample {
        /// Index of the example, counted from 0.
        example: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Heads that are not a tree.
    #[error("tree {tree} (counted from 0): {cause}")]
    BadTree {
        /// Number of the tree, counted from 0.
        tree: usize,
        /// What is wrong with its heads.
        cause: TreeError,
    },
    /// The loss became NaN or infinite.
    #[error(
        "epoch {epoch}: the loss of example {example} (counted from 0) is {loss}: lower the learning rate or scale the \
         inputs"
    )]
    Diverged {
        /// Epoch, counted from 1.
        epoch: usize,
        /// The first example whose loss is not finite.
        example: usize,
        /// The value of the loss.
        loss: f64,
    },
    /// An output of a network is NaN or infinite.
    #[error(
        "example {example} (counted from 0), {order}: the network gives {logit}, from which nothing can be decided: \
         scale the inputs, or train again with a lower learning rate"
    )]
    BadLogit {
        /// The first example whose logit is not finite.
        example: usize,
        /// In which order its items were given: `a before b` or `b before a`.
        order: &'static str,
        /// The value of the logit.
        logit: f32,
    },
    /// A setting outside its range.
    #[error("setting `{setting}` cannot be {value}: expected {expected}")]
    BadSetting {
        /// Name of the setting.
        setting: String,
        /// The value that was given.
        value: String,
        /// Which values are accepted.
        expected: String,
    },
    /// A checkpoint that belongs to another network or another run.
    #[error("the saved state does not fit: {reason}")]
    NotResumable {
        /// What differs.
        reason: String,
    },
    /// A caller's callback failed.
    #[error("{what} failed after epoch {epoch}")]
    Callback {
        /// Which callback.
        what: &'static str,
        /// Epoch, counted from 1.
        epoch: usize,
        /// The error of the callback.
        #[source]
        source: Cause,
    },
    /// A model file that cannot be read or written.
    #[error(transparent)]
    Model(tercet_model::Error),
}

impl From<UnknownChoice> for Error {
    fn from(error: UnknownChoice) -> Self {
        Error::setting(error.what, &error.name, &error.expected())
    }
}

impl Error {
    pub(crate) fn shape(what: impl Into<String>, expected: impl ToString, found: impl ToString) -> Self {
        Error::Matrix(tercet_math::Error::shape(what, expected, found))
    }

    pub(crate) fn setting(setting: &str, value: impl ToString, expected: &str) -> Self {
        Error::BadSetting { setting: setting.to_owned(), value: value.to_string(), expected: expected.to_owned() }
    }

    /// Returns an error about a setting unless it is allowed to have this value.
    pub(crate) fn check_setting(is_allowed: bool, setting: &str, value: impl ToString, expected: &str) -> Result<()> {
        if is_allowed { Ok(()) } else { Err(Error::setting(setting, value, expected)) }
    }

    /// Returns an error unless a setting is a finite number above 0.
    pub(crate) fn check_above_zero<T: Copy + Into<f64> + ToString>(setting: &str, value: T) -> Result<()> {
        let number = value.into();
        Error::check_setting(number > 0.0 && number.is_finite(), setting, value, "a number above 0")
    }

    /// Returns an error unless a setting is a finite number of at least 0.
    pub(crate) fn check_at_least_zero<T: Copy + Into<f64> + ToString>(setting: &str, value: T) -> Result<()> {
        let number = value.into();
        Error::check_setting(number >= 0.0 && number.is_finite(), setting, value, "a number of at least 0")
    }
}

impl From<tercet_model::Error> for Error {
    fn from(error: tercet_model::Error) -> Self {
        match error {
            tercet_model::Error::Matrix(error) => Error::Matrix(error),
            other => Error::Model(other),
        }
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Self {
        Error::Model(error.into())
    }
}

impl From<Error> for tercet_base::Error {
    fn from(error: Error) -> Self {
        let kind = match error {
            Error::Stopped(stopped) => return stopped.into(),
            Error::Model(error) => return error.into(),
            Error::NotResumable { .. } => ErrorKind::Request,
            _ => ErrorKind::Training,
        };
        Learning { kind, cause: Box::new(error) }.into()
    }
}
