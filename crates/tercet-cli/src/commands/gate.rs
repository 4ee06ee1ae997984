//! Gates of `score`, `compare` and `rank`: their file, what is written of them, and the exit code.

mod file;

pub use file::Gate;

use crate::args::GateArgs;
use crate::output::{self, GateFailed, Misuse, note};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use tercet::Error;
use tercet::report::{write_junit, write_step_summary};
use tercet::scoring::GateResult;

/// The variable in which GitHub Actions names the file of the summary of a step.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The gate of the flags, and of the file if there is one.
pub fn read(args: &GateArgs) -> anyhow::Result<Gate> {
    let file = args.gate.as_deref().map(Gate::read).transpose()?.unwrap_or_default();
    let gate = Gate {
        fail_if: file.fail_if.into_iter().chain(args.fail_if.iter().cloned()).collect(),
        no_worse_than: args.no_worse_than.clone().or(file.no_worse_than),
        margin: args.margin.or(file.margin),
        strict: args.strict || file.strict,
    };
    let is_empty = gate.fail_if.is_empty() && gate.no_worse_than.is_none() && !gate.strict;
    match (&args.gate, &args.junit) {
        (Some(path), _) if is_empty => Err(Misuse(format!(
            "{}: there is no gate in it (fail_if = [\"bleu < 35\"], no_worse_than = \"old.txt\" or strict = true)",
            path.display()
        ))
        .into()),
        (_, Some(_)) if is_empty => {
            Err(Misuse("--junit needs a gate: --fail-if, --no-worse-than, --strict or --gate".to_owned()).into())
        }
        _ => Ok(gate),
    }
}

/// Returns an error, before any work is done, if what is asked for beside the result cannot be written.
pub fn check<'r>(
    args: &'r GateArgs,
    result: Option<&'r Path>,
    read: impl Iterator<Item = &'r Path>,
) -> anyhow::Result<()> {
    if args.step_summary {
        summary_file()?;
    }
    output::check(args.junit.as_deref(), read.chain(args.gate.as_deref()).chain(result))
}

fn summary_file() -> Result<PathBuf, Misuse> {
    let named = std::env::var_os(STEP_SUMMARY).filter(|name| !name.is_empty());
    named
        .map(PathBuf::from)
        .ok_or_else(|| Misuse(format!("--step-summary: {STEP_SUMMARY} does not name a file (GitHub Actions sets it)")))
}

/// Writes what is asked for beside the result. The error of a gate that failed is the last that is done.
pub fn finish(
    gate: Option<&GateResult>,
    args: &GateArgs,
    quiet: bool,
    markdown: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    if args.step_summary {
        let path = summary_file()?;
        let text = write_step_summary(gate, &markdown());
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|source| Error::Write { path, source })?;
    }
    let Some(gate) = gate else { return Ok(()) };
    if let Some(path) = &args.junit {
        output::write(&write_junit(gate), Some(path))?;
    }
    match gate.passed {
        false => Err(GateFailed(gate.to_string()).into()),
        true => {
            if !quiet {
                note(gate);
            }
            Ok(())
        }
    }
}
