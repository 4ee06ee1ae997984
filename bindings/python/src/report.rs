//! Results as text.

use crate::errors::{REQUEST, of_class};
use crate::evaluation::EvaluationData;
use pyo3::prelude::*;
use tercet::report::{self, Contents, Format, Terminal};
use tercet::scoring::Evaluation;

/// A result in the formats that Python shows: as text, as Markdown, and as JSON, which becomes its data.
#[derive(IntoPyObject)]
pub struct Written {
    text: String,
    markdown: String,
    json: String,
}

impl Written {
    /// Writes all formats.
    pub fn new(write: impl Fn(Format) -> String) -> Self {
        Written { text: write(Format::Text), markdown: write(Format::Markdown), json: write(Format::Json) }
    }
}

/// The format of this name.
fn format(py: Python<'_>, name: &str) -> PyResult<Format> {
    let known = [
        ("text", Format::Text),
        ("json", Format::Json),
        ("jsonl", Format::Jsonl),
        ("tsv", Format::Tsv),
        ("csv", Format::Csv),
        ("markdown", Format::Markdown),
        ("latex", Format::Latex),
    ];
    known.iter().find(|(known, _)| *known == name).map(|(_, format)| *format).ok_or_else(|| {
        let names = known.map(|(name, _)| name).join(", ");
        of_class(py, REQUEST, &format!("unknown format `{name}` (known: {names})"))
    })
}

/// More decimals than this say nothing of a 64-bit number.
const MAX_DECIMALS: usize = 17;

fn check_decimals(py: Python<'_>, decimals: Option<usize>) -> PyResult<()> {
    match decimals.filter(|&decimals| decimals > MAX_DECIMALS) {
        None => Ok(()),
        Some(found) => {
            let message = format!("decimals: expected at most {MAX_DECIMALS}, found {found}");
            Err(of_class(py, REQUEST, &message))
        }
    }
}

/// Writes scores.
#[pyfunction]
fn write_evaluation(
    py: Python<'_>,
    evaluation: EvaluationData,
    format: &str,
    segments: bool,
    components: bool,
    decimals: Option<usize>,
) -> PyResult<String> {
    let format = self::format(py, format)?;
    check_decimals(py, decimals)?;
    let evaluation = Evaluation::from(evaluation);
    let contents = Contents { segments, components, decimals, ..Contents::default() };
    Ok(py.detach(|| report::write(&evaluation, format, contents)))
}

/// Writes the order of systems.
#[pyfunction]
fn write_ranking(
    py: Python<'_>,
    evaluation: EvaluationData,
    format: &str,
    decimals: Option<usize>,
) -> PyResult<String> {
    let format = self::format(py, format)?;
    check_decimals(py, decimals)?;
    Ok(report::write_ranking(&evaluation.into(), format, decimals, Terminal::default()))
}

/// The place of each system by a metric, the best first: index, rank, group.
#[pyfunction]
fn ranking(evaluation: EvaluationData, column: usize) -> Vec<(usize, usize, usize)> {
    let ranked = Evaluation::from(evaluation).ranking(column);
    ranked.iter().map(|place| (place.system, place.rank, place.group)).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(write_evaluation, module)?)?;
    module.add_function(wrap_pyfunction!(write_ranking, module)?)?;
    module.add_function(wrap_pyfunction!(ranking, module)?)
}
