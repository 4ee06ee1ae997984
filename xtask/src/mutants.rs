//! `cargo xtask mutants`: changes single expressions of a crate, and lists the changes that none of its tests notices.
//!
//! cargo-mutants makes the changes. Their number is that of the crate's expressions: the statistics take about an hour,
//! all metrics several. `--files` chooses some of them.

use crate::step::{cargo, step, works};
use anyhow::{Result, bail};

#[derive(clap::Args)]
pub struct MutantsArgs {
    /// The crate: `tercet-statistics`, `tercet-metrics`
    package: String,
    /// Only files whose path contains this: `bleu`, `correlation`
    #[arg(long)]
    files: Option<String>,
    /// How many changes are tried at the same time
    #[arg(long, default_value_t = 1)]
    jobs: u32,
    /// Try every so many changes only: 10 for a tenth of them
    #[arg(long)]
    every: Option<u32>,
}

pub fn run(args: &MutantsArgs) -> Result<()> {
    if !works(cargo().args(["mutants", "--version"])) {
        bail!("cargo-mutants is not installed: cargo install --locked cargo-mutants");
    }
    let mut command = cargo();
    command.args(["mutants", "--package", &args.package, "--test-package", &args.package]);
    command.args(["--output", "target", "--jobs", &args.jobs.to_string(), "--no-shuffle"]);
    // The properties of all metrics are tests of another crate; those of the crate itself are fast enough to be run for
    // each change. A change that makes a test go on for ever counts as noticed.
    command.args(["--minimum-test-timeout", "60"]);
    command.args(args.files.iter().flat_map(|files| ["--file".to_owned(), format!("**/*{files}*")]));
    command.args(args.every.iter().flat_map(|every| ["--shard".to_owned(), format!("0/{every}")]));
    step("mutants", &mut command)
}
