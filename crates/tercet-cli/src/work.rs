//! Long work: threads and seeds.

use crate::output::Misuse;
use anyhow::Context;
use tercet::statistics::random::Generator;

/// Sets the number of threads. Default: all cores.
pub fn start_threads(threads: Option<u16>) -> anyhow::Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
    pool.build_global().context("cannot start threads")
}

/// Parses a seed; `none` is `None`.
pub fn seed(text: &str) -> Result<Option<u64>, Misuse> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let expected = "expected none or a whole number below 2^64";
    text.parse().map(Some).map_err(|_| Misuse(format!("--seed: {expected}, found {text}")))
}

/// Parses a seed; `none` is a random one.
pub fn some_seed(text: &str) -> Result<u64, Misuse> {
    Ok(seed(text)?.unwrap_or_else(|| Generator::new(None).next_u64()))
}
