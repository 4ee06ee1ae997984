//! Suspicious lines, as `tercet check` prints them.
//!
//! Text, Markdown and LaTeX: a table of the lines, with line numbers and shortened lines, and one of their numbers by
//! kinds. JSON: `{segments, systems, summary, findings, failed}`; `summary` is an array of `{severity, kind, role,
//! text, lines, share, first}`, `findings` one of `{severity, kind, role, text, line, last, fits, reason, example}`.
//! JSON lines: the findings, one on each line, or with a summary only, that. TSV: the same with columns below a header.
//! CSV: the same.

use super::table::{Marks, PLAIN, Table};
use super::{Format, Terminal, latex, markdown, records, text};
use crate::scoring::{Checked, Finding, KindCount};
use tercet_base::Severity;
use tercet_text::shortened;

const FINDING: [&str; 9] = ["text", "line", "last", "severity", "kind", "reason", "fits", "example", "role"];
const COUNT: [&str; 7] = ["severity", "kind", "text", "lines", "share", "first", "role"];

/// Writes suspicious lines and their numbers; with `summary` the latter only.
pub fn write_check(checked: &Checked, format: Format, summary: bool, terminal: Terminal) -> String {
    match format {
        Format::Json => {
            let mut written = serde_json::to_string_pretty(checked).expect("findings have names and numbers");
            written.push('\n');
            written
        }
        Format::Jsonl | Format::Tsv | Format::Csv if summary => records::write(&checked.summary, &COUNT, format),
        Format::Jsonl | Format::Tsv | Format::Csv => records::write(&checked.findings, &FINDING, format),
        Format::Text => {
            let mut written = String::new();
            for table in tables(checked, summary, &PLAIN) {
                text::write_table(&terminal.fit(table), &mut written);
                written.push('\n');
            }
            written + &conclusion(checked)
        }
        Format::Markdown => with_tables(checked, summary, &markdown::MARKS, "", markdown::write_table),
        Format::Latex => with_tables(checked, summary, &latex::MARKS, "% ", latex::write_table),
    }
}

fn with_tables(
    checked: &Checked,
    summary: bool,
    marks: &Marks,
    comment: &str,
    write_table: fn(&Table, &mut String),
) -> String {
    let mut written = String::new();
    for table in tables(checked, summary, marks) {
        write_table(&table, &mut written);
        written.push('\n');
    }
    written + comment + &conclusion(checked)
}

/// The lines, unless only their numbers are wanted, and their numbers; nothing of what there is none.
fn tables(checked: &Checked, summary: bool, marks: &Marks) -> Vec<Table> {
    let lines = (!summary && !checked.findings.is_empty()).then(|| lines(&checked.findings, marks));
    let counts = (!checked.summary.is_empty()).then(|| counts(&checked.summary, marks));
    lines.into_iter().chain(counts).collect()
}

fn lines(findings: &[Finding], marks: &Marks) -> Table {
    const EXAMPLE: usize = 40;
    let row = |one: &Finding| {
        let line = if one.last > one.line { format!("{}–{}", one.line, one.last) } else { one.line.to_string() };
        let example = shortened(&one.example, EXAMPLE);
        let cells = [one.text.as_str(), &line, one.severity.name(), one.kind.name(), &one.reason, &example];
        cells.map(marks.escape).to_vec()
    };
    let header = ["text", "line", "severity", "kind", "reason", "example"].map(str::to_owned).to_vec();
    Table { caption: None, numbers_from: header.len(), header, rows: findings.iter().map(row).collect() }
}

fn counts(summary: &[KindCount], marks: &Marks) -> Table {
    let row = |one: &KindCount| {
        let names = [one.severity.name(), one.kind.name(), &one.text].map(marks.escape);
        let numbers =
            [one.lines.to_string(), (marks.escape)(&format!("{:.2}%", 100.0 * one.share)), one.first.to_string()];
        names.into_iter().chain(numbers).collect()
    };
    let header = ["severity", "kind", "text", "lines", "share", "first"].map(str::to_owned).to_vec();
    Table { caption: None, numbers_from: 3, header, rows: summary.iter().map(row).collect() }
}

/// How many suspicious lines there are, in one sentence.
fn conclusion(checked: &Checked) -> String {
    let systems = match checked.systems.len() {
        1 => "1 system".to_owned(),
        count => format!("{count} systems"),
    };
    let texts = format!("{} lines of {systems}", checked.segments);
    if checked.summary.is_empty() {
        return format!("{texts}: nothing suspicious\n");
    }
    let of = |severity| -> usize {
        checked.summary.iter().filter(|one| one.severity == severity).map(|one| one.lines).sum()
    };
    let [errors, warnings, notes] = [Severity::Error, Severity::Warning, Severity::Note].map(of);
    format!("{texts}: errors {errors}, warnings {warnings}, notes {notes}\n")
}
