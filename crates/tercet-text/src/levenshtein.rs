//! Levenshtein distance between sequences, bit-parallel (Myers 1999, in the block form of Hyyrö 2003).
//!
//! One column of the distance matrix is kept as vertical differences, +1 and −1, one bit per row, 64 rows per word;
//! each symbol of the other sequence advances the whole column with a few word operations.

use super::symbol_rows::SymbolRows;
use std::hash::Hash;
use tercet_base::stop;

/// The least number of insertions, deletions and substitutions that turn `a` into `b`.
pub fn levenshtein<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> usize {
    let (_, a, b) = without_shared_ends(a, b);
    if a.is_empty() || b.is_empty() {
        return a.len().max(b.len());
    }
    let mut column = DistanceColumn::new(a);
    for symbols in b.chunks(64) {
        stop::steps(a.len());
        symbols.iter().for_each(|symbol| column.advance(column.slot(symbol)));
    }
    column.distance()
}

/// The length of the common prefix and suffix together, and both sequences without them.
pub(super) fn without_shared_ends<'a, T: Eq>(a: &'a [T], b: &'a [T]) -> (usize, &'a [T], &'a [T]) {
    let (start, end) = shared_ends(a, b);
    (start + end, &a[start..a.len() - end], &b[start..b.len() - end])
}

/// The lengths of the common prefix, and of the common suffix of what is behind it.
pub(super) fn shared_ends<T: Eq>(a: &[T], b: &[T]) -> (usize, usize) {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let ends = a[start..].iter().rev().zip(b[start..].iter().rev());
    (start, ends.take_while(|(x, y)| x == y).count())
}

/// One column of the distance matrix: a fixed sequence against a prefix of another, which grows with `advance`.
pub struct DistanceColumn<T> {
    rows: SymbolRows<T>,
    positive: Vec<u64>,
    negative: Vec<u64>,
    distance: usize,
}

impl<T: Eq + Hash + Copy> DistanceColumn<T> {
    /// The first column: the sequence against an empty one.
    pub fn new(sequence: &[T]) -> Self {
        let blocks = sequence.len().div_ceil(64);
        DistanceColumn {
            rows: SymbolRows::new(sequence),
            positive: vec![!0; blocks],
            negative: vec![0; blocks],
            distance: sequence.len(),
        }
    }

    /// The slot of a symbol, for [`DistanceColumn::advance`].
    pub fn slot(&self, symbol: &T) -> usize {
        self.rows.slot(symbol)
    }

    /// Appends the symbol of this slot to the other sequence.
    pub fn advance(&mut self, slot: usize) {
        let (positive, negative) = (&mut self.positive, &mut self.negative);
        let last_bit = self.rows.last_bit();
        let (plus, minus) = self.rows.with(slot, |equal| advance_blocks(equal, positive, negative, last_bit));
        self.distance = self.distance + plus as usize - minus as usize;
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

/// Advances neighbouring blocks of a column by one symbol. `equal` has the rows of that symbol, and the first row above
/// the blocks grows by one. Returns the horizontal difference, +1 and −1, at `last_bit` of the last block.
#[inline]
pub(super) fn advance_blocks(equal: &[u64], positive: &mut [u64], negative: &mut [u64], last_bit: usize) -> (u64, u64) {
    let blocks = equal.len();
    // The horizontal difference that enters each block from above.
    let (mut plus_in, mut minus_in) = (1, 0);
    let rows = equal.iter().zip(positive.iter_mut().zip(negative.iter_mut()));
    for (block, (&equal, (positive, negative))) in rows.enumerate() {
        let diagonal_zero = equal | minus_in;
        let diagonal_zero =
            (((diagonal_zero & *positive).wrapping_add(*positive)) ^ *positive) | diagonal_zero | *negative;
        let plus = *negative | !(diagonal_zero | *positive);
        let minus = *positive & diagonal_zero;
        let out = if block + 1 == blocks { last_bit } else { 63 };
        let (plus_out, minus_out) = ((plus >> out) & 1, (minus >> out) & 1);
        let (plus, minus) = ((plus << 1) | plus_in, (minus << 1) | minus_in);
        *positive = minus | !(diagonal_zero | plus);
        *negative = plus & diagonal_zero;
        (plus_in, minus_in) = (plus_out, minus_out);
    }
    (plus_in, minus_in)
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
