//! The table of a benchmark and its raw numbers.

use super::machine;
use super::measure::Usage;
use super::rows::{Peer, Row};
use crate::step::root;
use anyhow::Result;
use serde_json::{Value, json};
use std::fs;

/// The quantity that a row's bar limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Column {
    Cpu,
    Wall,
}

impl Column {
    fn of(self, usage: &Usage) -> f64 {
        match self {
            Column::Cpu => usage.cpu,
            Column::Wall => usage.wall,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Column::Cpu => "CPU",
            Column::Wall => "wall",
        }
    }
}

/// Description of a benchmark.
pub struct About {
    /// The name of its files.
    pub file: &'static str,
    pub title: &'static str,
    /// What was measured.
    pub text: &'static str,
    /// Tools and their versions.
    pub tools: Vec<(&'static str, String)>,
}

/// A row with its runs.
pub struct Outcome {
    pub row: Row,
    pub theirs: Vec<Usage>,
    pub ours: Vec<Usage>,
    /// How the two outputs differ, if they do.
    pub disagreement: Option<String>,
}

impl Outcome {
    fn seconds(&self) -> (f64, f64) {
        let median_of = |runs: &[Usage]| median(runs.iter().map(|usage| self.row.column.of(usage)).collect());
        (median_of(&self.theirs), median_of(&self.ours))
    }

    fn peaks(&self) -> (f64, f64) {
        let peak = |runs: &[Usage]| runs.iter().map(|usage| usage.peak).fold(0.0, f64::max);
        (peak(&self.theirs), peak(&self.ours))
    }

    pub fn ratio(&self) -> f64 {
        let (theirs, ours) = self.seconds();
        theirs / ours
    }

    /// Whether the answers are equal and the bars for speed and memory are met.
    pub fn passes(&self) -> bool {
        let (theirs, ours) = self.peaks();
        self.disagreement.is_none()
            && self.ratio() >= self.row.bar
            && (ours * self.row.memory_bar < theirs || self.row.peer == Peer::Tercet)
    }

    /// A line of the table.
    pub fn line(&self) -> String {
        let ((theirs, ours), (their_peak, our_peak)) = (self.seconds(), self.peaks());
        format!(
            "| {} | {} | {theirs:.3} | {ours:.4} | {:.1}× | ≥ {}× | {their_peak:.0} | {our_peak:.0} | {} |",
            self.row.work,
            self.row.column.name(),
            self.ratio(),
            self.row.bar,
            match &self.disagreement {
                Some(_) => "**outputs differ**",
                None if self.passes() => "yes",
                None => "**no**",
            }
        )
    }

    fn to_json(&self) -> Value {
        let runs = |runs: &[Usage]| runs.iter().map(Usage::to_json).collect::<Vec<_>>();
        let ((theirs, ours), (their_peak, our_peak)) = (self.seconds(), self.peaks());
        json!({
            "work": self.row.work,
            "peer": format!("{:?}", self.row.peer).to_lowercase(),
            "seconds_are": self.row.column.name(),
            "theirs_s": theirs,
            "ours_s": ours,
            "ratio": self.ratio(),
            "bar": self.row.bar,
            "memory_bar": self.row.memory_bar,
            "theirs_peak_mib": their_peak,
            "ours_peak_mib": our_peak,
            "pass": self.passes(),
            "disagreement": self.disagreement,
            "their_command": without_folders(&self.row.theirs),
            "our_command": without_folders(&self.row.ours),
            "their_runs": runs(&self.theirs),
            "our_runs": runs(&self.ours),
        })
    }
}

pub const TABLE_HEAD: &str = "\
| work | seconds of | peer s | tercet s | ratio | bar | peer peak MiB | tercet peak MiB | pass |
|---|---|---:|---:|---:|---:|---:|---:|---|";

/// All results as JSON.
pub fn json(machine: &Value, outcomes: &[Outcome]) -> String {
    let rows: Vec<Value> = outcomes.iter().map(Outcome::to_json).collect();
    let text = serde_json::to_string_pretty(&json!({"machine": machine, "rows": rows}));
    text.expect("only strings for keys") + "\n"
}

/// The start of a page: what, when and where.
pub fn head(title: &str, machine: &Value) -> String {
    let mut page = format!("# {title}, {}\n\n", machine["date"].as_str().unwrap_or_default());
    for (key, value) in machine.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        page += &format!("- {}: {value}\n", key.replace('_', " "));
    }
    page
}

/// Writes a page and its raw numbers to today's folder of this machine.
pub fn write(file: &str, page: &str, json: &str) -> Result<()> {
    let name = format!("{}-{}", machine::date(), machine::slug(&machine::cpu()));
    let folder = root().join("benchsuite/runs").join(&name);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(file).with_extension("md"), page)?;
    fs::write(folder.join(file).with_extension("json"), json)?;
    println!("\nwrote benchsuite/runs/{name}/{file}.md and {file}.json");
    Ok(())
}

/// All results as a Markdown page.
pub fn markdown(about: &About, machine: &Value, outcomes: &[Outcome]) -> String {
    let mut page = head(about.title, machine);
    page += &format!("\n{} See `../../README.md`.\n\n", about.text);
    page += TABLE_HEAD;
    for outcome in outcomes {
        page += &format!("\n{}", outcome.line());
    }
    page +=
        "\n\n## All runs\n\nSeconds of CPU / of wall, peak MiB.\n\n| work | peer | tercet |\n|---|---|---|\n";
    let list = |runs: &[Usage]| {
        let each =
            runs.iter().map(|usage| format!("{:.3} / {:.3}, {:.0}", usage.cpu, usage.wall, usage.peak));
        each.collect::<Vec<_>>().join("; ")
    };
    for outcome in outcomes {
        page += &format!("| {} | {} | {} |\n", outcome.row.work, list(&outcome.theirs), list(&outcome.ours));
    }
    page
}

/// A command line with file names instead of paths.
fn without_folders(words: &[String]) -> String {
    let name = |part: &str| match part.split_once('=') {
        Some((key, path)) => format!("{key}={}", path.rsplit('/').next().unwrap_or(path)),
        None => part.rsplit('/').next().unwrap_or(part).to_owned(),
    };
    let names = words.iter().map(|word| word.split(',').map(name).collect::<Vec<_>>().join(","));
    names.collect::<Vec<_>>().join(" ")
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) { (values[middle - 1] + values[middle]) / 2.0 } else { values[middle] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn commands_are_recorded_without_folders() {
        let words = ["-m", "bleu", "/somewhere/de-en/ref"].map(str::to_owned);
        assert_eq!(without_folders(&words), "-m bleu ref");
        let words = ["meteor:norm=no,data=/some/where,paraphrase=/else/table.gz".to_owned()];
        assert_eq!(without_folders(&words), "meteor:norm=no,data=where,paraphrase=table.gz");
    }
}
