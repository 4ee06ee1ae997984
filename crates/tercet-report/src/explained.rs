//! Segments with the words that have no good partner, as `tercet score --explain` prints them.
//!
//! Text: system by system, each segment with its scores, translation and reference; words without a good partner are in
//! brackets, and a line says if there are none, or what differs all the same (numbers, names). Markdown and LaTeX have
//! the same as a table.
//!
//! Machine-readable formats:
//!
//! - TSV: a header `system segment METRIC… reference hypothesis_unmatched reference_unmatched`, then a line for each
//!   segment: the system, the number of the segment from 1, its score by each metric with 17 significant digits, the
//!   number of the reference from 1, and the words without a good partner with spaces between them. CSV: the same.
//! - JSON: an array of objects `{system, segment, scores: {METRIC: score}, reference, hypothesis_words: […],
//!   reference_words: […], differences: [{kind, hypothesis: […], reference: […]}]}`; a word is `{word, start, end,
//!   similarity, partner, matched}`: its characters in the line from `start` to before `end`, from 0, the highest
//!   similarity with a word of the other line, the place of that word among the words there from 0 or null, and whether
//!   the similarity reaches the threshold. JSON lines: one object per line.

use super::marked_text::{beside_marks, explained, joined, wrapped};
use super::table::{Marks, Table, signatures};
use super::terminal::Style;
use super::{Contents, Format, csv, latex, markdown, text, tsv};
use crate::metrics::{Difference, ExplainedWord, Explanation, unmatched};
use crate::scoring::{Corpus, Evaluation, Explained, ExplainedSegment};
use serde_json::{Value, json};
use tercet_text::visible;

/// What brackets mean.
pub(super) fn meaning_of_brackets(threshold: f64) -> String {
    format!("[…]: words whose most similar word on the other side has a similarity below {threshold}")
}

/// Writes explained segments of a corpus with their scores.
pub fn write_explanations(
    evaluation: &Evaluation,
    corpus: &Corpus<'_>,
    explained: &Explained,
    format: Format,
    contents: Contents,
) -> String {
    let report = Report { evaluation, corpus, segments: &explained.segments, contents };
    let (signatures, notes) = (signatures(evaluation), [meaning_of_brackets(explained.threshold)]);
    match format {
        Format::Text => report.text() + &text::write(Vec::new(), &signatures, &notes, contents.terminal),
        Format::Markdown => markdown::write(&[report.table(&markdown::MARKS)], &signatures, &notes),
        Format::Latex => latex::write(&[report.table(&latex::MARKS)], &signatures, &notes),
        Format::Json => {
            format!("{:#}\n", Value::Array(report.segments.iter().map(|found| report.object(found)).collect()))
        }
        Format::Jsonl => report.segments.iter().map(|found| format!("{}\n", report.object(found))).collect(),
        Format::Tsv => report.tsv(),
        Format::Csv => csv::from_tsv(&report.tsv()),
    }
}

struct Report<'a> {
    evaluation: &'a Evaluation,
    corpus: &'a Corpus<'a>,
    segments: &'a [ExplainedSegment],
    contents: Contents,
}

impl<'a> Report<'a> {
    fn lines(&self, found: &ExplainedSegment) -> [&'a str; 2] {
        lines(self.corpus, found.system, found.segment, &found.explanation)
    }

    /// The score of a segment by each metric, with the metric's title.
    fn scores(&self, found: &ExplainedSegment) -> Vec<(&'a str, String)> {
        let columns = self.evaluation.columns.iter();
        let score = columns.map(|column| {
            let decimals = self.contents.decimals.unwrap_or(column.scale.decimals());
            let score = column.cells[found.system].segments[found.segment];
            (column.title.as_str(), format!("{score:.decimals$}"))
        });
        score.collect()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for of_system in self.segments.chunk_by(|one, other| one.system == other.system) {
            let gap = if text.is_empty() { "" } else { "\n" };
            text += &format!("{gap}{}\n", visible(&self.evaluation.systems[of_system[0].system]));
            of_system.iter().for_each(|found| text += &self.example(found));
        }
        text
    }

    fn example(&self, found: &ExplainedSegment) -> String {
        let scores: Vec<String> = self.scores(found).iter().map(|(title, score)| format!("{title} {score}")).collect();
        let [hypothesis, reference] = self.marked(found);
        let terminal = self.contents.terminal;
        format!(
            "{:>5} {}\n{}{}{}",
            found.segment + 1,
            scores.join("  "),
            wrapped("hyp", &hypothesis, Style::Worse, terminal),
            wrapped("ref", &reference, Style::Worse, terminal),
            beside_marks(&hypothesis, &reference, &found.explanation.differences, terminal)
        )
    }

    fn marked(&self, found: &ExplainedSegment) -> [Vec<super::marked_text::Unit>; 2] {
        let [hypothesis, reference] = self.lines(found);
        let Explanation { hypothesis_words, reference_words, .. } = &found.explanation;
        [explained(hypothesis, hypothesis_words), explained(reference, reference_words)]
    }

    fn table(&self, marks: &Marks) -> Table {
        let row = |found: &ExplainedSegment| {
            let name = &self.evaluation.systems[found.system];
            let mut row = vec![(marks.escape)(name), (found.segment + 1).to_string()];
            row.extend(self.scores(found).into_iter().map(|(_, score)| score));
            row.extend(self.marked(found).map(|units| (marks.escape)(&joined(&units))));
            row
        };
        let titles = self.evaluation.columns.iter().map(|column| (marks.escape)(&column.title));
        let header: Vec<String> = ["system", "segment"].map(str::to_owned).into_iter().chain(titles).collect();
        let header: Vec<String> = header.into_iter().chain(["translation", "reference"].map(str::to_owned)).collect();
        let numbers_from = header.len();
        Table { caption: None, header, rows: self.segments.iter().map(row).collect(), numbers_from }
    }

    fn object(&self, found: &ExplainedSegment) -> Value {
        let scores = self
            .evaluation
            .columns
            .iter()
            .map(|column| (column.metric.clone(), json!(column.cells[found.system].segments[found.segment])));
        let mut all = json!({
            "system": self.evaluation.systems[found.system],
            "segment": found.segment + 1,
            "scores": Value::Object(scores.collect()),
        });
        if let (Value::Object(all), Value::Object(words)) = (&mut all, object(self.lines(found), &found.explanation)) {
            all.extend(words);
        }
        all
    }

    fn tsv(&self) -> String {
        let metrics: Vec<String> = self.evaluation.columns.iter().map(|column| tsv::field(&column.metric)).collect();
        let mut text =
            format!("system\tsegment\t{}\treference\thypothesis_unmatched\treference_unmatched\n", metrics.join("\t"));
        for found in self.segments {
            let columns = self.evaluation.columns.iter();
            let scores: Vec<String> =
                columns.map(|column| tsv::digits(column.cells[found.system].segments[found.segment])).collect();
            text += &format!(
                "{}\t{}\t{}\t{}{}\n",
                tsv::field(&self.evaluation.systems[found.system]),
                found.segment + 1,
                scores.join("\t"),
                found.explanation.reference + 1,
                unmatched_fields(self.lines(found), &found.explanation)
            );
        }
        text
    }
}

/// A translation and the reference by which it is explained.
pub(super) fn lines<'a>(corpus: &Corpus<'a>, system: usize, segment: usize, explanation: &Explanation) -> [&'a str; 2] {
    [corpus.systems()[system].hypotheses[segment], corpus.references()[segment][explanation.reference]]
}

/// The words of both lines without a good partner, a tab before each list.
pub(super) fn unmatched_fields([hypothesis, reference]: [&str; 2], explanation: &Explanation) -> String {
    let field = |line: &str, words: &[ExplainedWord]| {
        format!("\t{}", tsv::field(&unmatched(line, words).collect::<Vec<_>>().join(" ")))
    };
    field(hypothesis, &explanation.hypothesis_words) + &field(reference, &explanation.reference_words)
}

fn difference(difference: &Difference) -> Value {
    let Difference { kind, hypothesis, reference } = difference;
    json!({ "kind": kind.name(), "hypothesis": hypothesis, "reference": reference })
}

/// The explanation of a segment as an object.
pub(super) fn object([hypothesis, reference]: [&str; 2], explanation: &Explanation) -> Value {
    let words = |line: &str, words: &[ExplainedWord]| {
        let characters = |bytes: usize| line[..bytes].chars().count();
        let word = |word: &ExplainedWord| {
            json!({
                "word": line[word.bytes.clone()],
                "start": characters(word.bytes.start),
                "end": characters(word.bytes.end),
                "similarity": word.similarity,
                "partner": word.partner,
                "matched": word.is_matched,
            })
        };
        words.iter().map(word).collect::<Value>()
    };
    json!({
        "reference": explanation.reference + 1,
        "hypothesis_words": words(hypothesis, &explanation.hypothesis_words),
        "reference_words": words(reference, &explanation.reference_words),
        "differences": explanation.differences.iter().map(difference).collect::<Value>(),
    })
}
