//! The report as tables, for Markdown and LaTeX.

use super::{ComparisonContents, gate, letter};
use crate::marked_text::{explained, joined, unmarked};
use crate::scoring::{Corpus, Side, SystemComparison};
use crate::table::{Marks, Table};

pub(super) fn tables(
    compared: &SystemComparison,
    corpus: &Corpus<'_>,
    shown: ComparisonContents,
    marks: &Marks,
) -> Vec<Table> {
    let mut tables = vec![overall(compared, shown, marks)];
    for side in [Side::A, Side::B] {
        let segments = compared.clearest(side, shown.top);
        if !segments.is_empty() {
            tables.push(examples(compared, corpus, shown, marks, (side, &segments)));
        }
    }
    tables.extend(compared.gate.as_ref().map(|found| gate::table(found, marks)));
    tables
}

/// A row for each system with its own probabilities and wins.
fn overall(compared: &SystemComparison, shown: ComparisonContents, marks: &Marks) -> Table {
    let decimals = shown.decimals;
    let row = |side: Side| {
        let own = |p: f64| if side == Side::A { p } else { 1.0 - p };
        let wins = if side == Side::A { compared.wins } else { compared.losses };
        let ends = [own(compared.interval.low), own(compared.interval.high)];
        let mut mean = format!("{:.decimals$}", own(compared.mean));
        if compared.clear_leader() == Some(side) {
            mean = (marks.best)(mean);
        }
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let name = &compared.systems[usize::from(side == Side::B)];
        vec![
            format!("{}: {}", letter(side), (marks.escape)(name)),
            mean,
            format!("{low:.decimals$}–{high:.decimals$}"),
            wins.to_string(),
            compared.undecided.to_string(),
            format!("{:.4}", compared.p_value),
        ]
    };
    let header = ["system", "preferred", "95% interval", "wins", "undecided", "p"];
    Table {
        caption: None,
        header: header.map(|name| (marks.escape)(name)).to_vec(),
        rows: vec![row(Side::A), row(Side::B)],
        numbers_from: 1,
    }
}

fn examples(
    compared: &SystemComparison,
    corpus: &Corpus<'_>,
    shown: ComparisonContents,
    marks: &Marks,
    (side, segments): (Side, &[usize]),
) -> Table {
    let decimals = shown.decimals;
    let plain = |text: &str| (marks.escape)(&joined(&unmarked(text)));
    let row = |&segment: &usize| {
        let mut row = vec![(segment + 1).to_string(), format!("{:.decimals$}", compared.probabilities[segment])];
        let lines = corpus.systems().iter().map(|system| system.hypotheses[segment]);
        let references = &corpus.references()[segment];
        if let Some(explanations) = compared.explanations.get(&segment) {
            let shown = |line: &str, words| (marks.escape)(&joined(&explained(line, words)));
            let both = lines.zip(explanations);
            row.extend(both.map(|(line, explanation)| shown(line, &explanation.hypothesis_words)));
            row.extend(explanations.iter().map(|found| shown(references[found.reference], &found.reference_words)));
            return row;
        }
        row.extend(lines.map(plain));
        row.push(match (references.is_empty(), corpus.sources()) {
            (true, Some(sources)) => plain(sources[segment]),
            _ => references.iter().map(|reference| plain(reference)).collect::<Vec<_>>().join(" / "),
        });
        row
    };
    let header: &[&str] = if !corpus.has_references() {
        &["segment", "p(A better)", "A", "B", "source"]
    } else if compared.explanations.is_empty() {
        &["segment", "p(A better)", "A", "B", "reference"]
    } else {
        &["segment", "p(A better)", "A", "B", "reference of A", "reference of B"]
    };
    Table {
        caption: Some(format!("Where {} is most clearly better", letter(side))),
        header: header.iter().map(|name| (*name).to_owned()).collect(),
        rows: segments.iter().map(row).collect(),
        numbers_from: header.len(),
    }
}
