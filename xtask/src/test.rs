//! `cargo xtask test`: all checks of CI, cheapest first, until one fails.
//!
//! Needs a Rust toolchain and nothing else. Without `TERCET_SHARED` the large golden set counts as skipped; without
//! rustfmt or clippy their steps are skipped too, and so are the tests of the Python package without Python, those of
//! the pages' scripts without Node.js and those in a browser without Chromium; the last lines say so.

use crate::step::{TESTED, cargo, cargo_step, cpu_seconds, step, target_folder, works};
use crate::{browser, dependencies, page, python, width};
use anyhow::{Result, bail};
use std::time::Instant;

#[derive(clap::Args)]
pub struct TestArgs {
    /// Only format, lints and the tests of the workspace
    #[arg(long)]
    quick: bool,
    /// Also trainings that are killed and go on, and the tests of the command without default features
    #[arg(long, conflicts_with = "quick")]
    slow: bool,
    /// Only the tests of the Python package
    #[arg(long, conflicts_with_all = ["quick", "slow"])]
    python: bool,
    /// Only the tests of the pages' scripts
    #[arg(long, conflicts_with_all = ["quick", "slow", "python"])]
    pages: bool,
    /// Fail where a part of the toolchain is missing, instead of skipping its step
    #[arg(long)]
    strict: bool,
}

/// What names of tests have in them that run a training for a while, kill it and let it go on: `--slow` runs them.
const SLOW: [&str; 2] = ["a_killed_", "stops_with_a_checkpoint"];

pub fn run(args: &TestArgs) -> Result<()> {
    let start = Instant::now();
    if args.python {
        return python::test()?.map_or(Ok(()), |why| bail!("not run: {why}"));
    }
    if args.pages {
        return match page::test(&target_folder()?)?.first() {
            Some(why) => bail!("not run: {why}"),
            None => Ok(()),
        };
    }
    let (mut skipped, mut unchecked) = (Vec::new(), Vec::new());
    component("fmt", "format", "fmt --all --check", &mut skipped)?;
    unchecked.extend(width::check()?);
    let lints = format!("clippy {TESTED} --all-targets -- -D warnings");
    component("clippy", "lints", &lints, &mut skipped)?;
    // Examples are compiled by the lints and not linked.
    let left_out = if args.slow { String::new() } else { SLOW.map(|name| format!(" --skip {name}")).concat() };
    cargo_step("tests", &format!("test {TESTED} --no-fail-fast --tests --{left_out}"))?;
    if !args.quick {
        cargo_step("examples in the documentation", &format!("test {TESTED} --doc"))?;
        documentation()?;
        without_default_features(args.slow, &mut skipped)?;
        fuzz_targets_compile()?;
        #[cfg(unix)]
        attack()?;
        // These are not skipped steps: Python, Node.js and Chromium are not needed to build tercet, and installing
        // cargo-deny takes longer than all of these checks.
        let target = target_folder()?;
        unchecked.extend(page::test(&target)?);
        unchecked.extend(python::test()?);
        unchecked.extend(browser::test(&target.join("debug"))?);
        unchecked.extend(dependencies::check()?);
    }
    let cpu = cpu_seconds().map(|seconds| format!(", {:.1} minutes of CPU time", seconds / 60.0));
    println!("all passed in {:.0} s{}", start.elapsed().as_secs_f64(), cpu.unwrap_or_default());
    for what in &skipped {
        println!("skipped: {what}");
    }
    for what in &unchecked {
        println!("not checked: {what}");
    }
    if args.strict && !skipped.is_empty() {
        bail!("{} steps were skipped", skipped.len());
    }
    Ok(())
}

/// A step with an optional component of the toolchain.
fn component(subcommand: &str, name: &str, arguments: &str, skipped: &mut Vec<String>) -> Result<()> {
    if works(cargo().args([subcommand, "--version"])) {
        return cargo_step(name, arguments);
    }
    let package = if subcommand == "fmt" { "rustfmt" } else { subcommand };
    skipped.push(format!("{name}: cargo {subcommand} is not installed (rustup component add {package})"));
    Ok(())
}

fn documentation() -> Result<()> {
    let mut doc = cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--exclude", "xtask", "--exclude", "tercet-model-*"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    step("documentation", &mut doc)
}

/// The library and the command with the lexical metrics only. The tests run nearly the same code as with default
/// features, so they are among the slow ones.
fn without_default_features(slow: bool, skipped: &mut Vec<String>) -> Result<()> {
    let packages = "-p tercet -p tercet-cli -p tercet-serve --no-default-features";
    let lints = format!("clippy {packages} --all-targets -- -D warnings");
    component("clippy", "lints without default features", &lints, skipped)?;
    if slow {
        cargo_step(
            "tests without default features",
            &format!("test {packages} --lib --test properties --test command"),
        )?;
    }
    Ok(())
}

/// A few hundred malformed inputs; in a process of its own, because it limits memory.
#[cfg(unix)]
fn attack() -> Result<()> {
    let mut attack = std::process::Command::new(std::env::current_exe()?);
    attack.args(["attack", "--dev", "--inputs", "300", "--quick"]);
    step("attack", &mut attack)
}

/// Type-checks the fuzz targets. Nothing is linked, so a path to libFuzzer is set without building it, which would
/// need a C++ compiler. With the profiles of the workspace, so that libraries of others are those of the lints.
fn fuzz_targets_compile() -> Result<()> {
    let mut check = cargo();
    check.args(["check", "--quiet", "--config", "Cargo.toml", "--manifest-path", "fuzz/Cargo.toml", "--locked"]);
    check.env("CUSTOM_LIBFUZZER_PATH", "/not/linked/libfuzzer.a");
    step("fuzz targets compile", &mut check)
}
