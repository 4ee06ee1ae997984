//! `cargo xtask bench siamese`: the metric `siamese` compared with the same model in PyTorch, ONNX Runtime and CTranslate2.
//!
//! Both sides are small programs that score the same lines on one thread and time the scoring alone:
//! `crates/tercet/examples/siamese_scoring.rs` with the embedded model of 8-bit weights, and `peers.py` here with the same weights as
//! floats, or with the model in single precision that it was made from.

mod agreement;

use super::machine::{self, said_by, version_of};
use super::measure::said;
use super::pairwise::table::{self, Bar, Measured, Seconds};
use super::peers::{self, CTRANSLATE2, ONNX, ONNXRUNTIME, Package, SENTENCE_TRANSFORMERS};
use super::record;
use super::rows::Texts;
use super::runs::{RunsArgs, SLOW_OR_OTHER, check_bars, in_scratch};
use super::suite;
use crate::golden::shared;
use crate::step::root;
use agreement::Agreement;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub struct SiameseArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// The embedded model in single precision, as training/siamese/export.py wrote it [default: its 8-bit weights as floats]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Segments that are scored
    #[arg(long, value_name = "N", default_value_t = 500)]
    segments: usize,
    /// Show the table and record nothing
    #[arg(long)]
    dry_run: bool,
}

/// A row: what tercet is compared with, by how much it must be faster, and how close the scores must be.
struct Row {
    name: &'static str,
    kind: &'static str,
    packages: &'static [Package],
    bar: f64,
    agreement: Agreement,
}

/// Peers that also have 8-bit activations differ more: their scores only have to be of the same model.
const ROWS: [Row; 4] = [
    Row {
        name: "PyTorch in single precision",
        kind: "torch",
        packages: &[],
        bar: 3.0,
        agreement: Agreement::Scores { correlation: 0.999, difference: 0.05 },
    },
    Row {
        name: "PyTorch with dynamic 8-bit weights",
        kind: "torch-int8",
        packages: &[],
        bar: 1.0,
        agreement: Agreement::Scores { correlation: 0.9, difference: 1.0 },
    },
    Row {
        name: "ONNX Runtime with dynamic 8-bit weights",
        kind: "onnxruntime-int8",
        packages: &[ONNX, ONNXRUNTIME],
        bar: 1.0,
        agreement: Agreement::Scores { correlation: 0.9, difference: 1.0 },
    },
    Row {
        name: "CTranslate2 with 8-bit weights: its encoder alone",
        kind: "ctranslate2-int8",
        packages: &[CTRANSLATE2],
        bar: 1.0,
        agreement: Agreement::Cosines(0.98),
    },
];

/// A row's outcome: its runs and how close the scores are, or why there are none.
struct Outcome {
    name: &'static str,
    measured: Result<(Measured, String), String>,
}

impl Outcome {
    fn line(&self) -> String {
        match &self.measured {
            Ok((measured, _)) => measured.line(),
            Err(reason) => format!("| {} | not measured: {reason} | | | | | | | |", self.name),
        }
    }

    fn way(&self) -> Option<String> {
        let (measured, closeness) = self.measured.as_ref().ok()?;
        Some(format!("- {}: {}. {closeness}.", self.name, measured.way))
    }

    fn to_json(&self) -> Value {
        match &self.measured {
            Ok((measured, closeness)) => {
                let mut row = measured.to_json();
                row["closeness"] = closeness.as_str().into();
                row
            }
            Err(reason) => json!({ "work": self.name, "not_measured": reason }),
        }
    }
}

pub fn run(args: &SiameseArgs) -> Result<()> {
    let (machine, outcomes) = in_scratch(|scratch| measure_all(args, scratch))?;
    if args.runs.only.is_none() && !args.dry_run {
        write(args, &machine, &outcomes)?;
    }
    let measured = outcomes.iter().filter_map(|outcome| outcome.measured.as_ref().ok());
    check_bars(SLOW_OR_OTHER, measured.filter(|(row, _)| !row.passes()).map(|(row, _)| row.name))
}

/// Where the programs and their inputs are.
struct Files<'a> {
    scoring: PathBuf,
    python: PathBuf,
    script: PathBuf,
    model: PathBuf,
    reference: PathBuf,
    hypothesis: PathBuf,
    scratch: &'a Path,
}

fn measure_all(args: &SiameseArgs, scratch: &Path) -> Result<(Value, Vec<Outcome>)> {
    let scoring = "build --release -p tercet --example siamese_scoring";
    let texts = Texts::wmt17(&shared()?)?;
    let system = texts.systems.first().context("WMT17 has no systems")?;
    let files = Files {
        scoring: suite::release_build(scoring, "examples/siamese_scoring")?,
        python: peers::python_with(&SENTENCE_TRANSFORMERS, args.runs.keep_venv.as_deref())?,
        script: scratch.join("peers.py"),
        model: model(args)?,
        reference: first_lines(&texts.reference, args.segments, &scratch.join("reference"))?,
        hypothesis: first_lines(system, args.segments, &scratch.join("hypothesis"))?,
        scratch,
    };
    fs::write(&files.script, include_str!("peers.py"))?;
    let wanted = |row: &&Row| args.runs.only.as_deref().is_none_or(|only| row.name.contains(only));
    let mut outcomes = Vec::new();
    println!("{}", head());
    for row in ROWS.iter().filter(wanted) {
        let outcome = Outcome { name: row.name, measured: measure_row(row, args.runs.runs, &files)? };
        println!("{}", outcome.line());
        outcomes.push(outcome);
    }
    if outcomes.is_empty() {
        bail!("no row's name contains `{}`", args.runs.only.as_deref().unwrap_or_default());
    }
    let python = &files.python;
    let mut tools = vec![("python", said_by(python, &["--version"]))];
    let packages = ["torch", "transformers", ONNXRUNTIME.name, CTRANSLATE2.name];
    tools.extend(packages.map(|package| (package, version_of(python, package))));
    Ok((machine::describe(&tools), outcomes))
}

/// The model of the other tools: the file that was given, or the folder of the embedded one.
fn model(args: &SiameseArgs) -> Result<PathBuf> {
    let model = args.model.clone().unwrap_or_else(|| root().join("models"));
    model.canonicalize().with_context(|| model.display().to_string())
}

/// Copies the lines that are scored.
fn first_lines(from: &Path, count: usize, to: &Path) -> Result<PathBuf> {
    let text = fs::read_to_string(from)?;
    fs::write(to, text.lines().take(count).map(|line| format!("{line}\n")).collect::<String>())?;
    Ok(to.to_owned())
}

/// The runs of a row, or why a package of its peer cannot be installed.
fn measure_row(row: &Row, runs: u32, files: &Files<'_>) -> Result<Result<(Measured, String), String>> {
    let environment = files.python.parent().and_then(Path::parent);
    for package in row.packages {
        if let Err(error) = peers::python_with(package, environment) {
            return Ok(Err(format!("{} {} does not install ({error})", package.name, package.version)));
        }
    }
    in_turns(row, runs, files).context(row.name).map(Ok)
}

/// Peer, tercet, peer, tercet, …
fn in_turns(row: &Row, runs: u32, files: &Files<'_>) -> Result<(Measured, String)> {
    let [theirs, ours] = ["theirs", "ours"].map(|name| files.scratch.join(name));
    let mut measured = Measured {
        name: row.name,
        bar: Bar::Ratio(row.bar),
        scaled: false,
        way: String::new(),
        theirs: Vec::new(),
        ours: Vec::new(),
        disagreement: None,
    };
    let texts = [&files.reference, &files.hypothesis];
    let mut their_command = Command::new(&files.python);
    their_command.arg(&files.script).arg(row.kind).arg(&files.model).args(texts).arg(&theirs);
    let mut our_command = Command::new(&files.scoring);
    our_command.args(texts).arg(&ours);
    for _ in 0..runs {
        let (their_seconds, our_seconds) = (said(&mut their_command, 1)?, said(&mut our_command, 1)?);
        measured.way = their_seconds["way"].as_str().unwrap_or_default().to_owned();
        measured.theirs.push(Seconds::said(&their_seconds, 1.0)?);
        measured.ours.push(Seconds::said(&our_seconds, 1.0)?);
    }
    let (closeness, disagreement) = row.agreement.check(&numbers(&theirs)?, &numbers(&ours)?);
    measured.disagreement = disagreement.then(|| closeness.clone());
    Ok((measured, closeness))
}

fn numbers(path: &Path) -> Result<Vec<f64>> {
    let text = fs::read_to_string(path).with_context(|| format!("no scores in {}", path.display()))?;
    text.lines().map(|line| line.parse().with_context(|| format!("`{line}` is no score"))).collect()
}

fn head() -> String {
    table::HEAD.replace("PyTorch", "peer")
}

const ABOUT: &str = "\
Seconds of the scoring alone, tokenization, matching and head included, reading of the model not; one thread, in turns, medians. \
Segments of WMT17 German–English with one reference, each distinct line encoded once. tercet has the embedded model \
of 8-bit weights, the others the same model in the precision that the row says. CTranslate2 returns the last layer only, so its \
seconds are of less work than tercet's. See `../../README.md`.";

fn write(args: &SiameseArgs, machine: &Value, outcomes: &[Outcome]) -> Result<()> {
    let lines: Vec<String> = outcomes.iter().map(Outcome::line).collect();
    let ways: Vec<String> = outcomes.iter().filter_map(Outcome::way).collect();
    let model = match args.model.as_deref().and_then(Path::file_name) {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "the embedded one, its 8-bit weights as floats".to_owned(),
    };
    let mut page = record::head("Siamese", machine);
    page += &format!(
        "\n{ABOUT}\n\nModel: {model}. Segments: {}.\n\n{}\n{}\n",
        args.segments,
        head(),
        lines.join("\n")
    );
    page += &format!("\n{}\n", ways.join("\n"));
    let rows: Vec<Value> = outcomes.iter().map(Outcome::to_json).collect();
    let json = json!({ "machine": machine, "model": model, "segments": args.segments, "rows": rows });
    record::write("siamese", &page, &(serde_json::to_string_pretty(&json)? + "\n"))
}
