//! The rows of a file with the scores of their segments as further fields.

use crate::args::ScoreArgs;
use crate::commands::input::KeptRows;
use std::path::Path;
use tercet::corpora::rows::{RowFormat, RowWriter};
use tercet::report::Format;
use tercet::scoring::{Cell, Evaluation, ScoreLevels};

/// The format in which rows of the input are written, if scores of segments are asked for in one of rows.
pub fn format(args: &ScoreArgs) -> Option<RowFormat> {
    if args.level != ScoreLevels::Segment || args.explain || args.given.scores {
        return None;
    }
    match args.report.target.format() {
        Format::Jsonl => Some(RowFormat::JsonLines),
        Format::Csv => Some(RowFormat::Csv),
        _ => None,
    }
}

/// The rows in their order, each with its scores; `order` has the names of the systems as the input has them.
pub fn write(
    kept: &KeptRows,
    evaluation: &Evaluation,
    order: &[String],
    format: RowFormat,
    path: Option<&Path>,
) -> anyhow::Result<String> {
    let fields = Fields::new(kept, evaluation);
    let mut numbers = vec![vec![f64::NAN; fields.names.len()]; kept.rows.len()];
    for ((field, rows), name) in kept.systems.iter().zip(order) {
        let Some(system) = evaluation.systems.iter().position(|system| system == name) else { continue };
        let first = fields.first(field);
        for (segment, &row) in rows.iter().enumerate() {
            let scores = evaluation.columns.iter().flat_map(|column| scores(&column.cells[system], segment));
            scores.enumerate().for_each(|(place, score)| numbers[row][first + place] = score);
        }
    }
    let mut writer = RowWriter::new(Vec::new(), path.unwrap_or(Path::new("-")), format, &fields.names);
    for (row, numbers) in kept.rows.iter().zip(&numbers) {
        writer.write(row, numbers)?;
    }
    Ok(String::from_utf8(writer.finish()?)?)
}

/// The score of a segment, and its components.
fn scores(cell: &Cell, segment: usize) -> impl Iterator<Item = f64> {
    let parts = cell.segment_components.get(segment).into_iter().flatten();
    cell.segments.get(segment).copied().into_iter().chain(parts.map(|part| part.value))
}

/// The names of the new fields: for each field of translations those of one, after its name if there are several.
pub fn new_fields(hypotheses: &[&str], of_one: Vec<String>) -> Vec<String> {
    match hypotheses {
        [_] => of_one,
        several => {
            let named = |field: &&str| of_one.iter().map(|name| format!("{field}_{name}")).collect::<Vec<_>>();
            several.iter().flat_map(named).collect()
        }
    }
}

/// The new fields.
struct Fields<'k> {
    /// The fields of translations, each once.
    hypotheses: Vec<&'k str>,
    /// The name of the metric, after that of the field if there are several.
    names: Vec<String>,
}

impl<'k> Fields<'k> {
    fn new(kept: &'k KeptRows, evaluation: &Evaluation) -> Self {
        let mut hypotheses: Vec<&str> = Vec::new();
        for (field, _) in &kept.systems {
            if !hypotheses.contains(&field.as_str()) {
                hypotheses.push(field);
            }
        }
        let mut of_one = Vec::new();
        for column in &evaluation.columns {
            of_one.push(column.metric.clone());
            let parts = column.cells.first().and_then(|cell| cell.segment_components.first()).into_iter().flatten();
            of_one.extend(parts.map(|part| format!("{}/{}", column.metric, part.name)));
        }
        let names = new_fields(&hypotheses, of_one);
        Fields { hypotheses, names }
    }

    /// The place of the first new field of a field of translations.
    fn first(&self, field: &str) -> usize {
        let place = self.hypotheses.iter().position(|known| *known == field).unwrap_or(0);
        place * (self.names.len() / self.hypotheses.len().max(1))
    }
}
