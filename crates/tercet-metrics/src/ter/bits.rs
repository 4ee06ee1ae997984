//! The edit distance by bit vectors over the reference: all cells of a column at once (Myers, 1999; Hyyrö, 2003).
//!
//! `D(i, j)` is the distance between the first `i` words of the hypothesis and the first `j` of the reference. Column
//! `i` is kept as three vectors whose bit `j − 1` says
//!
//! ```text
//! rises:  D(i, j) = D(i, j−1) + 1     falls:  D(i, j) = D(i, j−1) − 1     level:  D(i, j) = D(i−1, j−1)
//! ```
//!
//! A last step to `(i, j)` can then be read off: equal words match; unequal ones are substituted unless `level`, since
//! then `D(i, j) = D(i−1, j−1) + 1`; of the rest, the word is extra if `D(i−1, j) = D(i−1, j−1) − 1`, which is one less
//! than `D(i, j)` (`falls` of the column before), else missing.
//!
//! # When this is sacreBLEU's distance
//! sacreBLEU looks only near the diagonal (`band.rs`). A sequence of `D` edits between `n` and `m` words has
//! `k ≤ (D + |n − m|) / 2` insertions and as many deletions at most, so `|j − i·m/n| ≤ k` all along, and `⌊i·m/n⌋`, as
//! rounded, lies at most `k` below and `k` above any cell it visits. All of these are in the band if `k < beam`. If so
//! for the optimal `D`, every optimal sequence stays inside, and distance and preferred steps are the same.

use super::alignment::Step;
use super::shift::Exchange;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl};

/// A vector of bits in one machine word or two.
pub(super) trait Bits:
    Copy
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
{
    const NONE: Self;
    const ONE: Self;

    fn plus(self, other: Self) -> Self;

    fn ones(self) -> u32;

    /// The lowest `count` bits, at least one.
    fn lowest(count: usize) -> Self;

    fn has(self, bit: usize) -> bool {
        self & (Self::ONE << bit as u32) != Self::NONE
    }

    /// The positions of each word of the vocabulary in the reference; the last entry is for unknown words.
    fn masks(reference: &[u32], vocabulary: usize) -> Vec<Self> {
        let mut masks = vec![Self::NONE; vocabulary + 1];
        for (position, &word) in reference.iter().enumerate() {
            let mask = &mut masks[word as usize];
            *mask = *mask | Self::ONE << position as u32;
        }
        masks
    }
}

macro_rules! bits {
    ($($word:ty),*) => {$(
        impl Bits for $word {
            const NONE: Self = 0;
            const ONE: Self = 1;

            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            fn ones(self) -> u32 {
                self.count_ones()
            }

            fn lowest(count: usize) -> Self {
                Self::MAX >> (Self::BITS - count as u32)
            }
        }
    )*};
}

bits!(u64, u128);

/// The masks of a reference by its length.
#[derive(Default)]
pub(super) enum Masks {
    Narrow(Vec<u64>),
    Wide(Vec<u128>),
    #[default]
    None,
}

#[derive(Clone, Copy)]
struct Column<W> {
    rises: W,
    falls: W,
    level: W,
}

impl<W: Bits> Column<W> {
    /// No word of the hypothesis yet: `D(0, j) = j`.
    fn first() -> Self {
        Column { rises: !W::NONE, falls: W::NONE, level: W::NONE }
    }

    /// The column after one more word of the hypothesis, given its positions in the reference.
    fn next(self, mask: W) -> Self {
        let level = ((mask & self.rises).plus(self.rises) ^ self.rises) | mask | self.falls;
        // From column to column, shifted to the rows below: one more, one less.
        let more = (self.falls | !(level | self.rises)) << 1 | W::ONE;
        let less = (self.rises & level) << 1;
        Column { rises: less | !(level | more), falls: more & level, level }
    }

    /// `D(i, m)`, from `D(i, 0) = i`.
    fn distance(self, words: usize, valid: W) -> u32 {
        words as u32 + (self.rises & valid).ones() - (self.falls & valid).ones()
    }
}

/// The columns of one hypothesis, kept so that a shifted one need only be computed from its first moved word on.
pub(super) struct Columns<W> {
    columns: Vec<Column<W>>,
    /// The positions in the reference of each word of the hypothesis.
    masks: Vec<W>,
    valid: W,
    distance: u32,
}

impl<W: Bits> Default for Columns<W> {
    fn default() -> Self {
        Columns { columns: Vec::new(), masks: Vec::new(), valid: W::NONE, distance: 0 }
    }
}

impl<W: Bits> Columns<W> {
    /// The distance of a hypothesis whose words before `from` are those of the last one.
    pub(super) fn compute(&mut self, hypothesis: &[u32], masks: &[W], reference: usize, from: usize) -> u32 {
        if from == 0 {
            self.valid = W::lowest(reference);
            self.columns.clear();
            self.columns.push(Column::first());
        }
        self.columns.truncate(from + 1);
        self.masks.truncate(from);
        self.masks.extend(hypothesis[from..].iter().map(|&word| masks[word as usize]));
        let mut column = self.columns[from];
        for &mask in &self.masks[from..] {
            column = column.next(mask);
            self.columns.push(column);
        }
        self.distance = column.distance(hypothesis.len(), self.valid);
        self.distance
    }

    /// The distance of the current hypothesis after a move, which is not made.
    pub(super) fn exchanged(&self, exchange: Exchange) -> u32 {
        let Exchange { first, middle, end } = exchange;
        let mut column = self.columns[first];
        for &mask in &self.masks[middle..end] {
            column = column.next(mask);
        }
        for &mask in &self.masks[first..middle] {
            column = column.next(mask);
        }
        for &mask in &self.masks[end..] {
            column = column.next(mask);
        }
        column.distance(self.masks.len(), self.valid)
    }

    /// The last step of the preferred path to a cell.
    pub(super) fn step(&self, i: usize, j: usize) -> Step {
        if self.masks[i - 1].has(j - 1) {
            Step::Match
        } else if !self.columns[i].level.has(j - 1) {
            Step::Substitution
        } else if self.columns[i - 1].falls.has(j - 1) {
            Step::Extra
        } else {
            Step::Missing
        }
    }
}
