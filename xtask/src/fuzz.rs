//! `cargo xtask fuzz`: runs the fuzz targets one after the other.

use crate::step::{root, step, works};
use anyhow::{Result, bail};
use std::process::Command;

#[derive(clap::Args)]
pub struct FuzzArgs {
    /// Targets whose name contains this; all if not given
    filter: Option<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 30)]
    seconds: u32,
}

pub fn run(args: &FuzzArgs) -> Result<()> {
    if !works(&mut fuzz(&["--version"])) {
        bail!(
            "cargo +nightly fuzz is not installed: rustup toolchain install nightly && cargo install cargo-fuzz"
        );
    }
    let listed = fuzz(&["list"]).output()?;
    let filter = args.filter.as_deref().unwrap_or_default();
    let targets = String::from_utf8_lossy(&listed.stdout).into_owned();
    let targets: Vec<&str> = targets.lines().filter(|target| target.contains(filter)).collect();
    if targets.is_empty() {
        bail!("no fuzz target's name contains `{filter}` (see cargo +nightly fuzz list)");
    }
    for target in targets {
        let limit = format!("-max_total_time={}", args.seconds);
        step(target, &mut fuzz(&["run", target, "--", &limit]))?;
    }
    Ok(())
}

/// The nightly toolchain is selected by rustup's cargo, not by the cargo that runs this program.
fn fuzz(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root()).env_remove("RUSTUP_TOOLCHAIN").args(["+nightly", "fuzz"]).args(arguments);
    command
}
