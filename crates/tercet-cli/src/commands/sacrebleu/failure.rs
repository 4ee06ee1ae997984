//! Errors of sacreBLEU.

use crate::output::is_too_much_unpacked;
use std::error::Error as _;

/// A message for standard error and an exit code.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// What is wrong, a line each.
    pub message: String,
}

impl Failure {
    /// The common case: exit 1.
    pub fn new(message: impl Into<String>) -> Self {
        Failure { code: 1, message: message.into() }
    }

    /// Lines whose number of fields is wrong: exit 17.
    pub fn fields(message: impl Into<String>) -> Self {
        Failure { code: 17, message: message.into() }
    }
}

impl From<tercet::Error> for Failure {
    fn from(error: tercet::Error) -> Self {
        match error.source() {
            Some(cause) if is_too_much_unpacked(cause) => {
                Failure::new(format!("{error}: {cause} (unpack it first, and name the unpacked file)"))
            }
            Some(cause) => Failure::new(format!("{error}: {cause}")),
            None => Failure::new(error.to_string()),
        }
    }
}
