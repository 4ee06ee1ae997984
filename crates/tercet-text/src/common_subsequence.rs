//! The length of the longest common subsequence of two sequences, bit-parallel (Hyyrö 2004).
//!
//! One column of the matrix is kept as bits, 64 rows per word: a bit is clear where a row has one more than the row
//! above.

use super::levenshtein::without_shared_ends;
use super::symbol_rows::SymbolRows;
use std::hash::Hash;
use tercet_base::stop;

/// The most steps, each of 64 cells, about half a second.
const MAX_STEPS: usize = 1 << 28;

/// The length of the longest common subsequence of `a` and `b`, and whether it is surely the longest: sequences whose
/// lengths have a product above 2³⁴ are cut into equally many pieces, which are compared one by one.
pub fn common_subsequence<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> (usize, bool) {
    limited(a, b, MAX_STEPS)
}

fn limited<T: Eq + Hash + Copy>(a: &[T], b: &[T], steps: usize) -> (usize, bool) {
    let (shared, a, b) = without_shared_ends(a, b);
    let blocks = a.len().div_ceil(64);
    if blocks == 0 || b.is_empty() {
        return (shared, true);
    }
    let whole = blocks.saturating_mul(b.len());
    if whole <= steps {
        return (shared + length(a, b), true);
    }
    let pieces = whole.div_ceil(steps.max(1)).min(a.len());
    let cut = |length: usize, number: usize| (length as u128 * number as u128 / pieces as u128) as usize;
    let lengths = (0..pieces).map(|number| {
        let a = &a[cut(a.len(), number)..cut(a.len(), number + 1)];
        let b = &b[cut(b.len(), number)..cut(b.len(), number + 1)];
        length(a, b)
    });
    (shared + lengths.sum::<usize>(), false)
}

fn length<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> usize {
    let mut rows = SymbolRows::new(a);
    let mut column = vec![!0u64; rows.blocks()];
    for symbols in b.chunks(64) {
        stop::steps(a.len());
        for symbol in symbols {
            let slot = rows.slot(symbol);
            rows.with(slot, |equal| advance(equal, &mut column));
        }
    }
    let clear = |bits: &u64| bits.count_zeros() as usize;
    column.iter().map(clear).sum()
}

/// Appends a symbol to the second sequence; `equal` has its rows. Bits beyond the last row are never in `equal` and
/// stay set.
fn advance(equal: &[u64], column: &mut [u64]) {
    let mut carry = false;
    for (&equal, column) in equal.iter().zip(column) {
        let matches = *column & equal;
        let (sum, first) = column.overflowing_add(matches);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        *column = sum | (*column & !equal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By its definition, cell by cell.
    fn by_cells(a: &[u8], b: &[u8]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn lengths_are_those_of_the_definition(
            a in proptest::collection::vec(0..5u8, 0..200),
            b in proptest::collection::vec(0..4u8, 0..150),
        ) {
            prop_assert_eq!(common_subsequence(&a, &b), (by_cells(&a, &b), true));
            let (cut, exact) = limited(&a, &b, 20);
            prop_assert!(cut <= by_cells(&a, &b) && (!exact || cut == by_cells(&a, &b)));
        }
    }
}
