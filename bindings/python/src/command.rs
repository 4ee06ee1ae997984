//! The command, for the wheel's `tercet` and `python -m tercet`.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with the words after its name, and returns its exit code. It prints to the standard streams of the
/// process.
#[pyfunction]
fn run_command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    let program = OsString::from("tercet");
    py.detach(|| tercet_cli::run(std::iter::once(program).chain(words).collect()))
}

/// Adds the function to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
