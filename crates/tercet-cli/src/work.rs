//! Long work: threads, seeds, and the bar that shows how far it is.

use crate::output::Misuse;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use tercet::statistics::random::Generator;

/// Starts so many threads; all cores if nobody says.
pub fn start_threads(threads: Option<u16>) -> anyhow::Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
    pool.build_global().context("cannot start threads")
}

/// Reads a seed; `none` gives none.
pub fn seed(text: &str) -> Result<Option<u64>, Misuse> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let expected = "expected none or a whole number below 2^64";
    text.parse().map(Some).map_err(|_| Misuse(format!("--seed: {expected}, found {text}")))
}

/// Reads a seed; `none` draws one.
pub fn some_seed(text: &str) -> Result<u64, Misuse> {
    Ok(seed(text)?.unwrap_or_else(|| Generator::new(None).next_u64()))
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

/// A count on a terminal, of work whose end is not known.
#[cfg(feature = "learned")]
pub fn counter(what: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{spinner}} {{pos}} {what} ({{per_sec}})"));
    ProgressBar::no_length().with_style(style.expect("a fixed template"))
}
