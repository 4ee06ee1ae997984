//! Agreement of metrics with people, and rankings of systems by people.

use crate::arguments;
use crate::metrics::Metric;
use crate::page::Page;
use crate::registry;
use crate::report::Written;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use tercet::corpora::formats::parse_rated_with;
use tercet::corpora::{JudgementFields, Judgements, Lines, parse_challenge};
use tercet::meta_evaluation::challenge::ChallengeJob;
use tercet::meta_evaluation::raters::RatersJob;
use tercet::meta_evaluation::spans::SpansJob;
use tercet::meta_evaluation::systems::SystemsJob;
use tercet::meta_evaluation::{CorrelateJob, ScoreTable};
use tercet::report::html::PageContents;
use tercet::report::{Format, Terminal, plot};
use tercet::report::{write_agreement, write_challenge, write_raters, write_spans, write_systems};
use tercet::statistics::correlation::{kendall_b, kendall_c, pearson, spearman};

/// How well metrics agree with people; and the plots of their scores.
#[pyfunction]
#[pyo3(signature = (arguments, judgements, rows, scores, tables, metrics, page, progress=None))]
#[allow(clippy::too_many_arguments)]
fn correlate_sets(
    py: Python<'_>,
    arguments: &Bound<'_, PyDict>,
    judgements: Vec<PathBuf>,
    rows: Option<String>,
    scores: Vec<PathBuf>,
    tables: Vec<Bound<'_, PyDict>>,
    metrics: Vec<PyRef<'_, Metric>>,
    page: Option<Page>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Written, String)> {
    let job: CorrelateJob = arguments::read(arguments)?;
    let read = [&judgements[..], &scores].concat();
    let job = CorrelateJob { judgements, scores, ..job };
    let tables: Vec<ScoreTable> = tables.iter().map(arguments::read).collect::<PyResult<_>>()?;
    let metrics = metrics.iter().map(|metric| metric.named_by_spec()).collect();
    run(py, progress, |progress| {
        Page::check(page.as_ref(), 0, &read)?;
        let given = judged_rows(rows, &job.fields)?;
        let report = job.run_on(&given, metrics, &tables, registry(), progress)?.result;
        if let Some(page) = &page {
            page.write_contents(PageContents { agreement: Some(&report), ..PageContents::default() })?;
        }
        let write = |format: Format| write_agreement(&report, format, Terminal::default());
        Ok((Written::new(write), plot(&report.points)))
    })
}

/// A coefficient between two arrays with its p-value. Where there is no human score, the pair is left out.
#[pyfunction]
fn correlation_of_arrays(name: &str, gold: Vec<Option<f64>>, metric: Vec<f64>) -> (f64, f64) {
    let (gold, metric): (Vec<f64>, Vec<f64>) =
        gold.iter().zip(&metric).filter_map(|(gold, metric)| Some(((*gold)?, *metric))).unzip();
    let coefficient = match name {
        "pearson" => pearson,
        "spearman" => spearman,
        "kendall-c" => kendall_c,
        _ => kendall_b,
    };
    let found = coefficient(&gold, &metric);
    (found.value, found.p)
}

/// A statistic of human and metric scores, given system by system.
#[pyfunction]
fn correlation_of_scores(
    py: Python<'_>,
    arguments: &Bound<'_, PyDict>,
    gold: Vec<Option<f64>>,
    metric: Vec<f64>,
    systems: usize,
) -> PyResult<f64> {
    let job: CorrelateJob = arguments::read(arguments)?;
    run(py, None, |_| job.between_scores(systems, &gold, &metric))
}

/// Judgements in rows, as JSON.
fn judged_rows(rows: Option<String>, fields: &JudgementFields) -> tercet::Result<Vec<Judgements>> {
    let Some(rows) = rows else { return Ok(Vec::new()) };
    let lines = Lines::from_bytes(Path::new("judgements"), rows.into_bytes())?;
    let mut read = parse_rated_with(&lines, fields)?;
    read.iter_mut().for_each(|of_pair| "judgements".clone_into(&mut of_pair.set));
    Ok(read)
}

/// How far raters agree.
#[pyfunction]
#[pyo3(signature = (arguments, judgements, scores, progress=None))]
fn rater_agreement(
    py: Python<'_>,
    arguments: &Bound<'_, PyDict>,
    judgements: Vec<PathBuf>,
    scores: Vec<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Written> {
    let job = RatersJob { judgements, scores, ..arguments::read(arguments)? };
    run(py, progress, |progress| {
        let reports = job.run(progress)?.result;
        Ok(Written::new(|format| write_raters(&reports, format, Terminal::default())))
    })
}

/// Whether metrics mark what people mark.
#[pyfunction]
#[pyo3(signature = (arguments, judgements, spans, metrics, page, progress=None))]
fn span_agreement(
    py: Python<'_>,
    arguments: &Bound<'_, PyDict>,
    judgements: Vec<PathBuf>,
    spans: Vec<PathBuf>,
    metrics: Vec<PyRef<'_, Metric>>,
    page: Option<Page>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Written> {
    let read = [&judgements[..], &spans].concat();
    let job = SpansJob { judgements, spans, ..arguments::read(arguments)? };
    let metrics: Vec<_> = metrics.iter().map(|metric| metric.named_by_spec()).collect();
    run(py, progress, |progress| {
        Page::check(page.as_ref(), 0, &read)?;
        let found = match metrics.is_empty() {
            true => job.run(registry(), progress)?,
            false => job.run_with(&metrics, registry(), progress)?,
        };
        if let Some(page) = &page {
            page.write_contents(PageContents { spans: Some(&found.result), ..PageContents::default() })?;
        }
        Ok(Written::new(|format| write_spans(&found.result, format, Terminal::default())))
    })
}

/// How often metrics tell a good translation from a damaged one.
#[pyfunction]
#[pyo3(signature = (arguments, items, rows, metrics, page, progress=None))]
fn challenge_set(
    py: Python<'_>,
    arguments: &Bound<'_, PyDict>,
    items: Vec<PathBuf>,
    rows: Option<String>,
    metrics: Vec<PyRef<'_, Metric>>,
    page: Option<Page>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Written> {
    let job = ChallengeJob { items: items.clone(), ..arguments::read(arguments)? };
    let metrics: Vec<_> = metrics.iter().map(|metric| metric.named_by_spec()).collect();
    run(py, progress, |progress| {
        Page::check(page.as_ref(), 0, &items)?;
        let given = match rows {
            Some(rows) => parse_challenge(&Lines::from_bytes(Path::new("items"), rows.into_bytes())?, &job.fields)?,
            None => Vec::new(),
        };
        let metrics = if metrics.is_empty() { job.default_metrics(registry())? } else { metrics };
        let found = job.run_on(&given, &metrics, registry(), progress)?.result;
        if let Some(page) = &page {
            page.write_contents(PageContents { challenge: Some(&found), ..PageContents::default() })?;
        }
        Ok(Written::new(|format| write_challenge(&found, format, Terminal::default())))
    })
}

/// Ranks systems by human judgements.
#[pyfunction]
#[pyo3(signature = (arguments, judgements, progress=None))]
fn rank_by_people(
    py: Python<'_>,
    arguments: &Bound<'_, PyDict>,
    judgements: Vec<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Written> {
    let job = SystemsJob { judgements, ..arguments::read(arguments)? };
    run(py, progress, |progress| {
        let rankings = job.run(progress)?.result;
        Ok(Written::new(|format| write_systems(&rankings, format, 3, Terminal::default())))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(correlate_sets, module)?)?;
    module.add_function(wrap_pyfunction!(correlation_of_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(correlation_of_scores, module)?)?;
    module.add_function(wrap_pyfunction!(rater_agreement, module)?)?;
    module.add_function(wrap_pyfunction!(span_agreement, module)?)?;
    module.add_function(wrap_pyfunction!(challenge_set, module)?)?;
    module.add_function(wrap_pyfunction!(rank_by_people, module)?)
}
