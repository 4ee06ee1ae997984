//! Hits, substitutions, deletions and insertions of a shortest edit script between two sequences, as counts or as the
//! script itself.
//!
//! Several scripts may be equally short and differ in these counts. The one taken here is rapidfuzz's (3.14.6),
//! which jiwer uses. It is traced back through the distance matrix D, from the cell of the two whole sequences:
//! at `(i, j)`, the first i symbols of `from` against the first j of `to`,
//!
//! 1. delete symbol i if D(i, j) = D(i−1, j) + 1,
//! 2. else insert symbol j if D(i, j−1) = D(i−1, j−1) − 1,
//! 3. else keep or substitute.
//!
//! Where that matrix would take a mebibyte or more, `to` is halved, `from` is cut at the first place where the
//! distances of the parts add up to the whole (Hirschberg 1975), and each half is solved by itself; rapidfuzz cuts at
//! the same places, which also decides between equally short scripts.
//!
//! Only a band around the diagonal is computed, two bits per cell: all cells of shortest scripts are in it, so that the
//! script is the same. How wide it must be is not known before; narrow bands are tried first.
//!
//! Long sequences that are also very different take time in proportion to the product of their lengths. After
//! [`MAX_STEPS`], about half a second, both are cut into equally many pieces that are solved one by one. The counts
//! are then those of a script that may not be the shortest, and [`EditOperations::exact`] is false. Sequences of up to
//! 131,072 symbols are never cut, nor are those of a million with up to 16,000 edits.

use super::distance_band::{DistanceBand, Reach};
use super::levenshtein::{DistanceColumn, shared_ends};
use std::hash::Hash;
use std::ops::AddAssign;
use tercet_base::stop;

/// The most steps, each of 64 cells, that one pass over a distance matrix takes.
const MAX_STEPS: usize = 1 << 28;

/// The distance of the first band that is tried; each further one has four times that of the last.
const FIRST_BAND: usize = 1 << 10;

/// The counts of one edit script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditOperations {
    /// Equal symbols.
    pub hits: usize,
    /// Replaced symbols.
    pub substitutions: usize,
    /// Symbols of the reference that are missing.
    pub deletions: usize,
    /// Symbols that the reference does not have.
    pub insertions: usize,
    /// Whether the script is surely a shortest one.
    pub exact: bool,
}

impl Default for EditOperations {
    fn default() -> Self {
        EditOperations { hits: 0, substitutions: 0, deletions: 0, insertions: 0, exact: true }
    }
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
        self.exact &= other.exact;
    }
}

/// What an edit script does with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Both have it.
    Keep,
    /// One is replaced by another.
    Substitute,
    /// It is missing in the second sequence.
    Delete,
    /// The first sequence does not have it.
    Insert,
}

/// Symbols next to each other with the same edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditRun {
    /// The edit.
    pub edit: Edit,
    /// The number of symbols, at least one.
    pub length: usize,
}

/// What is noted of a script, from its start on.
trait Script: Default {
    fn add(&mut self, edit: Edit, length: usize);

    /// Adds a script that was noted from its end on.
    fn add_reversed(&mut self, other: Self);

    /// Says that the script may not be a shortest one.
    fn set_inexact(&mut self) {}
}

impl Script for EditOperations {
    fn add(&mut self, edit: Edit, length: usize) {
        *match edit {
            Edit::Keep => &mut self.hits,
            Edit::Substitute => &mut self.substitutions,
            Edit::Delete => &mut self.deletions,
            Edit::Insert => &mut self.insertions,
        } += length;
    }

    fn add_reversed(&mut self, other: Self) {
        *self += other;
    }

    fn set_inexact(&mut self) {
        self.exact = false;
    }
}

impl Script for Vec<EditRun> {
    fn add(&mut self, edit: Edit, length: usize) {
        match self.last_mut() {
            Some(last) if last.edit == edit => last.length += length,
            _ if length > 0 => self.push(EditRun { edit, length }),
            _ => {}
        }
    }

    fn add_reversed(&mut self, other: Self) {
        other.into_iter().rev().for_each(|run| self.add(run.edit, run.length));
    }
}

/// Counts the operations of a shortest edit script from `from` to `to`; see the module for the choice between several.
pub fn edit_operations<T: Eq + Hash + Copy>(from: &[T], to: &[T]) -> EditOperations {
    operations_limited(from, to, MAX_STEPS)
}

/// The edit script whose operations [`edit_operations`] counts.
pub fn edit_script<T: Eq + Hash + Copy>(from: &[T], to: &[T]) -> Vec<EditRun> {
    let mut script = Vec::new();
    write_within(from, to, from.len().max(to.len()), MAX_STEPS, &mut script);
    script
}

fn operations_limited<T: Eq + Hash + Copy>(from: &[T], to: &[T], steps: usize) -> EditOperations {
    let mut operations = EditOperations::default();
    write_within(from, to, from.len().max(to.len()), steps, &mut operations);
    operations
}

/// Notes the script of sequences whose distance is known to be at most `most`.
fn write_within<T: Eq + Hash + Copy, S: Script>(from: &[T], to: &[T], most: usize, steps: usize, script: &mut S) {
    let (start, end) = shared_ends(from, to);
    script.add(Edit::Keep, start);
    let (from, to) = (&from[start..from.len() - end], &to[start..to.len() - end]);
    if is_large(from.len(), to.len(), most) {
        write_by_halves(from, to, most, steps, script);
    } else {
        Matrix::new(from, to, most).write(from, to, script);
    }
    script.add(Edit::Keep, end);
}

/// Whether rapidfuzz halves instead of keeping the matrix; it estimates the size of a band around the diagonal.
fn is_large(from: usize, to: usize, most: usize) -> bool {
    let band = from.min(2 * most.min(from.max(to)) + 1);
    let bytes = 2 * band * to / 8;
    bytes >= 1 << 20 && from >= 65 && to >= 10
}

fn write_by_halves<T: Eq + Hash + Copy, S: Script>(from: &[T], to: &[T], most: usize, steps: usize, script: &mut S) {
    let longer = from.len().max(to.len());
    let most = most.min(longer);
    let mut band = FIRST_BAND.min(most);
    loop {
        let reach = Reach::new(from.len(), to.len(), band);
        if reach.blocks(from.len()).saturating_mul(to.len()) > steps {
            return write_by_pieces(from, to, steps, script);
        }
        let halves = Halves::new(from, to, reach);
        if halves.before + halves.after <= band.max(from.len().abs_diff(to.len())) || band >= most {
            return halves.write(from, to, steps, script);
        }
        band = (4 * band).min(halves.before + halves.after).min(most);
    }
}

/// Both sequences cut into so many pieces that all of them together take at most `steps`.
fn write_by_pieces<T: Eq + Hash + Copy, S: Script>(from: &[T], to: &[T], steps: usize, script: &mut S) {
    let whole = from.len().div_ceil(64).saturating_mul(to.len());
    let pieces = whole.div_ceil(steps.max(1)).max(2).min(from.len().max(2));
    let piece = |length: usize, number: usize| (length as u128 * number as u128 / pieces as u128) as usize;
    script.set_inexact();
    for number in 0..pieces {
        let from = &from[piece(from.len(), number)..piece(from.len(), number + 1)];
        let to = &to[piece(to.len(), number)..piece(to.len(), number + 1)];
        write_within(from, to, from.len().max(to.len()), usize::MAX, script);
    }
}

/// Where two sequences are cut, and the distances of the parts before and after.
struct Halves {
    from: usize,
    to: usize,
    before: usize,
    after: usize,
}

impl Halves {
    fn new<T: Eq + Hash + Copy>(from: &[T], to: &[T], reach: Reach) -> Self {
        let middle = to.len() / 2;
        let (left, right) = to.split_at(middle);
        let before = distances_of_prefixes(from.iter(), left.iter(), reach);
        let after = distances_of_prefixes(from.iter().rev(), right.iter().rev(), reach);
        let cuts = before.iter().zip(after.iter().rev()).enumerate();
        let cut = cuts.min_by_key(|(_, (before, after))| *before + *after);
        let (cut, (&before, &after)) = cut.expect("there is always the cut before the first symbol");
        Halves { from: cut, to: middle, before, after }
    }

    fn write<T: Eq + Hash + Copy, S: Script>(self, from: &[T], to: &[T], steps: usize, script: &mut S) {
        let (left, right) = (&from[..self.from], &from[self.from..]);
        write_within(left, &to[..self.to], self.before, steps, script);
        write_within(right, &to[self.to..], self.after, steps, script);
    }
}

/// The distance of every prefix of `sequence`, the empty one first, to all of `other`, within a band.
fn distances_of_prefixes<'a, T: Eq + Hash + Copy + 'a>(
    sequence: impl Iterator<Item = &'a T>,
    other: impl Iterator<Item = &'a T>,
    reach: Reach,
) -> Vec<usize> {
    let sequence: Vec<T> = sequence.copied().collect();
    let mut band = DistanceBand::new(&sequence, reach);
    other.for_each(|symbol| {
        stop::steps(band.computed());
        band.advance(symbol);
    });
    band.distances()
}

/// The vertical differences of the distance matrix, within a band: after each symbol of `to`, over the symbols of
/// `from`.
struct Matrix {
    positive: Vec<u64>,
    negative: Vec<u64>,
    /// The number of blocks of each column, if all are in the band.
    blocks: usize,
    /// Otherwise, for each symbol of `to`, the first block of `from` in the band, and where it is in `positive` and
    /// `negative`.
    columns: Vec<(u32, usize)>,
}

impl Matrix {
    /// The matrix of two sequences whose distance is at most `most`.
    fn new<T: Eq + Hash + Copy>(from: &[T], to: &[T], most: usize) -> Self {
        let blocks = from.len().div_ceil(64);
        let mut matrix = Matrix { positive: Vec::new(), negative: Vec::new(), blocks, columns: Vec::new() };
        if from.is_empty() {
            return matrix;
        }
        let reach = Reach::new(from.len(), to.len(), most.min(from.len().max(to.len())));
        let size = reach.blocks(from.len()) * to.len();
        matrix.positive.reserve_exact(size);
        matrix.negative.reserve_exact(size);
        if reach.blocks(from.len()) == blocks {
            matrix.fill(from, to);
            return matrix;
        }
        matrix.columns.reserve_exact(to.len());
        let mut band = DistanceBand::new(from, reach);
        for symbol in to {
            stop::steps(band.computed());
            band.advance(symbol);
            let (first, positive, negative) = band.blocks();
            matrix.columns.push((first as u32, matrix.positive.len()));
            matrix.positive.extend_from_slice(positive);
            matrix.negative.extend_from_slice(negative);
        }
        matrix
    }

    /// All columns in full, which is faster for short sequences than a band.
    fn fill<T: Eq + Hash + Copy>(&mut self, from: &[T], to: &[T]) {
        let mut column = DistanceColumn::new(from);
        stop::steps(self.blocks * to.len());
        for symbol in to {
            column.advance(column.slot(symbol));
            let (positive, negative) = column.differences();
            self.positive.extend_from_slice(positive);
            self.negative.extend_from_slice(negative);
        }
    }

    fn write<T: Eq, S: Script>(&self, from: &[T], to: &[T], script: &mut S) {
        let mut reversed = S::default();
        let (mut i, mut j) = (from.len(), to.len());
        while i > 0 && j > 0 {
            if self.is_set(&self.positive, i, j) {
                reversed.add(Edit::Delete, 1);
                i -= 1;
            } else if j > 1 && self.is_set(&self.negative, i, j - 1) {
                reversed.add(Edit::Insert, 1);
                j -= 1;
            } else {
                (i, j) = (i - 1, j - 1);
                reversed.add(if from[i] == to[j] { Edit::Keep } else { Edit::Substitute }, 1);
            }
        }
        reversed.add(Edit::Delete, i);
        reversed.add(Edit::Insert, j);
        script.add_reversed(reversed);
    }

    /// Whether D(i, j) − D(i−1, j) has the sign of these differences. Outside of the band there is no shortest script.
    fn is_set(&self, differences: &[u64], i: usize, j: usize) -> bool {
        if self.columns.is_empty() {
            return (differences[(j - 1) * self.blocks + (i - 1) / 64] >> ((i - 1) % 64)) & 1 == 1;
        }
        let (first, start) = self.columns[j - 1];
        let end = self.columns.get(j).map_or(differences.len(), |column| column.1);
        let block = ((i - 1) / 64).checked_sub(first as usize);
        let bits = block.and_then(|block| differences[start..end].get(block));
        bits.is_some_and(|bits| (bits >> ((i - 1) % 64)) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levenshtein;
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
                let mut halves = EditOperations::default();
                write_by_halves(&a, &b, usize::MAX, usize::MAX, &mut halves);
                prop_assert_eq!(halves.edits(), whole.edits());
            }
        }

        #[test]
        fn the_script_turns_one_sequence_into_the_other_and_has_the_counts(
            a in prop::collection::vec(0u8..4, 0..200),
            b in prop::collection::vec(0u8..4, 0..200),
        ) {
            let script = edit_script(&a, &b);
            let mut counts = EditOperations::default();
            let (mut i, mut j) = (0, 0);
            for &EditRun { edit, length } in &script {
                counts.add(edit, length);
                let kept = matches!(edit, Edit::Keep | Edit::Substitute);
                for k in 0..length {
                    prop_assert!(!kept || (a[i + k] == b[j + k]) == (edit == Edit::Keep));
                }
                i += if edit == Edit::Insert { 0 } else { length };
                j += if edit == Edit::Delete { 0 } else { length };
            }
            prop_assert_eq!((i, j), (a.len(), b.len()));
            prop_assert_eq!(counts, edit_operations(&a, &b));
            prop_assert!(script.windows(2).all(|pair| pair[0].edit != pair[1].edit));
        }

        #[test]
        fn a_narrow_band_has_the_same_script(
            a in prop::collection::vec(0u8..3, 2..400),
            edits in prop::collection::vec((0usize..400, 0u8..3, 0u8..3), 0..30),
        ) {
            let mut b = a.clone();
            for (place, kind, symbol) in edits {
                let place = place % b.len().max(1);
                match kind {
                    0 if b.len() > 2 => drop(b.remove(place)),
                    1 => b.insert(place, symbol),
                    _ => b[place] = symbol,
                }
            }
            let distance = levenshtein(&a, &b);
            let longer = a.len().max(b.len());
            for most in [distance, distance + 1, 2 * distance] {
                let script = |most| {
                    let mut script: Vec<EditRun> = Vec::new();
                    Matrix::new(&a, &b, most).write(&a, &b, &mut script);
                    script
                };
                prop_assert_eq!(script(most), script(longer));
                let halves = |most| Halves::new(&a, &b, Reach::new(a.len(), b.len(), most));
                let (narrow, whole) = (halves(most), halves(longer));
                prop_assert_eq!((narrow.from, narrow.before, narrow.after), (whole.from, whole.before, whole.after));
            }
        }

        #[test]
        fn pieces_count_every_symbol_and_are_no_shorter_script(
            a in prop::collection::vec(0u8..4, 65..300),
            b in prop::collection::vec(0u8..4, 10..300),
            steps in 1usize..200,
        ) {
            let mut pieces = EditOperations::default();
            write_by_pieces(&a, &b, steps, &mut pieces);
            prop_assert!(!pieces.exact && pieces.edits() >= levenshtein(&a, &b));
            prop_assert_eq!(pieces.hits + pieces.substitutions + pieces.deletions, a.len());
            prop_assert_eq!(pieces.hits + pieces.substitutions + pieces.insertions, b.len());
        }
    }

    /// Letters that follow no pattern.
    fn noise(length: usize, seed: u64) -> Vec<u8> {
        let next = |state: &u64| Some(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
        let states = std::iter::successors(Some(seed), next);
        states.take(length).map(|state| (state >> 60) as u8).collect()
    }

    #[test]
    fn long_sequences_that_are_alike_are_compared_as_a_whole() {
        let a = noise(400_000, 1);
        let mut b = noise(400_000, 1);
        b.rotate_left(5);
        b[200_000] ^= 1;
        let found = edit_operations(&a, &b);
        assert!(found.exact);
        assert_eq!((found.substitutions, found.deletions, found.insertions), (1, 5, 5));
    }

    #[test]
    fn long_sequences_that_are_not_alike_are_compared_in_pieces() {
        let (a, b) = (noise(60_000, 1), noise(50_000, 2));
        let limit = 1 << 20;
        let limited = operations_limited(&a, &b, limit);
        assert!(!limited.exact && limited.edits() > 25_000 && limited.edits() < 60_000);
        assert_eq!(limited.hits + limited.substitutions + limited.deletions, a.len());
    }
}
