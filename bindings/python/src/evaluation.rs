//! The result of scoring as a value of Python: its data as JSON, scores of segments as lists, reports.

use crate::errors::{REQUEST, of_class};
use crate::report::{check_decimals, format};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tercet::report::{self, Contents, Terminal, warning_object};
use tercet::scoring::{self, Cell, Column};
use tercet::warning::{Done, Warning};

/// Scores of systems, and what their readers should know.
#[pyclass(frozen, eq, module = "tercet._native")]
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    evaluation: scoring::Evaluation,
    warnings: Vec<Warning>,
}

impl From<Done<scoring::Evaluation>> for Evaluation {
    fn from(done: Done<scoring::Evaluation>) -> Self {
        Evaluation { evaluation: done.result, warnings: done.warnings }
    }
}

#[pymethods]
impl Evaluation {
    /// Everything but the scores of segments and documents, as JSON.
    fn data(&self, py: Python<'_>) -> PyResult<String> {
        // Without the scores of segments and documents, which may be many.
        let of_system = |cell: &Cell| Cell {
            components: cell.components.clone(),
            segments: Vec::new(),
            segment_components: Vec::new(),
            documents: Vec::new(),
            document_components: Vec::new(),
            ..*cell
        };
        let of_metric = |column: &Column| Column {
            cells: column.cells.iter().map(of_system).collect(),
            metric: column.metric.clone(),
            title: column.title.clone(),
            signature: column.signature.clone(),
            ..*column
        };
        let evaluation = scoring::Evaluation {
            systems: self.evaluation.systems.clone(),
            documents: self.evaluation.documents.clone(),
            columns: self.evaluation.columns.iter().map(of_metric).collect(),
            comparisons: self.evaluation.comparisons.clone(),
            test: self.evaluation.test.clone(),
            alignment: self.evaluation.alignment.clone(),
            gate: self.evaluation.gate.clone(),
            ..self.evaluation
        };
        let mut data = serde_json::to_value(&evaluation).map_err(|error| internal(py, &error))?;
        for (i, result) in self.evaluation.comparisons.iter().enumerate() {
            data["comparisons"][i]["significant"] = json!(result.is_significant());
        }
        data["warnings"] = self.warnings.iter().map(warning_object).collect::<Value>();
        Ok(data.to_string())
    }

    /// The scores of the segments of a system by a metric; empty if they were not computed.
    fn segments(&self, column: usize, system: usize) -> Vec<f64> {
        self.evaluation.columns[column].cells[system].segments.clone()
    }

    /// Whether scores of segments were computed.
    fn has_segments(&self) -> bool {
        self.evaluation.columns.iter().flat_map(|column| &column.cells).all(|cell| !cell.segments.is_empty())
    }

    /// The scores of the documents of a system by a metric; empty if they were not computed.
    fn documents(&self, column: usize, system: usize) -> Vec<f64> {
        self.evaluation.columns[column].cells[system].documents.clone()
    }

    /// Writes scores.
    fn write(
        &self,
        py: Python<'_>,
        format: &str,
        documents: bool,
        segments: bool,
        components: bool,
        decimals: Option<usize>,
    ) -> PyResult<String> {
        let format = self::format(py, format)?;
        check_decimals(py, decimals)?;
        let contents = Contents { documents, segments, components, decimals, ..Contents::default() };
        Ok(py.detach(|| report::write_with_warnings(&self.evaluation, &self.warnings, format, contents)))
    }

    /// Writes the order of systems.
    fn write_ranking(&self, py: Python<'_>, format: &str, decimals: Option<usize>) -> PyResult<String> {
        let format = self::format(py, format)?;
        check_decimals(py, decimals)?;
        Ok(report::write_ranking(&self.evaluation, &self.warnings, format, decimals, Terminal::default()))
    }

    /// The place of each system by a metric, the best first: index, rank, group.
    fn ranking(&self, column: usize) -> Vec<(usize, usize, usize)> {
        let ranked = self.evaluation.ranking(column);
        ranked.iter().map(|place| (place.system, place.rank, place.group)).collect()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = serde_json::to_vec(self).map_err(|error| internal(py, &error))?;
        let rebuild = py.import("tercet._native")?.getattr("_rebuild_evaluation")?;
        Ok((rebuild, (PyBytes::new(py, &bytes),)))
    }
}

fn internal(py: Python<'_>, error: &serde_json::Error) -> PyErr {
    of_class(py, "InternalError", &error.to_string())
}

/// The evaluation of a pickle.
#[pyfunction]
fn _rebuild_evaluation(py: Python<'_>, bytes: &[u8]) -> PyResult<Evaluation> {
    serde_json::from_slice(bytes).map_err(|error| of_class(py, REQUEST, &format!("not a pickled result: {error}")))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Evaluation>()?;
    module.add_function(wrap_pyfunction!(_rebuild_evaluation, module)?)
}
