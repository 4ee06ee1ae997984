//! Human judgements and files of scores, as columns.

use crate::errors::OrRaise;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tercet::corpora::{self, JudgementSource, Judgements, Outcome, select_judgements};

/// The judgements of one language pair: a dict of tables, each a dict of columns.
#[pyfunction]
fn read_judgements(py: Python<'_>, paths: Vec<PathBuf>, pairs: Vec<String>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let read = run(py, None, |_| {
        select_judgements(&paths, &pairs)?.iter().map(JudgementSource::read).collect::<tercet::Result<Vec<_>>>()
    })?;
    read.iter().map(|judgements| tables(py, judgements)).collect()
}

fn tables<'py>(py: Python<'py>, judgements: &Judgements) -> PyResult<Bound<'py, PyDict>> {
    let tables = PyDict::new(py);
    tables.set_item("set", &judgements.set)?;
    tables.set_item("pair", &judgements.pair)?;
    tables.set_item("systems", &judgements.systems)?;
    tables.set_item("segment_names", &judgements.segments)?;
    tables.set_item("documents", &judgements.documents)?;
    tables.set_item("scores", scores(py, judgements)?)?;
    tables.set_item("comparisons", comparisons(py, judgements)?)?;
    tables.set_item("texts", texts(py, judgements)?)?;
    Ok(tables)
}

/// A row for each human score.
fn scores<'py>(py: Python<'py>, judgements: &Judgements) -> PyResult<Bound<'py, PyDict>> {
    let (mut names, mut levels, mut systems, mut items, mut values) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for scores in &judgements.scores {
        for (system, of_system) in scores.values.iter().enumerate() {
            for (item, value) in of_system.iter().enumerate() {
                let Some(value) = value else { continue };
                names.push(scores.name.as_str());
                levels.push(scores.level.code());
                systems.push(judgements.systems.get(system));
                let is_segment = scores.level == corpora::Level::Segment;
                items.push(if is_segment { judgements.segments.get(item) } else { None });
                values.push(*value);
            }
        }
    }
    let columns = PyDict::new(py);
    columns.set_item("name", names)?;
    columns.set_item("level", levels)?;
    columns.set_item("system", systems)?;
    columns.set_item("segment", items)?;
    columns.set_item("score", values)?;
    Ok(columns)
}

/// A row for each comparison of two outputs.
fn comparisons<'py>(py: Python<'py>, judgements: &Judgements) -> PyResult<Bound<'py, PyDict>> {
    let all = &judgements.comparisons;
    let system = |index: usize| judgements.systems.get(index);
    let outcome = |outcome: Outcome| match outcome {
        Outcome::First => "first",
        Outcome::Tie => "tie",
        Outcome::Second => "second",
    };
    let columns = PyDict::new(py);
    let segments: Vec<_> = all.iter().map(|of| judgements.segments.get(of.segment)).collect();
    columns.set_item("segment", segments)?;
    columns.set_item("first", all.iter().map(|of| system(of.first)).collect::<Vec<_>>())?;
    columns.set_item("second", all.iter().map(|of| system(of.second)).collect::<Vec<_>>())?;
    columns.set_item("better", all.iter().map(|of| outcome(of.outcome)).collect::<Vec<_>>())?;
    Ok(columns)
}

/// A row for each translation, with its source and its references.
fn texts<'py>(py: Python<'py>, judgements: &Judgements) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(texts) = &judgements.texts else { return Ok(None) };
    let places: Vec<(usize, usize)> = (0..texts.outputs.len())
        .flat_map(|system| (0..texts.outputs[system].len()).map(move |segment| (system, segment)))
        .filter(|&(system, segment)| texts.outputs[system][segment].is_some())
        .collect();
    let columns = PyDict::new(py);
    let systems: Vec<_> = places.iter().map(|&(system, _)| judgements.systems.get(system)).collect();
    columns.set_item("system", systems)?;
    let segments: Vec<_> = places.iter().map(|&(_, segment)| judgements.segments.get(segment)).collect();
    columns.set_item("segment", segments)?;
    let outputs: Vec<_> = places.iter().map(|&(system, segment)| texts.outputs[system][segment].as_deref()).collect();
    columns.set_item("hypothesis", outputs)?;
    if let Some(sources) = &texts.sources {
        let lines: Vec<_> = places.iter().map(|&(_, segment)| sources.get(segment)).collect();
        columns.set_item("source", lines)?;
    }
    for reference in &texts.references {
        let name = if reference.name.is_empty() { "reference" } else { &reference.name };
        let lines: Vec<_> =
            places.iter().map(|&(_, segment)| reference.lines.get(segment).and_then(Option::as_deref)).collect();
        columns.set_item(name, lines)?;
    }
    Ok(Some(columns))
}

/// A column of a file of scores: system, metric, scores.
type ScoreColumn = (String, Option<String>, Vec<f64>);

/// The columns of a file of scores.
#[pyfunction]
fn read_scores(py: Python<'_>, path: PathBuf) -> PyResult<Vec<ScoreColumn>> {
    let read = py.detach(|| corpora::read_scores(&path)).or_raise(py)?;
    Ok(read.into_iter().map(|column| (column.system, column.metric, column.scores)).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_judgements, module)?)?;
    module.add_function(wrap_pyfunction!(read_scores, module)?)
}
