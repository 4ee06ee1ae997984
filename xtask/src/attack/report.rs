//! What was found: a table by command and reader, and a folder for each finding with the files that cause it.

use super::files::{Content, write_file};
use super::input::Input;
use super::process::Outcome;
use crate::step::fresh;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// How many inputs of one finding are written.
const EXAMPLES: usize = 3;

#[derive(Default)]
struct Row {
    inputs: u64,
    accepted: u64,
    refused: u64,
    findings: u64,
    slowest: Duration,
}

/// Counts and findings so far.
pub struct Report {
    folder: PathBuf,
    rows: BTreeMap<String, Row>,
    /// By case and finding: how often, and the first input.
    findings: BTreeMap<(String, String), (usize, u64)>,
}

impl Report {
    /// A report whose findings go to this folder, which is made anew.
    pub fn new(folder: PathBuf) -> Result<Self> {
        fresh(&folder)?;
        Ok(Report { folder, rows: BTreeMap::new(), findings: BTreeMap::new() })
    }

    /// Number of findings.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Adds one run.
    pub fn add(&mut self, number: u64, input: &Input, outcome: &Outcome, found: &[String]) -> Result<()> {
        let row = self.rows.entry(input.case.name()).or_default();
        row.inputs += 1;
        row.accepted += u64::from(outcome.code == Some(0));
        row.refused += u64::from(matches!(outcome.code, Some(1 | 2)));
        row.findings += u64::from(!found.is_empty());
        row.slowest = row.slowest.max(outcome.time);
        for finding in found {
            let entry = self.findings.entry((input.case.name(), finding.clone())).or_insert((0, number));
            entry.0 += 1;
            if entry.0 == 1 {
                println!("input {number} ({}): {finding}", input.case.name());
            }
            if entry.0 <= EXAMPLES {
                self.write(number, input, outcome, finding)?;
            }
        }
        Ok(())
    }

    fn write(&self, number: u64, input: &Input, outcome: &Outcome, finding: &str) -> Result<()> {
        let folder = self.folder.join(number.to_string());
        for (name, content) in &input.files {
            if let Content::Bytes(bytes) | Content::Fifo(bytes) | Content::Unreadable(bytes) = content {
                write_file(&folder.join("files"), name, bytes)?;
            }
        }
        let text = format!("{finding}\n{}\n{}\n", input.shown(), input.changes.join("\n"));
        write_file(&folder, "finding.txt", text.as_bytes())?;
        write_file(&folder, "stderr", &outcome.stderr)
    }

    /// Prints the table and the findings.
    pub fn print(&self, repeat: &str) {
        println!(
            "{:<48} {:>8} {:>9} {:>8} {:>9} {:>10}",
            "command: reader", "inputs", "accepted", "refused", "findings", "slowest"
        );
        for (name, row) in &self.rows {
            let slowest = format!("{:.2} s", row.slowest.as_secs_f64());
            println!(
                "{name:<48} {:>8} {:>9} {:>8} {:>9} {slowest:>10}",
                row.inputs, row.accepted, row.refused, row.findings
            );
        }
        let total = |count: fn(&Row) -> u64| self.rows.values().map(count).sum::<u64>();
        println!(
            "{:<48} {:>8} {:>9} {:>8} {:>9}\n",
            "all",
            total(|row| row.inputs),
            total(|row| row.accepted),
            total(|row| row.refused),
            total(|row| row.findings)
        );
        for ((case, finding), (times, first)) in &self.findings {
            println!("{times:>6} × {case}: {finding}\n         {repeat} --from {first} --inputs 1");
        }
        if !self.findings.is_empty() {
            println!("\nfiles: {}", self.folder.display());
        }
    }
}
