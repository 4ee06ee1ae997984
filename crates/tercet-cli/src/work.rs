//! Long work: threads and seeds.

use crate::args::WorkArgs;
use anyhow::Context;
use std::collections::TryReserveError;
use tercet::scoring::Seed;
use tercet::statistics::random::Generator;
use tercet::threads::limited;

/// Starts the threads and sets the limit on unpacked bytes. Without a number, there are as many threads as cores.
pub fn start(work: &WorkArgs) -> anyhow::Result<()> {
    work.reading.set();
    // Started in any case: otherwise the first parallel work would start them, and panic if the system refuses.
    let threads = work.threads.map_or(0, usize::from);
    let context = || match threads {
        0 => "cannot start threads (fewer may work: --threads 1)".to_owned(),
        threads => format!("cannot start {threads} threads (give --threads a smaller number)"),
    };
    check_memory(threads).with_context(context)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(limited(threads));
    pool.build_global().with_context(context)
}

/// Returns an error if there is no memory for the stacks of many threads. A thread that starts with the last of the
/// memory would end the process.
fn check_memory(threads: usize) -> Result<(), TryReserveError> {
    const MIN_CHECKED: usize = 64;
    const PER_THREAD: usize = 3 << 20;
    match threads.checked_sub(MIN_CHECKED) {
        Some(_) => Vec::<u8>::new().try_reserve_exact(threads * PER_THREAD),
        None => Ok(()),
    }
}

/// The number of a seed; a random one if it is `none`.
pub fn some_seed(seed: Seed) -> u64 {
    seed.0.unwrap_or_else(|| Generator::new(None).next_u64())
}
