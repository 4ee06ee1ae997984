//! `cargo xtask bench lexical`: both tools on the same files, in turns, so that a busy machine slows both.

use super::measure::{Usage, measure};
use super::record::{self, Outcome};
use super::rows::{Peer, Row, Texts, rows};
use super::{agreement, machine, peers};
use crate::golden::shared;
use crate::step::{cargo, cargo_step, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct LexicalArgs {
    /// Runs of each command, of which the median counts; sacreBLEU's TER and tercom run once
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The virtual environment to use or make, in place of one in the cache directory
    #[arg(long, value_name = "DIR")]
    keep_venv: Option<PathBuf>,
    /// Only rows whose name contains this; nothing is recorded
    #[arg(long, value_name = "WORK")]
    only: Option<String>,
    /// Measure this program in place of a fresh release build; nothing is recorded
    #[arg(long, value_name = "FILE")]
    tercet: Option<PathBuf>,
}

/// The programs that are run.
struct Programs {
    python: PathBuf,
    tercet: PathBuf,
}

pub fn run(args: &LexicalArgs) -> Result<()> {
    let texts = Texts::wmt17(&shared()?)?;
    let programs = Programs {
        tercet: match &args.tercet {
            Some(given) => given.canonicalize().with_context(|| given.display().to_string())?,
            None => release_build()?,
        },
        python: peers::python_with_sacrebleu(args.keep_venv.as_deref())?,
    };
    let scratch = std::env::temp_dir().join(format!("tercet-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let outcome = measure_all(args, &texts, &programs, &scratch);
    fs::remove_dir_all(&scratch)?;
    let (machine, outcomes) = outcome?;
    if args.only.is_none() && args.tercet.is_none() {
        write(&machine, &outcomes)?;
    }
    let missed: Vec<&str> = outcomes
        .iter()
        .filter(|outcome| !outcome.passes())
        .map(|outcome| outcome.row.work.as_str())
        .collect();
    if !missed.is_empty() {
        bail!("below the bar: {}", missed.join("; "));
    }
    Ok(())
}

fn measure_all(
    args: &LexicalArgs,
    texts: &Texts,
    programs: &Programs,
    scratch: &Path,
) -> Result<(Value, Vec<Outcome>)> {
    let machine = machine::describe(&programs.python);
    let only = args.only.as_deref().unwrap_or_default();
    let mut outcomes = Vec::new();
    println!("{}", record::TABLE_HEAD);
    for row in rows(texts, peers::tercom().as_deref(), scratch)? {
        if !row.work.contains(only) {
            continue;
        }
        let work = row.work.clone();
        let outcome = measure_row(row, args.runs, programs, scratch).context(work)?;
        println!("{}", outcome.line());
        outcomes.push(outcome);
    }
    if outcomes.is_empty() {
        bail!("no row's name contains `{only}`");
    }
    Ok((machine, outcomes))
}

/// Peer, tercet, peer, tercet, …; the outputs of the first pair are compared.
fn measure_row(row: Row, runs: u32, programs: &Programs, scratch: &Path) -> Result<Outcome> {
    let peer = match row.peer {
        Peer::Sacrebleu => &programs.python,
        Peer::Tercom => Path::new("java"),
        Peer::Tercet => &programs.tercet,
    };
    let (mut theirs, mut ours): (Vec<Usage>, Vec<Usage>) = Default::default();
    for run in 0..runs {
        let their_output = if run == 0 || !row.peer_once {
            let (usage, output) = measure(peer, &row.theirs, scratch)?;
            theirs.push(usage);
            Some(output)
        } else {
            None
        };
        let (usage, our_output) = measure(&programs.tercet, &row.ours, scratch)?;
        ours.push(usage);
        if let Some(their_output) = their_output.filter(|_| run == 0) {
            agreement::check(row.agreement, &their_output, &our_output)?;
        }
    }
    Ok(Outcome { row, theirs, ours })
}

fn release_build() -> Result<PathBuf> {
    cargo_step("release build", "build --release -p tercet-cli")?;
    let metadata = cargo().args(["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout).context("cargo metadata")?;
    let target = metadata["target_directory"].as_str().context("cargo metadata names no target directory")?;
    Ok(Path::new(target).join("release/tercet"))
}

fn write(machine: &Value, outcomes: &[Outcome]) -> Result<()> {
    let name = format!("{}-{}", machine::date(), machine::slug(&machine::cpu()));
    let folder = root().join("benchsuite/runs").join(&name);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("lexical.md"), record::markdown(machine, outcomes))?;
    fs::write(folder.join("lexical.json"), record::json(machine, outcomes))?;
    println!("\nwrote benchsuite/runs/{name}/lexical.md and lexical.json");
    Ok(())
}
