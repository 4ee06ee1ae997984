//! Results as text.

use crate::errors::{REQUEST, of_class};
use pyo3::prelude::*;
use tercet::report::Format;

/// A result in the formats that Python shows: as text, as Markdown, and as JSON, which becomes its data.
#[derive(IntoPyObject)]
pub struct Written {
    text: String,
    markdown: String,
    json: String,
}

impl Written {
    /// Writes all formats.
    pub fn new(write: impl Fn(Format) -> String) -> Self {
        Written { text: write(Format::Text), markdown: write(Format::Markdown), json: write(Format::Json) }
    }
}

/// The format of this name.
pub fn format(py: Python<'_>, name: &str) -> PyResult<Format> {
    let known = [
        ("text", Format::Text),
        ("json", Format::Json),
        ("jsonl", Format::Jsonl),
        ("tsv", Format::Tsv),
        ("csv", Format::Csv),
        ("markdown", Format::Markdown),
        ("latex", Format::Latex),
    ];
    known.iter().find(|(known, _)| *known == name).map(|(_, format)| *format).ok_or_else(|| {
        let names = known.map(|(name, _)| name).join(", ");
        of_class(py, REQUEST, &format!("unknown format `{name}` (known: {names})"))
    })
}

/// More decimals than this say nothing of a 64-bit number.
const MAX_DECIMALS: usize = 17;

/// Returns an error for more decimals than that.
pub fn check_decimals(py: Python<'_>, decimals: Option<usize>) -> PyResult<()> {
    match decimals.filter(|&decimals| decimals > MAX_DECIMALS) {
        None => Ok(()),
        Some(found) => {
            let message = format!("decimals: expected at most {MAX_DECIMALS}, found {found}");
            Err(of_class(py, REQUEST, &message))
        }
    }
}
