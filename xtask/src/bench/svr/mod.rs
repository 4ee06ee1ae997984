//! `cargo xtask bench svr`: support vector regression compared with scikit-learn, and the whole grid of RUSE.
//!
//! Only the fit is timed, without starting a process and reading. Both sides are small programs that read the same file:
//! `crates/tercet-learn/examples/svr.rs` and `scikit_learn.py` here.

use super::machine::{self, said_by, version_of};
use super::measure::said;
use super::pairwise::table::{self, Bar, Measured, Seconds};
use super::peers::{self, SCIKIT_LEARN};
use super::record;
use super::reval::alone::{self, Alone, Limit};
use super::runs::{RunsArgs, SLOW_OR_OTHER, check_bars, in_scratch};
use super::suite;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub struct SvrArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// Show the tables and record nothing
    #[arg(long)]
    dry_run: bool,
}

const ROWS: usize = 4800;
const COLUMNS: usize = 6144;

const FIT: &str = "fit of 4,800 rows of 6,144 features, RBF kernel";
const GRID: &str = "grid of 64 settings in 10 folds on the same rows, two threads";

pub fn run(args: &SvrArgs) -> Result<()> {
    let program = suite::release_build("build --release -p tercet-learn --example svr", "examples/svr")?;
    let python = peers::python_with(&SCIKIT_LEARN, args.runs.keep_venv.as_deref())?;
    let (fit, grid) = in_scratch(|scratch| measure_all(args, &program, &python, scratch))?;
    if args.runs.only.is_none() && !args.dry_run {
        let tools = [
            ("python", said_by(&python, &["--version"])),
            ("scikit-learn", version_of(&python, "scikit-learn")),
        ];
        write(&machine::describe(&tools), &fit, &grid)?;
    }
    let slow = fit.iter().filter(|row| !row.passes()).map(|row| row.name);
    check_bars(
        SLOW_OR_OTHER,
        slow.chain(grid.iter().filter(|row| !row.passes()).map(|row| row.name.as_str())),
    )
}

fn measure_all(
    args: &SvrArgs,
    program: &Path,
    python: &Path,
    scratch: &Path,
) -> Result<(Vec<Measured>, Vec<Alone>)> {
    let file = scratch.join("rows.safetensors");
    let made = Command::new(program)
        .arg("make")
        .arg(&file)
        .args([ROWS, COLUMNS].map(|size| size.to_string()))
        .status()?;
    if !made.success() {
        bail!("examples/svr could not make its rows ({made})");
    }
    let wanted = |name: &str| args.runs.only.as_deref().is_none_or(|only| name.contains(only));
    let (mut fits, mut grids) = (Vec::new(), Vec::new());
    if wanted(FIT) {
        println!("{}", head());
        fits.push(fit(args.runs.runs, program, python, &file, scratch).context(FIT)?);
        println!("{}\n", fits[0].line());
    }
    if wanted(GRID) {
        println!("{}", alone::HEAD);
        grids.push(grid(program, &file).context(GRID)?);
        println!("{}", grids[0].line());
    }
    if fits.is_empty() && grids.is_empty() {
        bail!("no row's name contains `{}`", args.runs.only.as_deref().unwrap_or_default());
    }
    Ok((fits, grids))
}

fn head() -> String {
    table::HEAD.replace("PyTorch", "scikit-learn")
}

/// scikit-learn, tercet, scikit-learn, tercet, …; predictions are compared.
fn fit(runs: u32, program: &Path, python: &Path, file: &PathBuf, scratch: &Path) -> Result<Measured> {
    let script = scratch.join("peer.py");
    fs::write(&script, include_str!("scikit_learn.py"))?;
    let mut measured = Measured {
        name: FIT,
        bar: Bar::Ratio(10.0),
        scaled: false,
        way: String::new(),
        theirs: Vec::new(),
        ours: Vec::new(),
        disagreement: None,
    };
    for _ in 0..runs {
        let theirs = said(Command::new(python).arg(&script).arg("fit").arg(file), 1)?;
        let ours = said(Command::new(program).arg("fit").arg(file), 1)?;
        if measured.theirs.is_empty() {
            measured.disagreement = table::disagreement(&theirs["values"], &ours["values"]);
            measured.way = theirs["way"].as_str().unwrap_or_default().to_owned();
        }
        measured.theirs.push(Seconds::said(&theirs, 1.0)?);
        measured.ours.push(Seconds::said(&ours, 1.0)?);
    }
    Ok(measured)
}

/// The whole grid, once.
fn grid(program: &Path, file: &PathBuf) -> Result<Alone> {
    let said = said(Command::new(program).arg("grid").arg(file), 2)?;
    let seconds = |key: &str| said[key].as_f64().with_context(|| format!("no {key} in {said}"));
    Ok(Alone {
        name: GRID.to_owned(),
        items: 640,
        limit: Limit::WallSeconds(300.0),
        runs: vec![[seconds("cpu_s")?, seconds("wall_s")?]],
    })
}

const ABOUT: &str = "\
Seconds of the fit alone, one thread on both sides, in turns; medians. Random numbers; both sides read the same file. Ten \
predictions were compared, to 1e-4. See `../../README.md`.";

fn write(machine: &Value, fit: &[Measured], grid: &[Alone]) -> Result<()> {
    let lines = |lines: Vec<String>| lines.join("\n");
    let mut page = record::head("Support vector regression", machine);
    page += &format!("\n{ABOUT}\n\n{}\n", head());
    page += &lines(fit.iter().map(Measured::line).collect());
    fit.iter().for_each(|row| page += &format!("\n\nscikit-learn: {}.\n", row.way));
    page += &format!("\n{}\n{}\n", alone::HEAD, lines(grid.iter().map(Alone::line).collect()));
    let json = json!({
        "machine": machine,
        "rows": fit.iter().map(Measured::to_json).collect::<Vec<_>>(),
        "alone": grid.iter().map(Alone::to_json).collect::<Vec<_>>(),
    });
    record::write("svr", &page, &(serde_json::to_string_pretty(&json)? + "\n"))
}
