//! Levenshtein distance between sequences, bit-parallel (Myers 1999, in the block form of Hyyrö 2003).
//!
//! One column of the distance matrix is kept as vertical differences, +1 and −1, one bit per row, 64 rows a word;
//! a symbol of the other sequence moves the whole column by one with a handful of word operations.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The least number of insertions, deletions and substitutions that turn `a` into `b`.
pub fn levenshtein<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> usize {
    let shared = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[shared..], &b[shared..]);
    let shared = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (a, b) = (&a[..a.len() - shared], &b[..b.len() - shared]);
    if a.is_empty() || b.is_empty() {
        return a.len().max(b.len());
    }
    Column::new(a).distance(b)
}

struct Column<T> {
    /// For each symbol of the sequence, the rows where it stands.
    rows: FxHashMap<T, Vec<u64>>,
    positive: Vec<u64>,
    negative: Vec<u64>,
    length: usize,
}

impl<T: Eq + Hash + Copy> Column<T> {
    fn new(sequence: &[T]) -> Self {
        let blocks = sequence.len().div_ceil(64);
        let mut rows: FxHashMap<T, Vec<u64>> = FxHashMap::default();
        for (i, &symbol) in sequence.iter().enumerate() {
            rows.entry(symbol).or_insert_with(|| vec![0; blocks])[i / 64] |= 1 << (i % 64);
        }
        Column {
            rows,
            positive: vec![!0; blocks],
            negative: vec![0; blocks],
            length: sequence.len(),
        }
    }

    fn distance(mut self, other: &[T]) -> usize {
        let last = (self.length - 1) % 64;
        let mut distance = self.length;
        let nowhere = vec![0; self.positive.len()];
        for symbol in other {
            let equal = self.rows.get(symbol).unwrap_or(&nowhere);
            // The horizontal difference that enters each block from above: +1 in the first row of the matrix.
            let (mut plus_in, mut minus_in) = (1, 0);
            let blocks = self.positive.len();
            for (block, &equal) in equal.iter().enumerate() {
                let (positive, negative) = (self.positive[block], self.negative[block]);
                let diagonal_zero = equal | minus_in;
                let diagonal_zero = (((diagonal_zero & positive).wrapping_add(positive)) ^ positive)
                    | diagonal_zero
                    | negative;
                let plus = negative | !(diagonal_zero | positive);
                let minus = positive & diagonal_zero;
                let out = if block + 1 == blocks { last } else { 63 };
                let (plus_out, minus_out) = ((plus >> out) & 1, (minus >> out) & 1);
                let (plus, minus) = ((plus << 1) | plus_in, (minus << 1) | minus_in);
                self.positive[block] = minus | !(diagonal_zero | plus);
                self.negative[block] = plus & diagonal_zero;
                (plus_in, minus_in) = (plus_out, minus_out);
            }
            distance = distance + plus_in as usize - minus_in as usize;
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_the_book(a: &[u8], b: &[u8]) -> usize {
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
            prop_assert_eq!(levenshtein(&a, &b), by_the_book(&a, &b));
        }
    }
}
