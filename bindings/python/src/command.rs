//! The command, for the wheel's `tercet` and `python -m tercet`.

use crate::errors::of_class;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

/// Runs the command with the words after its name, and returns its exit code. It prints to the standard streams of the
/// process.
#[pyfunction]
fn run_command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    let program = OsString::from("tercet");
    py.detach(|| tercet_cli::run(std::iter::once(program).chain(words).collect()))
}

/// The fields of a test set in sacreBLEU's cache with their files, and the files of its references.
type TestSetFiles = (Vec<(String, PathBuf)>, Vec<PathBuf>);

/// The files of a test set in sacreBLEU's cache.
#[pyfunction]
fn sacrebleu_files(py: Python<'_>, set: &str, pair: &str) -> PyResult<TestSetFiles> {
    tercet_cli::sacrebleu_files(set, pair).map_err(|message| of_class(py, "UnsupportedError", &message))
}

/// Adds the functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sacrebleu_files, module)?)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
