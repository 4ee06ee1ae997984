//! The part of the data block about spans: the tables of the other formats, and outputs with everybody's marks.

use super::agreement_data::table;
use crate::meta_evaluation::spans::SpansReport;
use crate::spans::span_tables;
use crate::table::PLAIN;
use serde_json::{Value, json};

/// `{tables, signatures: [[title, signature]], examples: [{set, pair, system, segment, source, reference, spans:
/// [{name, is_person, pieces: [{text, mark}]}]}]}`
pub(super) fn spans(report: &SpansReport) -> Value {
    let mut signatures: Vec<[&str; 2]> = Vec::new();
    for found in report.agreements.iter().filter(|found| !found.signature.is_empty()) {
        let signature = [found.title.as_str(), found.signature.as_str()];
        if !signatures.contains(&signature) {
            signatures.push(signature);
        }
    }
    json!({
        "tables": span_tables(report, &PLAIN).iter().map(table).collect::<Vec<_>>(),
        "signatures": signatures,
        "examples": report.examples,
    })
}
