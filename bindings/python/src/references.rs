//! References from Python: `references[segment]` is a `str` or a list of them; or one column for each reference.

use crate::errors::{DATA, of_class, wrong_element, wrong_type};
use crate::texts::{ArrowStrings, Texts, encoded, utf8};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use tercet::text::trim_end;

const WHAT: &str = "references";

/// References, kept alive.
pub enum References<'py> {
    /// One for each segment.
    Single(Texts<'py>),
    /// Some for each segment.
    Several(Vec<Vec<Bound<'py, PyBytes>>>),
    /// A column for the first reference of each segment, one for the second, …, with gaps.
    Columns(Vec<Texts<'py>>),
}

impl<'py> References<'py> {
    /// Reads references: `by_column` says whether the first index is the reference and not the segment.
    pub fn read(value: &Bound<'py, PyAny>, by_column: bool) -> PyResult<Self> {
        if value.cast::<ArrowStrings>().is_ok() {
            return Ok(References::Single(Texts::read(value, WHAT)?));
        }
        let expected = "a list of str, or of lists of str";
        let items = items(value).ok_or_else(|| wrong_type(WHAT, expected, value))?;
        if by_column {
            let read =
                |(i, column): (usize, &Bound<'py, PyAny>)| Texts::read_with_gaps(column, &format!("{WHAT}[{i}]"));
            return items.iter().enumerate().map(read).collect::<PyResult<_>>().map(References::Columns);
        }
        let is_list = |item: &Bound<'py, PyAny>| item.cast::<PyList>().is_ok() || item.cast::<PyTuple>().is_ok();
        if !items.iter().any(is_list) {
            return Ok(References::Single(Texts::read(value, WHAT)?));
        }
        let expected = "a list of str, since other segments have lists of references";
        let read = |(i, segment): (usize, &Bound<'py, PyAny>)| {
            let wrong = || wrong_element(&format!("{WHAT}[{i}]"), expected, segment);
            let lines = self::items(segment).ok_or_else(wrong)?;
            let line = |(j, line): (usize, &Bound<'py, PyAny>)| encoded(line, || format!("{WHAT}[{i}][{j}]"));
            lines.iter().enumerate().map(line).collect()
        };
        items.iter().enumerate().map(read).collect::<PyResult<_>>().map(References::Several)
    }

    /// The references of each segment.
    pub fn by_segment(&self, py: Python<'py>) -> PyResult<Vec<Vec<&str>>> {
        match self {
            References::Single(texts) => Ok(texts.lines(WHAT)?.into_iter().map(|line| vec![line]).collect()),
            References::Several(segments) => {
                let of_segment = segments
                    .iter()
                    .map(|lines| lines.iter().map(|line| utf8(py, line.as_bytes(), || WHAT.to_owned())).collect());
                of_segment.collect()
            }
            References::Columns(columns) => by_segment(py, columns),
        }
    }

    /// The references of each segment without trailing white space, as the command reads them from files.
    pub fn trimmed_by_segment(&self, py: Python<'py>) -> PyResult<Vec<Vec<&str>>> {
        let mut segments = self.by_segment(py)?;
        segments.iter_mut().flatten().for_each(|line| *line = trim_end(line));
        Ok(segments)
    }
}

fn by_segment<'a>(py: Python<'_>, columns: &'a [Texts<'_>]) -> PyResult<Vec<Vec<&'a str>>> {
    let length = columns.first().map_or(0, Texts::len);
    if let Some((i, column)) = columns.iter().enumerate().find(|(_, column)| column.len() != length) {
        let found = column.len();
        let message = format!(
            "{WHAT}[{i}] has {found} lines but {WHAT}[0] has {length}: every column needs one line per segment"
        );
        return Err(of_class(py, DATA, &message));
    }
    let mut segments = vec![Vec::with_capacity(columns.len()); length];
    for column in columns {
        for (segment, line) in segments.iter_mut().zip(column.optional_lines(WHAT)?) {
            segment.extend(line);
        }
    }
    Ok(segments)
}

fn items<'py>(value: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    match (value.cast::<PyList>(), value.cast::<PyTuple>()) {
        (Ok(list), _) => Some(list.iter().collect()),
        (_, Ok(tuple)) => Some(tuple.iter().collect()),
        _ => None,
    }
}
