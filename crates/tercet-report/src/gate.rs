//! What a gate found: a table, JUnit's XML for servers that run builds, and the summary of a step of GitHub Actions.

use super::table::{Marks, Table};
use crate::scoring::{GateCheck, GateResult};
use tercet_text::visible;

/// A row for each check.
pub(super) fn table(gate: &GateResult, marks: &Marks) -> Table {
    let row = |check: &GateCheck| {
        let verdict = if check.passed { "passed" } else { "failed" };
        [verdict, &check.text].map(|text| (marks.escape)(text)).to_vec()
    };
    let caption = if gate.passed { "the gate passed" } else { "the gate failed" };
    Table {
        caption: Some(caption.to_owned()),
        header: ["gate", "found"].map(str::to_owned).to_vec(),
        rows: gate.checks.iter().map(row).collect(),
        numbers_from: 2,
    }
}

/// A test case for each check, in the XML that servers read from JUnit.
pub fn write_junit(gate: &GateResult) -> String {
    let counts = format!("tests=\"{}\" failures=\"{}\"", gate.checks.len(), gate.failures().count());
    let case = |check: &GateCheck| {
        let class = attribute(check.title.as_deref().unwrap_or("texts"));
        let name = match &check.system {
            Some(system) => attribute(&format!("{}: {system}", check.rule)),
            None => attribute(&check.text),
        };
        let start = format!("    <testcase classname=\"tercet.{class}\" name=\"{name}\"");
        match check.passed {
            true => format!("{start}/>\n"),
            false => {
                let message = attribute(&check.text);
                format!("{start}>\n      <failure type=\"gate\" message=\"{message}\"/>\n    </testcase>\n")
            }
        }
    };
    let cases: String = gate.checks.iter().map(case).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tercet\" {counts}>\n  \
         <testsuite name=\"gate\" {counts}>\n{cases}  </testsuite>\n</testsuites>\n"
    )
}

/// A text between quotes in XML, which has no control characters.
fn attribute(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A result in Markdown, with its gate, below a heading that has the verdict.
pub fn write_step_summary(gate: Option<&GateResult>, markdown: &str) -> String {
    let heading = match gate {
        Some(gate) if gate.passed => "Translation scores: the gate passed",
        Some(_) => "Translation scores: the gate failed",
        None => "Translation scores",
    };
    format!("### {heading}\n\n{markdown}\n")
}
