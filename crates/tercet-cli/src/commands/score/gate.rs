//! The gate of `tercet score`: its file, what is written of it, and the exit code.

use super::gate_file::GateFile;
use crate::args::GateArgs;
use crate::output::{self, GateFailed, Misuse, note};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use tercet::Error;
use tercet::report::{Contents, write_junit, write_step_summary};
use tercet::scoring::{Evaluation, ScoreJob};

/// The variable in which GitHub Actions names the file of the summary of a step.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The job with the gate of the flags, and that of the file if there is one.
pub fn add_to(job: ScoreJob, args: &GateArgs) -> anyhow::Result<ScoreJob> {
    let file = args.gate.as_deref().map(GateFile::read).transpose()?.unwrap_or_default();
    let fail_if: Vec<String> = file.fail_if.into_iter().chain(args.fail_if.iter().cloned()).collect();
    let no_worse_than = args.no_worse_than.clone().or(file.no_worse_than);
    let margin = args.margin.or(file.margin);
    let has_gate = !fail_if.is_empty() || no_worse_than.is_some();
    match (&args.gate, &args.junit) {
        (Some(path), _) if !has_gate => Err(Misuse(format!(
            "{}: there is no gate in it (fail_if = [\"bleu < 35\"] or no_worse_than = \"old.txt\")",
            path.display()
        ))
        .into()),
        (_, Some(_)) if !has_gate => {
            Err(Misuse("--junit needs a gate: --fail-if, --no-worse-than or --gate".to_owned()).into())
        }
        _ => Ok(ScoreJob { fail_if, no_worse_than, margin, ..job }),
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
pub fn finish(evaluation: &Evaluation, args: &GateArgs, contents: Contents, quiet: bool) -> anyhow::Result<()> {
    if args.step_summary {
        let path = summary_file()?;
        let text = write_step_summary(evaluation, contents);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|source| Error::Write { path, source })?;
    }
    let Some(gate) = &evaluation.gate else { return Ok(()) };
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
