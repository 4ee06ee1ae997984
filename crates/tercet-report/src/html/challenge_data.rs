//! The part of the data block about a challenge set: the tables of the other formats, and the accuracies of a plot.

use super::agreement_data::table;
use crate::challenge::{challenge_tables, group_name};
use crate::meta_evaluation::challenge::ChallengeReport;
use crate::table::PLAIN;
use serde_json::{Value, json};

/// `{tables, signatures: [[title, signature]], metrics: [title], groups: [{name, by, n, values: [[accuracy, low,
/// high]]}]}`
pub(super) fn challenge(report: &ChallengeReport) -> Value {
    let signatures: Vec<[&str; 2]> =
        report.metrics.iter().map(|metric| [metric.title.as_str(), metric.signature.as_str()]).collect();
    let groups = report.groups.iter().zip(&report.results).map(|(group, results)| {
        let values: Vec<[f64; 3]> = results.iter().map(|result| [result.accuracy, result.low, result.high]).collect();
        json!({"name": group_name(group), "by": group.by, "n": group.n, "values": values})
    });
    json!({
        "tables": challenge_tables(report, &PLAIN).iter().map(table).collect::<Vec<_>>(),
        "signatures": signatures,
        "metrics": report.metrics.iter().map(|metric| metric.title.as_str()).collect::<Vec<_>>(),
        "groups": groups.collect::<Vec<_>>(),
    })
}
