//! `cargo xtask test`: all checks of CI, cheapest first, until one fails.
//!
//! Needs a Rust toolchain and nothing else. Without `TERCET_SHARED` the golden tests count as skipped; without rustfmt
//! or clippy their steps are skipped too, and so are the tests of the Python package without Python; the last lines say
//! so.

use crate::step::{TESTED, cargo, cargo_step, step, works};
use crate::{dependencies, python};
use anyhow::{Result, bail};
use std::time::Instant;

#[derive(clap::Args)]
pub struct TestArgs {
    /// Only format, lints and the tests of the workspace
    #[arg(long)]
    quick: bool,
    /// Only the tests of the Python package
    #[arg(long, conflicts_with = "quick")]
    python: bool,
    /// Fail where a part of the toolchain is missing, instead of skipping its step
    #[arg(long)]
    strict: bool,
}

pub fn run(args: &TestArgs) -> Result<()> {
    let start = Instant::now();
    if args.python {
        return python::test()?.map_or(Ok(()), |why| bail!("not run: {why}"));
    }
    let (mut skipped, mut unchecked) = (Vec::new(), Vec::new());
    component("fmt", "format", "fmt --all --check", &mut skipped)?;
    let lints = format!("clippy {TESTED} --all-targets -- -D warnings");
    component("clippy", "lints", &lints, &mut skipped)?;
    if args.quick {
        cargo_step("tests", &format!("test {TESTED} --lib --bins --tests"))?;
    } else {
        cargo_step("tests and examples in the documentation", &format!("test {TESTED}"))?;
        documentation()?;
        without_default_features(&mut skipped)?;
        fuzz_targets_compile()?;
        #[cfg(unix)]
        attack()?;
        // Neither is a skipped step: Python is not needed to build tercet, and installing cargo-deny takes longer than
        // all of these checks.
        unchecked.extend(python::test()?);
        unchecked.extend(dependencies::check()?);
    }
    println!("all passed in {:.0} s", start.elapsed().as_secs_f64());
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
    doc.args(["doc", "--workspace", "--no-deps", "--exclude", "xtask"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    step("documentation", &mut doc)
}

/// Golden tests are left out: they run the same code with default features.
fn without_default_features(skipped: &mut Vec<String>) -> Result<()> {
    for (package, targets) in [("tercet", "--lib --test properties"), ("tercet-cli", "--bins --test command")]
    {
        component(
            "clippy",
            &format!("lints of {package} without default features"),
            &format!("clippy -p {package} --no-default-features --all-targets -- -D warnings"),
            skipped,
        )?;
        cargo_step(
            &format!("tests of {package} without default features"),
            &format!("test -p {package} --no-default-features {targets}"),
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
/// need a C++ compiler.
fn fuzz_targets_compile() -> Result<()> {
    let mut check = cargo();
    check.args(["check", "--manifest-path", "fuzz/Cargo.toml", "--locked"]);
    check.env("CUSTOM_LIBFUZZER_PATH", "/not/linked/libfuzzer.a");
    step("fuzz targets compile", &mut check)
}
