//! Wall time, CPU time and peak memory of a command.
//!
//! The system counts these for all children of a process together, so every command gets its own parent process: this
//! program again, as the hidden `cargo xtask measure`. Being small, that parent does not set the peak it reports.

use crate::step::root;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
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
const THREADS: [&str; 4] =
    ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"];

/// One run of a command.
#[derive(Clone, Debug)]
pub struct Usage {
    pub wall: f64,
    /// User and system time.
    pub cpu: f64,
    /// Peak resident memory in MiB.
    pub peak: f64,
}

impl Usage {
    pub fn to_json(&self) -> Value {
        json!({"wall_s": self.wall, "cpu_s": self.cpu, "peak_mib": self.peak})
    }
}

/// Runs a command with one thread per library; returns its usage and output.
pub fn measure(
    program: &Path,
    arguments: &[String],
    environment: &[(String, String)],
    scratch: &Path,
) -> Result<(Usage, String)> {
    let stdout = scratch.join("stdout");
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("measure").arg("--stdout").arg(&stdout).arg("--").arg(program).args(arguments);
    // Libraries would start their own threads; tercet's --threads takes precedence.
    command.envs(THREADS.map(|variable| (variable, "1")));
    command.envs(environment.iter().cloned());
    let output = command.output()?;
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last: Vec<&str> = said.lines().rev().take(8).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        bail!("{name} failed:\n{}", last.join("\n"));
    }
    let usage: Value = serde_json::from_slice(&output.stdout).with_context(|| format!("measuring {name}"))?;
    let number = |key: &str| usage[key].as_f64().with_context(|| format!("no {key} in {usage}"));
    let usage = Usage { wall: number("wall_s")?, cpu: number("cpu_s")?, peak: number("peak_mib")? };
    Ok((usage, std::fs::read_to_string(&stdout)?))
}

/// Runs a program that times itself and prints JSON.
pub fn said(command: &mut Command, threads: usize) -> Result<Value> {
    command.envs(THREADS.map(|variable| (variable, threads.to_string())));
    let output = command.current_dir(root()).output()?;
    if !output.status.success() {
        bail!("it failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
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
    let usage = Usage {
        wall,
        cpu: seconds(used.user_time()) + seconds(used.system_time()),
        peak: used.max_rss() as f64 / per_mib,
    };
    println!("{}", usage.to_json());
    Ok(())
}

#[cfg(not(unix))]
pub fn run(_args: &MeasureArgs) -> Result<()> {
    let _ = (File::open::<&str>, Stdio::null);
    bail!("CPU time and peak memory are measured on Unix only")
}
