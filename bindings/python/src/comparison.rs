//! Which of two systems is better.

use crate::arguments;
use crate::input::Input;
use crate::page::Page;
use crate::registry;
use crate::report::Written;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tercet::report::html::ScoredTexts;
use tercet::report::{ComparisonContents, DECIMALS, Terminal, write_comparison};
use tercet::scoring::CompareJob;

/// Says which of two systems is better; `top` is the number of segments shown.
#[pyfunction]
#[pyo3(signature = (job, input, top, page=None, progress=None))]
fn compare<'py>(
    py: Python<'py>,
    job: &Bound<'py, PyDict>,
    input: Input<'py>,
    top: usize,
    page: Option<Page>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Written> {
    let job = CompareJob { page: page.is_some(), ..arguments::read(job)? };
    let texts = input.read()?;
    let aligned = texts.aligned(py)?;
    let corpus = texts.corpus_of(aligned.as_ref(), py)?;
    let contents = ComparisonContents { top, decimals: DECIMALS, terminal: Terminal::default() };
    run(py, progress, |progress| {
        Page::check(page.as_ref(), corpus.len(), &[])?;
        let done = job.run(&corpus, registry(), progress)?;
        let compared = &done.result.comparison;
        if let (Some(page), Some((evaluation, metrics))) = (&page, &done.result.page) {
            let texts = ScoredTexts::new(&page.command, evaluation, &corpus, metrics);
            let (comparison, warnings) = (Some(compared), &done.warnings[..]);
            page.write(ScoredTexts { comparison, warnings, ..texts }, progress)?;
        }
        Ok(Written::new(|format| write_comparison(compared, &corpus, format, contents)))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(compare, module)?)
}
