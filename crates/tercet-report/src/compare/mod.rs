//! Comparisons of two systems, as `tercet compare` prints them.
//!
//! Text: which is better and how significantly, then the segments where each is most clearly better, with both texts
//! and the references; words that differ are in brackets. Markdown and LaTeX have the same as tables, without brackets.
//! Where segments are explained, brackets in all three show words of A, of B and of the reference of each that have no
//! good partner.
//!
//! Machine-readable formats:
//!
//! - TSV: a header `segment p_a better`, then a line for each segment: its number from 1, the probability that A is
//!   better with 17 significant digits, and `a`, `b` or, where both are as likely, `-`. CSV: the same.
//! - JSON: one object `{a, b, metric, signature, remarks, warnings: [{kind, text, …}], segments: [{segment, p_a,
//!   better}], overall: {…}}`; `a` and `b` are the systems' names, `remarks` are sentences about the probabilities,
//!   `better` is `"a"`, `"b"` or null, and `overall` has `{better, significant, clearly_better, p_a, low, high,
//!   p, wins_a, wins_b, undecided, share_a, resamples, trials, seed, resample_by}`: the system with the higher mean
//!   probability, whether p < 0.05, that system if p < 0.05 and the interval excludes ½ or else null ("no clear
//!   difference"), the mean probability, the ends of its 95% interval, the p-value of the test, segments by winner, the
//!   share of them that goes to A, and the resampling of interval and test.
//!   `overall` also has `score_a` and `score_b`, the scores of the systems, where the probabilities come from scores,
//!   and
//!   `people_agree` `{share, low, high}`, how often people prefer the system with the better score where scores differ
//!   so much, where that is known. With a gate, `gate` has its checks.
//! - JSON lines: a line `{a, b, segment, p_a, better}` for each segment.
//!
//! Explained segments have further columns in TSV,
//! `a_unmatched a_reference_unmatched b_unmatched b_reference_unmatched`: words without a good partner, with spaces
//! between them. In JSON and JSON lines they have `explanation_a` and `explanation_b`, as in
//! [`write_explanations`](super::write_explanations).

mod marked;
mod prose;
mod tables;

pub use prose::{remarks, verdict};

use super::{Format, Terminal, csv, explained, gate, json, latex, markdown, tsv, warning_objects};
use crate::scoring::{Corpus, Side, SystemComparison};
use serde_json::{Value, json};

/// Decimals of probabilities, if no number is given.
pub const DECIMALS: usize = 2;

/// What text, Markdown and LaTeX show.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonContents {
    /// The number of segments shown for each system.
    pub top: usize,
    /// Decimals of probabilities.
    pub decimals: usize,
    /// The terminal that text is written for.
    pub terminal: Terminal,
}

/// Writes a comparison of two systems on `corpus`.
pub fn write_comparison(
    compared: &SystemComparison,
    corpus: &Corpus<'_>,
    format: Format,
    shown: ComparisonContents,
) -> String {
    match format {
        Format::Text => prose::write(compared, corpus, shown),
        Format::Markdown => {
            let tables = tables::tables(compared, corpus, shown, &markdown::MARKS);
            markdown::write(&tables, &signatures(compared), &notes(compared, shown))
        }
        Format::Latex => {
            let tables = tables::tables(compared, corpus, shown, &latex::MARKS);
            latex::write(&tables, &signatures(compared), &notes(compared, shown))
        }
        Format::Json => format!("{:#}\n", object(compared, corpus)),
        Format::Jsonl => {
            let [a, b] = &compared.systems;
            let line = |i| {
                let mut object = json!({"a": a, "b": b});
                merge(&mut object, segment(compared, corpus, i));
                format!("{object}\n")
            };
            (0..compared.probabilities.len()).map(line).collect()
        }
        Format::Csv => csv::from_tsv(&write_comparison(compared, corpus, Format::Tsv, shown)),
        Format::Tsv => table(compared, corpus),
    }
}

fn table(compared: &SystemComparison, corpus: &Corpus<'_>) -> String {
    let explained = if compared.explanations.is_empty() {
        ""
    } else {
        "\ta_unmatched\ta_reference_unmatched\tb_unmatched\tb_reference_unmatched"
    };
    let mut text = format!("segment\tp_a\tbetter{explained}\n");
    for (i, &p) in compared.probabilities.iter().enumerate() {
        let better = code(compared.winner(i)).unwrap_or("-");
        text += &format!("{}\t{}\t{better}", i + 1, tsv::digits(p));
        for (system, explanation) in compared.explanations.get(&i).into_iter().flatten().enumerate() {
            let lines = explained::lines(corpus, system, i, explanation);
            text += &explained::unmatched_fields(lines, explanation);
        }
        text.push('\n');
    }
    text
}

/// A segment as an object.
fn segment(compared: &SystemComparison, corpus: &Corpus<'_>, i: usize) -> Value {
    let mut object = json!({"segment": i + 1, "p_a": compared.probabilities[i], "better": code(compared.winner(i))});
    for (system, explanation) in compared.explanations.get(&i).into_iter().flatten().enumerate() {
        let lines = explained::lines(corpus, system, i, explanation);
        object[["explanation_a", "explanation_b"][system]] = explained::object(lines, explanation);
    }
    object
}

/// Adds the entries of one object to another.
fn merge(object: &mut Value, further: Value) {
    if let (Value::Object(object), Value::Object(further)) = (object, further) {
        object.extend(further);
    }
}

fn signatures(compared: &SystemComparison) -> Vec<(String, String)> {
    vec![("p(A better)".to_owned(), compared.signature.clone())]
}

/// The verdict in words, what to know about it, and how it was reached.
fn notes(compared: &SystemComparison, shown: ComparisonContents) -> Vec<String> {
    let verdict = std::iter::once(verdict(compared, shown.decimals));
    verdict.chain(remarks(compared, shown.decimals)).chain([prose::test(compared)]).collect()
}

fn object(compared: &SystemComparison, corpus: &Corpus<'_>) -> Value {
    let segment = |i: usize| segment(compared, corpus, i);
    let mut object = json!({
        "a": compared.systems[0],
        "b": compared.systems[1],
        "metric": compared.metric,
        "signature": compared.signature,
        "remarks": remarks(compared, DECIMALS),
        "warnings": warning_objects(&compared.warnings),
        "segments": (0..compared.probabilities.len()).map(segment).collect::<Vec<_>>(),
        "overall": {
            "better": code(compared.leader()),
            "significant": compared.is_significant(),
            "clearly_better": code(compared.clear_leader()),
            "p_a": compared.mean,
            "low": compared.interval.low,
            "high": compared.interval.high,
            "p": compared.p_value,
            "wins_a": compared.wins,
            "wins_b": compared.losses,
            "undecided": compared.undecided,
            "share_a": compared.share_of_wins(),
            "resamples": compared.request.interval.samples,
            "trials": compared.request.test.samples,
            "seed": compared.request.test.seed,
            "resample_by": compared.request.by,
        },
    });
    if let Some([a, b]) = compared.scores {
        object["overall"]["score_a"] = json!(a);
        object["overall"]["score_b"] = json!(b);
    }
    if let Some(found) = compared.people_agree {
        object["overall"]["people_agree"] = json!(found);
    }
    if let Some(found) = &compared.gate {
        object["gate"] = json::gate(found);
    }
    object
}

/// The code of a system in machine-readable formats.
fn code(side: Option<Side>) -> Option<&'static str> {
    side.map(|side| match side {
        Side::A => "a",
        Side::B => "b",
    })
}

/// The letter of a system in text.
fn letter(side: Side) -> &'static str {
    match side {
        Side::A => "A",
        Side::B => "B",
    }
}

#[cfg(test)]
mod tests;
