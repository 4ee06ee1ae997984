//! Scores of systems.

use crate::errors::OrRaise;
use crate::evaluation::{EvaluationData, PairedData};
use crate::input::Input;
use crate::metrics::Metric;
use crate::page::Page;
use crate::references::References;
use crate::registry;
use crate::work::{run, warn};
use pyo3::prelude::*;
use std::path::PathBuf;
use tercet::corpora::ScoreColumn;
use tercet::metrics::{NamedMetric, Spec};
use tercet::report::html::{PageContents, ScoredTexts, page_request};
use tercet::scoring::significance::Resampling;
use tercet::scoring::{self, DEFAULT_METRICS, EvaluateRequest, MAX_LINES, too_few};
use tercet::text::Language;

/// What to compute.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Request {
    segments: bool,
    components: bool,
    /// Resamples and seed.
    confidence: Option<(usize, Option<u64>)>,
    paired: Option<PairedData>,
    wins: bool,
}

impl Request {
    /// The request, with what a page needs.
    fn complete(self, page: Option<&Page>, systems: usize) -> EvaluateRequest {
        let request = EvaluateRequest {
            segments: self.segments,
            components: self.components,
            confidence: self.confidence.map(|(samples, seed)| Resampling { samples, seed }),
            paired: self.paired.map(Into::into),
            wins: self.wins,
        };
        match page {
            Some(page) => page_request(request, page.seed, systems),
            None => request,
        }
    }
}

/// The learned metric, if it suits the references and takes no minutes with this many lines of systems beside them.
#[pyfunction]
fn default_learned_metric(
    py: Python<'_>,
    references: &Bound<'_, PyAny>,
    by_column: bool,
    language: Option<&str>,
    lines: usize,
) -> PyResult<Option<&'static str>> {
    let language = language.map(Language::target).transpose().or_raise(py)?;
    let references = References::read(references, by_column)?;
    let references = references.trimmed_by_segment(py)?;
    let all = lines.saturating_add(references.iter().map(Vec::len).sum());
    if all > MAX_LINES {
        return Ok(None);
    }
    Ok(py.detach(|| scoring::default_learned_metric(&references, language.as_ref(), registry())))
}

/// Scores systems.
#[pyfunction]
#[pyo3(signature = (input, metrics, request, page=None, progress=None))]
fn evaluate<'py>(
    py: Python<'py>,
    input: Input<'py>,
    metrics: Vec<PyRef<'py, Metric>>,
    request: Request,
    page: Option<Page>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<EvaluationData> {
    let (texts, checks) = input.read(py)?;
    let corpus = texts.corpus(py)?;
    let named: Vec<NamedMetric> = metrics.iter().map(|metric| metric.named.clone()).collect();
    let systems = corpus.systems().len();
    let request = request.complete(page.as_ref(), systems);
    let (evaluation, warnings) = run(py, progress, |progress| {
        Page::check(page.as_ref(), corpus.len(), &[])?;
        let signatures: Vec<Spec> = named.iter().map(|named| named.metric.signature()).collect();
        let own = named.iter().flat_map(|named| named.metric.warnings());
        let mut warnings = checks.warnings(&corpus, &signatures, own);
        warnings.extend(too_few::segments(corpus.len(), systems, &request).filter(|_| checks.warns));
        warnings.extend(too_few::resamples(systems, &request));
        let evaluation = scoring::evaluate(&corpus, &named, &request, progress)?;
        if checks.warns {
            let columns = evaluation.columns.iter();
            warnings.extend(columns.flat_map(|of| scoring::signature_differences(&of.metric, &of.signature)));
        }
        if let Some(page) = &page {
            page.write(ScoredTexts::new(&page.command, &evaluation, &corpus, &named), &checks, progress)?;
        }
        Ok((evaluation, warnings))
    })?;
    warn(py, &warnings)?;
    Ok(evaluation.into())
}

/// Scores of another tool, as columns: system, metric, scores of segments; and the files that they were read from.
#[pyfunction]
#[pyo3(signature = (columns, read, lower_is_better, request, page=None, progress=None))]
fn evaluate_scores(
    py: Python<'_>,
    columns: Vec<(String, Option<String>, Vec<f64>)>,
    read: Vec<PathBuf>,
    lower_is_better: Vec<String>,
    request: Request,
    page: Option<Page>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<EvaluationData> {
    let column = |(system, metric, scores)| ScoreColumn { system, metric, scores, corpus: None };
    let columns: Vec<ScoreColumn> = columns.into_iter().map(column).collect();
    let segments = columns.first().map_or(0, |column| column.scores.len());
    let metric = columns.first().and_then(|column| column.metric.as_deref());
    let systems = columns.iter().filter(|column| column.metric.as_deref() == metric).count();
    let request = request.complete(page.as_ref(), systems);
    let lower = |name: &str| lower_is_better.iter().any(|lower| lower == name);
    let evaluation = run(py, progress, |progress| {
        Page::check(page.as_ref(), segments, &read)?;
        let evaluation = scoring::evaluate_scores(&columns, &lower, &request, registry(), progress)?;
        if let Some(page) = &page {
            page.write_contents(PageContents { evaluation: Some(&evaluation), ..PageContents::default() })?;
        }
        Ok(evaluation)
    })?;
    let few = too_few::segments(segments, systems, &request).into_iter();
    warn(py, &few.chain(too_few::resamples(systems, &request)).collect::<Vec<_>>())?;
    Ok(evaluation.into())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("DEFAULT_METRICS", DEFAULT_METRICS)?;
    module.add_function(wrap_pyfunction!(default_learned_metric, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate_scores, module)?)
}
