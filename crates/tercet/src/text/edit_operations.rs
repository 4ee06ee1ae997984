//! Hits, substitutions, deletions and insertions of a shortest edit script between two sequences.
//!
//! Several scripts may be equally short and differ in these counts. The one taken here is rapidfuzz's (3.14.6),
//! which jiwer uses. It is traced back through the distance matrix D, from the cell of the two whole sequences:
//! at `(i, j)`, the first i symbols of `from` against the first j of `to`,
//!
//! 1. delete symbol i if D(i, j) = D(i−1, j) + 1,
//! 2. else insert symbol j if D(i, j−1) = D(i−1, j−1) − 1,
//! 3. else keep or substitute.
//!
//! The matrix is that of [`DistanceColumn`], two bits per cell. Where it would take a mebibyte or more, `to` is halved,
//! `from` is cut at the first place where the distances of the parts add up to the whole (Hirschberg 1975), and each half
//! is solved by itself; rapidfuzz cuts at the same places, which also decides between equally short scripts.

use super::levenshtein::{DistanceColumn, without_shared_ends};
use std::hash::Hash;
use std::ops::AddAssign;

/// The counts of one edit script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EditOperations {
    pub hits: usize,
    pub substitutions: usize,
    pub deletions: usize,
    pub insertions: usize,
}

impl EditOperations {
    /// The Levenshtein distance.
    pub fn edits(&self) -> usize {
        self.substitutions + self.deletions + self.insertions
    }
}

impl AddAssign for EditOperations {
    fn add_assign(&mut self, other: Self) {
        self.hits += other.hits;
        self.substitutions += other.substitutions;
        self.deletions += other.deletions;
        self.insertions += other.insertions;
    }
}

/// Counts the operations of a shortest edit script from `from` to `to`; see the module for the choice between several.
pub fn edit_operations<T: Eq + Hash + Copy>(from: &[T], to: &[T]) -> EditOperations {
    operations_within(from, to, from.len().max(to.len()))
}

/// The same for sequences whose distance is known to be at most `most`.
fn operations_within<T: Eq + Hash + Copy>(from: &[T], to: &[T], most: usize) -> EditOperations {
    let (shared, from, to) = without_shared_ends(from, to);
    let mut operations = if is_large(from.len(), to.len(), most) {
        operations_by_halves(from, to)
    } else {
        Matrix::new(from, to).operations(from, to)
    };
    operations.hits += shared;
    operations
}

/// Whether rapidfuzz halves instead of keeping the matrix; it estimates the size of a band around the diagonal.
fn is_large(from: usize, to: usize, most: usize) -> bool {
    let band = from.min(2 * most.min(from.max(to)) + 1);
    let bytes = 2 * band * to / 8;
    bytes >= 1 << 20 && from >= 65 && to >= 10
}

fn operations_by_halves<T: Eq + Hash + Copy>(from: &[T], to: &[T]) -> EditOperations {
    let (left, right) = to.split_at(to.len() / 2);
    let before = distances_of_prefixes(from.iter(), left.iter());
    let after = distances_of_prefixes(from.iter().rev(), right.iter().rev());
    let cuts = before.iter().zip(after.iter().rev()).enumerate();
    let cut = cuts.min_by_key(|(_, (before, after))| *before + *after);
    let (cut, (&before, &after)) = cut.expect("there is always the cut before the first symbol");
    let mut operations = operations_within(&from[..cut], left, before);
    operations += operations_within(&from[cut..], right, after);
    operations
}

/// The distance of every prefix of `sequence`, the empty one first, to all of `other`.
fn distances_of_prefixes<'a, T: Eq + Hash + Copy + 'a>(
    sequence: impl Iterator<Item = &'a T>,
    other: impl ExactSizeIterator<Item = &'a T>,
) -> Vec<usize> {
    let sequence: Vec<T> = sequence.copied().collect();
    let mut column = DistanceColumn::new(&sequence);
    let mut distances = vec![other.len()];
    for symbol in other {
        column.advance(column.slot(symbol));
    }
    let (positive, negative) = column.differences();
    for i in 0..sequence.len() {
        let (more, less) = (bit(positive, i), bit(negative, i));
        distances.push(distances[i] + usize::from(more) - usize::from(less));
    }
    distances
}

fn bit(words: &[u64], i: usize) -> bool {
    (words[i / 64] >> (i % 64)) & 1 == 1
}

/// The vertical differences of the whole distance matrix: after each symbol of `to`, over the symbols of `from`.
struct Matrix {
    blocks: usize,
    positive: Vec<u64>,
    negative: Vec<u64>,
}

impl Matrix {
    fn new<T: Eq + Hash + Copy>(from: &[T], to: &[T]) -> Self {
        let blocks = from.len().div_ceil(64);
        let mut matrix = Matrix {
            blocks,
            positive: Vec::with_capacity(blocks * to.len()),
            negative: Vec::with_capacity(blocks * to.len()),
        };
        if from.is_empty() {
            return matrix;
        }
        let mut column = DistanceColumn::new(from);
        for symbol in to {
            column.advance(column.slot(symbol));
            let (positive, negative) = column.differences();
            matrix.positive.extend_from_slice(positive);
            matrix.negative.extend_from_slice(negative);
        }
        matrix
    }

    fn operations<T: Eq>(&self, from: &[T], to: &[T]) -> EditOperations {
        let mut counts = EditOperations::default();
        let (mut i, mut j) = (from.len(), to.len());
        while i > 0 && j > 0 {
            if self.is_set(&self.positive, i, j) {
                counts.deletions += 1;
                i -= 1;
            } else if j > 1 && self.is_set(&self.negative, i, j - 1) {
                counts.insertions += 1;
                j -= 1;
            } else {
                (i, j) = (i - 1, j - 1);
                if from[i] == to[j] {
                    counts.hits += 1;
                } else {
                    counts.substitutions += 1;
                }
            }
        }
        counts.deletions += i;
        counts.insertions += j;
        counts
    }

    /// Whether D(i, j) − D(i−1, j) has the sign of these differences.
    fn is_set(&self, differences: &[u64], i: usize, j: usize) -> bool {
        bit(&differences[(j - 1) * self.blocks..][..self.blocks], i - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::levenshtein;
    use proptest::prelude::*;

    #[test]
    fn of_equally_short_scripts_the_one_of_rapidfuzz_is_taken() {
        let counts = |from: &str, to: &str| {
            let found = edit_operations(from.as_bytes(), to.as_bytes());
            (found.hits, found.substitutions, found.deletions, found.insertions)
        };
        assert_eq!(counts("ab", "ba"), (1, 0, 1, 1));
        assert_eq!(counts("abcd", "badc"), (2, 1, 1, 1));
        assert_eq!(counts("aabb", "bbaa"), (2, 0, 2, 2));
        assert_eq!(counts("", "xyz"), (0, 0, 0, 3));
        assert_eq!(counts("xyz", ""), (0, 0, 3, 0));
    }

    proptest! {
        #[test]
        fn edits_are_the_distance_and_every_symbol_is_counted(
            a in prop::collection::vec(0u8..4, 0..200),
            b in prop::collection::vec(0u8..4, 0..200),
        ) {
            let whole = edit_operations(&a, &b);
            prop_assert_eq!(whole.edits(), levenshtein(&a, &b));
            prop_assert_eq!(whole.hits + whole.substitutions + whole.deletions, a.len());
            prop_assert_eq!(whole.hits + whole.substitutions + whole.insertions, b.len());
            if b.len() > 1 && !a.is_empty() {
                prop_assert_eq!(operations_by_halves(&a, &b).edits(), whole.edits());
            }
        }
    }
}
