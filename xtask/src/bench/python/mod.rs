//! `cargo xtask bench python`: the Python package compared with the command and with sacreBLEU.
//!
//! The first row compares whole processes on the same files, interpreter and imports included. The others compare
//! functions on lists in memory: `functions.py` runs them with sacreBLEU and with tercet, in turns.

use super::lexical::parse;
use super::peers::SACREBLEU;
use super::row::{self, Bar, Row, within};
use super::session::{self, About, RunsArgs, timed_in_turns};
use super::texts::Texts;
use crate::python;
use crate::step::{release_build, step, target_folder};
use anyhow::{Context, Result};
use serde_json::Value;
use std::process::Command;

const ABOUT: About = About {
    file: "python",
    title: "Python package",
    text: "WMT17 German–English. CPU seconds, medians of runs in turns, one thread each; the results of both were \
        compared.",
};

/// Functions, what they score, and their bars.
const FUNCTIONS: [(&str, &str, f64); 4] = [
    ("corpus_bleu", "33,044 segments", 20.0),
    ("corpus_chrf", "33,044 segments", 20.0),
    ("sentence_chrf", "3,000 sentences", 10.0),
    ("sentence_bleu", "3,000 sentences", 5.0),
];

/// At most 15% more CPU than the command.
const PROCESS_BAR: f64 = 1.0 / 1.15;

pub fn run(args: &RunsArgs) -> Result<()> {
    let texts = Texts::wmt17()?;
    let program = release_build("-p tercet-cli -p tercet-python", "tercet")?;
    let package = target_folder()?.join("python-package-release");
    python::assemble(program.parent().context("a program is in a folder")?, &package)?;
    session::run(args, &ABOUT, |session| {
        let interpreter = session.python_with(&SACREBLEU, &[])?;
        // As pip does when it installs a wheel.
        let mut compile = Command::new(&interpreter);
        compile.args(["-m", "compileall", "-q"]).arg(&package).env_remove("PYTHONDONTWRITEBYTECODE");
        step("bytecode", &mut compile)?;
        let count = texts.systems.len();
        let processes = format!("BLEU, chrF and TER of {count} systems, whole processes");
        session.row(Row::new(processes, "the command", [Bar::Ratio(PROCESS_BAR)]), |row, session| {
            let script = session.write("score.py", include_str!("score.py"))?;
            let mut theirs = texts.score(&program, count, "-m bleu -m chrf -m ter", 1);
            let mut ours = Command::new(&interpreter);
            ours.arg(script).arg(&texts.reference).args(&texts.systems).env("PYTHONPATH", &package);
            let run = |command: &mut Command| session.process(command);
            row.in_turns(
                session.runs().max(15),
                || run(&mut theirs),
                || run(&mut ours),
                |row, theirs, ours| {
                    let (theirs, ours) = (without_names(theirs)?, without_names(ours)?);
                    row.difference = (theirs != ours).then(|| "other scores or signatures".to_owned());
                    Ok(())
                },
            )
        })?;
        let script = session.write("functions.py", include_str!("functions.py"))?;
        for (name, segments, bar) in FUNCTIONS {
            session.row(Row::new(format!("{name}, {segments}"), "sacreBLEU", [Bar::Ratio(bar)]), |row, session| {
                let [mut theirs, mut ours] = ["sacrebleu", "tercet.compat.sacrebleu"].map(|library| {
                    let mut command = Command::new(&interpreter);
                    command.arg(&script).args([library, name]).arg(&texts.reference).args(&texts.systems);
                    command.env("PYTHONPATH", &package);
                    command
                });
                timed_in_turns(row, session.runs(), 1.0, &mut theirs, &mut ours, |row, theirs, ours| {
                    row.difference = row::difference(&theirs["values"], &ours["values"], within(1e-6));
                    Ok(())
                })
            })?;
        }
        Ok(())
    })
}

/// The scores and signatures of a JSON report; names of systems may be written differently.
fn without_names(report: &str) -> Result<Vec<(Value, Value)>> {
    let report = parse(report)?;
    let rows = report.as_array().context("expected an array")?;
    Ok(rows.iter().map(|row| (row["score"].clone(), row["signature"].clone())).collect())
}
