//! The types that settings of a recipe can have, values that are not allowed, and the rules that check them.

use super::{RecipeTable, RecipeValue};
use crate::error::Result;
use crate::text::Tokenizer;
use std::fmt;
use std::path::PathBuf;
use tercet_learn::feature_scaling::Scaling;
use tercet_learn::networks::{Activation, Architecture, FineTuning, Gate, TreeEncoding};
use toml::de::DeValue;

/// A type that a setting can have.
pub trait Setting: Sized + Default {
    /// Reads a value. Keys that a table does not have are taken from `base`.
    fn read(base: Self, value: &RecipeValue<'_>) -> Result<Self>;

    /// Reads the keys of a table. Those that are missing keep their values.
    fn read_keys(self, _table: &RecipeTable<'_>) -> Result<Self> {
        Ok(self)
    }

    /// The value as a number, for its range.
    fn number(&self) -> Option<f64> {
        None
    }

    /// Checks the keys of a table; `name` is `a.b` of `[a.b]`.
    fn check_keys(&self, _name: &str) -> Result<(), SettingError> {
        Ok(())
    }
}

/// Reads values of these [choices](tercet_base::choices!) by their names.
macro_rules! setting_by_name {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::recipe::Setting for $type {
            fn read(_: Self, value: &$crate::recipe::RecipeValue<'_>) -> $crate::error::Result<Self> {
                value.chosen()
            }
        }
    )*};
}
pub(crate) use setting_by_name;

setting_by_name!(Activation, Architecture, FineTuning, Gate, Scaling, TreeEncoding);

impl Setting for Tokenizer {
    fn read(_: Self, value: &RecipeValue<'_>) -> Result<Self> {
        let name = String::read(String::new(), value)?;
        Tokenizer::from_name(&name).map_err(|error| value.error(&format!("cannot be used: {error}")))
    }
}

impl Setting for bool {
    fn read(_: Self, value: &RecipeValue<'_>) -> Result<Self> {
        value.get().as_bool().ok_or_else(|| value.refuse("true or false"))
    }
}

impl Setting for String {
    fn read(_: Self, value: &RecipeValue<'_>) -> Result<Self> {
        value.get().as_str().map(str::to_owned).ok_or_else(|| value.refuse("text in quotes"))
    }
}

impl Setting for PathBuf {
    fn read(_: Self, value: &RecipeValue<'_>) -> Result<Self> {
        String::read(String::new(), value).map(PathBuf::from)
    }
}

impl<T: Setting> Setting for Option<T> {
    fn read(base: Self, value: &RecipeValue<'_>) -> Result<Self> {
        T::read(base.unwrap_or_default(), value).map(Some)
    }

    fn number(&self) -> Option<f64> {
        self.as_ref()?.number()
    }

    fn check_keys(&self, name: &str) -> Result<(), SettingError> {
        self.as_ref().map_or(Ok(()), |inside| inside.check_keys(name))
    }
}

impl<T: Setting> Setting for Vec<T> {
    fn read(_: Self, value: &RecipeValue<'_>) -> Result<Self> {
        value.entries()?.map(|entry| T::read(T::default(), &entry)).collect()
    }
}

macro_rules! whole_number {
    ($($type:ty),*) => {$(
        impl Setting for $type {
            fn read(_: Self, value: &RecipeValue<'_>) -> Result<Self> {
                let DeValue::Integer(written) = value.get() else {
                    return Err(value.refuse("a whole number, 0 or more"));
                };
                let number = i128::from_str_radix(written.as_str(), written.radix());
                let number = number.map_err(|_| value.refuse("a number nearer to 0"))?;
                number.try_into().map_err(|_| match number < 0 {
                    true => value.refuse("a whole number, 0 or more"),
                    false => value.refuse(&format!("a whole number, {} at most", <$type>::MAX)),
                })
            }

            fn number(&self) -> Option<f64> {
                Some(*self as f64)
            }
        }
    )*};
}

whole_number!(usize, u64);

impl Setting for f64 {
    fn read(_: Self, value: &RecipeValue<'_>) -> Result<Self> {
        let number = match value.get() {
            DeValue::Float(written) => {
                let number = written.as_str().parse().ok();
                number.filter(|number: &f64| number.is_finite() || !written.as_str().contains(char::is_numeric))
            }
            DeValue::Integer(written) => {
                i64::from_str_radix(written.as_str(), written.radix()).ok().map(|number| number as f64)
            }
            _ => return Err(value.refuse("a number")),
        };
        number.ok_or_else(|| value.refuse("a number nearer to 0"))
    }

    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Setting for f32 {
    fn read(_: Self, value: &RecipeValue<'_>) -> Result<Self> {
        f64::read(0.0, value).map(|number| number as f32)
    }

    fn number(&self) -> Option<f64> {
        Some((*self).into())
    }
}

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
