//! Scoring in parts, for clusters: sums that merge.

use crate::errors::{OrRaise, REQUEST, of_class};
use crate::evaluation::Evaluation;
use crate::input::Input;
use crate::metrics::check_signature;
use crate::registry;
use crate::texts::Texts;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tercet::progress::Progress;
use tercet::scoring::{
    Corpus, PartialSums, PartialTest, RESAMPLES, ScoreJob, StreamScorer, StreamedSystem, SystemTallies,
};
use tercet::warning::{Done, Warning};

/// A job as it is sent to tasks: its JSON, and the name and the signature of each metric where it was made.
type SentJob = (String, Vec<(String, String)>);

/// A job with what computes it.
struct OpenJob {
    job: ScoreJob,
    scorer: StreamScorer,
}

impl OpenJob {
    /// Builds the metrics. Returns an error if one is not the same as where the job was made.
    fn new(py: Python<'_>, (text, made): SentJob) -> PyResult<Self> {
        let job: ScoreJob = serde_json::from_str(&text).map_err(|error| of_class(py, REQUEST, &error.to_string()))?;
        let mut metrics = run(py, None, |progress| job.build(registry(), progress))?;
        for (metric, (name, signature)) in metrics.iter_mut().zip(made) {
            check_signature(py, &name, metric, &signature)?;
            metric.name = name;
        }
        let scorer = run(py, None, |_| StreamScorer::new(metrics))?;
        Ok(OpenJob { job, scorer })
    }
}

/// The sums of the systems of a part of a text.
#[pyclass(module = "tercet._native", name = "PartialSums")]
pub struct Sums {
    job: OpenJob,
    systems: Vec<PartialSums>,
}

#[pymethods]
impl Sums {
    #[new]
    fn new(py: Python<'_>, job: SentJob) -> PyResult<Self> {
        Ok(Sums { job: OpenJob::new(py, job)?, systems: Vec::new() })
    }

    /// Adds a batch. `groups` says which system each row is of, if it is not one system for each column. Returns the
    /// scores of all rows as 64-bit floats: `[column][metric]`.
    #[pyo3(signature = (batch, groups=None))]
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        batch: Input<'py>,
        groups: Option<Vec<usize>>,
    ) -> PyResult<Vec<Vec<Bound<'py, PyBytes>>>> {
        let texts = batch.read()?;
        let corpus = texts.corpus(py)?;
        if groups.as_ref().is_some_and(|groups| groups.len() != corpus.len()) {
            return Err(of_class(py, REQUEST, "every row of a batch is of one system"));
        }
        let scores = run(py, None, |progress| {
            let tallies = self.job.scorer.tally(&corpus, progress)?;
            self.sum(&corpus, &tallies, groups.as_deref());
            let of_column = |column: usize| -> Vec<Vec<u8>> {
                let scores = |metric: usize| self.job.scorer.segment_scores(metric, &tallies[metric][column]);
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
                    self.systems.push(self.job.scorer.no_sums());
                }
                let of_row = tallies.iter().map(|columns| &columns[column][row]);
                self.job.scorer.add(&mut self.systems[place], references.len(), of_row);
            }
        }
    }
}

/// The sums of systems and of all resamples of a part of a text.
#[pyclass(module = "tercet._native", name = "PartialTest")]
pub struct TestSums {
    job: OpenJob,
    test: PartialTest,
}

#[pymethods]
impl TestSums {
    #[new]
    fn new(py: Python<'_>, job: SentJob, systems: usize) -> PyResult<Self> {
        let OpenJob { job, scorer } = OpenJob::new(py, job)?;
        let without_seed = || of_class(py, REQUEST, "seed: a test on a cluster needs one, the same for all tasks");
        let seed = job.seed.0.ok_or_else(without_seed)?;
        let test = PartialTest::new(&scorer, systems, job.resamples.unwrap_or(RESAMPLES), seed).or_raise(py)?;
        Ok(TestSums { job: OpenJob { job, scorer }, test })
    }

    /// Adds a batch whose segments have these ids.
    fn add<'py>(&mut self, py: Python<'py>, batch: Input<'py>, ids: &Bound<'py, PyAny>) -> PyResult<()> {
        let texts = batch.read()?;
        let corpus = texts.corpus(py)?;
        let ids = Texts::read(ids, "ids")?;
        let ids = ids.lines("ids")?;
        let references: Vec<usize> = corpus.references().iter().map(Vec::len).collect();
        let (scorer, test) = (&self.job.scorer, &mut self.test);
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
    merged(parts, PartialSums::from_bytes, |sums, part| sums.merge(&part))
}

/// The sums of all parts of a test together, in bytes.
#[pyfunction]
fn merge_tests<'py>(py: Python<'py>, parts: Vec<Bound<'py, PyBytes>>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &merged_tests(&parts).or_raise(py)?.to_bytes()))
}

fn merged_tests(parts: &[Bound<'_, PyBytes>]) -> tercet::Result<PartialTest> {
    merged(parts, PartialTest::from_bytes, |test, part| test.merge(&part))
}

fn merged<T>(
    parts: &[Bound<'_, PyBytes>],
    read: impl Fn(&[u8]) -> tercet::Result<T>,
    merge: impl Fn(&mut T, T) -> tercet::Result<()>,
) -> tercet::Result<T> {
    let mut parts = parts.iter().map(|part| read(part.as_bytes()));
    let mut all = parts.next().ok_or_else(|| tercet::Error::Unusable("there are no sums to merge".to_owned()))??;
    parts.try_for_each(|part| merge(&mut all, part?))?;
    Ok(all)
}

/// The scores of systems from the sums of their parts.
#[pyfunction]
fn evaluate_sums(
    py: Python<'_>,
    job: SentJob,
    systems: Vec<(String, Vec<Bound<'_, PyBytes>>)>,
) -> PyResult<Evaluation> {
    let OpenJob { job, scorer } = OpenJob::new(py, job)?;
    let streamed = systems
        .iter()
        .map(|(name, parts)| Ok(StreamedSystem::new(name.clone(), merged_sums(parts)?)))
        .collect::<tercet::Result<Vec<_>>>()
        .or_raise(py)?;
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
    job: SentJob,
    names: Vec<String>,
    parts: Vec<Bound<'_, PyBytes>>,
) -> PyResult<Evaluation> {
    let OpenJob { job, scorer } = OpenJob::new(py, job)?;
    let test = merged_tests(&parts).or_raise(py)?;
    let work = |progress: Progress<'_>| {
        Done::collect(progress, |progress| test.evaluate(&scorer, &names, job.components, progress))
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
