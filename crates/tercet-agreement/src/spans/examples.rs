//! Outputs with the spans of people and metrics, for reports.

use super::counts::{Class, Marked};
use serde::Serialize;

/// An output with everybody's spans.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpanExample {
    /// The set.
    pub set: String,
    /// The language pair.
    pub pair: String,
    /// The system.
    pub system: String,
    /// The segment, as the set calls it.
    pub segment: String,
    /// The source, if there is one.
    pub source: Option<String>,
    /// The first reference, if there is one.
    pub reference: Option<String>,
    /// What the raters marked, rater by rater, then what the metrics did.
    pub spans: Vec<SpansOfMetric>,
}

/// The output as one rater or metric marked it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpansOfMetric {
    /// The rater, or the metric's title.
    pub name: String,
    /// Whether it is a person.
    pub is_person: bool,
    /// The output in pieces, marked and unmarked ones.
    pub pieces: Vec<MarkedPiece>,
}

/// A part of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MarkedPiece {
    /// The text.
    pub text: String,
    /// `None` if it is not marked; else `minor`, `major`, or `marked` where the severity is not known.
    pub mark: Option<&'static str>,
}

/// The output in pieces with the same mark; the highest severity of a character counts.
pub(super) fn pieces(text: &str, spans: &[Marked]) -> Vec<MarkedPiece> {
    let mut pieces: Vec<MarkedPiece> = Vec::new();
    for (place, character) in text.chars().enumerate() {
        let severity = spans.iter().filter(|span| span.place.contains(&place)).map(|span| span.severity).max();
        let mark = severity.map(|severity| match severity {
            Some(Class::Minor) => "minor",
            Some(Class::Major) => "major",
            None => "marked",
        });
        match pieces.last_mut() {
            Some(last) if last.mark == mark => last.text.push(character),
            _ => pieces.push(MarkedPiece { text: character.to_string(), mark }),
        }
    }
    pieces
}
