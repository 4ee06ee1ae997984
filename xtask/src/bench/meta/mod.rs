//! `cargo xtask bench meta`: tie calibration and permutation tests compared with mt-metrics-eval, on the same matrices.
//!
//! Only the statistic is timed, without starting a process and reading. Both sides are small programs that read a matrix, run
//! the statistic and print seconds and values: `crates/tercet/examples/meta.rs` and `mme.py` here.

mod problem;
mod table;

use super::machine::{self, said_by, version_of};
use super::measure::said;
use super::peers::{self, SCIPY};
use super::suite;
use crate::bench::runs::{RunsArgs, SLOW_OR_OTHER, check_bars, in_scratch};
use crate::golden::shared;
use anyhow::{Context, Result, bail};
use problem::Size;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use table::{Bar, Measured};

/// The revision of mt-metrics-eval.
const REVISION: &str = "68a481a";

#[derive(clap::Args)]
pub struct MetaArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// A checkout of mt-metrics-eval at 68a481a, or TERCET_MT_METRICS_EVAL; without it only tercet is measured
    #[arg(long, value_name = "DIR")]
    mt_metrics_eval: Option<PathBuf>,
    /// Show the table and record nothing
    #[arg(long)]
    dry_run: bool,
}

/// One row: a statistic on a matrix.
struct Row {
    name: &'static str,
    /// The first argument of both programs.
    work: &'static str,
    matrix: &'static str,
    draws: u32,
    /// The number of draws of the peer; its time for more is extrapolated.
    peer_draws: u32,
    /// If the peer would take hours: the row to extrapolate from, and the factor.
    peer_is: Option<(&'static str, f64)>,
    bar: Bar,
}

const CALIBRATE: &str = "tie calibration, 15 × 2,000, 2 metrics";
const SCORES: &str = "PERM-BOTH, scores, calibrated at each of 1,000 draws, 15 × 2,000";
const PAIRS: &str = "PERM-BOTH, pairs, 1,000 draws, 15 × 2,000";

const ROWS: &[Row] = &[
    row("tie calibration, golden 11 × 100, 2 metrics", "calibrate", "golden", 0, 0),
    row(CALIBRATE, "calibrate", "two", 0, 0),
    row("PERM-BOTH, scores, calibrated at each of 200 draws, golden 11 × 100", "scores", "golden", 200, 20),
    row(SCORES, "scores", "two", 1000, 3),
    row("PERM-BOTH, pairs, 200 draws, golden 11 × 100", "pairs", "golden", 200, 50),
    row(PAIRS, "pairs", "two", 1000, 5),
    Row {
        peer_is: Some((SCORES, 190.0)),
        bar: Bar::WallSeconds(60.0),
        ..row(
            "all pairs of 20 metrics, 15 × 2,000, scores, calibrated at each of 1,000 draws",
            "all-scores",
            "full",
            1000,
            0,
        )
    },
    Row {
        peer_is: Some((PAIRS, 190.0)),
        bar: Bar::WallSeconds(60.0),
        ..row("all pairs of 20 metrics, 15 × 2,000, pairs, 1,000 draws", "all-pairs", "full", 1000, 0)
    },
];

const fn row(
    name: &'static str,
    work: &'static str,
    matrix: &'static str,
    draws: u32,
    peer_draws: u32,
) -> Row {
    Row { name, work, matrix, draws, peer_draws, peer_is: None, bar: Bar::Ratio(50.0) }
}

/// mt-metrics-eval, with a Python that has its dependencies.
struct Peer {
    python: PathBuf,
    folder: PathBuf,
    script: PathBuf,
}

pub fn run(args: &MetaArgs) -> Result<()> {
    let program = suite::release_build("build --release -p tercet --example meta", "examples/meta")?;
    let (machine, measured) = in_scratch(|scratch| measure_all(args, &program, scratch))?;
    if args.runs.only.is_none() && !args.dry_run {
        table::write(&machine, &measured)?;
    }
    check_bars(SLOW_OR_OTHER, measured.iter().filter(|row| !row.passes()).map(|row| row.name))
}

fn measure_all(args: &MetaArgs, program: &Path, scratch: &Path) -> Result<(Value, Vec<Measured>)> {
    let golden = shared()?.join("golden/stats_scipy_mme/matrix.de-en.11x100.json");
    problem::write_golden(&golden, &scratch.join("golden.json"))?;
    let size = Size { systems: 15, segments: 2000, metrics: 20 };
    problem::write_made(size, &scratch.join("full.json"))?;
    problem::write_made(Size { metrics: 2, ..size }, &scratch.join("two.json"))?;
    let peer = peer(args, scratch)?;
    let machine = machine::describe(&versions(peer.as_ref()));
    let only = args.runs.only.as_deref().unwrap_or_default();
    let mut measured: Vec<Measured> = Vec::new();
    println!("{}", table::HEAD);
    for row in ROWS.iter().filter(|row| row.name.contains(only)) {
        let outcome = measure(row, args.runs.runs, program, peer.as_ref(), scratch, &measured);
        let outcome = outcome.context(row.name)?;
        println!("{}", outcome.line());
        measured.push(outcome);
    }
    if measured.is_empty() {
        bail!("no row's name contains `{only}`");
    }
    Ok((machine, measured))
}

/// The peer, if its folder is named.
fn peer(args: &MetaArgs, scratch: &Path) -> Result<Option<Peer>> {
    let named = std::env::var_os("TERCET_MT_METRICS_EVAL").map(PathBuf::from);
    let Some(folder) = args.mt_metrics_eval.clone().or(named) else {
        println!(
            "── no mt-metrics-eval, tercet alone is measured: name a checkout at {REVISION} with --mt-metrics-eval"
        );
        return Ok(None);
    };
    if !folder.join("mt_metrics_eval/stats.py").is_file() {
        bail!(
            "{} is not a checkout of mt-metrics-eval: it has no mt_metrics_eval/stats.py",
            folder.display()
        );
    }
    let script = scratch.join("mme.py");
    fs::write(&script, include_str!("mme.py"))?;
    let python = peers::python_with(&SCIPY, args.runs.keep_venv.as_deref())?;
    Ok(Some(Peer { python, folder: folder.canonicalize()?, script }))
}

fn versions(peer: Option<&Peer>) -> Vec<(&'static str, String)> {
    let Some(peer) = peer else { return Vec::new() };
    vec![
        ("python", said_by(&peer.python, &["--version"])),
        ("numpy", version_of(&peer.python, "numpy")),
        ("scipy", version_of(&peer.python, "scipy")),
        ("mt-metrics-eval", REVISION.to_owned()),
    ]
}

/// The peer's seconds and values, tercet's values with the same coins, then tercet's seconds with its own.
fn measure(
    row: &Row,
    runs: u32,
    program: &Path,
    peer: Option<&Peer>,
    scratch: &Path,
    before: &[Measured],
) -> Result<Measured> {
    let matrix = scratch.join(row.matrix).with_extension("json").to_string_lossy().into_owned();
    let ours = |draws: u32, seed: &str| {
        said(Command::new(program).args([row.work, &matrix, &draws.to_string(), seed]), row.bar.threads())
    };
    let mut measured = Measured::new(row.name, row.bar, row.draws > row.peer_draws);
    match (row.peer_is, peer) {
        (Some((other, times)), _) => {
            let of = before.iter().find(|measured| measured.name == other);
            measured.theirs.extend(of.and_then(Measured::their_seconds).map(|seconds| seconds * times));
        }
        (None, Some(peer)) => {
            let numbers = [row.draws.to_string(), "12345".to_owned(), row.peer_draws.to_string()];
            let mut command = Command::new(&peer.python);
            command.arg(&peer.script).arg(&peer.folder).args([row.work, &matrix]).args(numbers);
            let said = said(&mut command, 1)?;
            measured.theirs.push(said["cpu_s"].as_f64().context("the peer printed no seconds")?);
            measured.disagreement =
                table::disagreement(&said["values"], &ours(row.peer_draws, "12345")?["values"]);
        }
        (None, None) => {}
    }
    for _ in 0..runs {
        let said = ours(row.draws, "-")?;
        let seconds = said[row.bar.column()].as_f64().context("tercet printed no seconds")?;
        measured.ours.push(seconds);
    }
    Ok(measured)
}
