//! Tests of the scripts of the pages, in node and without a browser, and ESLint.

use crate::step::{install, root, step, works};
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

const ESLINT: &str = "eslint@9.39.1";

/// Runs what can be run here; returns what could not.
pub fn test(target: &Path) -> Result<Vec<String>> {
    let is_new_enough = "process.exit(parseInt(process.versions.node) < 20)";
    if !works(Command::new("node").args(["-e", is_new_enough])) {
        return Ok(vec!["the scripts of the pages: there is no node of version 20 or later".to_owned()]);
    }
    let folder = root().join("xtask/src/page");
    let tests = ["report.test.mjs", "server.test.mjs"].map(|name| folder.join(name));
    step("tests of the pages' scripts", Command::new("node").args(["--test", "--test-reporter=dot"]).args(tests))?;
    let packages = target.join("eslint");
    if !install_eslint(&packages)? {
        return Ok(vec![format!("lints of the pages' scripts: npm cannot install {ESLINT}")]);
    }
    step("lints of the pages' scripts", Command::new("node").arg(folder.join("lint.mjs")).arg(packages))?;
    Ok(Vec::new())
}

/// Installs ESLint into this folder unless it is there; whether that worked.
fn install_eslint(folder: &Path) -> Result<bool> {
    fs::create_dir_all(folder)?;
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix", ".", ESLINT]);
    install("lints of the pages' scripts", folder, ESLINT, npm.current_dir(folder))
}
