//! `cargo xtask bench encoders`: sentence vectors of a transformer compared with sentence-transformers.
//!
//! Both sides are small programs that read the same folder and the same lines, time the encoding alone on one thread, and write
//! the vectors: `crates/tercet-transformer/examples/encoding.rs` and `pytorch.py` here.

use super::machine::{self, said_by, version_of};
use super::measure::said;
use super::pairwise::table::{self, Bar, Measured, Seconds};
use super::peers::{self, SENTENCE_TRANSFORMERS};
use super::record;
use super::rows::Texts;
use super::runs::{RunsArgs, SLOW_OR_OTHER, check_bars, in_scratch};
use super::suite;
use crate::golden::shared;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub struct EncodersArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// The folder of a model: config.json, tokenizer, weights
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
    /// Show the table and record nothing
    #[arg(long)]
    dry_run: bool,
}

/// Lines that are encoded.
const LINES: usize = 2000;

/// A row: what is encoded how, its bar, and how close vectors must be.
struct Row {
    name: &'static str,
    precision: &'static str,
    bar: Bar,
    compare: fn(&[f32], &[f32], usize) -> Option<String>,
}

const ROWS: [Row; 2] = [
    Row {
        name: "2,000 sentences in single precision",
        precision: "single",
        bar: Bar::Ratio(1.0),
        compare: largest_difference,
    },
    Row {
        name: "2,000 sentences with 8-bit weights",
        precision: "int8",
        bar: Bar::Ratio(2.0),
        compare: mean_cosine,
    },
];

pub fn run(args: &EncodersArgs) -> Result<()> {
    let (machine, rows) = in_scratch(|scratch| measure_all(args, scratch))?;
    if args.runs.only.is_none() && !args.dry_run {
        write(args, &machine, &rows)?;
    }
    check_bars(SLOW_OR_OTHER, rows.iter().filter(|row| !row.passes()).map(|row| row.name))
}

fn measure_all(args: &EncodersArgs, scratch: &Path) -> Result<(Value, Vec<Measured>)> {
    let encoding = "build --release -p tercet-transformer --example encoding";
    let encoding = suite::release_build(encoding, "examples/encoding")?;
    let python = peers::python_with(&SENTENCE_TRANSFORMERS, args.runs.keep_venv.as_deref())?;
    let (lines, script) = (scratch.join("lines"), scratch.join("pytorch.py"));
    let text = fs::read_to_string(Texts::wmt17(&shared()?)?.reference)?;
    fs::write(&lines, text.lines().take(LINES).map(|line| format!("{line}\n")).collect::<String>())?;
    fs::write(&script, include_str!("pytorch.py"))?;
    let wanted = |row: &&Row| args.runs.only.as_deref().is_none_or(|only| row.name.contains(only));
    let mut rows = Vec::new();
    println!("{}", table::HEAD);
    for row in ROWS.iter().filter(wanted) {
        let [theirs, ours] = ["theirs", "ours"].map(|name| scratch.join(name));
        let mut their_command = Command::new(&python);
        their_command.arg(&script).arg(&args.model).arg(&lines).arg(&theirs);
        let mut our_command = Command::new(&encoding);
        our_command.arg(&args.model).arg(&lines).arg(row.precision).arg(&ours);
        let mut measured = in_turns(row, args.runs.runs, &mut their_command, &mut our_command)?;
        measured.disagreement = (row.compare)(&numbers(&theirs)?, &numbers(&ours)?, LINES);
        println!("{}", measured.line());
        rows.push(measured);
    }
    if rows.is_empty() {
        bail!("no row's name contains `{}`", args.runs.only.as_deref().unwrap_or_default());
    }
    let tools = [
        ("python", said_by(&python, &["--version"])),
        ("pytorch", version_of(&python, "torch")),
        ("sentence-transformers", version_of(&python, SENTENCE_TRANSFORMERS.name)),
    ];
    Ok((machine::describe(&tools), rows))
}

/// PyTorch, tercet, PyTorch, tercet, …
fn in_turns(row: &Row, runs: u32, theirs: &mut Command, ours: &mut Command) -> Result<Measured> {
    let mut measured = Measured {
        name: row.name,
        bar: row.bar,
        scaled: false,
        way: String::new(),
        theirs: Vec::new(),
        ours: Vec::new(),
        disagreement: None,
    };
    for _ in 0..runs {
        let (their_seconds, our_seconds) = (said(theirs, 1)?, said(ours, 1)?);
        measured.way = their_seconds["way"].as_str().unwrap_or_default().to_owned();
        measured.theirs.push(Seconds::said(&their_seconds, 1.0)?);
        measured.ours.push(Seconds::said(&our_seconds, 1.0)?);
    }
    Ok(measured)
}

fn numbers(path: &Path) -> Result<Vec<f32>> {
    let bytes = fs::read(path).with_context(|| format!("no vectors in {}", path.display()))?;
    Ok(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
}

/// Vectors of length 1, or not, whose numbers differ by more than 1e-5.
fn largest_difference(theirs: &[f32], ours: &[f32], _lines: usize) -> Option<String> {
    if theirs.len() != ours.len() {
        return Some(format!("{} numbers, not {}", ours.len(), theirs.len()));
    }
    let largest = theirs.iter().zip(ours).map(|(a, b)| (a - b).abs()).fold(0.0f32, f32::max);
    (largest > 1e-5).then(|| format!("a number differs by {largest:e}"))
}

/// Vectors whose mean cosine is below .999.
fn mean_cosine(theirs: &[f32], ours: &[f32], lines: usize) -> Option<String> {
    if theirs.len() != ours.len() || theirs.is_empty() {
        return Some(format!("{} numbers, not {}", ours.len(), theirs.len()));
    }
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let width = theirs.len() / lines;
    let rows = theirs.chunks_exact(width).zip(ours.chunks_exact(width));
    let mean = rows.map(|(a, b)| dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).sum::<f64>() / lines as f64;
    (mean < 0.999).then(|| format!("the mean cosine is {mean:.4}"))
}

const ABOUT: &str = "\
Seconds of the encoding alone, tokenization included, reading of the model not; one thread, in turns, medians. The same vectors: \
in single precision no number differs by more than 1e-5, with 8-bit weights the mean cosine is at least .999. See `../../README.md`.";

fn write(args: &EncodersArgs, machine: &Value, rows: &[Measured]) -> Result<()> {
    let lines: Vec<String> = rows.iter().map(Measured::line).collect();
    let model = args.model.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut page = record::head("Encoders", machine);
    page += &format!("\n{ABOUT}\n\nModel: {model}. PyTorch: {}.\n", rows[0].way);
    page += &format!("\n{}\n{}\n", table::HEAD, lines.join("\n"));
    let rows: Vec<Value> = rows.iter().map(Measured::to_json).collect();
    let json = json!({ "machine": machine, "model": model, "rows": rows });
    record::write("encoders", &page, &(serde_json::to_string_pretty(&json)? + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_compared_by_difference_or_by_cosine() {
        let (theirs, near, other) = ([1.0, 0.0, 0.0, 2.0], [1.0, 0.000_001, 0.0, 2.0], [0.9, 0.1, 0.0, 2.0]);
        assert_eq!(largest_difference(&theirs, &near, 2), None);
        assert!(largest_difference(&theirs, &other, 2).unwrap().starts_with("a number differs by"));
        assert_eq!(mean_cosine(&theirs, &near, 2), None);
        assert_eq!(mean_cosine(&theirs, &other, 2).unwrap(), "the mean cosine is 0.9969");
        assert_eq!(mean_cosine(&theirs, &[], 2).unwrap(), "0 numbers, not 4");
    }
}
