//! Other packages with interfaces that tercet has: their own tests, and random questions to both.
//!
//! `cargo xtask peers` runs the tests of their source distributions against `tercet.compat`; `cargo xtask differ` asks
//! a package and tercet the same random questions. Both are programs of `bindings/python/tests/peers`, which say there
//! what is left out and why; here are an environment of Python for them, and the package.

use crate::python;
use crate::step::{cargo_step, root, step, target_folder};
use anyhow::{Result, bail};
use std::process::Command;

/// What the other packages need, by name and version.
const REQUIREMENTS: &str = "bindings/python/tests/peers/requirements.txt";

#[derive(clap::Args)]
pub struct PeersArgs {
    /// Whose tests: sacrebleu, jiwer, rouge_score; all without a name
    names: Vec<String>,
}

#[derive(clap::Args)]
pub struct DifferArgs {
    /// Which package: sacrebleu, jiwer, rouge_score, evaluate
    peer: String,
    /// Questions
    #[arg(long, default_value_t = 20_000)]
    calls: usize,
    /// Of the random questions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn peers(args: &PeersArgs) -> Result<()> {
    program("tests of other packages", "suites.py", &args.names)
}

pub fn differ(args: &DifferArgs) -> Result<()> {
    let (calls, seed) = (args.calls.to_string(), args.seed.to_string());
    let words = [&args.peer, "--calls", &calls, "--seed", &seed].map(str::to_owned);
    program("random questions to another package", "differ.py", &words)
}

/// Runs a program with the package as it is in this checkout.
fn program(name: &str, program: &str, words: &[String]) -> Result<()> {
    let target = target_folder()?;
    let python = match python::environment(&target.join("peers-python"), REQUIREMENTS)? {
        Ok(python) => python,
        Err(why) => bail!("{why}"),
    };
    cargo_step("native module of the Python package", "build -p tercet-python --lib")?;
    let package = target.join("peers-package");
    python::assemble(&target.join("debug"), &package)?;
    let folder = root().join("bindings/python/tests/peers");
    let mut command = Command::new(python);
    command.arg(folder.join(program)).args(words).current_dir(&folder);
    command.env("PYTHONPATH", &package).env("PYTHONDONTWRITEBYTECODE", "1").env("TERCET_PEERS", target.join("peers"));
    step(name, &mut command)
}
