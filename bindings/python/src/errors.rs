//! The library's errors as exceptions: one class per [`ErrorKind`], defined in `tercet/errors.py`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use std::error::Error as _;
use tercet::{Error, ErrorKind};

/// The exception of an error, with its causes and some advice in the message.
pub fn exception(py: Python<'_>, error: &Error, advice: &str) -> PyErr {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message += &format!(": {error}");
        cause = error.source();
    }
    let hint = match error {
        Error::MetricOfOtherTool { .. } => {
            "; its segment scores can be tested with tercet.evaluate_scores, or given to tercet.correlate"
        }
        _ => "",
    };
    of_class(py, class(error.kind()), &(message + hint + advice))
}

/// An exception of a class of `tercet.errors`.
pub fn of_class(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = py.import("tercet.errors").and_then(|module| module.getattr(class)?.call1((message,)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The class of data that cannot be scored.
pub const DATA: &str = "DataError";

/// The class of requests that cannot be met.
pub const REQUEST: &str = "RequestError";

fn class(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Request => REQUEST,
        ErrorKind::Unsupported => "UnsupportedError",
        ErrorKind::Io => "IoError",
        ErrorKind::Data => DATA,
        ErrorKind::Model => "ModelError",
        ErrorKind::Training => "TrainingError",
        ErrorKind::Stopped => "StoppedError",
        _ => "Error",
    }
}

/// An argument of the wrong type, with the type that it has.
pub fn wrong_type(what: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    type_error(what, expected, found, is_missing(found) && !found.is_none())
}

/// An element of a list that has the wrong type.
pub fn wrong_element(what: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    type_error(what, expected, found, is_missing(found))
}

fn type_error(what: &str, expected: &str, found: &Bound<'_, PyAny>, missing: bool) -> PyErr {
    let name = found.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    let hint = match name.as_str() {
        "bytes" => " (decode it first)",
        _ if missing => " (a missing value: fill it, or leave the segment out)",
        _ => "",
    };
    let found = if found.is_none() { "None".to_owned() } else { name };
    PyTypeError::new_err(format!("{what}: expected {expected}, found {found}{hint}"))
}

/// Whether a value says that there is none: `None`, NaN, and what pandas has instead.
pub fn is_missing(value: &Bound<'_, PyAny>) -> bool {
    if let Ok(number) = value.cast::<PyFloat>() {
        return number.value().is_nan();
    }
    value.is_none() || value.get_type().name().is_ok_and(|name| name == "NAType" || name == "NaTType")
}

/// `result.or_raise(py)?`.
pub trait OrRaise<T> {
    /// The value, or the exception of the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for tercet::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error, ""))
    }
}
