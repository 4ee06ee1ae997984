//! `cargo xtask bench parse`: the tokenizer and the dependency parser on one core, beside UDPipe 1, and memory of the command.
//!
//! Timed is the work alone: no start of a process, no reading, no loading. Both sides are small programs that take the same
//! file of words and print seconds: `crates/tercet/examples/parsing.rs` and `udpipe.py` here. No parser on the package index
//! brings a model for English along; UDPipe's package can train one, which is done first.

mod instructions;
mod memory;
mod table;
mod texts;

use super::machine::{self, said_by, version_of};
use super::measure::said;
use super::peers::{self, UDPIPE};
use super::suite;
use crate::bench::runs::RunsArgs;
use crate::golden::shared;
use anyhow::{Context, Result, bail};
use memory::Memory;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use table::{Measured, Run};
use texts::Texts;

#[derive(clap::Args)]
pub struct ParseArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// The parser's weights [default: those inside the program]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Show the table and record nothing
    #[arg(long)]
    dry_run: bool,
}

/// One row: work on a file of sentences.
struct Row {
    name: &'static str,
    /// The first argument of both programs.
    work: &'static str,
    /// How often it is done within a run.
    times: u32,
    /// What is to be reached in a second of one core.
    bar: Bar,
    /// Whether the peer does it too.
    has_peer: bool,
}

/// What is to be reached in a second of one core.
#[derive(Clone, Copy, Debug)]
pub enum Bar {
    Sentences(f64),
    Words(f64),
}

const ROWS: &[Row] = &[
    Row {
        name: "tokens of texts, `ud-en`",
        work: "tokenize",
        times: 20,
        bar: Bar::Words(1e6),
        has_peer: false,
    },
    Row {
        name: "tags and trees of sentences of 25 words, `dependency`",
        work: "dependency",
        times: 3,
        bar: Bar::Sentences(2000.0),
        has_peer: true,
    },
];

/// What is run, and on what.
struct Programs {
    python: PathBuf,
    script: PathBuf,
    parsing: PathBuf,
    tercet: PathBuf,
    /// Weights other than those inside the program.
    model: Option<PathBuf>,
    /// The peer's model, made here.
    peer_model: PathBuf,
}

pub fn run(args: &ParseArgs) -> Result<()> {
    let shared = shared()?;
    let model = args.model.as_deref().map(Path::canonicalize).transpose().context("--model")?;
    let parsing = suite::release_build("build --release -p tercet --example parsing", "examples/parsing")?;
    let tercet = suite::release_build("build --release -p tercet-cli", "tercet")?;
    let python = peers::python_with(&UDPIPE, args.runs.keep_venv.as_deref())?;
    let scratch = std::env::temp_dir().join(format!("tercet-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let script = scratch.join("udpipe.py");
    let peer_model = scratch.join("model.udpipe");
    let programs = Programs { python, script, parsing, tercet, model, peer_model };
    let outcome = measure_all(args, &programs, &shared, &scratch);
    fs::remove_dir_all(&scratch)?;
    let (machine, rows, memory) = outcome?;
    if args.runs.only.is_none() && !args.dry_run {
        table::write(&machine, &rows, &memory)?;
    }
    let slow = rows.iter().filter(|row| !row.passes()).map(|row| row.name);
    let large = memory.iter().filter(|memory| !memory.passes()).map(Memory::name);
    let missed: Vec<&str> = slow.chain(large).collect();
    if !missed.is_empty() {
        bail!("below the bar: {}", missed.join("; "));
    }
    Ok(())
}

fn measure_all(
    args: &ParseArgs,
    programs: &Programs,
    shared: &Path,
    scratch: &Path,
) -> Result<(Value, Vec<Measured>, Vec<Memory>)> {
    fs::write(&programs.script, include_str!("udpipe.py"))?;
    let texts = Texts::make(&shared.join("data/ud-ewt"), scratch)?;
    let wanted = |name: &str| args.runs.only.as_deref().is_none_or(|only| name.contains(only));
    let rows: Vec<&Row> = ROWS.iter().filter(|row| wanted(row.name)).collect();
    if rows.iter().any(|row| row.has_peer) {
        train_peer(programs, &texts)?;
    }
    let machine = machine::describe(&[
        ("python", said_by(&programs.python, &["--version"])),
        ("udpipe", version_of(&programs.python, UDPIPE.name)),
        ("model", programs.model.as_ref().map_or("inside", |_| "given by --model").to_owned()),
    ]);
    let (mut measured, mut memory) = (Vec::new(), Vec::new());
    println!("{}", table::HEAD);
    for row in rows {
        let done = measure(row, args.runs.runs, programs, texts.of(row.work)).context(row.name)?;
        println!("{}", done.line());
        measured.push(done);
    }
    if wanted("memory") {
        memory = memory::measure_all(&programs.tercet, programs.model.as_ref(), &texts, scratch)?;
        println!("\n{}", memory::HEAD);
        memory.iter().for_each(|memory| println!("{}", memory.line()));
    }
    if measured.is_empty() && memory.is_empty() {
        bail!("no row's name contains `{}`", args.runs.only.as_deref().unwrap_or_default());
    }
    Ok((machine, measured, memory))
}

/// Sentences that the peer is trained on.
const LESSONS: u32 = 1000;

fn train_peer(programs: &Programs, texts: &Texts) -> Result<()> {
    println!("── training UDPipe on {LESSONS} sentences");
    let mut train = Command::new(&programs.python);
    train.arg(&programs.script).arg("train").arg(&texts.treebank).arg(&programs.peer_model);
    let output = train.arg(LESSONS.to_string()).output()?;
    if !output.status.success() {
        bail!("UDPipe could not be trained: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// UDPipe, tercet, UDPipe, tercet, ….
fn measure(row: &Row, runs: u32, programs: &Programs, file: &Path) -> Result<Measured> {
    let run = |command: &mut Command, model: Option<&PathBuf>| -> Result<Run> {
        Run::said(&said(command.arg(row.work).arg(file).arg(row.times.to_string()).args(model), 1)?)
    };
    let mut measured = Measured {
        name: row.name,
        bar: row.bar,
        theirs: Vec::new(),
        ours: Vec::new(),
        instructions: instructions::per_word(&programs.parsing, row.work, file, programs.model.as_ref())?,
    };
    for _ in 0..runs {
        if row.has_peer {
            let mut peer = Command::new(&programs.python);
            measured.theirs.push(run(peer.arg(&programs.script), Some(&programs.peer_model))?);
        }
        measured.ours.push(run(&mut Command::new(&programs.parsing), programs.model.as_ref())?);
    }
    Ok(measured)
}
