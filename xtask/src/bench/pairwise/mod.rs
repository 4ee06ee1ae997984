//! `cargo xtask bench pairwise`: training and scoring of the pairwise network compared with PyTorch, and memory of word vectors.
//!
//! Only the work is timed, without starting a process and reading. Both sides are small programs that read the same file of
//! pairs and first weights and print seconds and values: `crates/tercet-learn/examples/timing` and `pytorch.py` here.

mod memory;
pub mod table;

use super::machine::{self, said_by, version_of};
use super::measure::said;
use super::peers::{self, TORCH};
use super::suite;
use crate::bench::runs::{RunsArgs, SLOW_OR_OTHER, check_bars, in_scratch};
use anyhow::{Context, Result, bail};
use memory::Memory;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use table::{Bar, Measured, Seconds};

#[derive(clap::Args)]
pub struct PairwiseArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// Show the table and record nothing
    #[arg(long)]
    dry_run: bool,
}

/// One row: work on a file of pairs.
struct Row {
    name: &'static str,
    /// The first argument of both programs.
    work: &'static str,
    /// `pairs` or `lists`.
    file: &'static str,
    /// Repetitions within a run, by the peer and by tercet.
    times: [u32; 2],
    /// The factor from one repetition to the work of the row.
    scale: f64,
    /// Whether seconds are extrapolated by that factor.
    scaled: bool,
    bar: Bar,
}

const PAIRS: u32 = 40_000;
/// Pairs of lists that are timed, of 40,000.
const LISTS: u32 = 2_000;

const ROWS: &[Row] = &[
    Row {
        name: "epoch of 40,000 pairs, 3 × 75 dimensions and 2 × 4 skip features, H = 4, batches of 30, AdaGrad",
        work: "epoch",
        file: "pairs",
        times: [2, 20],
        scale: 1.0,
        scaled: false,
        bar: Bar::Ratio(20.0),
    },
    Row {
        name: "scoring of 1,000,000 pairs from ready features, the same network; PyTorch in batches of 4,096",
        work: "score",
        file: "pairs",
        times: [25, 25],
        scale: 1e6 / PAIRS as f64,
        scaled: false,
        bar: Bar::CpuSeconds(1.0),
    },
    Row {
        name: "epoch of 40,000 pairs of lists of 15 to 35 words, bidirectional LSTM of 50 units each way, 10,000 × 50 \
               embedding learned, batches of 30, AdaGrad",
        work: "epoch",
        file: "lists",
        times: [1, 1],
        scale: PAIRS as f64 / LISTS as f64,
        scaled: true,
        bar: Bar::Ratio(1.0),
    },
];

struct Programs {
    python: PathBuf,
    script: PathBuf,
    timing: PathBuf,
    vectors: PathBuf,
}

pub fn run(args: &PairwiseArgs) -> Result<()> {
    let timing = suite::release_build("build --release -p tercet-learn --example timing", "examples/timing")?;
    let vectors = suite::release_build("build --release -p tercet --example vectors", "examples/vectors")?;
    let python = peers::python_with(&TORCH, args.runs.keep_venv.as_deref())?;
    let (machine, rows, memory) = in_scratch(|scratch| {
        let programs = Programs { python, script: scratch.join("pytorch.py"), timing, vectors };
        measure_all(args, &programs, scratch)
    })?;
    if args.runs.only.is_none() && !args.dry_run {
        table::write(&machine, &rows, &memory)?;
    }
    let slow = rows.iter().filter(|row| !row.passes()).map(|row| row.name);
    let large = memory.iter().filter(|memory| !memory.passes()).map(Memory::name);
    check_bars(SLOW_OR_OTHER, slow.chain(large))
}

fn measure_all(
    args: &PairwiseArgs,
    programs: &Programs,
    scratch: &Path,
) -> Result<(Value, Vec<Measured>, Vec<Memory>)> {
    fs::write(&programs.script, include_str!("pytorch.py"))?;
    for (file, pairs) in [("pairs", PAIRS), ("lists", LISTS)] {
        let mut make = Command::new(&programs.timing);
        make.args(["make", file]).arg(scratch.join(file)).arg(pairs.to_string());
        let status = make.status()?;
        if !status.success() {
            bail!("examples/timing could not make its {file} ({status})");
        }
    }
    let machine = machine::describe(&[
        ("python", said_by(&programs.python, &["--version"])),
        ("pytorch", version_of(&programs.python, "torch")),
    ]);
    let wanted = |name: &str| args.runs.only.as_deref().is_none_or(|only| name.contains(only));
    let (mut rows, mut memory) = (Vec::new(), Vec::new());
    println!("{}", table::HEAD);
    for row in ROWS.iter().filter(|row| wanted(row.name)) {
        let measured = measure(row, args.runs.runs, programs, scratch).context(row.name)?;
        println!("{}", measured.line());
        rows.push(measured);
    }
    if wanted("memory") {
        memory = memory::measure_all(&programs.vectors, scratch)?;
        println!("\n{}", memory::HEAD);
        memory.iter().for_each(|memory| println!("{}", memory.line()));
    }
    if rows.is_empty() && memory.is_empty() {
        bail!("no row's name contains `{}`", args.runs.only.as_deref().unwrap_or_default());
    }
    Ok((machine, rows, memory))
}

/// PyTorch, tercet, PyTorch, tercet, …; the values of the first pair are compared.
fn measure(row: &Row, runs: u32, programs: &Programs, scratch: &Path) -> Result<Measured> {
    let file = scratch.join(row.file);
    let run =
        |command: &mut Command, times: u32| said(command.arg(row.work).arg(&file).arg(times.to_string()), 1);
    let mut measured = Measured {
        name: row.name,
        bar: row.bar,
        scaled: row.scaled,
        way: String::new(),
        theirs: Vec::new(),
        ours: Vec::new(),
        disagreement: None,
    };
    for _ in 0..runs {
        let theirs = run(Command::new(&programs.python).arg(&programs.script), row.times[0])?;
        let ours = run(&mut Command::new(&programs.timing), row.times[1])?;
        if measured.theirs.is_empty() {
            measured.disagreement = table::disagreement(&theirs["values"], &ours["values"]);
            measured.way = theirs["way"].as_str().unwrap_or_default().to_owned();
        }
        measured.theirs.push(Seconds::said(&theirs, row.scale)?);
        measured.ours.push(Seconds::said(&ours, row.scale)?);
    }
    Ok(measured)
}
