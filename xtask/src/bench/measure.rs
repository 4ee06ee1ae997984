//! Wall time, CPU time and peak memory of a command.
//!
//! The system counts these for all children of a process together, so every command gets its own parent process: this
//! program again, as the hidden `cargo xtask measure`. Being small, that parent does not set the peak it reports.

use super::row::Run;
use crate::step::root;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(clap::Args)]
pub struct MeasureArgs {
    /// Where the command's standard output goes
    #[arg(long)]
    stdout: PathBuf,
    /// The command
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// Environment variables that set the number of threads of libraries.
const THREADS: [&str; 4] = ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"];

/// Runs a command with one thread per library; returns what it used and its output.
pub fn measure(command: &Command, scratch: &Path) -> Result<(Run, String)> {
    let stdout = scratch.join("stdout");
    let mut measured = Command::new(std::env::current_exe()?);
    measured.arg("measure").arg("--stdout").arg(&stdout).arg("--");
    measured.arg(command.get_program()).args(command.get_args());
    // Libraries would start their own threads; tercet's --threads takes precedence.
    measured.envs(THREADS.map(|variable| (variable, "1")));
    measured.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    let used = output(&mut measured).with_context(|| format!("running {command:?}"))?;
    Ok((serde_json::from_slice(&used)?, std::fs::read_to_string(&stdout)?))
}

/// Runs a program that times itself and prints JSON.
pub fn timed(command: &mut Command, threads: usize) -> Result<(Run, Value)> {
    command.envs(THREADS.map(|variable| (variable, threads.to_string())));
    let printed: Value = serde_json::from_slice(&output(command.current_dir(root()))?)?;
    Ok((Run::deserialize(&printed)?, printed))
}

/// The standard output of a command that must succeed; the error has the last lines that it printed otherwise.
pub fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        let printed = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = printed.lines().collect();
        bail!("{}\n{}", output.status, lines[lines.len().saturating_sub(8)..].join("\n"));
    }
    Ok(output.stdout)
}

/// The hidden subcommand.
#[cfg(unix)]
pub fn run(args: &MeasureArgs) -> Result<()> {
    use nix::sys::resource::{UsageWho, getrusage};
    let stdout = File::create(&args.stdout)?;
    let mut command = Command::new(&args.command[0]);
    command.args(&args.command[1..]).stdin(Stdio::null()).stdout(stdout);
    let start = std::time::Instant::now();
    let status = command.status().with_context(|| format!("cannot run {}", args.command[0]))?;
    let wall = start.elapsed().as_secs_f64();
    if !status.success() {
        bail!("{status}");
    }
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    let per_mib = if cfg!(target_vendor = "apple") { 1024.0 * 1024.0 } else { 1024.0 };
    let run = Run {
        cpu_s: seconds(used.user_time()) + seconds(used.system_time()),
        wall_s: wall,
        peak_mib: Some(used.max_rss() as f64 / per_mib),
    };
    println!("{}", serde_json::to_string(&run)?);
    Ok(())
}

#[cfg(not(unix))]
pub fn run(_args: &MeasureArgs) -> Result<()> {
    let _ = (File::open::<&str>, Stdio::null);
    bail!("CPU time and peak memory are measured on Unix only")
}
