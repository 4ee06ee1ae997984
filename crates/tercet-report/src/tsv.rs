//! Tab-separated values.
//!
//! A header `system segment metric score`, or `system document metric score` with the scores of documents, then a line
//! for each number: the segment is numbered from 1 or `corpus`, the metric is the name as requested, the score has 17
//! significant digits. Values that belong to a score follow it in lines of the same four columns, their name after a
//! slash: `bleu/precision_1` (components), `bleu/mean`, `bleu/low` and `bleu/high` (intervals), `bleu/delta`, `bleu/p`
//! and `bleu/p_holm` (comparisons, with `@` and the other system).

use super::Contents;
use crate::metrics::Component;
use crate::scoring::{Cell, Column, Evaluation, PairedResult};
use tercet_text::visible;

/// Writes an evaluation as TSV.
pub fn write(evaluation: &Evaluation, contents: Contents) -> String {
    let part = if contents.documents { "document" } else { "segment" };
    let mut table = Writer { text: format!("system\t{part}\tmetric\tscore\n") };
    for (c, column) in evaluation.columns.iter().enumerate() {
        for (s, (system, cell)) in evaluation.systems.iter().zip(&column.cells).enumerate() {
            if contents.documents {
                table.documents(evaluation, system, column, cell);
            }
            if contents.segments {
                table.segments(system, column, cell);
            }
            if contents.systems {
                table.system(system, column, cell);
            }
            for comparison in evaluation.comparisons.iter().filter(|of| of.column == c && of.system == s) {
                table.comparison(system, column, comparison, &evaluation.systems[comparison.baseline]);
            }
        }
    }
    table.text
}

/// Lines of the table.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) text: String,
}

impl Writer {
    pub(super) fn line(&mut self, system: &str, segment: &str, metric: &str, score: f64) {
        self.text += &format!("{}\t{segment}\t{}\t{}\n", field(system), field(metric), digits(score));
    }

    fn parts(&mut self, system: &str, segment: &str, metric: &str, parts: &[Component]) {
        for part in parts {
            self.line(system, segment, &format!("{metric}/{}", part.name), part.value);
        }
    }

    fn segments(&mut self, system: &str, column: &Column, cell: &Cell) {
        for (i, &score) in cell.segments.iter().enumerate() {
            let segment = (i + 1).to_string();
            self.line(system, &segment, &column.metric, score);
            if let Some(parts) = cell.segment_components.get(i) {
                self.parts(system, &segment, &column.metric, parts);
            }
        }
    }

    fn documents(&mut self, evaluation: &Evaluation, system: &str, column: &Column, cell: &Cell) {
        for (i, (document, &score)) in evaluation.documents.iter().zip(&cell.documents).enumerate() {
            let name = field(&document.name);
            self.line(system, &name, &column.metric, score);
            if let Some(parts) = cell.document_components.get(i) {
                self.parts(system, &name, &column.metric, parts);
            }
        }
    }

    pub(super) fn system(&mut self, system: &str, column: &Column, cell: &Cell) {
        self.line(system, "corpus", &column.metric, cell.score);
        if let Some(interval) = &cell.interval {
            let ends = [("mean", interval.mean), ("low", interval.low), ("high", interval.high)];
            let ends = ends.map(|(name, value)| Component::new(name, value));
            self.parts(system, "corpus", &column.metric, &ends);
        }
        self.parts(system, "corpus", &column.metric, &cell.components);
    }

    fn comparison(&mut self, system: &str, column: &Column, comparison: &PairedResult, against: &str) {
        let found =
            [("delta", Some(comparison.delta)), ("p", Some(comparison.p_value)), ("p_holm", comparison.adjusted)];
        for (name, value) in found {
            if let Some(value) = value {
                self.line(system, "corpus", &format!("{}/{name}@{against}", column.metric), value);
            }
        }
    }
}

/// A name without tabs, line ends and what terminals would act on.
pub fn field(name: &str) -> String {
    visible(name).into_owned()
}

/// A number with 17 significant digits, from which it can be read back exactly.
pub fn digits(number: f64) -> String {
    let scientific = format!("{number:.16e}");
    // NaN and infinity have no exponent and are written by name.
    let Some((_, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().expect("a whole number");
    if !(-5..17).contains(&exponent) || number == 0.0 {
        return if number == 0.0 { "0.0".to_owned() } else { scientific };
    }
    format!("{number:.*}", (16 - exponent) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seventeen_digits_give_the_number_back() {
        assert_eq!(digits(28.981413019832704), "28.981413019832704");
        assert_eq!(digits(100.0), "100.00000000000000");
        assert_eq!(digits(0.1), "0.10000000000000001");
        for number in [1e-300, -3.5e40, 1.0 / 3.0, 99.99999999999999, 0.0, 12345678901234567.0] {
            assert_eq!(digits(number).parse(), Ok(number));
        }
    }
}
