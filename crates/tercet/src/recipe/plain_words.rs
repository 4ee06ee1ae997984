//! What serde says of a recipe that does not fit, for people who do not know serde.
//!
//! | serde | here |
//! |---|---|
//! | ``unknown field `stepz`, expected one of `steps`, `batch` `` | ``[training] has no key `stepz`, did you mean `steps`? (known: steps, batch)`` |
//! | ``missing field `train` `` | `[data] train is missing` |
//! | ``missing field `data` `` of the whole | `[data] is missing` |
//! | `invalid type: string "many", expected usize` | `[training] steps cannot be "many": expected a whole number, 0 or more` |
//! | ``invalid value: integer `300`, expected u8`` | `[training] steps cannot be 300: expected a whole number, 255 at most` |
//! | ``unknown variant `link`, expected `dependency` or `constituency` `` | `kind cannot be "link": expected dependency or constituency` |
//!
//! Anything else is said as it is, after the key. What was found is taken from the text, because serde has no dates: to it they are
//! maps with a key of their own.

use super::positions::Step;
use crate::text::nearest;
use std::fmt;

/// The one key of a date, as toml hands it to serde.
pub(super) const DATE: &str = "$__toml_private_datetime";

/// The only key outside of all tables.
const KIND: &str = "kind";

/// What is wrong, and on the way to which value.
pub(super) struct Complaint<'a> {
    /// The way to what is wrong.
    pub keys: &'a [Step],
    /// What stands there, if that is known.
    pub found: Option<&'a str>,
    /// What serde says.
    pub message: &'a str,
}

impl fmt::Display for Complaint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = |prefix: &str| self.message.strip_prefix(prefix);
        if let Some(rest) = after("unknown field ") {
            return if rest.contains(DATE) { self.refuse("a table", f) } else { self.unknown_key(rest, f) };
        }
        if let Some(rest) = after("missing field ") {
            return self.missing(rest.trim_matches('`'), f);
        }
        let rest = ["unknown variant ", "invalid type: ", "invalid value: "].into_iter().find_map(after);
        // What was found may have these words in it.
        if let Some((found, expected)) = rest.and_then(|rest| rest.rsplit_once(", expected ")) {
            return self.refuse(&expected_as(expected, found), f);
        }
        match self.message {
            "wanted string or table" => self.refuse("text in quotes", f),
            message if message.ends_with(" number overflowed") => self.refuse("a number nearer to 0", f),
            message if self.keys.is_empty() => f.write_str(message),
            message => write!(f, "{}: {message}", name_of(self.keys)),
        }
    }
}

impl Complaint<'_> {
    /// Says that it cannot be what it is.
    fn refuse(&self, expected: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found {
            Some(found) => write!(f, "{} cannot be {found}: expected {expected}", name_of(self.keys)),
            None => f.write_str(self.message),
        }
    }

    /// A key, or a table of the whole, is not there.
    fn missing(&self, key: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = table_of(self.keys);
        match table.as_str() {
            "" if key == KIND => write!(f, "{key} is missing"),
            "" => write!(f, "[{key}] is missing"),
            header if header.ends_with(']') => write!(f, "{header} {key} is missing"),
            entry => write!(f, "{entry}: {key} is missing"),
        }
    }

    /// `rest` is the key, and which would have been known.
    fn unknown_key(&self, rest: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut quoted = rest.split('`').skip(1).step_by(2);
        let key = quoted.next().unwrap_or(rest);
        let known: Vec<&str> = quoted.collect();
        let table = table_of(&self.keys[..self.keys.len().saturating_sub(1)]);
        let whose = if table.is_empty() { "a recipe of this kind" } else { table.as_str() };
        write!(f, "{whose} has no key `{key}`")?;
        if let Some(near) = nearest(key, known.iter().copied()) {
            write!(f, ", did you mean `{near}`?")?;
        }
        if known.is_empty() { Ok(()) } else { write!(f, " (known: {})", known.join(", ")) }
    }
}

/// `[training] steps`, `[data] train, entry 2`, `kind`.
fn name_of(keys: &[Step]) -> String {
    let is_key = |step: &&Step| matches!(step, Step::Key(_));
    let tables = keys.iter().take_while(is_key).count().saturating_sub(1);
    let rest: Vec<String> = keys[tables..].iter().map(Step::to_string).collect();
    format!("{} {}", headed(&keys[..tables]), rest.join(", ")).trim_start().to_owned()
}

/// The same for a table: `[training]`, `[data] train, entry 2`, nothing for the whole.
fn table_of(keys: &[Step]) -> String {
    let is_header = keys.iter().all(|step| matches!(step, Step::Key(_)));
    if is_header { headed(keys) } else { name_of(keys) }
}

/// `[a.b]`, or nothing.
fn headed(tables: &[Step]) -> String {
    let names: Vec<String> = tables.iter().map(Step::to_string).collect();
    if names.is_empty() { String::new() } else { format!("[{}]", names.join(".")) }
}

/// What is expected, to people: a choice, or a type, of which `found` may be too much.
fn expected_as(expected: &str, found: &str) -> String {
    if let (Some(number), Some((least, most))) = (found.strip_prefix("integer `"), range_of(expected)) {
        return match number.starts_with('-') {
            false => format!("a whole number, {most} at most"),
            true => format!("a whole number, {least} or more"),
        };
    }
    let plain = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list in [ ]",
        "a string" | "path string" => "text in quotes",
        "a map" => "a table",
        _ if expected.starts_with("struct ") => "a table",
        _ => return expected.trim_start_matches("one of ").replace('`', ""),
    };
    plain.to_owned()
}

/// The least and the most that a type of whole numbers holds.
fn range_of(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        "usize" => (0, usize::MAX as i128),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        "isize" => (isize::MIN as i128, isize::MAX as i128),
        _ => return None,
    })
}
