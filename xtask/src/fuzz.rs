//! `cargo xtask fuzz`: runs the fuzz targets one after the other, starting from the corpus in `fuzz/corpus`, and prints
//! a table of what each of them covered. All targets run, also where one finds something.
//!
//! What libFuzzer finds on the way goes to `fuzz/target/corpus`, which is not committed. `--renew` chooses the
//! committed corpus anew from both.

use crate::step::{cpu_seconds, fresh, root, step, works};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub struct FuzzArgs {
    /// Targets whose name contains this; all if not given
    filter: Option<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 30)]
    seconds: u32,
    /// How long all targets run together, in equal parts, instead of --seconds
    #[arg(long, conflicts_with = "seconds")]
    minutes: Option<u32>,
    /// The same in hours
    #[arg(long, conflicts_with_all = ["seconds", "minutes"])]
    hours: Option<f64>,
    /// Seed of libFuzzer; a random one if not given
    #[arg(long)]
    seed: Option<u32>,
    /// Choose the committed corpus anew from what earlier runs found, instead of running
    #[arg(long)]
    renew: bool,
}

/// The most that is committed for a target, in bytes and in files, besides the valid files.
const MAX_TARGET_BYTES: u64 = 5_000;
const MAX_FILES: usize = 20;

/// How the names of files begin that were written by hand and stay in the corpus.
const VALID: &str = "valid";

pub fn run(args: &FuzzArgs) -> Result<()> {
    if !works(&mut fuzz(&["--version"])) {
        bail!("cargo +nightly fuzz is not installed: rustup toolchain install nightly && cargo install cargo-fuzz");
    }
    let listed = fuzz(&["list"]).output()?;
    let filter = args.filter.as_deref().unwrap_or_default();
    let targets = String::from_utf8_lossy(&listed.stdout).into_owned();
    let targets: Vec<&str> = targets.lines().filter(|target| target.contains(filter)).collect();
    if targets.is_empty() {
        bail!("no fuzz target's name contains `{filter}` (see cargo +nightly fuzz list)");
    }
    let all = args.hours.map(|hours| (hours * 3600.0) as u32).or(args.minutes.map(|minutes| minutes * 60));
    let seconds = all.map_or(args.seconds, |all| all.div_ceil(targets.len() as u32));
    // Building is not part of the time.
    step("build", &mut fuzz(&["build"]))?;
    if args.renew {
        return targets.into_iter().try_for_each(renew);
    }
    let (mut failed, before) = (Vec::new(), cpu_seconds());
    println!("| target | inputs | edges | features | kept inputs |\n|---|---:|---:|---:|---:|");
    for target in targets {
        let run = fuzz_target(target, seconds, args.seed)?;
        let [inputs, edges, features, kept] = run.figures.map(|figure| figure.unwrap_or_default());
        println!("| {target} | {inputs} | {edges} | {features} | {kept} |");
        if !run.is_passed {
            failed.push(target);
        }
    }
    if let Some((before, after)) = before.zip(cpu_seconds()) {
        println!("\n{:.1} minutes of CPU time", (after - before) / 60.0);
    }
    match failed.is_empty() {
        true => Ok(()),
        false => bail!("{} found something: fuzz/artifacts has the inputs", failed.join(", ")),
    }
}

/// What a target did.
struct Run {
    is_passed: bool,
    /// Inputs tried, covered edges of the program, features (edges with how often they were passed), and inputs that
    /// were kept because they reached something new: as libFuzzer counts them.
    figures: [Option<String>; 4],
}

/// The figures of the last line in which libFuzzer tells how far it is, as in
/// `#4711 DONE cov: 812 ft: 2044 corp: 93/1234b …`.
fn figures(output: &str) -> [Option<String>; 4] {
    let last = output.lines().rev().find(|line| line.starts_with('#') && line.contains(" cov: ")).unwrap_or_default();
    let words: Vec<&str> = last.split_whitespace().collect();
    let after = |name: &str| {
        let place = words.iter().position(|word| *word == name)?;
        words.get(place + 1)?.split('/').next().map(str::to_owned)
    };
    let inputs = words.first().and_then(|first| first.strip_prefix('#')).map(str::to_owned);
    [inputs, after("cov:"), after("ft:"), after("corp:")]
}

/// Runs a target. What it prints goes to a file, and to standard error where it failed.
fn fuzz_target(target: &str, seconds: u32, seed: Option<u32>) -> Result<Run> {
    let (found, committed) = (found(target), committed(target));
    fs::create_dir_all(&found)?;
    let mut command = fuzz(&["run", target]);
    command.arg(found);
    if committed.is_dir() {
        command.arg(committed);
    }
    command.arg("--").arg(format!("-max_total_time={seconds}")).arg("-print_final_stats=1");
    command.args(seed.map(|seed| format!("-seed={seed}")));
    let output = command.output().with_context(|| format!("cannot run {target}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let logs = root().join("fuzz/target/logs");
    fs::create_dir_all(&logs)?;
    fs::write(logs.join(target), text.as_bytes())?;
    if !output.status.success() {
        eprintln!("{text}");
    }
    Ok(Run { is_passed: output.status.success(), figures: figures(&text) })
}

/// Merges what was found with what is committed, and keeps the valid files and a few inputs of all sizes.
fn renew(target: &str) -> Result<()> {
    let (found, committed) = (found(target), committed(target));
    fs::create_dir_all(&found)?;
    fs::create_dir_all(&committed)?;
    let merged = root().join("fuzz/target/merged").join(target);
    fresh(&merged)?;
    let mut command = fuzz(&["run", target]);
    command.arg(&merged).arg(&found).arg(&committed).args(["--", "-merge=1"]);
    step(target, &mut command)?;
    let is_found = |file: &PathBuf| !file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(VALID));
    for (_, file) in by_size(&committed)?.into_iter().filter(|(_, file)| is_found(file)) {
        fs::remove_file(file)?;
    }
    let sized = by_size(&merged)?;
    let step = sized.len().div_ceil(MAX_FILES).max(1);
    let mut total = 0;
    for (size, file) in sized.into_iter().step_by(step) {
        total += size;
        if total > MAX_TARGET_BYTES {
            break;
        }
        fs::copy(&file, committed.join(file.file_name().context("a file has a name")?))?;
    }
    Ok(())
}

fn by_size(folder: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let sized = |entry: std::io::Result<fs::DirEntry>| -> Result<(u64, PathBuf)> {
        let entry = entry?;
        Ok((entry.metadata()?.len(), entry.path()))
    };
    let mut files = fs::read_dir(folder)?.map(sized).collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

fn found(target: &str) -> PathBuf {
    root().join("fuzz/target/corpus").join(target)
}

fn committed(target: &str) -> PathBuf {
    root().join("fuzz/corpus").join(target)
}

/// The nightly toolchain is selected by rustup's cargo, not by the cargo that runs this program.
fn fuzz(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root()).env_remove("RUSTUP_TOOLCHAIN").args(["+nightly", "fuzz"]).args(arguments);
    command
}

#[cfg(test)]
mod tests {
    use super::figures;

    #[test]
    fn figures_are_those_of_the_last_report() {
        let output =
            "#2 INITED cov: 10 ft: 11 corp: 1/1b\n#300\tDONE   cov: 12 ft: 40 corp: 7/90b lim: 4\nstat::x: 1\n";
        assert_eq!(figures(output).map(Option::unwrap), ["300", "12", "40", "7"]);
        assert_eq!(figures("nothing"), [None, None, None, None]);
    }
}
