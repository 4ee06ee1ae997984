//! Results as text.

use crate::errors::{OrRaise, REQUEST, of_class};
use pyo3::prelude::*;
use tercet::choice::Choice;
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
    Format::from_name(name).map_err(tercet::Error::from).or_raise(py)
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
