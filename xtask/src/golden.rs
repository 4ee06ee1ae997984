//! `cargo xtask golden`: equality with the real tools. Here, unlike in `cargo xtask test`, missing files are an error.

use crate::step::{cargo, root, step};
use anyhow::{Result, bail};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct GoldenArgs {
    /// Golden files whose name contains this, as `sacrebleu_corpus/`; all if not given
    filter: Option<String>,
}

const PACKAGES: [&str; 3] = ["tercet-learn", "tercet", "tercet-cli"];

pub fn run(args: &GoldenArgs) -> Result<()> {
    let shared = shared()?;
    let test = |package: &str| {
        let mut test = cargo();
        test.args(["test", "-p", package, "--test", "golden", "--"]).args(&args.filter);
        test.env("TERCET_SHARED", &shared);
        test
    };
    if let Some(filter) = &args.filter {
        let mut matching = 0;
        for package in PACKAGES {
            let listed = test(package).arg("--list").output()?;
            matching += String::from_utf8_lossy(&listed.stdout).lines().filter(|line| line.ends_with(": test")).count();
        }
        if matching == 0 {
            bail!("no golden file has `{filter}` in its name");
        }
    }
    for package in PACKAGES {
        step(&format!("golden files, {package}"), &mut test(package))?;
    }
    Ok(())
}

/// The folder with `golden/`: `TERCET_SHARED`, or else `shared` next to the checkout.
pub fn shared() -> Result<PathBuf> {
    let named = std::env::var_os("TERCET_SHARED").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| root().join("../shared"));
    if !folder.join("golden").is_dir() {
        bail!(
            "no golden files: {} is not a folder (set TERCET_SHARED to the folder that holds golden/)",
            folder.join("golden").display()
        );
    }
    Ok(folder.canonicalize()?)
}
