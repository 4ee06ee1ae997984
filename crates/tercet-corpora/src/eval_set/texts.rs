//! The texts of an EvalSet.
//!
//! `.txt` has a segment on each line, without trailing white space; `[No translation supplied]` means a missing one.
//! `.jsonl` has an object on each line: the text is in `source`, `target` (references) or `hypothesis` (system
//! outputs).

use super::files::SetFile;
use crate::error::Result;
use crate::{Lines, read_lines};
use serde_json::Value;

pub const NO_TRANSLATION: &str = "[No translation supplied]";

/// The segments of a file; `field` is the name of the text in JSON.
pub fn read_texts(file: &SetFile, field: &str) -> Result<Vec<Option<String>>> {
    let lines = read_lines(&file.path)?;
    if file.name.ends_with(".jsonl") { parse_json(&lines, field) } else { Ok(parse_plain(&lines)) }
}

fn parse_plain(lines: &Lines) -> Vec<Option<String>> {
    lines.iter().map(|line| (line != NO_TRANSLATION).then(|| line.to_owned())).collect()
}

pub fn parse_json(lines: &Lines, field: &str) -> Result<Vec<Option<String>>> {
    let text = |(i, line): (usize, &str)| {
        let bad = |what: String| lines.bad(i + 1, what);
        let object: Value =
            serde_json::from_str(line).map_err(|error| bad(format!("expected a JSON object, found {error}")))?;
        match object.get(field) {
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Null) => Ok(None),
            _ => Err(bad(format!("expected a text in the field `{field}`"))),
        }
    };
    lines.iter().enumerate().map(text).collect()
}
