//! Suspicious lines.

use crate::arguments;
use crate::input::Input;
use crate::report::Written;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tercet::report::{Terminal, write_check};
use tercet::scoring::CheckJob;

/// Lists suspicious lines.
#[pyfunction]
#[pyo3(signature = (job, input, progress=None))]
fn check<'py>(
    py: Python<'py>,
    job: &Bound<'py, PyDict>,
    input: Input<'py>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Written> {
    let job: CheckJob = arguments::read(job)?;
    let texts = input.read()?;
    let texts = texts.check_texts(py)?;
    run(py, progress, |progress| {
        let checked = job.run(&texts, progress)?.result;
        Ok(Written::new(|format| write_check(&checked, format, job.summary, Terminal::default())))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check, module)?)
}
