//! What calibration did: the threshold of each metric, and how many pairs it ties.
//!
//! The value of acc-23 alone does not tell a metric that orders pairs well from one whose threshold ties all of them, which is
//! right wherever people tied the pair too.

use super::{caption, distinct};
use crate::meta_evaluation::Agreement;
use crate::report::table::{Marks, Table};

/// Decimals of thresholds, whose size depends on the metric.
const DECIMALS: usize = 4;

/// The thresholds of a table of agreements; `None` if ties are not calibrated.
pub(super) fn table(group: &[&Agreement], metrics: &[&str], marks: &Marks) -> Option<Table> {
    group.iter().find(|agreement| agreement.ties.is_some())?;
    let pairs = distinct(group.iter().map(|agreement| agreement.pair.as_str()));
    let ties = |metric: &str, pair: &str| {
        let found = group.iter().find(|agreement| agreement.metric == metric && agreement.pair == pair);
        found.and_then(|agreement| agreement.ties)
    };
    let row = |metric: &&str| -> Vec<String> {
        let cell = |pair: &&str| match ties(metric, pair) {
            Some(ties) => {
                let share = (marks.escape)(&percent(ties.tied, ties.pairs));
                format!("{:.DECIMALS$} ties {share}", ties.threshold)
            }
            None => String::new(),
        };
        std::iter::once((marks.escape)(metric)).chain(pairs.iter().map(cell)).collect()
    };
    let any = |pair: &&str| group.iter().find(|agreement| agreement.pair == **pair).and_then(|of| of.ties);
    let human = |pair: &&str| {
        let share = any(pair).map(|ties| percent(ties.tied_by_gold, ties.pairs));
        share.map_or(String::new(), |share| format!("ties {}", (marks.escape)(&share)))
    };
    let count = |pair: &&str| any(pair).map_or(String::new(), |ties| ties.pairs.to_string());
    let mut rows: Vec<Vec<String>> = metrics.iter().map(row).collect();
    rows.push(std::iter::once("people".to_owned()).chain(pairs.iter().map(human)).collect());
    rows.push(std::iter::once("pairs".to_owned()).chain(pairs.iter().map(count)).collect());
    let heads =
        pairs.iter().map(|pair| if pair.is_empty() { "value".to_owned() } else { (marks.escape)(pair) });
    Some(Table {
        caption: Some(format!("{}: calibrated thresholds", (marks.escape)(&caption(group[0])))),
        header: std::iter::once("metric".to_owned()).chain(heads).collect(),
        rows,
        numbers_from: 1,
    })
}

/// What a threshold is, and what it means if it ties everything.
pub(super) fn notes(agreements: &[Agreement]) -> Vec<String> {
    let ties = || agreements.iter().filter_map(|agreement| agreement.ties);
    let mut notes = Vec::new();
    if ties().next().is_some() {
        notes.push(
            "ties: pairs whose scores differ by no more than the threshold, which is chosen for the highest value".to_owned(),
        );
    }
    // 95 of 100: the value is then nearly that of a metric without any order.
    if ties().any(|ties| 100 * ties.tied >= 95 * ties.pairs) {
        notes.push(
            "where a metric ties nearly all pairs, its value is about the share that people tied, whatever its scores are"
                .to_owned(),
        );
    }
    notes
}

/// A share in per cent; 100.0 only if it is all of them.
fn percent(part: usize, whole: usize) -> String {
    let share = 100.0 * part as f64 / whole as f64;
    let shown = if part < whole { share.min(99.9) } else { share };
    format!("{shown:.1}%")
}
