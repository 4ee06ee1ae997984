//! Challenge sets, as `tercet challenge` prints them.
//!
//! Text, Markdown and LaTeX: a table of all pairs, severities and categories, and one of kinds; a column for each
//! metric. The other formats have a row for each group and metric, with the fields of [`COLUMNS`]; JSON has the title
//! and the signature too.

use super::table::{Marks, PLAIN, Table, interval};
use super::{Format, Terminal, latex, markdown, records, text};
use crate::meta_evaluation::challenge::{ChallengeGroup, ChallengeMetric, ChallengeReport, ChallengeResult, GroupedBy};
use serde::Serialize;

const DECIMALS: usize = 3;

const COLUMNS: [&str; 13] =
    ["by", "kind", "severity", "metric", "n", "right", "ties", "wrong", "accuracy", "low", "high", "tau", "aces_score"];

/// Writes the results of a challenge set; `terminal` applies to text.
pub fn write_challenge(report: &ChallengeReport, format: Format, terminal: Terminal) -> String {
    let written = |marks: &Marks, write_table: &dyn Fn(&Table, &mut String)| {
        let one = |table: &Table| {
            let mut text = String::new();
            write_table(table, &mut text);
            text
        };
        challenge_tables(report, marks).iter().map(one).collect::<Vec<_>>().join("\n")
    };
    match format {
        Format::Text => written(&PLAIN, &|table, text| text::write_table(&terminal.fit(table.clone()), text)),
        Format::Markdown => written(&markdown::MARKS, &markdown::write_table),
        Format::Latex => written(&latex::MARKS, &latex::write_table),
        _ => records::write(&rows(report), &COLUMNS, format),
    }
}

/// A group and a metric.
#[derive(Serialize)]
struct Row<'r> {
    by: GroupedBy,
    kind: Option<&'r str>,
    severity: Option<&'r str>,
    metric: &'r str,
    title: &'r str,
    signature: &'r str,
    n: usize,
    #[serde(flatten)]
    result: ChallengeResult,
    /// In the row of all pairs.
    aces_score: Option<f64>,
}

fn rows(report: &ChallengeReport) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for (group, results) in report.groups.iter().zip(&report.results) {
        for (metric, result) in report.metrics.iter().zip(results) {
            rows.push(Row {
                by: group.by,
                kind: group.kind.as_deref(),
                severity: group.severity.as_deref(),
                metric: &metric.metric,
                title: &metric.title,
                signature: &metric.signature,
                n: group.n,
                result: *result,
                aces_score: metric.aces_score.filter(|_| group.by == GroupedBy::All),
            });
        }
    }
    rows
}

/// The name of a group in tables and plots.
pub(super) fn group_name(group: &ChallengeGroup) -> String {
    match (group.by, &group.kind, &group.severity) {
        (GroupedBy::KindAndSeverity, Some(kind), Some(severity)) => format!("{kind}, {severity}"),
        (GroupedBy::Severity, _, Some(severity)) => severity.clone(),
        (_, Some(kind), _) => kind.clone(),
        _ => "all pairs".to_owned(),
    }
}

/// All pairs, severities and categories; then kinds, if there are any.
pub(super) fn challenge_tables(report: &ChallengeReport, marks: &Marks) -> Vec<Table> {
    let is_kind = |group: &ChallengeGroup| matches!(group.by, GroupedBy::Kind | GroupedBy::KindAndSeverity);
    let mut tables = vec![table(report, "pairs", |group| !is_kind(group), marks)];
    if report.metrics.iter().any(|metric| metric.aces_score.is_some()) {
        let score = |metric: &ChallengeMetric| metric.aces_score.map_or("-".to_owned(), |score| format!("{score:.2}"));
        let mut row = vec!["ACES-Score".to_owned(), String::new()];
        row.extend(report.metrics.iter().map(score));
        tables[0].rows.push(row);
    }
    if report.groups.iter().any(is_kind) {
        tables.push(table(report, "kind", is_kind, marks));
    }
    tables
}

fn table(report: &ChallengeReport, what: &str, shown: impl Fn(&ChallengeGroup) -> bool, marks: &Marks) -> Table {
    let row = |(group, results): (&ChallengeGroup, &Vec<ChallengeResult>)| {
        let best = results.iter().map(|result| result.accuracy).fold(f64::NEG_INFINITY, f64::max);
        let cell = |result: &ChallengeResult| {
            let ChallengeResult { ties, accuracy, low, high, .. } = *result;
            let share = format!("{accuracy:.DECIMALS$}");
            let share = if accuracy == best && results.len() > 1 { (marks.best)(share) } else { share };
            let ties = match ties {
                0 => String::new(),
                1 => ", 1 tie".to_owned(),
                ties => format!(", {ties} ties"),
            };
            format!("{share}{}{ties}", interval(low, high, DECIMALS))
        };
        let mut row = vec![(marks.escape)(&group_name(group)), group.n.to_string()];
        row.extend(results.iter().map(cell));
        row
    };
    let shared = |title: &str| report.metrics.iter().filter(|metric| metric.title == title).count() > 1;
    let title =
        |metric: &ChallengeMetric| (marks.escape)(if shared(&metric.title) { &metric.metric } else { &metric.title });
    let groups = report.groups.iter().zip(&report.results).filter(|(group, _)| shown(group));
    Table {
        caption: Some(format!("Accuracy by {what}")),
        header: [what.to_owned(), "n".to_owned()].into_iter().chain(report.metrics.iter().map(title)).collect(),
        rows: groups.map(row).collect(),
        numbers_from: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> ChallengeReport {
        let group = |by, kind: Option<&str>, severity: Option<&str>, n| ChallengeGroup {
            by,
            kind: kind.map(str::to_owned),
            severity: severity.map(str::to_owned),
            n,
        };
        let result =
            |right, ties| ChallengeResult { right, ties, wrong: 0, accuracy: 0.5, low: 0.25, high: 0.75, tau: 0.0 };
        ChallengeReport {
            metrics: vec![ChallengeMetric {
                metric: "chrf".to_owned(),
                title: "chrF".to_owned(),
                signature: "chrf|v".to_owned(),
                aces_score: Some(-1.5),
            }],
            groups: vec![
                group(GroupedBy::All, None, None, 4),
                group(GroupedBy::Severity, None, Some("minor"), 2),
                group(GroupedBy::Kind, Some("a_b"), None, 4),
                group(GroupedBy::KindAndSeverity, Some("a_b"), Some("minor"), 2),
            ],
            results: vec![vec![result(2, 2)], vec![result(1, 1)], vec![result(2, 2)], vec![result(1, 0)]],
            ..ChallengeReport::default()
        }
    }

    #[test]
    fn every_format_has_groups_and_metrics() {
        let written = |format| write_challenge(&report(), format, Terminal::default());
        let text = written(Format::Text);
        assert!(text.contains("all pairs   4  0.500 [0.250, 0.750], 2 ties"), "{text}");
        assert!(text.contains("ACES-Score") && text.contains("-1.50") && text.contains("a_b, minor"), "{text}");
        assert!(written(Format::Latex).contains("a\\_b"));
        assert!(written(Format::Json).contains("\"by\": \"kind and severity\""));
        let tsv = written(Format::Tsv);
        assert_eq!(
            tsv.lines().nth(2).unwrap().split('\t').take(8).collect::<Vec<_>>(),
            ["severity", "", "minor", "chrf", "2", "1", "1", "0"]
        );
    }
}
