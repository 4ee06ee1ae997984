//! How the objects of a JSON file are laid out: one per line, in an array, in an array inside an object, or one after
//! another.

use super::format::RowFormat;
use super::json_stream::JsonStream;
use super::usual_names;
use serde_json::{Map, Value};
use std::path::Path;
use tercet_base::FieldRole;

/// Where rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonLayout {
    /// An object per line.
    Lines,
    /// Objects in an array.
    Array,
    /// Objects in an array that is a field of an object.
    Wrapped,
    /// Objects over several lines, one after another.
    Loose,
}

impl JsonLayout {
    /// The layout of a file, if it starts as rows of JSON do; `start` is its first bytes, and all of them if `is_all`.
    pub fn recognise(path: &Path, start: &[u8], is_all: bool) -> Option<Self> {
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        let first = *text.first()?;
        let second = text[1..].trim_ascii_start().first();
        match (first, second) {
            (b'[', Some(b'{')) => Some(JsonLayout::Array),
            (b'{', Some(b'"')) => JsonLayout::of_objects(path, text, is_all),
            _ => None,
        }
    }

    /// The layout of a text that starts with an object that has a field.
    fn of_objects(path: &Path, text: &[u8], is_all: bool) -> Option<Self> {
        let end = text.iter().position(|&byte| byte == b'\n');
        let (line, rest) = text.split_at(end.unwrap_or(text.len()));
        if end.is_some() || is_all {
            return match serde_json::from_slice::<Map<String, Value>>(line) {
                Ok(object) if is_all && rest.trim_ascii().is_empty() && is_wrapper(path, &object) => {
                    Some(JsonLayout::Wrapped)
                }
                Ok(_) => Some(JsonLayout::Lines),
                Err(error) if error.is_eof() => Some(JsonLayout::of_open_object(path, text)),
                // Text that looks like JSON only at its start, unless the name promises rows.
                Err(_) => RowFormat::of_name(path).map(|_| JsonLayout::Lines),
            };
        }
        match RowFormat::of_name(path) {
            Some(RowFormat::JsonLines) => Some(JsonLayout::Lines),
            _ if starts_with_wrapper(path, text) => Some(JsonLayout::Wrapped),
            _ => Some(JsonLayout::Lines),
        }
    }

    fn of_open_object(path: &Path, text: &[u8]) -> Self {
        if starts_with_wrapper(path, text) { JsonLayout::Wrapped } else { JsonLayout::Loose }
    }
}

/// Whether an object has one array of objects, and is no row itself.
fn is_wrapper(path: &Path, object: &Map<String, Value>) -> bool {
    let is_rows = |value: &Value| matches!(value, Value::Array(items) if items.first().is_some_and(Value::is_object));
    let is_row = RowFormat::of_name(path) == Some(RowFormat::JsonLines);
    !is_row && object.values().any(is_rows) && !object.keys().any(|name| is_field_of_row(name))
}

/// The same for the start of a text.
fn starts_with_wrapper(path: &Path, text: &[u8]) -> bool {
    let mut stream = JsonStream::new(path, text);
    let mut find = || stream.find_rows(|name| !is_field_of_row(name));
    matches!(find(), Ok(Some(_)))
}

/// Whether only rows have such a field: a text, or what a person said in a log of Pearmut.
fn is_field_of_row(name: &str) -> bool {
    let roles = [FieldRole::Hypothesis, FieldRole::Reference, FieldRole::Source];
    let is_usual = |role: FieldRole| {
        let groups = usual_names::groups(role);
        groups.iter().any(|group| usual_names::is_one_of(name, group, role))
    };
    roles.into_iter().any(is_usual) || name == "annotation"
}
