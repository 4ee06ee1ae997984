//! What serde says of a recipe that does not fit, for people who do not know serde.
//!
//! | serde | here |
//! |---|---|
//! | ``unknown field `stepz`, expected one of `steps`, `batch` `` | ``[training] has no key `stepz`, did you mean `steps`? (known: steps, batch)`` |
//! | ``missing field `train` `` | `[data] train is missing` |
//! | `invalid type: string "many", expected usize` | `[training] steps cannot be "many": expected a whole number, 0 or more` |
//! | ``unknown variant `link`, expected `dependency` or `constituency` `` | `kind cannot be "link": expected dependency or constituency` |
//!
//! Anything else is said as it is, after the key.

use super::positions::Step;
use crate::text::nearest;
use std::fmt;

/// What is wrong, and on the way to which value.
pub(super) struct Complaint<'a> {
    /// The way to what is wrong.
    pub keys: &'a [Step],
    /// What serde says.
    pub message: &'a str,
}

impl fmt::Display for Complaint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = name_of(self.keys);
        if let Some(rest) = self.message.strip_prefix("unknown field ") {
            return self.unknown_key(rest, f);
        }
        if let Some(rest) = self.message.strip_prefix("missing field ") {
            let (table, key) = (table_of(self.keys), rest.trim_matches('`'));
            let after = if table.is_empty() || table.ends_with(']') { " " } else { ": " };
            return f.write_str(format!("{table}{after}{key} is missing").trim_start());
        }
        if let Some(rest) = self.message.strip_prefix("unknown variant ") {
            let (found, expected) = rest.split_once(", expected ").unwrap_or((rest, "something else"));
            let expected = expected.trim_start_matches("one of ").replace('`', "");
            return write!(f, "{name} cannot be \"{}\": expected {expected}", found.trim_matches('`'));
        }
        for prefix in ["invalid type: ", "invalid value: "] {
            if let Some((found, expected)) =
                self.message.strip_prefix(prefix).and_then(|rest| rest.split_once(", expected "))
            {
                return write!(f, "{name} cannot be {}: expected {}", found_as(found), expected_as(expected));
            }
        }
        if name.is_empty() { f.write_str(self.message) } else { write!(f, "{name}: {}", self.message) }
    }
}

impl Complaint<'_> {
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

/// ``integer `3` `` is 3.
fn found_as(found: &str) -> String {
    match found {
        "sequence" => "a list".to_owned(),
        "map" => "a table".to_owned(),
        _ if found.starts_with("string ") => found["string ".len()..].to_owned(),
        _ => match found.split_once('`') {
            Some((_, value)) => value.trim_end_matches('`').to_owned(),
            None => found.to_owned(),
        },
    }
}

/// What a type is to people.
fn expected_as(expected: &str) -> &str {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list in [ ]",
        "a string" | "path string" => "text in quotes",
        "a map" => "a table",
        _ if expected.starts_with("struct ") => "a table",
        _ => expected,
    }
}
