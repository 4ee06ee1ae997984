//! Metrics: built by their specs, tallied, scored.

use crate::errors::{OrRaise, REQUEST, of_class};
use crate::input::corpus;
use crate::references::References;
use crate::registry;
use crate::texts::{Texts, encoded_argument, utf8};
use crate::work::{run, warn};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::sync::Arc;
use tercet::metrics::{
    self, Component, Direction, NamedMetric, Registry, SacrebleuRun, Scale, Segment, Tally, sacrebleu_signature,
};
use tercet::scoring::{System, tally};
use tercet::text::Language;
use tercet::warning::Warning;

/// Bytes of a hypothesis and its references; longer segments are scored without the interpreter's lock.
const MAX_SHORT_BYTES: usize = 2_000;

/// A metric, immutable.
#[pyclass(frozen, module = "tercet._native")]
pub struct Metric {
    pub named: NamedMetric,
    /// The spec with everything that the language decides: it builds the metric again.
    spec: String,
    is_single_threaded: bool,
    /// What a signature of sacreBLEU says that the metric cannot.
    pub unused: Vec<Warning>,
}

impl Metric {
    /// Builds a metric for a language.
    pub fn build(py: Python<'_>, spec: &str, language: Option<&str>) -> PyResult<Self> {
        let language = language.map(Language::target).transpose().or_raise(py)?;
        let read = metrics::read_sacrebleu_signature(spec).transpose().or_raise(py)?;
        let own = read.as_ref().map_or_else(|| spec.to_owned(), |read| read.spec.to_string());
        let full = match &language {
            Some(language) => registry().for_language(&own, language).or_raise(py)?.to_string(),
            None => own,
        };
        let unused = read.map_or_else(Vec::new, |read| read.warnings);
        warn(py, &unused)?;
        // Lexical metrics score a segment without threads: a short one is scored at once on the thread of the caller.
        let lexical = Registry::lexical();
        let is_single_threaded = |name: &str| lexical.find(name).is_ok();
        // Models are read on the threads of the pool: in a forked child, those of rayon itself are gone.
        let metric = match is_single_threaded(full.split(':').next().unwrap_or_default()) {
            true => py.detach(|| registry().build(&full)).or_raise(py)?,
            false => run(py, None, |_| registry().build(&full))?,
        };
        let is_single_threaded = is_single_threaded(metric.signature().name());
        Ok(Metric { named: NamedMetric::new(spec, metric), spec: full, is_single_threaded, unused })
    }

    /// The metric by a name of tercet, in place of a signature of sacreBLEU.
    pub fn named_by_spec(&self) -> NamedMetric {
        match metrics::read_sacrebleu_signature(&self.named.name) {
            Some(_) => NamedMetric::new(self.spec.as_str(), Arc::clone(&self.named.metric)),
            None => self.named.clone(),
        }
    }
}

#[pymethods]
impl Metric {
    /// `spec` is `name:key=value,…` or a signature.
    #[new]
    #[pyo3(signature = (spec, language=None))]
    fn new(py: Python<'_>, spec: &str, language: Option<&str>) -> PyResult<Self> {
        Metric::build(py, spec, language)
    }

    /// The name under which reports show it: the text it was built from.
    #[getter]
    fn name(&self) -> &str {
        &self.named.name
    }

    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    #[getter]
    fn title(&self) -> String {
        self.named.metric.title()
    }

    /// Name and options, and the hashes of what it read.
    #[getter]
    fn signature(&self) -> String {
        self.named.metric.signature().to_string()
    }

    #[getter]
    fn higher_is_better(&self) -> bool {
        self.named.metric.direction() == Direction::HigherIsBetter
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.named.metric.warnings().iter().map(ToString::to_string).collect()
    }

    /// Whether scores depend on the references of all segments, so that tallies of parts of a text do not add up.
    #[getter]
    fn needs_all_references(&self, py: Python<'_>) -> PyResult<bool> {
        run(py, None, |_| Ok(self.named.metric.prepare(&[&["a"]])?.is_some()))
    }

    /// The signature in sacreBLEU's form, if it has this metric.
    #[pyo3(signature = (references, short, resamples=None, trials=None, seed=None))]
    fn sacrebleu_signature(
        &self,
        references: String,
        short: bool,
        resamples: Option<usize>,
        trials: Option<usize>,
        seed: Option<String>,
    ) -> Option<String> {
        let run = SacrebleuRun { references, resamples, trials, seed };
        sacrebleu_signature(&self.named.metric.signature(), &run, short)
    }

    /// The tallies of all segments as 64-bit floats, row by row, and the number of columns.
    #[pyo3(signature = (hypotheses, references, by_column, sources=None, progress=None))]
    fn tally<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        by_column: bool,
        sources: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        let hypotheses = Texts::read(hypotheses, "hypotheses")?;
        let references = References::read(references, by_column)?;
        let sources = sources.map(|sources| Texts::read(sources, "sources")).transpose()?;
        let system = System { name: "hypotheses".to_owned(), hypotheses: hypotheses.lines("hypotheses")? };
        let mut corpus = corpus(py, vec![system], references.by_segment(py)?, &references)?;
        let sources = sources.as_ref().map(|sources| sources.lines("sources")).transpose()?;
        let metric = Arc::clone(&self.named.metric);
        let tallies = run(py, progress, move |progress| {
            if let Some(sources) = sources {
                corpus = corpus.with_sources(sources)?;
            }
            let (_, mut tallies) = tally(&corpus, &[metric], progress)?;
            let tallies = tallies.pop().and_then(|mut systems| systems.pop()).unwrap_or_default();
            Ok(Rows::new(&tallies))
        })?;
        Ok((PyBytes::new(py, &tallies.bytes), tallies.width))
    }

    /// The tally of one segment.
    fn tally_segment<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &Bound<'py, PyAny>,
        references: &Bound<'py, PyList>,
    ) -> PyResult<Vec<f64>> {
        let hypothesis = encoded_argument(hypothesis, "hypothesis")?;
        let hypothesis = utf8(py, hypothesis.as_bytes(), || "hypothesis".to_owned())?;
        let references = Texts::read(references.as_any(), "references")?;
        let references = references.lines("references")?;
        if references.is_empty() {
            return Err(of_class(py, crate::errors::DATA, "the segment has no reference"));
        }
        let bytes = hypothesis.len() + references.iter().map(|line| line.len()).sum::<usize>();
        let segment = Segment::new(hypothesis, &references);
        let metric = &self.named.metric;
        let one = || -> tercet::Result<Tally> {
            let prepared = metric.prepare(&[segment.references])?;
            let tallies = prepared.as_ref().unwrap_or(metric).tally(&[segment])?;
            Ok(tallies.into_iter().next().unwrap_or_default())
        };
        let tally = if self.is_single_threaded && bytes < MAX_SHORT_BYTES {
            one().or_raise(py)?
        } else {
            run(py, None, |_| one())?
        };
        Ok(tally.to_vec())
    }

    /// The score of a corpus from the sum of its tallies.
    fn score_tally(&self, py: Python<'_>, total: Vec<f64>) -> PyResult<f64> {
        let total = Tally::new(total);
        total.check_finite(|| format!("the sum of tallies by {}", self.named.metric.title())).or_raise(py)?;
        Ok(self.named.metric.score(&total))
    }

    /// The score of one segment from its tally.
    fn score_segment_tally(&self, py: Python<'_>, tally: Vec<f64>) -> PyResult<f64> {
        let tally = Tally::new(tally);
        tally.check_finite(|| format!("a tally by {}", self.named.metric.title())).or_raise(py)?;
        Ok(self.named.metric.segment_score(&tally))
    }

    /// The scores of single segments from their tallies.
    fn score_segment_tallies(&self, py: Python<'_>, rows: &Bound<'_, PyBytes>, width: usize) -> PyResult<Vec<f64>> {
        let tallies = read_rows(py, rows.as_bytes(), width)?;
        Ok(py.detach(|| tallies.iter().map(|tally| self.named.metric.segment_score(tally)).collect()))
    }

    /// The components of the score of a sum of tallies, in stable order.
    fn components<'py>(&self, py: Python<'py>, total: Vec<f64>) -> PyResult<Bound<'py, PyDict>> {
        let components = PyDict::new(py);
        for Component { name, value, .. } in self.named.metric.components(&Tally::new(total)) {
            components.set_item(name, value)?;
        }
        Ok(components)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String, String, String))> {
        let rebuild = slf.py().import("tercet._native")?.getattr("_rebuild_metric")?;
        let this = slf.get();
        Ok((rebuild.unbind(), (this.spec.clone(), this.named.name.clone(), this.signature())))
    }
}

/// Builds a metric from its full spec, and names it. Returns an error if it is not the one that it was: if a file that
/// is found by its usual name, or named by an environment variable, is another one here.
#[pyfunction]
fn _rebuild_metric(py: Python<'_>, spec: &str, name: String, signature: &str) -> PyResult<Metric> {
    let mut metric = Metric::new(py, spec, None)?;
    check_signature(py, &name, &metric.named, signature)?;
    metric.named.name = name;
    Ok(metric)
}

/// Returns an error if a metric has another signature than where it was made.
pub fn check_signature(py: Python<'_>, name: &str, built: &NamedMetric, made: &str) -> PyResult<()> {
    let found = built.metric.signature().to_string();
    if found == made {
        return Ok(());
    }
    let message = format!("{name} was made as {made}, but is {found} here: name the same dictionary or model");
    Err(of_class(py, "ModelError", &message))
}

/// Tallies as bytes, row by row.
pub struct Rows {
    pub bytes: Vec<u8>,
    pub width: usize,
}

impl Rows {
    pub fn new(tallies: &[Tally]) -> Self {
        let width = tallies.iter().map(|tally| tally.len()).max().unwrap_or(0);
        let mut bytes = Vec::with_capacity(tallies.len() * width * 8);
        for tally in tallies {
            let padded = tally.iter().copied().chain(std::iter::repeat(0.0)).take(width);
            padded.for_each(|count| bytes.extend(count.to_ne_bytes()));
        }
        Rows { bytes, width }
    }
}

/// The tallies in rows of this width.
pub fn read_rows(py: Python<'_>, rows: &[u8], width: usize) -> PyResult<Vec<Tally>> {
    let Some(size) = width.checked_mul(8).filter(|&size| size > 0 && rows.len().is_multiple_of(size)) else {
        let message = format!("{} bytes are no rows of {width} numbers", rows.len());
        return Err(of_class(py, REQUEST, &message));
    };
    let number = |bytes: &[u8]| f64::from_ne_bytes(bytes.try_into().expect("chunks of eight bytes"));
    let row = |row: &[u8]| Tally::new(row.chunks_exact(8).map(number).collect());
    let tallies: Vec<Tally> = rows.chunks_exact(size).map(row).collect();
    for (number, tally) in tallies.iter().enumerate() {
        tally.check_finite(|| format!("the tally of row {}", number + 1)).or_raise(py)?;
    }
    Ok(tallies)
}

/// The sum of the tallies in rows of this width, exact regardless of their order.
#[pyfunction]
fn sum_tallies(py: Python<'_>, rows: &Bound<'_, PyBytes>, width: usize) -> PyResult<Vec<f64>> {
    Ok(Tally::sum(&read_rows(py, rows.as_bytes(), width)?).to_vec())
}

/// The sum of the tallies in rows of this width in their order, rounded after each of them.
#[pyfunction]
fn sum_tallies_in_order(py: Python<'_>, rows: &Bound<'_, PyBytes>, width: usize) -> PyResult<Vec<f64>> {
    Ok(Tally::sum_in_order(&read_rows(py, rows.as_bytes(), width)?).to_vec())
}

/// Every metric: name, summary, citation, the tool it equals, direction, scale, options.
#[pyfunction]
fn metric_infos(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |info: &&'static metrics::MetricInfo| {
        let entry = PyDict::new(py);
        entry.set_item("name", info.name)?;
        entry.set_item("aliases", info.aliases.to_vec())?;
        entry.set_item("summary", info.summary)?;
        entry.set_item("citation", info.citation)?;
        entry.set_item("agrees_with", info.agrees_with)?;
        entry.set_item("higher_is_better", info.direction == Direction::HigherIsBetter)?;
        entry.set_item("scale", if info.scale == Scale::One { 1 } else { 100 })?;
        let options = info.options.iter().map(|option| (option.key, option.default, option.help));
        entry.set_item("options", options.collect::<Vec<_>>())?;
        entry.set_item("needs", info.needs)?;
        Ok(entry)
    };
    registry().metrics().iter().map(describe).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Metric>()?;
    module.add("SACREBLEU_VERSION", metrics::SACREBLEU_VERSION)?;
    module.add_function(wrap_pyfunction!(_rebuild_metric, module)?)?;
    module.add_function(wrap_pyfunction!(sum_tallies, module)?)?;
    module.add_function(wrap_pyfunction!(sum_tallies_in_order, module)?)?;
    module.add_function(wrap_pyfunction!(metric_infos, module)?)
}
