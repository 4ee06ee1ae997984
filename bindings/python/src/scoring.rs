//! Scores of systems, and systems in order.

use crate::arguments;
use crate::errors::OrRaise;
use crate::evaluation::Evaluation;
use crate::input::Input;
use crate::metrics::Metric;
use crate::page::Page;
use crate::references::References;
use crate::registry;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tercet::corpora::ScoreColumn;
use tercet::metrics::NamedMetric;
use tercet::progress::Progress;
use tercet::report::html::{PageContents, ScoredTexts};
use tercet::scoring::{self, Corpus, DEFAULT_METRICS, RankJob, ScoreJob, Scored};
use tercet::text::Language;
use tercet::warning::{Done, Warning};

/// The learned metric, if it suits the references: loaded here, under the lock that forks wait for.
#[pyfunction]
fn load_learned_metric(
    py: Python<'_>,
    references: &Bound<'_, PyAny>,
    by_column: bool,
    language: Option<&str>,
) -> PyResult<Option<Metric>> {
    let language = language.map(Language::target).transpose().or_raise(py)?;
    let references = References::read(references, by_column)?;
    let references = references.trimmed_by_segment(py)?;
    let found = py.detach(|| scoring::default_learned_metric(&references, language.as_ref(), registry()));
    found.map(|name| Metric::build(py, name, None)).transpose()
}

/// Scores texts by metrics, and writes their page.
fn evaluate<'py>(
    py: Python<'py>,
    input: Input<'py>,
    metrics: &[PyRef<'py, Metric>],
    page: Option<Page>,
    progress: Option<&Bound<'py, PyAny>>,
    job: impl FnOnce(Vec<NamedMetric>, &Corpus<'_>, Progress<'_>) -> tercet::Result<Done<Scored>> + Send,
) -> PyResult<Evaluation> {
    // They were issued when the metrics were made.
    let mut warnings: Vec<Warning> = metrics.iter().flat_map(|metric| metric.unused.clone()).collect();
    let metrics = metrics.iter().map(|metric| metric.named.clone()).collect();
    let texts = input.read()?;
    let aligned = texts.aligned(py)?;
    let corpus = texts.corpus_of(aligned.as_ref(), py)?;
    let done = run(py, progress, |progress| {
        Page::check(page.as_ref(), corpus.len(), &[])?;
        let done = job(metrics, &corpus, progress)?;
        if let Some(page) = &page {
            let Scored { evaluation, metrics, .. } = &done.result;
            let scored = ScoredTexts::new(&page.command, evaluation, &corpus, metrics);
            page.write(ScoredTexts { warnings: &done.warnings, ..scored }, progress)?;
        }
        Ok(done.map(|scored| scored.evaluation))
    })?;
    warnings.extend(done.warnings);
    Ok(Done { result: done.result, warnings }.into())
}

/// Scores systems, by the default metrics if none are given.
#[pyfunction]
#[pyo3(signature = (job, input, metrics, page=None, progress=None))]
fn score<'py>(
    py: Python<'py>,
    job: &Bound<'py, PyDict>,
    input: Input<'py>,
    metrics: Vec<PyRef<'py, Metric>>,
    page: Option<Page>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Evaluation> {
    let job = ScoreJob { page: page.is_some(), ..arguments::read(job)? };
    evaluate(py, input, &metrics, page, progress, |metrics, corpus, progress| {
        job.run_with(metrics, corpus, registry(), progress)
    })
}

/// Puts systems in order, by the default metric if none is given.
#[pyfunction]
#[pyo3(signature = (job, input, metrics, page=None, progress=None))]
fn rank<'py>(
    py: Python<'py>,
    job: &Bound<'py, PyDict>,
    input: Input<'py>,
    metrics: Vec<PyRef<'py, Metric>>,
    page: Option<Page>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Evaluation> {
    let job = RankJob { page: page.is_some(), ..arguments::read(job)? };
    evaluate(py, input, &metrics, page, progress, |metrics, corpus, progress| {
        job.run_with(metrics, corpus, registry(), progress)
    })
}

/// Scores of another tool, as columns: system, metric, scores of segments; and the files that they were read from.
#[pyfunction]
#[pyo3(signature = (job, columns, read, lower_is_better, page=None, progress=None))]
fn evaluate_scores(
    py: Python<'_>,
    job: &Bound<'_, PyDict>,
    columns: Vec<(String, Option<String>, Vec<f64>)>,
    read: Vec<PathBuf>,
    lower_is_better: Vec<String>,
    page: Option<Page>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Evaluation> {
    let job = ScoreJob { page: page.is_some(), ..arguments::read(job)? };
    let column =
        |(system, metric, scores)| ScoreColumn { system, metric, scores, corpus: None, lower_is_better: false };
    let columns: Vec<ScoreColumn> = columns.into_iter().map(column).collect();
    let segments = columns.first().map_or(0, |column| column.scores.len());
    let lower = |name: &str| lower_is_better.iter().any(|lower| lower == name);
    let done = run(py, progress, |progress| {
        Page::check(page.as_ref(), segments, &read)?;
        let done = job.run_scores(&columns, &lower, registry(), progress)?;
        if let Some(page) = &page {
            let (evaluation, remarks) = (Some(&done.result), &done.warnings[..]);
            page.write_contents(PageContents { evaluation, remarks, ..PageContents::default() })?;
        }
        Ok(done)
    })?;
    Ok(done.into())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("DEFAULT_METRICS", DEFAULT_METRICS)?;
    module.add("SEED", scoring::SEED)?;
    module.add("RESAMPLES", scoring::RESAMPLES)?;
    module.add("MAX_RESAMPLES", scoring::MAX_RESAMPLES)?;
    module.add_function(wrap_pyfunction!(load_learned_metric, module)?)?;
    module.add_function(wrap_pyfunction!(score, module)?)?;
    module.add_function(wrap_pyfunction!(rank, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate_scores, module)?)
}
