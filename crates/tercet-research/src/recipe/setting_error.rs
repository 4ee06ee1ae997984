//! Values that are not allowed, and the rules that check them.

use super::Setting;
use crate::error::Error;
use std::fmt;
use std::str::FromStr;

/// The largest number that a setting may have.
pub(crate) const MAX_NUMBER: f64 = 1e9;

/// The widest layer that a recipe can ask for. Wider ones would not fit into memory.
pub(crate) const WIDEST: f64 = 10_000.0;

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
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = if self.table.is_empty() { String::new() } else { format!("[{}]", self.table) };
        let parts = [table.as_str(), self.key.as_str(), self.what.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join(" "))
    }
}

/// The error without a line, if there is no text.
impl From<SettingError> for Error {
    fn from(refusal: SettingError) -> Self {
        Error::BadRequest(refusal.to_string())
    }
}

/// The rule that a number is in a range, both ends included; `f64::MIN_POSITIVE` stands for anything above 0.
pub(crate) fn range<T: Setting>(low: f64, high: f64) -> impl Fn(&T) -> Result<(), String> {
    move |value| match value.number() {
        Some(value) if !(low..=high).contains(&value) => {
            let low =
                if low == f64::MIN_POSITIVE { "more than 0".to_owned() } else { format!("{low} at least") };
            // Shows 2.3, not 2.299999952316284, for a number in single precision.
            let single = value as f32;
            let shown = if f64::from(single) == value { single.to_string() } else { value.to_string() };
            Err(format!("cannot be {shown}: expected {low}, {high} at most"))
        }
        _ => Ok(()),
    }
}

/// The rule that a text is one of some names.
pub(crate) fn one_of<const N: usize>(names: [&'static str; N]) -> impl Fn(&String) -> Result<(), String> {
    move |value| match names.contains(&value.as_str()) {
        true => Ok(()),
        false => Err(unknown_name(value, &listed(&names))),
    }
}

/// The rule that a text can be parsed as a `T`.
pub(crate) fn named<T: FromStr<Err = tercet_learn::Error>>() -> impl Fn(&String) -> Result<(), String> {
    |value| match value.parse::<T>() {
        Ok(_) => Ok(()),
        Err(tercet_learn::Error::BadSetting { expected, .. }) => Err(unknown_name(value, &expected)),
        Err(other) => Err(format!("cannot be used: {other}")),
    }
}

/// `a, b or c`.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}

pub(super) fn unknown_name(found: &str, expected: &str) -> String {
    format!("cannot be {found:?}: expected {expected}")
}
