//! Long work: threads, and the bar that shows how far it is.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

/// Starts so many threads; all cores if nobody says.
pub fn start_threads(threads: Option<u16>) -> anyhow::Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
    pool.build_global().context("cannot start threads")
}

/// A bar on a terminal only: indicatif hides itself elsewhere. `what` is counted.
pub fn progress_bar(length: usize, what: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let template = format!("{{msg}}{{bar:40}} {{pos}}/{{len}} {what} {{eta}}");
    let style = ProgressStyle::with_template(&template).expect("a fixed template");
    ProgressBar::new(length as u64).with_style(style)
}
