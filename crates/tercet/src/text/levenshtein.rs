//! Levenshtein distance between sequences, bit-parallel (Myers 1999, in the block form of Hyyrö 2003).
//!
//! One column of the distance matrix is kept as vertical differences, +1 and −1, one bit per row, 64 rows per word;
//! each symbol of the other sequence advances the whole column with a few word operations.

use foldhash::HashMap;
use std::hash::Hash;

/// The least number of insertions, deletions and substitutions that turn `a` into `b`.
pub fn levenshtein<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> usize {
    let (_, a, b) = without_shared_ends(a, b);
    if a.is_empty() || b.is_empty() {
        return a.len().max(b.len());
    }
    let mut column = DistanceColumn::new(a);
    for symbol in b {
        column.advance(column.slot(symbol));
    }
    column.distance()
}

/// The length of the common prefix and suffix together, and both sequences without them.
pub(super) fn without_shared_ends<'a, T: Eq>(a: &'a [T], b: &'a [T]) -> (usize, &'a [T], &'a [T]) {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let ends = a.iter().rev().zip(b.iter().rev());
    let end = ends.take_while(|(x, y)| x == y).count();
    (start + end, &a[..a.len() - end], &b[..b.len() - end])
}

/// One column of the distance matrix: a fixed sequence against a prefix of another, which grows with `advance`.
pub struct DistanceColumn<T> {
    /// The slot of each symbol of the sequence; all other symbols have slot 0.
    slots: HashMap<T, usize>,
    /// For each slot, a bit for each row that has its symbol.
    rows: Vec<u64>,
    positive: Vec<u64>,
    negative: Vec<u64>,
    length: usize,
    distance: usize,
}

impl<T: Eq + Hash + Copy> DistanceColumn<T> {
    /// The first column: the sequence against an empty one.
    pub fn new(sequence: &[T]) -> Self {
        let blocks = sequence.len().div_ceil(64);
        let mut slots = HashMap::default();
        let mut rows = vec![0; blocks];
        for (i, &symbol) in sequence.iter().enumerate() {
            let next = slots.len() + 1;
            let slot = *slots.entry(symbol).or_insert(next);
            if slot == next {
                rows.resize((next + 1) * blocks, 0);
            }
            rows[slot * blocks + i / 64] |= 1 << (i % 64);
        }
        DistanceColumn {
            slots,
            rows,
            positive: vec![!0; blocks],
            negative: vec![0; blocks],
            length: sequence.len(),
            distance: sequence.len(),
        }
    }

    /// The slot of a symbol, for [`DistanceColumn::advance`].
    pub fn slot(&self, symbol: &T) -> usize {
        self.slots.get(symbol).copied().unwrap_or(0)
    }

    /// Appends the symbol of this slot to the other sequence.
    pub fn advance(&mut self, slot: usize) {
        let blocks = self.positive.len();
        // The horizontal difference that enters each block from above: +1 in the first row of the matrix.
        let (mut plus_in, mut minus_in) = (1, 0);
        for (block, &equal) in self.rows[slot * blocks..][..blocks].iter().enumerate() {
            let (positive, negative) = (self.positive[block], self.negative[block]);
            let diagonal_zero = equal | minus_in;
            let diagonal_zero =
                (((diagonal_zero & positive).wrapping_add(positive)) ^ positive) | diagonal_zero | negative;
            let plus = negative | !(diagonal_zero | positive);
            let minus = positive & diagonal_zero;
            let out = if block + 1 == blocks { (self.length - 1) % 64 } else { 63 };
            let (plus_out, minus_out) = ((plus >> out) & 1, (minus >> out) & 1);
            let (plus, minus) = ((plus << 1) | plus_in, (minus << 1) | minus_in);
            self.positive[block] = minus | !(diagonal_zero | plus);
            self.negative[block] = plus & diagonal_zero;
            (plus_in, minus_in) = (plus_out, minus_out);
        }
        self.distance = self.distance + plus_in as usize - minus_in as usize;
    }

    /// The distance between the two sequences so far.
    pub fn distance(&self) -> usize {
        self.distance
    }

    /// The differences between each row and the one above it: bit i % 64 of word i / 64 is set where row i + 1 has one
    /// more than row i, and where it has one less.
    pub fn differences(&self) -> (&[u64], &[u64]) {
        (&self.positive, &self.negative)
    }

    /// Restores an earlier column from its differences and its distance.
    pub fn restore(&mut self, (positive, negative): (&[u64], &[u64]), distance: usize) {
        self.positive.copy_from_slice(positive);
        self.negative.copy_from_slice(negative);
        self.distance = distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn full_matrix(a: &[u8], b: &[u8]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let substitution = diagonal + usize::from(x != y);
                diagonal = row[j + 1];
                row[j + 1] = substitution.min(row[j] + 1).min(row[j + 1] + 1);
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn equals_the_matrix(a in prop::collection::vec(0u8..4, 0..200), b in prop::collection::vec(0u8..4, 0..200)) {
            prop_assert_eq!(levenshtein(&a, &b), full_matrix(&a, &b));
        }
    }
}
