//! `cargo xtask bench reval`: training of the network of ReVal compared with PyTorch, and scoring with the command.
//!
//! Of training only the work is timed, without starting a process and reading. Both sides are small programs that read the
//! same file of pairs, trees and first weights and print seconds and values: `crates/tercet-learn/examples/similarity.rs` and
//! `pytorch.py` here. Scoring is `tercet score`, with all that it does: loading the model, tokens, trees.

pub mod alone;

use super::machine::{self, said_by, version_of};
use super::measure::{measure, said};
use super::pairwise::table::{self, Bar, Measured, Seconds};
use super::peers::{self, TORCH};
use super::record;
use super::rows::{Texts, score};
use super::runs::{RunsArgs, SLOW_OR_OTHER, check_bars, in_scratch};
use super::suite;
use crate::golden::shared;
use alone::{Alone, Limit};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub struct RevalArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// The metric that scores
    #[arg(long, value_name = "METRIC", default_value = "reval")]
    metric: String,
    /// Show the tables and record nothing
    #[arg(long)]
    dry_run: bool,
}

/// Pairs of an epoch.
const PAIRS: u32 = 14_000;
/// Pairs that PyTorch is timed on.
const SAMPLE: u32 = 400;

const BESIDE_PYTORCH: &str = "epoch of 14,000 pairs of sentences of 12 to 32 words, child-sum Tree-LSTM(50, 150), word \
                              vectors of 50 dimensions, batches of 25, AdaGrad";
const ON_TWO_THREADS: &str = "epoch of 14,000 pairs, two threads";

/// All that was measured.
struct Results {
    machine: Value,
    beside: Vec<Measured>,
    alone: Vec<Alone>,
}

pub fn run(args: &RevalArgs) -> Result<()> {
    let results = in_scratch(|scratch| measure_all(args, scratch))?;
    if args.runs.only.is_none() && !args.dry_run {
        write(&results)?;
    }
    let slow = results.beside.iter().filter(|row| !row.passes()).map(|row| row.name);
    let alone = results.alone.iter().filter(|row| !row.passes()).map(|row| row.name.as_str());
    check_bars(SLOW_OR_OTHER, slow.chain(alone))
}

fn measure_all(args: &RevalArgs, scratch: &Path) -> Result<Results> {
    let similarity = "build --release -p tercet-learn --example similarity";
    let similarity = &suite::release_build(similarity, "examples/similarity")?;
    let wanted = |name: &str| args.runs.only.as_deref().is_none_or(|only| name.contains(only));
    let (mut tools, mut beside, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    if wanted(BESIDE_PYTORCH) {
        let python = peers::python_with(&TORCH, args.runs.keep_venv.as_deref())?;
        tools.push(("python", said_by(&python, &["--version"])));
        tools.push(("pytorch", version_of(&python, "torch")));
        println!("{}", table::HEAD);
        beside.push(beside_pytorch(args.runs.runs, similarity, &python, scratch).context(BESIDE_PYTORCH)?);
        println!("{}\n", beside[0].line());
    }
    println!("{}", alone::HEAD);
    if wanted(ON_TWO_THREADS) {
        alone.push(on_two_threads(args.runs.runs, similarity, scratch).context(ON_TWO_THREADS)?);
        println!("{}", alone[0].line());
    }
    for systems in [1, 11] {
        let name =
            format!("scoring of WMT17 German–English, {systems} systems, one thread, parsing included");
        if wanted(&name) {
            let row = scoring(args, name, systems, scratch)?;
            println!("{}", row.line());
            alone.push(row);
        }
    }
    if beside.is_empty() && alone.is_empty() {
        bail!("no row's name contains `{}`", args.runs.only.as_deref().unwrap_or_default());
    }
    Ok(Results { machine: machine::describe(&tools), beside, alone })
}

/// A file of this many pairs.
fn make(similarity: &Path, scratch: &Path, pairs: u32) -> Result<PathBuf> {
    let file = scratch.join(format!("{pairs}.pairs"));
    let status = Command::new(similarity).arg("make").arg(&file).arg(pairs.to_string()).status()?;
    if !status.success() {
        bail!("examples/similarity could not make its pairs ({status})");
    }
    Ok(file)
}

/// PyTorch, tercet, PyTorch, tercet, … on the sample; the values of the first pair are compared.
fn beside_pytorch(runs: u32, similarity: &Path, python: &Path, scratch: &Path) -> Result<Measured> {
    let (file, script) = (make(similarity, scratch, SAMPLE)?, scratch.join("pytorch.py"));
    fs::write(&script, include_str!("pytorch.py"))?;
    let scale = f64::from(PAIRS) / f64::from(SAMPLE);
    let run = |command: &mut Command, times: &str| said(command.arg("epoch").arg(&file).arg(times), 1);
    let mut measured = Measured {
        name: BESIDE_PYTORCH,
        bar: Bar::Ratio(5.0),
        scaled: true,
        way: String::new(),
        theirs: Vec::new(),
        ours: Vec::new(),
        disagreement: None,
    };
    for _ in 0..runs {
        let theirs = run(Command::new(python).arg(&script), "1")?;
        let ours = run(&mut Command::new(similarity), "20")?;
        if measured.theirs.is_empty() {
            measured.disagreement = table::disagreement(&theirs["values"], &ours["values"]);
            measured.way = theirs["way"].as_str().unwrap_or_default().to_owned();
        }
        measured.theirs.push(Seconds::said(&theirs, scale)?);
        measured.ours.push(Seconds::said(&ours, scale)?);
    }
    Ok(measured)
}

/// All pairs on two threads.
fn on_two_threads(runs: u32, similarity: &Path, scratch: &Path) -> Result<Alone> {
    let file = make(similarity, scratch, PAIRS)?;
    let run = || -> Result<[f64; 2]> {
        let said = said(Command::new(similarity).arg("epoch").arg(&file).arg("1"), 2)?;
        let seconds = |key: &str| said[key].as_f64().with_context(|| format!("no {key} in {said}"));
        Ok([seconds("cpu_s")?, seconds("wall_s")?])
    };
    Ok(Alone {
        name: ON_TWO_THREADS.to_owned(),
        items: PAIRS as usize,
        limit: Limit::WallSeconds(120.0),
        runs: (0..runs).map(|_| run()).collect::<Result<_>>()?,
    })
}

/// The command on so many systems.
fn scoring(args: &RevalArgs, name: String, systems: usize, scratch: &Path) -> Result<Alone> {
    let tercet = suite::release_build("build --release -p tercet-cli", "tercet")?;
    let texts = Texts::wmt17(&shared()?)?;
    let segments = fs::read_to_string(&texts.reference)?.lines().count();
    let words = score(&texts, systems, &format!("-m {}", args.metric), 1);
    let run = || -> Result<[f64; 2]> {
        let (usage, _) = measure(&tercet, &words, &[], scratch)?;
        Ok([usage.cpu, usage.wall])
    };
    Ok(Alone {
        name,
        items: systems * segments,
        limit: Limit::PerSecond(1500.0),
        runs: (0..args.runs.runs).map(|_| run()).collect::<Result<_>>()?,
    })
}

const ABOUT: &str = "\
Training: seconds of the work alone, in turns; medians. Random sentences and trees; both sides read the same file with the same \
pairs, first weights and order. Ten scores before an epoch and its loss were compared, to 1e-4. ≈: PyTorch and tercet train on \
400 pairs, scaled. Scoring: CPU seconds of the whole command. See `../../README.md`.";

fn write(results: &Results) -> Result<()> {
    let Results { machine, beside, alone } = results;
    let lines = |lines: Vec<String>| lines.join("\n");
    let mut page = record::head("ReVal", machine);
    page += &format!("\n{ABOUT}\n\n{}\n", table::HEAD);
    page += &lines(beside.iter().map(Measured::line).collect());
    beside.iter().for_each(|row| page += &format!("\n\nPyTorch: {}.\n", row.way));
    page += &format!("\n{}\n{}\n", alone::HEAD, lines(alone.iter().map(Alone::line).collect()));
    let json = json!({
        "machine": machine,
        "rows": beside.iter().map(Measured::to_json).collect::<Vec<_>>(),
        "alone": alone.iter().map(Alone::to_json).collect::<Vec<_>>(),
    });
    record::write("reval", &page, &(serde_json::to_string_pretty(&json)? + "\n"))
}
