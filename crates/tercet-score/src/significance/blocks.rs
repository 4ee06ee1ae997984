//! Processes draws in blocks: bounded memory, and the same results on any number of threads.

use crate::progress::{Progress, Stopped};
use rayon::iter::{ParallelBridge, ParallelIterator};

/// The maximum number of random numbers in a block.
const NUMBERS: usize = 1 << 19;

/// The number of draws of `segments` numbers in a block: enough for a fast product, few enough to keep all threads
/// busy.
pub(super) fn rows(samples: usize, segments: usize) -> usize {
    let for_threads = samples.div_ceil(2 * rayon::current_num_threads()).max(32);
    (NUMBERS / segments).clamp(4, 256).min(for_threads)
}

/// The result of each block of `rows` draws of `samples`, in order. Blocks are drawn in sequence and processed in
/// parallel. `progress` advances by draws.
pub(super) fn map<B: Send, R: Send>(
    blocks: impl Iterator<Item = B> + Send,
    (rows, samples): (usize, usize),
    progress: Progress<'_>,
    work: impl Fn(B) -> R + Sync + Send,
) -> Result<Vec<R>, Stopped> {
    let numbered = blocks.enumerate();
    let work = |(i, block): (usize, B)| {
        let result = work(block);
        progress.advance(rows.min(samples.saturating_sub(i * rows))).map(|()| (i, result))
    };
    if rayon::current_num_threads() == 1 {
        return numbered.map(|block| Ok(work(block)?.1)).collect();
    }
    let mut results = numbered.par_bridge().map(work).collect::<Result<Vec<(usize, R)>, Stopped>>()?;
    results.sort_unstable_by_key(|&(i, _)| i);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
