//! `cargo xtask bench meta`: tie calibration and permutation tests compared with mt-metrics-eval, on the same matrices.
//!
//! Only the statistic is timed, without starting a process and reading. Both sides are small programs that read a
//! matrix, run the statistic and print seconds and values: `crates/tercet/examples/meta.rs` and `mme.py` here.

mod problem;

use super::measure::timed;
use super::peers::SCIPY;
use super::row::{self, Bar, Quantity, Row, within};
use super::session::{self, About, RunsArgs, Session, path, release_example};
use crate::golden::shared;
use anyhow::{Result, ensure};
use problem::Size;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The revision of mt-metrics-eval.
const REVISION: &str = "68a481a";

#[derive(clap::Args)]
pub struct MetaArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// A checkout of mt-metrics-eval at 68a481a, or TERCET_MT_METRICS_EVAL; without it only tercet is measured
    #[arg(long, value_name = "DIR")]
    mt_metrics_eval: Option<PathBuf>,
}

const ABOUT: About = About {
    file: "meta",
    title: "Meta-evaluation",
    text: "Seconds of the statistic alone, without the start of a process or the reading of the matrix; medians. The \
           peer is mt-metrics-eval, on one thread; where its seconds have a ≈ it drew fewer permutations, and the rest \
           is extrapolated from what each took (all pairs of metrics: 190 times the row of one pair). Values, and \
           p-values of the same coins, were compared before anything was timed. Grouped by item; acc-23.",
};

const SCORES: &str = "PERM-BOTH, scores, calibrated at each of 1,000 draws, 15 × 2,000";
const PAIRS: &str = "PERM-BOTH, pairs, 1,000 draws, 15 × 2,000";

/// Rows compared with the peer: what is done (the first argument of both programs), the matrix, and the draws of tercet
/// and of the peer, whose time for more is extrapolated.
const ROWS: [(&str, &str, &str, u32, u32); 6] = [
    ("tie calibration, golden 11 × 100, 2 metrics", "calibrate", "golden", 0, 0),
    ("tie calibration, 15 × 2,000, 2 metrics", "calibrate", "two", 0, 0),
    ("PERM-BOTH, scores, calibrated at each of 200 draws, golden 11 × 100", "scores", "golden", 200, 20),
    (SCORES, "scores", "two", 1000, 3),
    ("PERM-BOTH, pairs, 200 draws, golden 11 × 100", "pairs", "golden", 200, 50),
    (PAIRS, "pairs", "two", 1000, 5),
];

/// All pairs of 20 metrics, for which the peer would take hours: the row that its seconds are extrapolated from, by
/// this factor.
const ALL_PAIRS: [(&str, &str, &str); 2] = [
    ("all pairs of 20 metrics, 15 × 2,000, scores, calibrated at each of 1,000 draws", "all-scores", SCORES),
    ("all pairs of 20 metrics, 15 × 2,000, pairs, 1,000 draws", "all-pairs", PAIRS),
];
const PAIRS_OF_METRICS: f64 = 190.0;

pub fn run(args: &MetaArgs) -> Result<()> {
    let program = release_example("tercet", "meta")?;
    let golden = shared()?.join("golden/stats_scipy_mme/matrix.de-en.11x100.json");
    session::run(&args.runs, &ABOUT, |session| {
        problem::write_golden(&golden, &session.scratch.join("golden.json"))?;
        let size = Size { systems: 15, segments: 2000, metrics: 20 };
        problem::write_made(size, &session.scratch.join("full.json"))?;
        problem::write_made(Size { metrics: 2, ..size }, &session.scratch.join("two.json"))?;
        let peer = peer(args, session)?;
        let ours = |matrix: &Path, work: &str, draws: u32, seed: &str, threads: usize| {
            let mut command = Command::new(&program);
            timed(command.arg(work).arg(matrix).args([&draws.to_string(), seed]), threads)
        };
        for (name, work, matrix, draws, peer_draws) in ROWS {
            let matrix = session.scratch.join(matrix).with_extension("json");
            let row =
                Row { is_extrapolated: draws > peer_draws, ..Row::new(name, "mt-metrics-eval", [Bar::Ratio(50.0)]) };
            session.row(row, |row, session| {
                // The peer's values and tercet's with the same coins; then tercet's seconds with its own.
                if let Some((python, arguments)) = &peer {
                    let mut command = Command::new(python);
                    command.args(arguments).args([work, &path(&matrix), &draws.to_string(), "12345"]);
                    let (run, theirs) = timed(command.arg(peer_draws.to_string()), 1)?;
                    row.theirs.push(run);
                    let (_, ours) = ours(&matrix, work, peer_draws, "12345", 1)?;
                    row.difference = row::difference(&theirs["values"], &ours["values"], within(1e-12));
                }
                row.alone(session.runs(), || Ok(ours(&matrix, work, draws, "-", 1)?.0))
            })?;
        }
        for (name, work, other) in ALL_PAIRS {
            let matrix = session.scratch.join("full.json");
            let row = Row {
                quantity: Quantity::Wall,
                is_extrapolated: true,
                ..Row::new(name, "mt-metrics-eval", [Bar::Seconds(60.0)])
            };
            session.row(row, |row, session| {
                // The peer has one thread, so its wall time is its CPU time.
                let theirs = session.measured(other).into_iter().flat_map(|row| &row.theirs);
                row.theirs = theirs.map(|run| row::Run { wall_s: run.cpu_s, ..*run } * PAIRS_OF_METRICS).collect();
                row.notes.push("tercet has two threads".to_owned());
                row.alone(session.runs(), || Ok(ours(&matrix, work, 1000, "-", 2)?.0))
            })?;
        }
        Ok(())
    })
}

/// The peer's Python and first arguments, if its folder is named.
fn peer(args: &MetaArgs, session: &mut Session) -> Result<Option<(PathBuf, [PathBuf; 2])>> {
    let named = std::env::var_os("TERCET_MT_METRICS_EVAL").map(PathBuf::from);
    let Some(folder) = args.mt_metrics_eval.clone().or(named) else {
        println!(
            "── no mt-metrics-eval, tercet alone is measured: name a checkout at {REVISION} with --mt-metrics-eval"
        );
        return Ok(None);
    };
    ensure!(
        folder.join("mt_metrics_eval/stats.py").is_file(),
        "{} is not a checkout of mt-metrics-eval: it has no mt_metrics_eval/stats.py",
        folder.display()
    );
    let python = session.python_with(&SCIPY, &["numpy"])?;
    session.note("mt-metrics-eval", REVISION);
    let script = session.write("mme.py", include_str!("mme.py"))?;
    Ok(Some((python, [script, folder.canonicalize()?])))
}
