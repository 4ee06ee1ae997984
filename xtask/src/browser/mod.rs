//! `cargo xtask browser`: the HTML reports of `tercet` and the page of `tercet serve`, used in a headless Chromium.
//!
//! Needs Node.js, Chromium and its WebDriver (`apt-get install nodejs chromium chromium-driver`); without them it says
//! so and passes. The checks are JavaScript (`checks/`), which `run.mjs` runs; this program writes the reports. The
//! accessibility check needs npm, which fetches axe-core into the target folder. Screenshots go to
//! `target/screenshots`; `--pictures` also writes those that the documentation shows.

mod reports;

use crate::step::{fresh, root, tercet};
use anyhow::{Result, ensure};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub struct BrowserArgs {
    /// Only checks whose name contains this
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
    /// Also write the pictures of the documentation
    #[arg(long)]
    pictures: bool,
    /// Neither speed nor pictures, and no large reports
    #[arg(long, conflicts_with = "pictures")]
    quick: bool,
    /// Use this `tercet` instead of building one
    #[arg(long, value_name = "FILE")]
    tercet: Option<PathBuf>,
}

/// Names of browsers, in the order in which they are looked for.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The quick checks, of the command in this folder; returns why they were not run.
pub fn test(built: &Path) -> Result<Option<String>> {
    let tercet = built.join(format!("tercet{}", std::env::consts::EXE_SUFFIX));
    check(&BrowserArgs { filter: None, pictures: false, quick: true, tercet: Some(tercet) })
}

pub fn run(args: &BrowserArgs) -> Result<()> {
    if let Some(why) = check(args)? {
        println!("skipped: {why}");
    }
    Ok(())
}

/// Runs the checks; returns why they were not run.
fn check(args: &BrowserArgs) -> Result<Option<String>> {
    let programs = (BROWSERS.into_iter().find_map(find), find("chromedriver"), find("node"));
    let (Some(chromium), Some(chromedriver), Some(node)) = programs else {
        let why = "the pages in a browser: there is no node, or no chromium with chromedriver \
                   (apt-get install nodejs chromium chromium-driver)";
        return Ok(Some(why.to_owned()));
    };
    let folder = root().join("target/browser");
    let profile = folder.join("profile");
    fresh(&profile)?;
    let tercet = tercet(args.tercet.as_deref())?;
    let context = json!({
        "chromium": chromium,
        "chromedriver": chromedriver,
        "profile": profile,
        "root": root(),
        "folder": folder,
        "reports": reports::write_all(&folder, &tercet, args.quick)?,
        "segments": reports::SEGMENTS,
        "many": reports::MANY,
        "tercet": tercet,
        "filter": args.filter.as_deref().unwrap_or_default(),
        "pictures": args.pictures,
        "quick": args.quick,
    });
    let script = root().join("xtask/src/browser/run.mjs");
    let status = Command::new(node).arg(script).arg(context.to_string()).status()?;
    ensure!(status.success(), "the checks in the browser failed");
    Ok(None)
}

/// The path of a program.
fn find(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| file.is_file())
}
