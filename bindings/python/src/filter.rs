//! Parallel corpora.

use crate::arguments;
use crate::registry;
use crate::report::Written;
use crate::texts::Texts;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tercet::report::Format;
use tercet::scoring::FilterJob;

/// Counts, and why each pair is dropped, if it is, and its score, if it was scored.
type Judged = (Written, Vec<Option<&'static str>>, Vec<Option<f64>>);

/// Judges pairs of a source and a target.
#[pyfunction]
#[pyo3(signature = (job, sources, targets, progress=None))]
fn filter<'py>(
    py: Python<'py>,
    job: &Bound<'py, PyDict>,
    sources: &Bound<'py, PyAny>,
    targets: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Judged> {
    let job: FilterJob = arguments::read(job)?;
    let (sources, targets) = (Texts::read_with_gaps(sources, "sources")?, Texts::read_with_gaps(targets, "targets")?);
    let (sources, targets) = (sources.trimmed_lines("sources")?, targets.trimmed_lines("targets")?);
    let pairs: Vec<(&str, &str)> = sources.into_iter().zip(targets).collect();
    run(py, progress, |progress| {
        let filtered = job.run(&pairs, registry(), progress)?.result;
        let json = format!("{:#}\n", serde_json::to_value(&filtered.summary).expect("counts have names"));
        let written = Written::new(|format| match format {
            Format::Json => json.clone(),
            _ => filtered.summary.to_string(),
        });
        let reasons = filtered.verdicts.iter().map(|verdict| verdict.reason.map(|reason| reason.name())).collect();
        Ok((written, reasons, filtered.verdicts.iter().map(|verdict| verdict.score).collect()))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(filter, module)?)
}
