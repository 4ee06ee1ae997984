//! Which of two systems is better.

use crate::errors::{REQUEST, of_class};
use crate::input::{Checks, Input};
use crate::page::Page;
use crate::registry;
use crate::report::Written;
use crate::work::{run, warn};
use pyo3::prelude::*;
use std::sync::Arc;
use tercet::metrics::{Preference, Spec};
use tercet::progress::Progress;
use tercet::report::html::{ScoredForComparison, ScoredTexts};
use tercet::report::{ComparisonContents, Format, Terminal, verdict, write_comparison};
use tercet::scoring::significance::Resampling;
use tercet::scoring::{self, CompareRequest, Corpus, too_few};

/// The metrics whose verdicts are shown beside that of the learned metric.
const OTHER_METRICS: [&str; 2] = ["bleu", "chrf"];

/// The resamples of the interval, the trials of the test, the seed, the number of segments shown, and whether they are
/// explained.
type ComparisonSettings = (usize, usize, Option<u64>, usize, bool);

/// Says which of two systems is better; `others` adds what other metrics say.
#[pyfunction]
#[pyo3(signature = (input, metric, others, settings, page=None, progress=None))]
fn compare<'py>(
    py: Python<'py>,
    input: Input<'py>,
    metric: &str,
    others: bool,
    settings: ComparisonSettings,
    page: Option<Page>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Written> {
    let (texts, checks) = input.read(py)?;
    let corpus = texts.corpus(py)?;
    let (samples, trials, seed, top, explain) = settings;
    let request =
        CompareRequest { interval: Resampling { samples, seed }, test: Resampling { samples: trials, seed } };
    let contents = ComparisonContents { top, decimals: 2, terminal: Terminal::default() };
    if corpus.systems().len() != 2 {
        let message = format!(
            "expected two systems to compare, found {} (rank puts more in order)",
            corpus.systems().len()
        );
        return Err(of_class(py, REQUEST, &message));
    }
    let (written, warnings) = run(py, progress, |progress| {
        Page::check(page.as_ref(), corpus.len(), &[])?;
        let preference = preference(metric, &checks)?;
        let mut warnings =
            checks.warnings(&corpus, &[preference.signature()], preference.warnings().into_iter());
        warnings.extend(too_few::comparison(corpus.len()).filter(|_| checks.warns));
        let scored = page
            .as_ref()
            .map(|page| score_for_page(&corpus, metric, preference.as_ref(), &checks, page.seed, progress));
        let scored = scored.transpose()?;
        let mut compared = match scored.as_ref().and_then(|scored| scored.probabilities.clone()) {
            Some(known) => scoring::compare_by(&corpus, preference.as_ref(), known, &request, progress)?,
            None => scoring::compare(&corpus, preference.as_ref(), &request, progress)?,
        };
        if explain {
            let Some(explainer) = preference.explainer() else {
                let title = preference.title();
                let message =
                    format!("{title} does not tell which words have a partner (use the metric siamese)");
                return Err(tercet::Error::BadRequest(message));
            };
            let all: Vec<usize> = (0..corpus.len()).collect();
            compared.explain(&corpus, explainer, &all, progress)?;
        }
        if others {
            compared.remarks.extend(other_verdicts(&corpus, &checks, &request, progress)?);
        }
        let signature = preference.signature();
        let language = checks.language.as_ref();
        compared.remarks.extend(scoring::fitted_to_another_language(
            corpus.references(),
            &signature,
            language,
        ));
        if let (Some(page), Some(scored)) = (&page, &scored) {
            let texts = ScoredTexts::new(&page.command, &scored.evaluation, &corpus, &scored.metrics);
            page.write(ScoredTexts { comparison: Some(&compared), ..texts }, &checks, progress)?;
        }
        let write = |format: Format| write_comparison(&compared, &corpus, format, contents);
        Ok((Written::new(write), warnings))
    })?;
    warn(py, &warnings)?;
    Ok(written)
}

/// What a page shows beside the verdict.
fn score_for_page(
    corpus: &Corpus<'_>,
    metric: &str,
    preference: &dyn Preference,
    checks: &Checks,
    seed: Option<u64>,
    progress: Progress<'_>,
) -> tercet::Result<ScoredForComparison> {
    let language = checks.language.as_ref();
    let without_slope = Spec::parse("metric", metric)?.without_qualifiers().to_string();
    let own = registry().named(&without_slope, language)?;
    ScoredForComparison::compute(corpus, own, preference, language, seed, registry(), progress)
}

fn preference(metric: &str, checks: &Checks) -> tercet::Result<Arc<dyn Preference>> {
    registry().preference(metric, checks.language.as_ref())
}

/// What the other metrics say, a sentence each.
fn other_verdicts(
    corpus: &Corpus<'_>,
    checks: &Checks,
    request: &CompareRequest,
    progress: Progress<'_>,
) -> tercet::Result<Vec<String>> {
    let of_metric = |metric: &&str| {
        let compared = scoring::compare(corpus, preference(metric, checks)?.as_ref(), request, progress)?;
        Ok(verdict(&compared, 2))
    };
    OTHER_METRICS.iter().map(of_metric).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(compare, module)?)
}
