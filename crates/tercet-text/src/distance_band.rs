//! A column of the distance matrix near its diagonal (Ukkonen 1985), 64 rows at once.
//!
//! Every cell has the cost of a real path. Cells on a shortest path are exact if its distance is at most that of the
//! band: a path that deletes d₁ and inserts d₂ symbols leaves the diagonal by at most d₁ below and d₂ above.

use super::levenshtein::advance_blocks;
use super::symbol_rows::SymbolRows;
use std::hash::Hash;

/// Cells outside of the band.
pub(super) const UNREACHED: usize = usize::MAX / 4;

/// How far a band goes to both sides of the diagonal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Rows above: symbols of the other sequence that are inserted.
    above: usize,
    /// Rows below: symbols of the sequence that are deleted.
    below: usize,
}

impl Reach {
    /// What paths of at most `most` edits need between sequences of these lengths.
    pub(super) fn new(sequence: usize, other: usize, most: usize) -> Self {
        let most = most.max(sequence.abs_diff(other));
        Reach { above: (most + other - sequence) / 2, below: (most + sequence - other) / 2 }
    }

    /// The most blocks that a column has.
    pub(super) fn blocks(&self, sequence: usize) -> usize {
        sequence.div_ceil(64).min((self.above + self.below) / 64 + 2)
    }
}

/// One column of the matrix: a fixed sequence against a prefix of another.
pub(super) struct DistanceBand<T> {
    rows: SymbolRows<T>,
    length: usize,
    reach: Reach,
    positive: Vec<u64>,
    negative: Vec<u64>,
    /// The blocks that are computed.
    first: usize,
    end: usize,
    /// The distance in the row above the first block.
    top: usize,
    /// The length of the other sequence so far.
    column: usize,
}

impl<T: Eq + Hash + Copy> DistanceBand<T> {
    pub(super) fn new(sequence: &[T], reach: Reach) -> Self {
        let blocks = sequence.len().div_ceil(64);
        DistanceBand {
            rows: SymbolRows::new(sequence),
            length: sequence.len(),
            reach,
            positive: vec![!0; blocks],
            negative: vec![0; blocks],
            first: 0,
            end: blocks.min(reach.below / 64 + 1),
            top: 0,
            column: 0,
        }
    }

    /// Appends a symbol to the other sequence.
    pub(super) fn advance(&mut self, symbol: &T) {
        self.column += 1;
        let lowest = (self.column + self.reach.below).min(self.length);
        let highest = self.column.saturating_sub(self.reach.above).clamp(1, self.length.max(1));
        // Blocks that enter the band start as they are in the first column: one more in every row.
        self.end = self.end.max(lowest.div_ceil(64));
        while self.first < (highest - 1) / 64 {
            let (more, less) = (self.positive[self.first].count_ones(), self.negative[self.first].count_ones());
            self.top = self.top + more as usize - less as usize;
            self.first += 1;
        }
        let blocks = self.first..self.end;
        let last_bit = if self.end == self.positive.len() { self.rows.last_bit() } else { 63 };
        let (positive, negative) = (&mut self.positive[blocks.clone()], &mut self.negative[blocks.clone()]);
        let slot = self.rows.slot(symbol);
        self.rows.with_blocks(slot, blocks, |equal| advance_blocks(equal, positive, negative, last_bit));
        self.top += 1;
    }

    /// How many blocks are computed.
    pub(super) fn computed(&self) -> usize {
        self.end - self.first
    }

    /// The computed blocks: the number of the first, and their differences as in
    /// [`DistanceColumn::differences`](super::DistanceColumn::differences).
    pub(super) fn blocks(&self) -> (usize, &[u64], &[u64]) {
        let blocks = self.first..self.end;
        (self.first, &self.positive[blocks.clone()], &self.negative[blocks])
    }

    /// The distance of every prefix of the sequence, the empty one first; [`UNREACHED`] outside of the band.
    pub(super) fn distances(&self) -> Vec<usize> {
        let mut distances = vec![UNREACHED; self.length + 1];
        let mut distance = self.top;
        distances[64 * self.first] = distance;
        for row in 64 * self.first..self.length.min(64 * self.end) {
            let bit = |differences: &[u64]| (differences[row / 64] >> (row % 64)) & 1;
            distance = distance + bit(&self.positive) as usize - bit(&self.negative) as usize;
            distances[row + 1] = distance;
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levenshtein;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_whole_distance_is_exact_in_a_band_that_is_wide_enough(
            a in prop::collection::vec(0u8..3, 1..300),
            b in prop::collection::vec(0u8..3, 0..300),
            extra in 0usize..40,
        ) {
            let distance = levenshtein(&a, &b);
            let mut band = DistanceBand::new(&a, Reach::new(a.len(), b.len(), distance + extra));
            b.iter().for_each(|symbol| band.advance(symbol));
            prop_assert_eq!(band.distances()[a.len()], distance);
            let narrow = Reach::new(a.len(), b.len(), distance / 2);
            let mut band = DistanceBand::new(&a, narrow);
            b.iter().for_each(|symbol| band.advance(symbol));
            prop_assert!(band.distances()[a.len()] >= distance);
        }
    }
}
