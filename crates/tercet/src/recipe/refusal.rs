//! Values that cannot be meant: which key, and what is wrong with it.

use crate::error::Error;
use std::fmt;

/// The largest number that can be meant.
pub(crate) const LARGEST: f64 = 1e9;

/// A value that is refused. Without a key it is the table that is, without a table the key is of none.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub table: String,
    pub key: String,
    pub what: String,
}

impl Refusal {
    /// `what` goes on after `[table] key`.
    pub fn new(table: &str, key: &str, what: impl Into<String>) -> Self {
        Refusal { table: table.to_owned(), key: key.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = if self.table.is_empty() { String::new() } else { format!("[{}]", self.table) };
        let parts = [table.as_str(), self.key.as_str(), self.what.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join(" "))
    }
}

/// Where there is no text to point into.
impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::BadRequest(refusal.to_string())
    }
}

/// Refuses a number outside of its range; `f64::MIN_POSITIVE` stands for anything above 0.
pub(crate) fn in_range(table: &str, key: &str, value: f64, low: f64, high: f64) -> Result<(), Refusal> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let low = if low == f64::MIN_POSITIVE { "more than 0".to_owned() } else { format!("{low} at least") };
    // Numbers in single precision are shown with their own digits.
    let single = value as f32;
    let shown = if f64::from(single) == value { single.to_string() } else { value.to_string() };
    Err(Refusal::new(table, key, format!("cannot be {shown}: expected {low}, {high} at most")))
}
