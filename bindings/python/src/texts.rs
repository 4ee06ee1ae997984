//! Lines of text from Python: lists of `str`, or the buffers of an Arrow column.
//!
//! A `str` is encoded once, into a `bytes` object that lives as long as the lines are read; the buffers of an Arrow
//! column are copied once as a whole. Nothing is copied after that: [`Texts::lines`] borrows.

use crate::errors::{DATA, is_missing, of_class, wrong_element, wrong_type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use tercet::text::trim_end;

/// The strings of an Arrow column: its data, and the offsets of its strings in it.
#[pyclass(frozen, module = "tercet._native")]
pub struct ArrowStrings {
    data: Py<PyBytes>,
    offsets: Vec<usize>,
}

#[pymethods]
impl ArrowStrings {
    /// `offsets` are little-endian integers of 4 bytes, or of 8 if `wide`; there is one more than there are strings.
    /// The data begin with the first string.
    #[new]
    fn new(data: &Bound<'_, PyBytes>, offsets: &Bound<'_, PyBytes>, wide: bool) -> PyResult<Self> {
        let read = |bytes: &[u8]| -> Option<usize> {
            match wide {
                true => usize::try_from(i64::from_le_bytes(bytes.try_into().ok()?)).ok(),
                false => usize::try_from(i32::from_le_bytes(bytes.try_into().ok()?)).ok(),
            }
        };
        let offsets: Option<Vec<usize>> = offsets.as_bytes().chunks(if wide { 8 } else { 4 }).map(read).collect();
        let length = data.as_bytes().len();
        let from_first = |offsets: Vec<usize>| -> Option<Vec<usize>> {
            let first = *offsets.first()?;
            offsets.into_iter().map(|offset| offset.checked_sub(first)).collect()
        };
        let fits = |offsets: &Vec<usize>| offsets.last().is_some_and(|&last| last <= length);
        match offsets.and_then(from_first).filter(fits).filter(|offsets| offsets.is_sorted()) {
            Some(offsets) => Ok(ArrowStrings { data: data.clone().unbind(), offsets }),
            None => Err(PyValueError::new_err("the offsets of an Arrow column do not fit its data")),
        }
    }

    fn __len__(&self) -> usize {
        self.offsets.len() - 1
    }
}

/// Lines of text, kept alive.
pub enum Texts<'py> {
    /// UTF-8 of each line; `None` only where that is allowed.
    Encoded(Vec<Option<Bound<'py, PyBytes>>>),
    /// A column.
    Arrow(Bound<'py, ArrowStrings>),
}

impl<'py> Texts<'py> {
    /// Reads a list or tuple of `str`, or a column; `what` names it in messages.
    pub fn read(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        Self::read_lines(value, what, false)
    }

    /// The same, where a line may be missing.
    pub fn read_with_gaps(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        Self::read_lines(value, what, true)
    }

    fn read_lines(value: &Bound<'py, PyAny>, what: &str, gaps: bool) -> PyResult<Self> {
        if let Ok(column) = value.cast::<ArrowStrings>() {
            return Ok(Texts::Arrow(column.clone()));
        }
        let read = |(i, line): (usize, Bound<'py, PyAny>)| match gaps && is_missing(&line) {
            true => Ok(None),
            false => encoded(&line, || format!("{what}[{i}]")).map(Some),
        };
        if let Ok(list) = value.cast::<PyList>() {
            list.iter().enumerate().map(read).collect::<PyResult<_>>().map(Texts::Encoded)
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            tuple.iter().enumerate().map(read).collect::<PyResult<_>>().map(Texts::Encoded)
        } else {
            Err(wrong_type(what, "a list of str", value))
        }
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        match self {
            Texts::Encoded(lines) => lines.len(),
            Texts::Arrow(column) => column.get().__len__(),
        }
    }

    /// The lines; `None` where there is none.
    pub fn optional_lines(&self, what: &str) -> PyResult<Vec<Option<&str>>> {
        match self {
            Texts::Encoded(lines) => {
                let mut found = Vec::with_capacity(lines.len());
                for (i, line) in lines.iter().enumerate() {
                    let Some(line) = line else {
                        found.push(None);
                        continue;
                    };
                    found.push(Some(utf8(line.py(), line.as_bytes(), || format!("{what}[{i}]"))?));
                }
                Ok(found)
            }
            Texts::Arrow(column) => {
                let (py, column) = (column.py(), column.get());
                let data = column.data.as_bytes(py);
                let pairs = column.offsets.windows(2).enumerate();
                pairs.map(|(i, ends)| utf8(py, &data[ends[0]..ends[1]], || format!("{what}[{i}]")).map(Some)).collect()
            }
        }
    }

    /// The lines. [`Texts::read`] lets no line be missing.
    pub fn lines(&self, what: &str) -> PyResult<Vec<&str>> {
        Ok(self.optional_lines(what)?.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// The lines without trailing white space, as the command reads them from files.
    pub fn trimmed_lines(&self, what: &str) -> PyResult<Vec<&str>> {
        Ok(self.lines(what)?.into_iter().map(trim_end).collect())
    }
}

/// A string of a list as UTF-8.
pub fn encoded<'py>(line: &Bound<'py, PyAny>, what: impl Fn() -> String) -> PyResult<Bound<'py, PyBytes>> {
    encode(line, what, wrong_element)
}

/// A string that is an argument as UTF-8.
pub fn encoded_argument<'py>(line: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyBytes>> {
    encode(line, || what.to_owned(), wrong_type)
}

fn encode<'py>(
    line: &Bound<'py, PyAny>,
    what: impl Fn() -> String,
    wrong: fn(&str, &str, &Bound<'py, PyAny>) -> PyErr,
) -> PyResult<Bound<'py, PyBytes>> {
    let Ok(line) = line.cast::<PyString>() else { return Err(wrong(&what(), "str", line)) };
    line.encode_utf8().map_err(|_| {
        let message = format!("{}: a lone surrogate cannot be scored (it is half of a character)", what());
        of_class(line.py(), DATA, &message)
    })
}

/// Bytes as text.
pub fn utf8<'a>(py: Python<'_>, bytes: &'a [u8], what: impl Fn() -> String) -> PyResult<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| of_class(py, DATA, &format!("{}: not UTF-8: {error}", what())))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ArrowStrings>()
}
