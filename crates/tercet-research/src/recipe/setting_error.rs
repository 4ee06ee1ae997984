//! Values that are not allowed, and the rules that check them.

use super::Setting;
use std::fmt;

/// The largest number that a setting may have.
pub(crate) const MAX_NUMBER: f64 = 1e9;

/// The widest layer that a recipe can ask for. Wider ones would not fit into memory.
pub(crate) const MAX_WIDTH: f64 = 10_000.0;

/// A value that is not allowed. Without a key the whole table is not allowed; an empty table is the top level.
#[derive(Debug)]
pub struct SettingError {
    pub(super) table: String,
    pub(super) key: String,
    what: String,
}

impl SettingError {
    /// The message is `[table] key` followed by `what`.
    pub fn new(table: &str, key: &str, what: impl Into<String>) -> Self {
        SettingError { table: table.to_owned(), key: key.to_owned(), what: what.into() }
    }

    /// An error of a place, `[table] key`, if it is refused.
    pub fn when(is_refused: bool, place: &str, what: &str) -> Result<(), Self> {
        let (table, key) = place.trim_start_matches('[').split_once(']').unwrap_or(("", place));
        if is_refused { Err(SettingError::new(table, key.trim_start(), what)) } else { Ok(()) }
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = if self.table.is_empty() { String::new() } else { format!("[{}]", self.table) };
        let parts = [table.as_str(), self.key.as_str(), self.what.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join(" "))
    }
}

/// The rule that a number is in a range, both ends included; `f64::MIN_POSITIVE` stands for anything above 0.
pub(crate) fn range<T: Setting>(low: f64, high: f64) -> impl Fn(&T) -> Result<(), String> {
    move |value| match value.number() {
        Some(value) if !(low..=high).contains(&value) => {
            let low = if low == f64::MIN_POSITIVE { "more than 0".to_owned() } else { format!("{low} at least") };
            // Shows 2.3, not 2.299999952316284, for a number in single precision.
            let single = value as f32;
            let shown = if f64::from(single) == value { single.to_string() } else { value.to_string() };
            Err(format!("cannot be {shown}: expected {low}, {high} at most"))
        }
        _ => Ok(()),
    }
}
