//! Candidates of segments, from the best to the worst.

use crate::arguments;
use crate::errors::OrRaise;
use crate::metrics::Metric;
use crate::references::References;
use crate::registry;
use crate::report::Written;
use crate::texts::Texts;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tercet::corpora::CandidateList;
use tercet::report::{CandidateContents, write_reranked};
use tercet::scoring::{ComparedWith, RankJob};

/// Orders the candidates of each list by references, or by each other.
#[pyfunction]
#[pyo3(signature = (job, lists, references, by_column, metric, progress=None))]
fn rerank<'py>(
    py: Python<'py>,
    job: &Bound<'py, PyDict>,
    lists: Vec<Bound<'py, PyAny>>,
    references: Option<&Bound<'py, PyAny>>,
    by_column: bool,
    metric: &Metric,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Written> {
    let job: RankJob = arguments::read(job)?;
    let read = |(i, list): (usize, &Bound<'py, PyAny>)| Texts::read(list, &format!("candidates[{i}]"));
    let kept = lists.iter().enumerate().map(read).collect::<PyResult<Vec<_>>>()?;
    let mut lists = Vec::with_capacity(kept.len());
    for (i, list) in kept.iter().enumerate() {
        let candidates = list.lines(&format!("candidates[{i}]"))?;
        if candidates.is_empty() {
            let message = format!("candidates[{i}] is empty: every segment needs a candidate");
            return Err::<Written, _>(tercet::Error::Unusable(message)).or_raise(py);
        }
        lists.push(CandidateList { id: (i + 1).to_string(), candidates });
    }
    let references = references.map(|references| References::read(references, by_column)).transpose()?;
    let references = references.as_ref().map(|references| references.by_segment(py)).transpose()?;
    if let Some(references) = references.as_ref().filter(|references| references.len() != lists.len()) {
        let message = format!("candidates of {} segments but references for {}", lists.len(), references.len());
        return Err::<Written, _>(tercet::Error::Unusable(message)).or_raise(py);
    }
    let metrics = vec![metric.named.clone()];
    run(py, progress, |progress| {
        let others = ComparedWith { references: references.as_deref(), sources: None };
        let done = job.run_candidates_with(metrics, &lists, others, registry(), progress)?;
        let shown = CandidateContents { most: job.top, ..CandidateContents::default() };
        Ok(Written::new(|format| write_reranked(&done.result, format, shown)))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(rerank, module)?)
}
