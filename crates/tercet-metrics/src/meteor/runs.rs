//! Long lists of matches of one word, searched 64 words of the hypothesis at a time.
//!
//! In a list of thousands of matches only the first few that are free, and the one that continues the open chunk, can
//! be among the best; of the others a path needs only the sum of their distances. Blocks of 64 words have these sums
//! ready.

use super::matches::Match;
use std::ops::Range;

/// Lists of at least so many matches are divided into runs. A word of the hypothesis is at most twice in a list, by its
/// stem and as a synonym, so such a list has more than 64 words. Paths of fewer number their words otherwise and have
/// no blocks.
pub(super) const MIN_LONG: usize = 2 * 64 + 1;

/// Matches of one module with one word of the reference, by their place in the list. Hypothesis words ascend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) first: u32,
    pub(super) end: u32,
    blocks: (u32, u32),
}

/// Matches with 64 neighbouring words of the hypothesis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Which 64 words.
    pub(super) number: u32,
    /// Where its first match is in the list.
    pub(super) first: u32,
    /// The words that match.
    pub(super) bits: u64,
    /// The sum of their places.
    sum: u64,
}

impl Block {
    /// The sum of the distances of all its matches from a word of the reference that is in another block.
    pub(super) fn distance(&self, place: usize) -> i64 {
        let places = u64::from(self.bits.count_ones()) * place as u64;
        places.abs_diff(self.sum) as i64
    }
}

/// The runs of all long lists.
#[derive(Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    blocks: Vec<Block>,
}

impl Runs {
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.blocks.clear();
    }

    /// The runs of a long list.
    pub(super) fn get(&self, runs: (u32, u32)) -> &[Run] {
        &self.runs[runs.0 as usize..runs.1 as usize]
    }

    /// The blocks of a run.
    pub(super) fn blocks(&self, run: &Run) -> &[Block] {
        &self.blocks[run.blocks.0 as usize..run.blocks.1 as usize]
    }

    /// Divides a part of the list; returns which runs it consists of.
    pub(super) fn divide(&mut self, list: &[Match], part: Range<u32>) -> (u32, u32) {
        let first_run = self.runs.len() as u32;
        let matches = &list[part.start as usize..part.end as usize];
        let mut first = part.start;
        for run in matches.chunk_by(|a, b| a.stage == b.stage) {
            let first_block = self.blocks.len() as u32;
            self.add_blocks(run, first);
            let end = first + run.len() as u32;
            self.runs.push(Run { first, end, blocks: (first_block, self.blocks.len() as u32) });
            first = end;
        }
        (first_run, self.runs.len() as u32)
    }

    fn add_blocks(&mut self, run: &[Match], mut first: u32) {
        for matches in run.chunk_by(|a, b| a.hypothesis / 64 == b.hypothesis / 64) {
            self.blocks.push(Block {
                number: matches[0].hypothesis / 64,
                first,
                bits: matches.iter().fold(0, |bits, found| bits | 1 << (found.hypothesis % 64)),
                sum: matches.iter().map(|found| u64::from(found.hypothesis)).sum(),
            });
            first += matches.len() as u32;
        }
    }
}
