//! Processes draws in blocks: bounded memory, and the same results on any number of threads.

use crate::progress::{Progress, Stopped};
use rayon::iter::{ParallelBridge, ParallelIterator};

/// The maximum number of random numbers in a block.
const NUMBERS: usize = 1 << 19;

/// The number of draws of `segments` numbers in a block: enough for a fast product, few enough to keep all threads busy.
pub(super) fn rows(samples: usize, segments: usize) -> usize {
    let for_threads = samples.div_ceil(2 * rayon::current_num_threads()).max(32);
    (NUMBERS / segments).clamp(4, 256).min(for_threads)
}

/// The result of each block of `rows` draws, in order. Blocks are drawn in sequence and processed in parallel.
/// `progress` advances by draws.
pub(super) fn map<B: Send, R: Send>(
    blocks: impl Iterator<Item = B> + Send,
    rows: usize,
    progress: Progress<'_>,
    work: impl Fn(B) -> R + Sync + Send,
) -> Result<Vec<R>, Stopped> {
    let work = |block: B| {
        let result = work(block);
        progress.advance(rows).map(|()| result)
    };
    if rayon::current_num_threads() == 1 {
        return blocks.map(work).collect();
    }
    let numbered = blocks.enumerate().par_bridge();
    let results =
        numbered.map(|(i, block)| Ok((i, work(block)?))).collect::<Result<Vec<(usize, R)>, Stopped>>();
    let mut results = results?;
    results.sort_unstable_by_key(|&(i, _)| i);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
