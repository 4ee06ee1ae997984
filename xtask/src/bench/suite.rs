//! Runs both tools on the same files in turns, so that a busy machine slows both; then writes the table and the record.

use super::measure::{Usage, measure};
use super::record::{self, About, Outcome};
use super::rows::{Peer, Row};
use super::runs::{RunsArgs, SLOW_OR_OTHER, check_bars, in_scratch};
use super::{agreement, machine};
use crate::step::{cargo, cargo_step};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct SuiteArgs {
    #[command(flatten)]
    pub runs: RunsArgs,
    /// Measure this program in place of a fresh release build; nothing is recorded
    #[arg(long, value_name = "FILE")]
    tercet: Option<PathBuf>,
}

/// The programs that are run.
pub struct Programs {
    /// The Python of the peers' environment.
    pub python: PathBuf,
    pub tercet: PathBuf,
}

/// The program to measure: the given one, or a new release build.
pub fn tercet(args: &SuiteArgs) -> Result<PathBuf> {
    match &args.tercet {
        Some(given) => given.canonicalize().with_context(|| given.display().to_string()),
        None => release_build("build --release -p tercet-cli", "tercet"),
    }
}

/// Measures the rows that `rows` makes in a temporary folder, and records them.
pub fn run(
    args: &SuiteArgs,
    about: &About,
    programs: &Programs,
    rows: impl FnOnce(&Path) -> Result<Vec<Row>>,
) -> Result<()> {
    let (machine, outcomes) =
        in_scratch(|scratch| measure_all(args, about, rows(scratch)?, programs, scratch))?;
    if args.runs.only.is_none() && args.tercet.is_none() {
        let page = record::markdown(about, &machine, &outcomes);
        record::write(about.file, &page, &record::json(&machine, &outcomes))?;
    }
    let missed = outcomes.iter().filter(|outcome| !outcome.passes());
    check_bars(SLOW_OR_OTHER, missed.map(|outcome| outcome.row.work.as_str()))
}

fn measure_all(
    args: &SuiteArgs,
    about: &About,
    rows: Vec<Row>,
    programs: &Programs,
    scratch: &Path,
) -> Result<(Value, Vec<Outcome>)> {
    let machine = machine::describe(&about.tools);
    let only = args.runs.only.as_deref().unwrap_or_default();
    let mut outcomes = Vec::new();
    println!("{}", record::TABLE_HEAD);
    for row in rows {
        if !row.work.contains(only) {
            continue;
        }
        let work = row.work.clone();
        let outcome = measure_row(row, args.runs.runs, programs, scratch).context(work)?;
        println!("{}", outcome.line());
        if let Some(difference) = &outcome.disagreement {
            println!("{difference}");
        }
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
        Peer::Tercom | Peer::Meteor => Path::new("java"),
        Peer::Tercet => &programs.tercet,
    };
    let (mut theirs, mut ours): (Vec<Usage>, Vec<Usage>) = Default::default();
    let mut disagreement = None;
    for run in 0..runs {
        let their_output = if run == 0 || !row.peer_once {
            let (usage, output) = measure(peer, &row.theirs, &[], scratch)?;
            theirs.push(usage);
            Some(output)
        } else {
            None
        };
        let (usage, our_output) = measure(&programs.tercet, &row.ours, &row.environment, scratch)?;
        ours.push(usage);
        if let Some(their_output) = their_output.filter(|_| run == 0) {
            let checked = agreement::check(row.agreement, &their_output, &our_output);
            disagreement = checked.err().map(|error| format!("{error:#}"));
        }
    }
    Ok(Outcome { row, theirs, ours, disagreement })
}

/// Builds with these arguments and returns the path of the program.
pub fn release_build(arguments: &str, program: &str) -> Result<PathBuf> {
    let [built] = release_builds(arguments, [program])?;
    Ok(built)
}

/// The same for several programs. One call of cargo shares its libraries; two calls with different packages may enable
/// different features and compile tercet twice.
pub fn release_builds<const N: usize>(arguments: &str, programs: [&str; N]) -> Result<[PathBuf; N]> {
    cargo_step("release build", arguments)?;
    let metadata = cargo().args(["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout).context("cargo metadata")?;
    let target = metadata["target_directory"].as_str().context("cargo metadata names no target directory")?;
    Ok(programs.map(|program| Path::new(target).join("release").join(program)))
}
