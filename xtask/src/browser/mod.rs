//! `cargo xtask browser`: the HTML reports of `tercet`, opened and used in a headless Chromium.
//!
//! Needs Chromium and its WebDriver (`apt-get install chromium chromium-driver`); without them it says so and passes. The accessibility check
//! needs npm, which fetches axe-core into the target folder. Screenshots go to `target/screenshots`; `--pictures` also writes those that the
//! documentation shows.

mod axe;
mod checks;
mod driver;
mod http;
mod pictures;
mod reports;

use crate::step::root;
use anyhow::{Context, Result, bail};
use driver::Browser;
use reports::Reports;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct BrowserArgs {
    /// Only checks whose name contains this
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
    /// Also write the pictures of the documentation
    #[arg(long)]
    pictures: bool,
    /// Use this `tercet` instead of building one
    #[arg(long, value_name = "FILE")]
    tercet: Option<PathBuf>,
}

pub fn run(args: &BrowserArgs) -> Result<()> {
    let Some(programs) = driver::find() else {
        println!(
            "skipped: there is no chromium with chromedriver here (apt-get install chromium chromium-driver)"
        );
        return Ok(());
    };
    if let Some(filter) =
        args.filter.as_deref().filter(|filter| checks::ALL.iter().all(|(name, _)| !name.contains(filter)))
    {
        bail!("there is no check whose name contains `{filter}`");
    }
    let folder = root().join("target/browser");
    fs::create_dir_all(&folder)?;
    let reports = Reports::write(&folder, args.tercet.as_deref())?;
    let profile = folder.join("profile");
    if profile.exists() {
        fs::remove_dir_all(&profile)?;
    }
    let browser = Browser::start(&programs, &profile)?;
    let failed = run_checks(&browser, &reports, args.filter.as_deref());
    pictures::take(&browser, &reports, args.pictures)?;
    if failed > 0 {
        bail!("{failed} checks failed");
    }
    Ok(())
}

/// Runs the checks, each from a fresh page; returns how many failed.
fn run_checks(browser: &Browser, reports: &Reports, filter: Option<&str>) -> usize {
    let mut failed = 0;
    let chosen = checks::ALL.iter().filter(|(name, _)| filter.is_none_or(|filter| name.contains(filter)));
    for (name, check) in chosen {
        let start = Instant::now();
        let outcome = browser.resize(1280, 900).and_then(|()| check(browser, reports));
        match outcome.with_context(|| format!("check `{name}`")) {
            Ok(figures) => println!("passed  {name} ({:.1} s) {figures}", start.elapsed().as_secs_f64()),
            Err(error) => {
                println!("FAILED  {error:#}");
                failed += 1;
            }
        }
    }
    failed
}
