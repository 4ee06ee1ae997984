//! The rows of a sequence that have each of its symbols, as bit masks of 64 rows.
//!
//! A mask of all rows for every symbol is fastest, but takes the square of the length where all symbols differ: 3 GB
//! for 150,000 words. Of long sequences only frequent symbols have one; for the others only the blocks are listed that
//! are not empty.

use foldhash::HashMap;
use foldhash::fast::RandomState;
use std::hash::Hash;
use std::ops::Range;

/// Sequences of at most so many blocks have a mask for every symbol.
const ALL_DENSE: usize = 64;
/// The number of symbols that a table has place for at first.
const USUAL_SYMBOLS: usize = 56;
/// In longer ones a symbol has a mask of its own if it is in one of so many blocks.
const DENSE_SHARE: usize = 8;

pub(super) struct SymbolRows<T> {
    length: usize,
    blocks: usize,
    /// The slot of each symbol of the sequence; all other symbols have slot 0.
    slots: HashMap<T, usize>,
    /// The masks of all slots that have their own.
    masks: Vec<u64>,
    /// The number of those slots. They come first.
    dense: usize,
    /// Number and content of the blocks of the other slots, each from the end of the slot before it.
    sparse: Vec<(u32, u64)>,
    sparse_ends: Vec<usize>,
    /// A mask made from `sparse`, empty between calls.
    scratch: Vec<u64>,
}

impl<T: Eq + Hash + Copy> SymbolRows<T> {
    pub(super) fn new(sequence: &[T]) -> Self {
        let blocks = sequence.len().div_ceil(64);
        let mut rows = SymbolRows {
            length: sequence.len(),
            blocks,
            slots: HashMap::with_capacity_and_hasher(sequence.len().min(USUAL_SYMBOLS), RandomState::default()),
            masks: vec![0; blocks],
            dense: 1,
            sparse: Vec::new(),
            sparse_ends: Vec::new(),
            scratch: Vec::new(),
        };
        if blocks <= ALL_DENSE {
            rows.fill_dense(sequence, blocks);
        } else {
            rows.fill_by_frequency(sequence, blocks);
        }
        rows
    }

    fn fill_dense(&mut self, sequence: &[T], blocks: usize) {
        for (i, &symbol) in sequence.iter().enumerate() {
            let next = self.slots.len() + 1;
            let slot = *self.slots.entry(symbol).or_insert(next);
            if slot == next {
                self.masks.resize((next + 1) * blocks, 0);
            }
            self.masks[slot * blocks + i / 64] |= 1 << (i % 64);
        }
        self.dense = self.slots.len() + 1;
    }

    fn fill_by_frequency(&mut self, sequence: &[T], blocks: usize) {
        // The blocks of each symbol, symbols in the order in which they occur first.
        let mut numbers: HashMap<T, usize> = HashMap::default();
        let mut found: Vec<Vec<(u32, u64)>> = Vec::new();
        let mut symbols: Vec<T> = Vec::new();
        for (i, &symbol) in sequence.iter().enumerate() {
            let number = *numbers.entry(symbol).or_insert(symbols.len());
            if number == symbols.len() {
                symbols.push(symbol);
                found.push(Vec::new());
            }
            let (block, bit) = ((i / 64) as u32, 1 << (i % 64));
            match found[number].last_mut() {
                Some(last) if last.0 == block => last.1 |= bit,
                _ => found[number].push((block, bit)),
            }
        }
        let is_dense = |found: &Vec<(u32, u64)>| found.len() * DENSE_SHARE > blocks;
        for (&symbol, found) in symbols.iter().zip(&found).filter(|(_, found)| is_dense(found)) {
            self.slots.insert(symbol, self.dense);
            self.dense += 1;
            let start = self.masks.len();
            self.masks.resize(start + blocks, 0);
            found.iter().for_each(|&(block, bits)| self.masks[start + block as usize] = bits);
        }
        for (&symbol, found) in symbols.iter().zip(&found).filter(|(_, found)| !is_dense(found)) {
            self.slots.insert(symbol, self.dense + self.sparse_ends.len());
            self.sparse.extend_from_slice(found);
            self.sparse_ends.push(self.sparse.len());
        }
        self.scratch.resize(blocks, 0);
    }

    /// The slot of a symbol.
    pub(super) fn slot(&self, symbol: &T) -> usize {
        self.slots.get(symbol).copied().unwrap_or(0)
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The bit of the last row in its block.
    pub(super) fn last_bit(&self) -> usize {
        self.length.saturating_sub(1) % 64
    }

    /// Calls `run` with the mask of a slot.
    #[inline]
    pub(super) fn with<R>(&mut self, slot: usize, run: impl FnOnce(&[u64]) -> R) -> R {
        if slot < self.dense {
            return run(&self.masks[slot * self.blocks..][..self.blocks]);
        }
        self.with_blocks(slot, 0..self.blocks, run)
    }

    /// Calls `run` with these blocks of the mask of a slot.
    pub(super) fn with_blocks<R>(&mut self, slot: usize, blocks: Range<usize>, run: impl FnOnce(&[u64]) -> R) -> R {
        if slot < self.dense {
            let start = slot * self.blocks();
            return run(&self.masks[start + blocks.start..start + blocks.end]);
        }
        let number = slot - self.dense;
        let start = if number == 0 { 0 } else { self.sparse_ends[number - 1] };
        let entries = &self.sparse[start..self.sparse_ends[number]];
        let first = entries.partition_point(|(block, _)| (*block as usize) < blocks.start);
        let end = entries.partition_point(|(block, _)| (*block as usize) < blocks.end);
        for &(block, bits) in &entries[first..end] {
            self.scratch[block as usize] = bits;
        }
        let result = run(&self.scratch[blocks]);
        for &(block, _) in &entries[first..end] {
            self.scratch[block as usize] = 0;
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_the_same_for_rare_and_frequent_symbols() {
        // 65 blocks; multiples of three are one frequent symbol, all others differ.
        let sequence: Vec<usize> = (0..64 * 65 - 7).map(|i| if i % 3 == 0 { 0 } else { i }).collect();
        let mut rows = SymbolRows::new(&sequence);
        assert_eq!((rows.dense, rows.slot(&usize::MAX)), (2, 0));
        for symbol in [0, 1, 64, 4000, usize::MAX] {
            let slot = rows.slot(&symbol);
            for blocks in [0..65, 1..3, 62..64] {
                rows.with_blocks(slot, blocks.clone(), |mask| {
                    for row in 64 * blocks.start..64 * blocks.end {
                        let bit = (mask[row / 64 - blocks.start] >> (row % 64)) & 1 == 1;
                        assert_eq!(bit, sequence.get(row) == Some(&symbol), "{symbol} {row}");
                    }
                });
            }
        }
    }

    #[test]
    fn memory_does_not_grow_with_the_square_of_the_length() {
        let sequence: Vec<u32> = (0..300_000).collect();
        let rows = SymbolRows::new(&sequence);
        assert!(rows.masks.len() + 2 * rows.sparse.len() < 3 * sequence.len());
    }
}
