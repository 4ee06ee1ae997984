//! The formats with a line for each segment, written without all scores in memory.

use super::{Contents, Format, csv, json, tsv};
use crate::scoring::Evaluation;
use crate::warning::Warning;
use std::io::{self, Write};

/// Gives the scores of all segments, one after another, of a column and a system.
pub type ReadScores<'a> = dyn Fn(usize, usize, &mut dyn FnMut(f64) -> io::Result<()>) -> io::Result<()> + 'a;

/// Bytes that are written at once.
const CHUNK: usize = 1 << 16;

/// Whether a format has a line for each segment, and nothing that needs all of them.
pub fn has_streamed_segments(format: Format) -> bool {
    matches!(format, Format::Tsv | Format::Csv | Format::Jsonl)
}

/// Writes scores as [`write_with_warnings`](super::write_with_warnings) does, in one of these formats; those of
/// segments come from `segments`.
pub fn write_streamed(
    to: &mut dyn Write,
    evaluation: &Evaluation,
    warnings: &[Warning],
    (format, contents): (Format, Contents),
    segments: &ReadScores<'_>,
) -> io::Result<()> {
    let mut lines = Lines { to, is_csv: format == Format::Csv, text: tsv::Writer::default() };
    if format == Format::Jsonl {
        return in_json(&mut lines, evaluation, warnings, contents, segments);
    }
    lines.text.text.push_str("system\tsegment\tmetric\tscore\n");
    for (c, column) in evaluation.columns.iter().enumerate() {
        for (s, (system, cell)) in evaluation.systems.iter().zip(&column.cells).enumerate() {
            let mut number = 0;
            segments(c, s, &mut |score| {
                number += 1;
                lines.text.line(system, &number.to_string(), &column.metric, score);
                lines.write(CHUNK)
            })?;
            if contents.systems {
                lines.text.system(system, column, cell);
            }
        }
    }
    lines.write(0)
}

fn in_json(
    lines: &mut Lines<'_>,
    evaluation: &Evaluation,
    warnings: &[Warning],
    contents: Contents,
    segments: &ReadScores<'_>,
) -> io::Result<()> {
    for (c, s) in json::cells(evaluation) {
        let column = &evaluation.columns[c];
        let mut i = 0;
        segments(c, s, &mut |score| {
            lines.add(&json::segment_score(&evaluation.systems[s], column, i, score));
            i += 1;
            lines.write(CHUNK)
        })?;
        if contents.systems {
            let object = json::object(evaluation, contents, c, s, false);
            lines.add(&json::with_warnings(object, evaluation, Some(warnings)));
        }
    }
    lines.write(0)
}

/// Lines that are written when there are enough of them.
struct Lines<'t> {
    to: &'t mut dyn Write,
    is_csv: bool,
    text: tsv::Writer,
}

impl Lines<'_> {
    fn add(&mut self, object: &serde_json::Value) {
        self.text.text += &object.to_string();
        self.text.text.push('\n');
    }

    /// Writes what there is if it is long enough.
    fn write(&mut self, min_length: usize) -> io::Result<()> {
        let text = &mut self.text.text;
        if text.len() < min_length {
            return Ok(());
        }
        match self.is_csv {
            true => self.to.write_all(csv::from_tsv(text).as_bytes())?,
            false => self.to.write_all(text.as_bytes())?,
        }
        text.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::scoring::{Corpus, EvaluateRequest, System, evaluate};

    #[test]
    fn scores_are_written_as_those_in_memory() {
        let references = vec![vec!["the cat sat"], vec!["it rained, all day"]];
        let systems = vec![System::new("a", &["a cat sat", "it rained"]), System::new("b,c", &["the cat", "day"])];
        let corpus = Corpus::new(systems, references).unwrap();
        let metrics = ["chrf", "ter"].map(|name| crate::registry().named(name, None).unwrap());
        let request = EvaluateRequest { segments: true, components: true, ..EvaluateRequest::default() };
        let mut evaluation = evaluate(&corpus, &metrics, &request, Progress::none()).unwrap();
        for column in &mut evaluation.columns {
            column.cells.iter_mut().for_each(|cell| cell.segment_components.clear());
        }
        let warnings = [Warning::ByteOrderMark { place: "a".to_owned() }];
        for format in [Format::Tsv, Format::Csv, Format::Jsonl] {
            for systems in [false, true] {
                let contents = Contents { systems, segments: true, components: true, ..Contents::default() };
                let expected = crate::write_with_warnings(&evaluation, &warnings, format, contents);
                let mut written = Vec::new();
                let scores = |column: usize, system: usize, take: &mut dyn FnMut(f64) -> io::Result<()>| {
                    evaluation.columns[column].cells[system].segments.iter().try_for_each(|&score| take(score))
                };
                write_streamed(&mut written, &evaluation, &warnings, (format, contents), &scores).unwrap();
                assert_eq!(String::from_utf8(written).unwrap(), expected);
            }
        }
    }
}
