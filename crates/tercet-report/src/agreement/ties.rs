//! What calibration did: the threshold of each metric, and how many pairs it ties.
//!
//! The value of acc-23 alone does not tell a metric that orders pairs well from one whose threshold ties all of them,
//! which is right wherever people tied the pair too.

use super::{caption, distinct};
use crate::meta_evaluation::{Agreement, StatisticName};
use crate::table::{Marks, Table};

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
    let heads = pairs.iter().map(|pair| if pair.is_empty() { "value".to_owned() } else { (marks.escape)(pair) });
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
            "ties: pairs whose scores differ by no more than the threshold, which is chosen for the highest value"
                .to_owned(),
        );
    }
    let mut tying = agreements.iter().filter(|agreement| ties_nearly_all(agreement)).peekable();
    if tying.peek().is_some() {
        let is_tau = |agreement: &Agreement| agreement.statistic.name == StatisticName::Tau23;
        let tau = if tying.any(is_tau) { " (tau-23: twice that share, minus 1)" } else { "" };
        notes.push(format!(
            "where a metric ties nearly all pairs, its value is about the share that people tied{tau}, whatever its \
             scores are"
        ));
    }
    notes
}

/// What different clusters mean if both metrics tie nearly all pairs. The test exchanges verdicts on pairs, and those
/// on which the two agree change nothing: a few dozen of many thousands can be a significant difference in the fourth
/// decimal.
pub(super) fn cluster_note(agreements: &[Agreement]) -> Option<String> {
    let tying: Vec<&Agreement> = agreements.iter().filter(|agreement| ties_nearly_all(agreement)).collect();
    let apart = |a: &Agreement, b: &Agreement| {
        (&a.set, &a.pair, a.level, &a.human) == (&b.set, &b.pair, b.level, &b.human)
            && a.statistic == b.statistic
            && a.cluster.is_some_and(|of_a| b.cluster.is_some_and(|of_b| of_a < of_b))
    };
    tying.iter().any(|a| tying.iter().any(|b| apart(a, b))).then(|| {
        "where two metrics that tie nearly all pairs are in different clusters, only the few pairs that they do not \
         tie make the difference"
            .to_owned()
    })
}

/// At least 95 of 100: the value is then nearly that of a metric without any order.
fn ties_nearly_all(agreement: &Agreement) -> bool {
    agreement.ties.is_some_and(|ties| 100 * ties.tied >= 95 * ties.pairs)
}

/// A share in per cent; 100.0 only if it is all of them.
fn percent(part: usize, whole: usize) -> String {
    let share = 100.0 * part as f64 / whole as f64;
    let shown = if part < whole { share.min(99.9) } else { share };
    format!("{shown:.1}%")
}
