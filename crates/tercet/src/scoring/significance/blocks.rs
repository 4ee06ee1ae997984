//! Work in blocks of draws: bounded memory, any number of threads, the same results.

use rayon::iter::{ParallelBridge, ParallelIterator};

/// The most numbers that a block draws at a time.
const NUMBERS: usize = 1 << 19;

/// How many draws of `segments` numbers make a block: enough for a fast product, few enough to keep all threads busy.
pub(super) fn rows(samples: usize, segments: usize) -> usize {
    let for_threads = samples.div_ceil(2 * rayon::current_num_threads()).max(32);
    (NUMBERS / segments).clamp(4, 256).min(for_threads)
}

/// The result of each block, in order. Blocks are drawn one after the other and worked on side by side.
pub(super) fn map<B: Send, R: Send>(
    blocks: impl Iterator<Item = B> + Send,
    work: impl Fn(B) -> R + Sync + Send,
) -> Vec<R> {
    if rayon::current_num_threads() == 1 {
        return blocks.map(work).collect();
    }
    let numbered = blocks.enumerate().par_bridge();
    let mut results: Vec<(usize, R)> = numbered.map(|(i, block)| (i, work(block))).collect();
    results.sort_unstable_by_key(|&(i, _)| i);
    results.into_iter().map(|(_, result)| result).collect()
}
