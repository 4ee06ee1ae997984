//! `cargo xtask bench python`: the Python package compared with the command and with sacreBLEU.
//!
//! The first row compares whole processes on the same files, interpreter and imports included. The others compare functions on
//! lists in memory: `functions.py` runs them with sacreBLEU and with tercet, in turns.

use super::machine::{self, said_by, version_of};
use super::measure::{measure, said};
use super::peers::{self, SACREBLEU};
use super::record;
use super::rows::{Texts, paths, score};
use super::runs::{RunsArgs, SLOW_OR_OTHER, check_bars, in_scratch};
use super::suite;
use crate::golden::shared;
use crate::python;
use crate::step::step;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub struct PythonArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// Show the table and record nothing
    #[arg(long)]
    dry_run: bool,
}

/// The same work by a peer and by the package.
struct Row {
    work: String,
    peer: &'static str,
    theirs: Vec<f64>,
    ours: Vec<f64>,
    /// The minimum ratio of the peer's CPU seconds to the package's.
    bar: f64,
    same: bool,
}

const HEAD: &str = "\
| work | peer | peer s | tercet s | ratio | bar | pass |
|---|---|---:|---:|---:|---:|---|";

/// Functions and their bars.
const FUNCTIONS: [(&str, f64); 4] =
    [("corpus_bleu", 20.0), ("corpus_chrf", 20.0), ("sentence_chrf", 10.0), ("sentence_bleu", 5.0)];

/// At most 15% more CPU than the command.
const PROCESS_BAR: f64 = 1.0 / 1.15;

pub fn run(args: &PythonArgs) -> Result<()> {
    let texts = Texts::wmt17(&shared()?)?;
    let program = suite::release_build("build --release -p tercet-cli -p tercet-python", "tercet")?;
    let package = python::target_folder()?.join("python-package-release");
    python::assemble(program.parent().context("a program is in a folder")?, &package)?;
    let interpreter = peers::python_with(&SACREBLEU, args.runs.keep_venv.as_deref())?;
    // As pip does when it installs a wheel.
    let mut compile = Command::new(&interpreter);
    compile.args(["-m", "compileall", "-q"]).arg(&package).env_remove("PYTHONDONTWRITEBYTECODE");
    step("bytecode", &mut compile)?;
    let bench = Bench { texts, program, interpreter, package };
    let rows = in_scratch(|scratch| bench.rows(args.runs.runs, scratch))?;
    let table: Vec<String> = std::iter::once(HEAD.to_owned()).chain(rows.iter().map(Row::line)).collect();
    println!("{}", table.join("\n"));
    if !args.dry_run {
        bench.write(&table.join("\n"), &rows)?;
    }
    check_bars(SLOW_OR_OTHER, rows.iter().filter(|row| !row.passes()).map(|row| row.work.as_str()))
}

struct Bench {
    texts: Texts,
    program: PathBuf,
    interpreter: PathBuf,
    /// The folder of the package.
    package: PathBuf,
}

impl Bench {
    fn rows(&self, runs: u32, scratch: &Path) -> Result<Vec<Row>> {
        let mut rows = vec![self.processes(runs, scratch)?];
        rows.extend(self.functions(runs, scratch)?);
        Ok(rows)
    }

    /// Command, Python, command, Python, …, one thread each.
    fn processes(&self, runs: u32, scratch: &Path) -> Result<Row> {
        let script = scratch.join("score.py");
        fs::write(&script, include_str!("score.py"))?;
        let count = self.texts.systems.len();
        let command = score(&self.texts, count, "-m bleu -m chrf -m ter", 1);
        let ours = [paths(&[&script, &self.texts.reference]), paths(&self.texts.systems)].concat();
        let environment = [("PYTHONPATH".to_owned(), self.package.to_string_lossy().into_owned())];
        let work = format!("BLEU, chrF and TER of {count} systems, whole processes");
        let mut row =
            Row { work, peer: "the command", theirs: vec![], ours: vec![], bar: PROCESS_BAR, same: true };
        for _ in 0..runs.max(15) {
            let (usage, printed) = measure(&self.program, &command, &[], scratch)?;
            row.theirs.push(usage.cpu);
            let (usage, other) = measure(&self.interpreter, &ours, &environment, scratch)?;
            row.ours.push(usage.cpu);
            row.same &= without_names(&printed)? == without_names(&other)?;
        }
        Ok(row)
    }

    /// sacreBLEU, tercet, sacreBLEU, tercet, ….
    fn functions(&self, runs: u32, scratch: &Path) -> Result<Vec<Row>> {
        let script = scratch.join("functions.py");
        fs::write(&script, include_str!("functions.py"))?;
        let time = |package: &str| {
            let mut command = Command::new(&self.interpreter);
            command.arg(&script).arg(package).arg(&self.texts.reference).args(&self.texts.systems);
            said(command.env("PYTHONPATH", &self.package), 1)
        };
        let segments =
            |name: &str| if name.starts_with("sentence") { "3,000 sentences" } else { "33,044 segments" };
        let row = |(name, bar): (&str, f64)| Row {
            work: format!("{name}, {}", segments(name)),
            peer: "sacreBLEU",
            theirs: vec![],
            ours: vec![],
            bar,
            same: true,
        };
        let mut rows: Vec<Row> = FUNCTIONS.into_iter().map(row).collect();
        for _ in 0..runs {
            let (theirs, ours) = (time("sacrebleu")?, time("tercet.compat.sacrebleu")?);
            for (row, (name, _)) in rows.iter_mut().zip(FUNCTIONS) {
                row.theirs.push(number(&theirs[name][0])?);
                row.ours.push(number(&ours[name][0])?);
                row.same &= (number(&theirs[name][1])? - number(&ours[name][1])?).abs() < 1e-6;
            }
        }
        Ok(rows)
    }

    fn write(&self, table: &str, rows: &[Row]) -> Result<()> {
        let tools = [
            ("python", said_by(&self.interpreter, &["--version"])),
            ("sacrebleu", version_of(&self.interpreter, "sacrebleu")),
        ];
        let machine = machine::describe(&tools);
        let text = "WMT17 German–English. CPU seconds, medians of runs in turns, one thread each; the results of both were compared.";
        let page = format!(
            "{}\n{text} See `../../README.md`.\n\n{table}\n",
            record::head("Python package", &machine)
        );
        let rows: Vec<Value> = rows.iter().map(Row::to_json).collect();
        record::write("python", &page, &format!("{:#}\n", json!({"machine": machine, "rows": rows})))
    }
}

fn number(value: &Value) -> Result<f64> {
    value.as_f64().with_context(|| format!("expected a number, found {value}"))
}

/// The scores and signatures of a JSON report; names of systems may be written differently.
fn without_names(report: &str) -> Result<Vec<(f64, String)>> {
    let rows: Value = serde_json::from_str(report)?;
    let Some(rows) = rows.as_array() else { bail!("expected an array") };
    rows.iter().map(|row| Ok((number(&row["score"])?, row["signature"].to_string()))).collect()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

impl Row {
    fn ratio(&self) -> f64 {
        median(self.theirs.clone()) / median(self.ours.clone())
    }

    fn passes(&self) -> bool {
        self.same && self.ratio() >= self.bar
    }

    fn line(&self) -> String {
        let (theirs, ours) = (median(self.theirs.clone()), median(self.ours.clone()));
        let pass = if !self.same {
            "**results differ**"
        } else if self.passes() {
            "yes"
        } else {
            "**no**"
        };
        let (ratio, bar) = (self.ratio(), self.bar);
        format!(
            "| {} | {} | {theirs:.4} | {ours:.4} | {ratio:.2}× | ≥ {bar:.2}× | {pass} |",
            self.work, self.peer
        )
    }

    fn to_json(&self) -> Value {
        json!({
            "work": self.work, "peer": self.peer, "theirs_s": self.theirs, "ours_s": self.ours,
            "ratio": self.ratio(), "bar": self.bar, "pass": self.passes(),
        })
    }
}
