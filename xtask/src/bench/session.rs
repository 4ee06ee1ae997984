//! A benchmark that runs: its flags, its folder for files, the rows so far, and their record.

use super::machine;
use super::measure::{measure, timed};
use super::peers::{self, Package};
use super::row::{COLUMNS, Row, Run};
use crate::step::{release_build, root, tercet};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, clap::Args)]
pub struct RunsArgs {
    /// Runs of each program, of which the median counts; the slowest peers run once
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// The virtual environment to use or make, in place of one in the cache directory
    #[arg(long, value_name = "DIR")]
    pub keep_venv: Option<PathBuf>,
    /// Only rows whose name contains this; nothing is recorded
    #[arg(long, value_name = "WORK")]
    pub only: Option<String>,
    /// Show the table and record nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(clap::Args)]
pub struct ProgramArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// Measure this program in place of a fresh release build; nothing is recorded
    #[arg(long, value_name = "FILE")]
    tercet: Option<PathBuf>,
}

impl ProgramArgs {
    /// The program to measure, and the flags: a given program is not recorded.
    pub fn program(&self) -> Result<(PathBuf, RunsArgs)> {
        Ok((
            tercet(self.tercet.as_deref())?,
            RunsArgs { dry_run: self.runs.dry_run || self.tercet.is_some(), ..self.runs.clone() },
        ))
    }
}

/// What a benchmark is about.
pub struct About {
    /// The name of its files.
    pub file: &'static str,
    pub title: &'static str,
    /// What was measured.
    pub text: &'static str,
}

/// A benchmark that runs.
pub struct Session<'a> {
    args: &'a RunsArgs,
    /// A temporary folder.
    pub scratch: PathBuf,
    /// A description of machine and tools.
    machine: Value,
    rows: Vec<Row>,
}

/// Measures the rows of a benchmark in a temporary folder and records them; fails if one does not pass.
pub fn run(args: &RunsArgs, about: &About, measure: impl FnOnce(&mut Session) -> Result<()>) -> Result<()> {
    let scratch = std::env::temp_dir().join(format!("tercet-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let mut session = Session { args, scratch, machine: machine::describe(), rows: Vec::new() };
    measure(&mut session)?;
    let Session { machine, rows, .. } = &session;
    ensure!(!rows.is_empty(), "no row's name contains `{}`", args.only.as_deref().unwrap_or_default());
    println!("\n{}", table(rows));
    if args.only.is_none() && !args.dry_run {
        record(about, machine, rows)?;
    }
    let failed: Vec<&str> = rows.iter().filter(|row| !row.passes()).map(|row| row.work.as_str()).collect();
    ensure!(failed.is_empty(), "below the bar, or different results: {}", failed.join("; "));
    Ok(())
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.scratch);
    }
}

impl Session<'_> {
    /// Runs of each program.
    pub fn runs(&self) -> u32 {
        self.args.runs
    }

    /// Whether rows of this name are measured.
    pub fn wants(&self, work: &str) -> bool {
        self.args.only.as_deref().is_none_or(|only| work.contains(only))
    }

    /// Notes a tool and its version, or another fact, beside the machine.
    pub fn note(&mut self, key: &str, value: impl Into<Value>) {
        self.machine[key] = value.into();
    }

    /// A Python that has a package; notes the versions of Python, of the package and of others that come with it.
    pub fn python_with(&mut self, package: &Package, others: &[&str]) -> Result<PathBuf> {
        let python = peers::python_with(package, self.args.keep_venv.as_deref())?;
        self.note("python", machine::said_by(&python, &["--version"]));
        for package in [&[package.name], others].concat() {
            self.note(package, machine::version_of(&python, package));
        }
        Ok(python)
    }

    /// Writes a file into the temporary folder.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<PathBuf> {
        let path = self.scratch.join(name);
        fs::write(&path, contents).with_context(|| path.display().to_string())?;
        Ok(path)
    }

    /// Measures a row, if rows of its name are wanted.
    pub fn row(&mut self, mut row: Row, measure: impl FnOnce(&mut Row, &Self) -> Result<()>) -> Result<()> {
        if self.wants(&row.work) {
            measure(&mut row, self).with_context(|| row.work.clone())?;
            println!("{}", shown(&row.cells()));
            self.rows.push(row);
        }
        Ok(())
    }

    /// A row that was measured.
    pub fn measured(&self, work: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.work == work)
    }

    /// Runs a whole process on one thread.
    pub fn process(&self, command: &mut Command) -> Result<(Run, String)> {
        measure(command, &self.scratch)
    }
}

/// Both sides as programs that time themselves and print JSON, in turns on one thread; their seconds are multiplied by
/// a factor. The peer's description of its method is noted.
pub fn timed_in_turns(
    row: &mut Row,
    runs: u32,
    times: f64,
    theirs: &mut Command,
    ours: &mut Command,
    compare: impl FnOnce(&mut Row, &Value, &Value) -> Result<()>,
) -> Result<()> {
    let run = |command: &mut Command| timed(command, 1).map(|(run, said)| (run * times, said));
    row.in_turns(
        runs,
        || run(theirs),
        || run(ours),
        |row, theirs, ours| {
            row.notes.extend(theirs["way"].as_str().map(|way| format!("{}: {way}", row.peer)));
            compare(row, theirs, ours)
        },
    )
}

/// An example that times itself.
pub fn release_example(package: &str, example: &str) -> Result<PathBuf> {
    release_build(&format!("-p {package} --example {example}"), &format!("examples/{example}"))
}

fn shown(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}

/// A table in Markdown, without columns that are empty in all rows.
fn table(rows: &[Row]) -> String {
    let head = COLUMNS.iter().chain(&["pass"]).map(|title| (*title).to_owned()).collect();
    let mut lines: Vec<Vec<String>> = vec![head];
    lines.extend(rows.iter().map(Row::cells));
    let used: Vec<usize> =
        (0..lines[0].len()).filter(|&column| lines[1..].iter().any(|cells| !cells[column].is_empty())).collect();
    let is_number = |column: usize| (3..9).contains(&column);
    let rule = (0..lines[0].len()).map(|column| if is_number(column) { "---:" } else { "---" }.to_owned()).collect();
    lines.insert(1, rule);
    let line = |cells: &Vec<String>| shown(&used.iter().map(|&column| cells[column].clone()).collect::<Vec<_>>());
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Writes a page and its raw numbers to today's folder of this machine.
fn record(about: &About, machine: &Value, rows: &[Row]) -> Result<()> {
    let date = machine["date"].as_str().unwrap_or_default();
    let mut page = format!("# {}, {date}\n\n", about.title);
    for (key, value) in machine.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        page += &format!("- {}: {value}\n", key.replace('_', " "));
    }
    page += &format!("\n{} See `../../README.md`.\n\n{}\n", about.text, table(rows));
    let notes = rows.iter().flat_map(|row| row.notes.iter().map(move |note| (&row.work, note)));
    let notes: String = notes.map(|(work, note)| format!("- {work}: {note}\n")).collect();
    if !notes.is_empty() {
        page += &format!("\n{notes}");
    }
    let json: Vec<Value> = rows.iter().map(to_json).collect::<Result<_>>()?;
    let name = format!("{date}-{}", machine::slug(&machine::cpu()));
    let folder = root().join("benchsuite/runs").join(&name);
    fs::create_dir_all(&folder)?;
    let file = folder.join(about.file);
    fs::write(file.with_extension("md"), page)?;
    fs::write(file.with_extension("json"), format!("{:#}\n", json!({"machine": machine, "rows": json})))?;
    println!("\nwrote benchsuite/runs/{name}/{0}.md and {0}.json", about.file);
    Ok(())
}

fn to_json(row: &Row) -> Result<Value> {
    let mut value = serde_json::to_value(row)?;
    value["bars"] = row.bars.iter().map(|bar| bar.to_string()).collect();
    value["ratio"] = row.ratio().into();
    value["pass"] = row.passes().into();
    Ok(value)
}

/// A path as an argument.
pub fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::row::Bar;

    #[test]
    fn the_folder_is_gone_even_after_a_failure_and_missed_bars_are_named() {
        let args = RunsArgs { runs: 1, keep_venv: None, only: None, dry_run: true };
        let about = About { file: "x", title: "X", text: "" };
        let mut folder = PathBuf::new();
        let outcome = run(&args, &about, |session| {
            folder = session.scratch.clone();
            session.write("file", "")?;
            for (work, most) in [("a", 1.0), ("b", 3.0), ("c", 1.5)] {
                session.row(Row::new(work, "", [Bar::Seconds(most)]), |row, session| {
                    row.alone(session.runs(), || Ok(Run { cpu_s: 2.0, ..Run::default() }))
                })?;
            }
            Ok(())
        });
        assert_eq!(outcome.unwrap_err().to_string(), "below the bar, or different results: a; c");
        assert!(!folder.as_os_str().is_empty() && !folder.exists());
    }

    #[test]
    fn tables_have_the_columns_in_use() {
        let run = Run { cpu_s: 0.5, ..Run::default() };
        let row = Row { items: vec![("words", 25.0)], ours: vec![run], ..Row::new("x", "", [Bar::Seconds(1.0)]) };
        assert_eq!(
            table(&[row]),
            "| work | seconds of | tercet s | tercet per CPU second | bar | pass |\n\
             | --- | --- | ---: | ---: | --- | --- |\n\
             | x | CPU | 0.5000 | 50 words | ≤ 1 s | yes |"
        );
    }
}
