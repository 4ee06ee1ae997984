//! Scoring in parts, for clusters: sums that merge.

use crate::errors::{OrRaise, REQUEST, of_class};
use crate::evaluation::Evaluation;
use crate::metrics::Metric;
use crate::references::References;
use crate::texts::Texts;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tercet::metrics::NamedMetric;
use tercet::progress::Progress;
use tercet::scoring::{
    Corpus, PartialSums, PartialTest, ScoreJob, StreamScorer, StreamedSystem, System, SystemTallies,
};
use tercet::warning::{Done, Warning};

/// Segments from Python: a column of hypotheses for each system, references, and perhaps sources.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Batch<'py> {
    hypotheses: Vec<Bound<'py, PyAny>>,
    references: Bound<'py, PyAny>,
    by_column: bool,
    sources: Option<Bound<'py, PyAny>>,
}

/// The texts of a batch, kept alive.
struct BatchTexts<'py> {
    hypotheses: Vec<Texts<'py>>,
    references: References<'py>,
    sources: Option<Texts<'py>>,
}

impl<'py> Batch<'py> {
    fn read(&self) -> PyResult<BatchTexts<'py>> {
        let read = |(i, column): (usize, &Bound<'py, PyAny>)| Texts::read(column, &format!("hypotheses[{i}]"));
        Ok(BatchTexts {
            hypotheses: self.hypotheses.iter().enumerate().map(read).collect::<PyResult<_>>()?,
            references: References::read(&self.references, self.by_column)?,
            sources: self.sources.as_ref().map(|sources| Texts::read(sources, "sources")).transpose()?,
        })
    }
}

impl<'py> BatchTexts<'py> {
    /// The corpus, which borrows the texts. Trailing white space is left out, as the command does with columns.
    fn corpus(&self, py: Python<'py>) -> PyResult<Corpus<'_>> {
        let mut systems = Vec::new();
        for (i, texts) in self.hypotheses.iter().enumerate() {
            systems.push(System { name: i.to_string(), hypotheses: texts.trimmed_lines("hypotheses")? });
        }
        let references = self.references.trimmed_by_segment(py)?;
        let corpus = Corpus::new(systems, references).or_raise(py)?;
        match &self.sources {
            Some(sources) => corpus.with_sources(sources.trimmed_lines("sources")?).or_raise(py),
            None => Ok(corpus),
        }
    }
}

fn scorer(py: Python<'_>, metrics: &[PyRef<'_, Metric>]) -> PyResult<StreamScorer> {
    let named: Vec<NamedMetric> = metrics.iter().map(|metric| metric.named.clone()).collect();
    run(py, None, |_| StreamScorer::new(named))
}

/// The sums of the systems of a part of a text.
#[pyclass(module = "tercet._native", name = "PartialSums")]
pub struct Sums {
    scorer: StreamScorer,
    systems: Vec<PartialSums>,
}

#[pymethods]
impl Sums {
    #[new]
    fn new(py: Python<'_>, metrics: Vec<PyRef<'_, Metric>>) -> PyResult<Self> {
        Ok(Sums { scorer: scorer(py, &metrics)?, systems: Vec::new() })
    }

    /// Adds a batch. `groups` says which system each row is of, if it is not one system for each column. Returns the
    /// scores of all rows as 64-bit floats: `[column][metric]`.
    #[pyo3(signature = (batch, groups=None))]
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        batch: Batch<'py>,
        groups: Option<Vec<usize>>,
    ) -> PyResult<Vec<Vec<Bound<'py, PyBytes>>>> {
        let texts = batch.read()?;
        let corpus = texts.corpus(py)?;
        if groups.as_ref().is_some_and(|groups| groups.len() != corpus.len()) {
            return Err(of_class(py, REQUEST, "every row of a batch is of one system"));
        }
        let scores = run(py, None, |progress| {
            let tallies = self.scorer.tally(&corpus, progress)?;
            self.sum(&corpus, &tallies, groups.as_deref());
            let of_column = |column: usize| -> Vec<Vec<u8>> {
                let scores = |metric: usize| self.scorer.segment_scores(metric, &tallies[metric][column]);
                let bytes = |metric| scores(metric).into_iter().flat_map(f64::to_ne_bytes).collect();
                (0..tallies.len()).map(bytes).collect()
            };
            Ok((0..corpus.systems().len()).map(of_column).collect::<Vec<_>>())
        })?;
        let of_column = |scores: &Vec<Vec<u8>>| scores.iter().map(|bytes| PyBytes::new(py, bytes)).collect();
        Ok(scores.iter().map(of_column).collect())
    }

    /// The sums of each system in bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.systems.iter().map(|sums| PyBytes::new(py, &sums.to_bytes())).collect()
    }
}

impl Sums {
    fn sum(&mut self, corpus: &Corpus<'_>, tallies: &[SystemTallies], groups: Option<&[usize]>) {
        for column in 0..corpus.systems().len() {
            for (row, references) in corpus.references().iter().enumerate() {
                let place = groups.map_or(column, |groups| groups[row]);
                while self.systems.len() <= place {
                    self.systems.push(self.scorer.no_sums());
                }
                let of_row = tallies.iter().map(|columns| &columns[column][row]);
                self.scorer.add(&mut self.systems[place], references.len(), of_row);
            }
        }
    }
}

/// The sums of systems and of all resamples of a part of a text.
#[pyclass(module = "tercet._native", name = "PartialTest")]
pub struct TestSums {
    scorer: StreamScorer,
    test: PartialTest,
}

#[pymethods]
impl TestSums {
    #[new]
    fn new(
        py: Python<'_>,
        metrics: Vec<PyRef<'_, Metric>>,
        systems: usize,
        samples: usize,
        seed: u64,
    ) -> PyResult<Self> {
        let scorer = scorer(py, &metrics)?;
        let test = PartialTest::new(&scorer, systems, samples, seed).or_raise(py)?;
        Ok(TestSums { scorer, test })
    }

    /// Adds a batch whose segments have these ids.
    fn add<'py>(&mut self, py: Python<'py>, batch: Batch<'py>, ids: &Bound<'py, PyAny>) -> PyResult<()> {
        let texts = batch.read()?;
        let corpus = texts.corpus(py)?;
        let ids = Texts::read(ids, "ids")?;
        let ids = ids.lines("ids")?;
        let references: Vec<usize> = corpus.references().iter().map(Vec::len).collect();
        let (scorer, test) = (&self.scorer, &mut self.test);
        run(py, None, |progress| {
            let tallies = scorer.tally(&corpus, progress)?;
            test.add(scorer, &ids, &references, &tallies)
        })
    }

    /// The sums in bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.test.to_bytes())
    }
}

/// The sums of all parts together, in bytes.
#[pyfunction]
fn merge_sums<'py>(py: Python<'py>, parts: Vec<Bound<'py, PyBytes>>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &merged_sums(&parts).or_raise(py)?.to_bytes()))
}

fn merged_sums(parts: &[Bound<'_, PyBytes>]) -> tercet::Result<PartialSums> {
    let mut parts = parts.iter().map(|part| PartialSums::from_bytes(part.as_bytes()));
    let none = || tercet::Error::Unusable("there are no sums to merge".to_owned());
    let first = parts.next().ok_or_else(none)??;
    parts.try_fold(first, |mut sums, part| {
        sums.merge(&part?)?;
        Ok(sums)
    })
}

/// The sums of all parts of a test together, in bytes.
#[pyfunction]
fn merge_tests<'py>(py: Python<'py>, parts: Vec<Bound<'py, PyBytes>>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &merged_tests(&parts).or_raise(py)?.to_bytes()))
}

fn merged_tests(parts: &[Bound<'_, PyBytes>]) -> tercet::Result<PartialTest> {
    let mut parts = parts.iter().map(|part| PartialTest::from_bytes(part.as_bytes()));
    let none = || tercet::Error::Unusable("there are no sums to merge".to_owned());
    let first = parts.next().ok_or_else(none)??;
    parts.try_fold(first, |mut test, part| {
        test.merge(&part?)?;
        Ok(test)
    })
}

/// The scores of systems from the sums of their parts.
#[pyfunction]
fn evaluate_sums(
    py: Python<'_>,
    metrics: Vec<PyRef<'_, Metric>>,
    systems: Vec<(String, Vec<Bound<'_, PyBytes>>)>,
    components: bool,
) -> PyResult<Evaluation> {
    let scorer = scorer(py, &metrics)?;
    let streamed = systems
        .iter()
        .map(|(name, parts)| Ok(StreamedSystem::new(name.clone(), merged_sums(parts)?)))
        .collect::<tercet::Result<Vec<_>>>()
        .or_raise(py)?;
    let job = ScoreJob { components, ..ScoreJob::default() };
    let work = |progress: Progress<'_>| {
        Done::collect(progress, |progress| {
            different_rows(&streamed).iter().try_for_each(|warning| progress.warn(warning))?;
            job.evaluate_stream(&scorer, streamed, progress)
        })
    };
    Ok(run(py, None, work)?.into())
}

/// A warning if systems have different numbers of rows, with the fewest and the most.
fn different_rows(systems: &[StreamedSystem]) -> Option<Warning> {
    let rows = |system: &&StreamedSystem| system.sums.segments();
    let (fewest, most) = (systems.iter().min_by_key(rows)?, systems.iter().max_by_key(rows)?);
    let (few, many) = (rows(&fewest), rows(&most));
    (few != many).then(|| Warning::DifferentRows { fewest: fewest.name.clone(), few, most: most.name.clone(), many })
}

/// The scores, intervals and tests of systems from the sums of all parts.
#[pyfunction]
fn evaluate_test(
    py: Python<'_>,
    metrics: Vec<PyRef<'_, Metric>>,
    names: Vec<String>,
    parts: Vec<Bound<'_, PyBytes>>,
    components: bool,
) -> PyResult<Evaluation> {
    let scorer = scorer(py, &metrics)?;
    let test = merged_tests(&parts).or_raise(py)?;
    let work = |progress: Progress<'_>| {
        Done::collect(progress, |progress| test.evaluate(&scorer, &names, components, progress))
    };
    Ok(run(py, None, work)?.into())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Sums>()?;
    module.add_class::<TestSums>()?;
    module.add_function(wrap_pyfunction!(merge_sums, module)?)?;
    module.add_function(wrap_pyfunction!(merge_tests, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate_sums, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate_test, module)?)
}
