//! `cargo xtask bench parse`: the tokenizer and both parsers on one core compared with UDPipe 1, and memory of the command.
//!
//! Only the work is timed, without starting a process, reading and loading. Both sides are small programs that take the same
//! file of words and print seconds: `crates/tercet/examples/parsing.rs` and `udpipe.py` here. No parser on the package index
//! includes a model for English; UDPipe's package can train one, which is done first if a row with a peer is wanted.

mod instructions;
mod memory;
mod peer;
mod table;
mod texts;

use super::machine::{self, said_by, version_of};
use super::measure::said;
use super::peers::UDPIPE;
use super::suite;
use crate::bench::runs::{RunsArgs, check_bars, in_scratch};
use crate::golden::shared;
use anyhow::{Context, Result, bail};
use memory::Memory;
use peer::Peer;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use table::{Measured, Run};
use texts::Texts;

#[derive(clap::Args)]
pub struct ParseArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// The dependency parser's weights [default: those inside the program]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The constituency parser's weights [default: those inside the program]
    #[arg(long, value_name = "FILE")]
    constituency_model: Option<PathBuf>,
    /// Show the table and record nothing
    #[arg(long)]
    dry_run: bool,
}

/// One row: work on a file of sentences.
struct Row {
    name: &'static str,
    /// The first argument of both programs.
    work: &'static str,
    /// Repetitions within a run.
    times: u32,
    /// The minimum per second of one core.
    bar: Bar,
    /// Whether the peer does it too.
    has_peer: bool,
}

/// The minimum per second of one core.
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
    Row {
        name: "tags, phrases and vectors of sentences of 25 words, `constituency`",
        work: "constituency",
        times: 3,
        bar: Bar::Sentences(50.0),
        has_peer: false,
    },
];

/// The programs, and weights other than the embedded ones.
struct Programs {
    parsing: PathBuf,
    tercet: PathBuf,
    dependency: Option<PathBuf>,
    constituency: Option<PathBuf>,
}

impl Programs {
    /// Both are built together, so that they share their libraries.
    fn build(args: &ParseArgs) -> Result<Self> {
        let given = |path: &Option<PathBuf>| path.as_deref().map(Path::canonicalize).transpose();
        let dependency = given(&args.model).context("--model")?;
        let constituency = given(&args.constituency_model).context("--constituency-model")?;
        let what = "build --release -p tercet -p tercet-cli --example parsing --bin tercet";
        let [parsing, tercet] = suite::release_builds(what, ["examples/parsing", "tercet"])?;
        Ok(Programs { parsing, tercet, dependency, constituency })
    }

    /// The weights for a kind of work.
    fn model(&self, work: &str) -> Option<&PathBuf> {
        match work {
            "dependency" => self.dependency.as_ref(),
            "constituency" => self.constituency.as_ref(),
            _ => None,
        }
    }

    fn describe(&self, peer: Option<&Peer>) -> Value {
        let model = |path: &Option<PathBuf>| path.as_ref().map_or("inside", |_| "given").to_owned();
        let mut tools = vec![
            ("dependency model", model(&self.dependency)),
            ("constituency model", model(&self.constituency)),
        ];
        if let Some(peer) = peer {
            tools.push(("python", said_by(&peer.python, &["--version"])));
            tools.push(("udpipe", version_of(&peer.python, UDPIPE.name)));
        }
        machine::describe(&tools)
    }
}

pub fn run(args: &ParseArgs) -> Result<()> {
    let shared = shared()?;
    let programs = Programs::build(args)?;
    let (machine, rows, memory) = in_scratch(|scratch| measure_all(args, &programs, &shared, scratch))?;
    if args.runs.only.is_none() && !args.dry_run {
        table::write(&machine, &rows, &memory)?;
    }
    let slow = rows.iter().filter(|row| !row.passes()).map(|row| row.name);
    let large = memory.iter().filter(|memory| !memory.passes()).map(Memory::name);
    check_bars("below the bar", slow.chain(large))
}

fn measure_all(
    args: &ParseArgs,
    programs: &Programs,
    shared: &Path,
    scratch: &Path,
) -> Result<(Value, Vec<Measured>, Vec<Memory>)> {
    let texts = Texts::make(&shared.join("data/ud-ewt"), scratch)?;
    let wanted = |name: &str| args.runs.only.as_deref().is_none_or(|only| name.contains(only));
    let rows: Vec<&Row> = ROWS.iter().filter(|row| wanted(row.name)).collect();
    let has_peer = rows.iter().any(|row| row.has_peer);
    let peer = has_peer.then(|| Peer::new(&args.runs, &texts, scratch)).transpose()?;
    let machine = programs.describe(peer.as_ref());
    let (mut measured, mut memory) = (Vec::new(), Vec::new());
    println!("{}", table::HEAD);
    for row in rows {
        let peer = peer.as_ref().filter(|_| row.has_peer);
        let done = measure(row, args.runs.runs, programs, peer, texts.of(row.work)).context(row.name)?;
        println!("{}", done.line());
        measured.push(done);
    }
    if wanted("memory") {
        memory = memory::measure_all(programs, &texts, scratch)?;
        println!("\n{}", memory::HEAD);
        memory.iter().for_each(|memory| println!("{}", memory.line()));
    }
    if measured.is_empty() && memory.is_empty() {
        bail!("no row's name contains `{}`", args.runs.only.as_deref().unwrap_or_default());
    }
    Ok((machine, measured, memory))
}

/// UDPipe, tercet, UDPipe, tercet, ….
fn measure(row: &Row, runs: u32, programs: &Programs, peer: Option<&Peer>, file: &Path) -> Result<Measured> {
    let run = |mut command: Command, model: Option<&PathBuf>| -> Result<Run> {
        Run::said(&said(command.arg(row.work).arg(file).arg(row.times.to_string()).args(model), 1)?)
    };
    let model = programs.model(row.work);
    let mut measured = Measured {
        name: row.name,
        bar: row.bar,
        theirs: Vec::new(),
        ours: Vec::new(),
        instructions: instructions::per_word(&programs.parsing, row.work, file, model)?,
    };
    for _ in 0..runs {
        if let Some(peer) = peer {
            measured.theirs.push(run(peer.command(), Some(&peer.model))?);
        }
        measured.ours.push(run(Command::new(&programs.parsing), model)?);
    }
    Ok(measured)
}
