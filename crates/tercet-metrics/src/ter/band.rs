//! The edit distance as sacreBLEU computes it: row by row, near the diagonal only.
//!
//! Row `i` has a cell for each number `j` of reference words with `d − beam ≤ j < d + beam`, `d = ⌊i · ratio⌋`, where
//! `ratio` is the reference's length over the hypothesis's; the last row goes to the end. Cells outside are
//! unreachable, so that the result may exceed the true distance. If `ratio` is over twice the beam, the beam grows so
//! that rows still overlap.

use super::alignment::Step;
use super::shift::Exchange;
use tercet_base::stop;

/// Larger than any distance; adding one does not overflow.
const UNREACHABLE: u32 = u32::MAX - 1;

/// The cells of one hypothesis, kept so that a shifted one need only be computed from its first moved word on.
#[derive(Default)]
pub(super) struct Band {
    shape: Shape,
    /// Rows 1, 2, …, each of `shape.width` cells.
    cells: Vec<u32>,
    /// Two rows for a hypothesis that is not stored.
    above: Vec<u32>,
    below: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Shape {
    hypothesis: usize,
    reference: usize,
    ratio: f64,
    beam: usize,
    width: usize,
}

impl Shape {
    fn new(hypothesis: usize, reference: usize, beam: usize) -> Self {
        let ratio = if hypothesis == 0 { 1.0 } else { reference as f64 / hypothesis as f64 };
        let beam = if (beam as f64) < ratio / 2.0 { (ratio / 2.0 + beam as f64).ceil() as usize } else { beam };
        Shape { hypothesis, reference, ratio, beam, width: (2 * beam + 1).min(reference + 1) }
    }

    /// The first cell of a row and the one after the last.
    fn ends(&self, row: usize) -> (usize, usize) {
        if row == 0 {
            return (0, self.reference + 1);
        }
        let diagonal = (row as f64 * self.ratio).floor() as usize;
        let end =
            if row == self.hypothesis { self.reference + 1 } else { (diagonal + self.beam).min(self.reference + 1) };
        (diagonal.saturating_sub(self.beam), end)
    }
}

/// A row to read from: its cells and the number of the first.
#[derive(Clone, Copy)]
struct Row<'a> {
    /// The very first row counts its cells; it is not stored.
    is_first: bool,
    start: usize,
    cells: &'a [u32],
}

impl Row<'_> {
    fn cell(&self, j: usize) -> u32 {
        if self.is_first {
            return j as u32;
        }
        j.checked_sub(self.start).and_then(|offset| self.cells.get(offset).copied()).unwrap_or(UNREACHABLE)
    }
}

impl Band {
    /// The distance of a hypothesis whose words before `from` are those of the last one.
    pub(super) fn compute(&mut self, hypothesis: &[u32], reference: &[u32], beam: usize, from: usize) -> u32 {
        if from == 0 {
            self.shape = Shape::new(hypothesis.len(), reference.len(), beam);
            self.cells.resize(hypothesis.len() * self.shape.width, 0);
        }
        let shape = self.shape;
        stop::steps((hypothesis.len() - from) * shape.width);
        for row in from + 1..=hypothesis.len() {
            let (done, rest) = self.cells.split_at_mut((row - 1) * shape.width);
            let above = stored_row(shape, done, row - 1);
            fill(shape, row, above, hypothesis[row - 1], reference, rest);
        }
        self.distance()
    }

    fn distance(&self) -> u32 {
        let last = stored_row(self.shape, &self.cells, self.shape.hypothesis);
        last.cell(self.shape.reference)
    }

    /// The distance of the current hypothesis after a move, which is not made; any value above `at_most` if the
    /// distance is above it.
    pub(super) fn exchanged(&mut self, hypothesis: &[u32], reference: &[u32], exchange: Exchange, at_most: u32) -> u32 {
        let shape = self.shape;
        let Exchange { first, middle, end } = exchange;
        let words = [&hypothesis[middle..end], &hypothesis[first..middle], &hypothesis[end..]];
        let mut row = first;
        let start = stored_row(shape, &self.cells, row);
        self.above.clear();
        self.above.extend_from_slice(start.cells);
        self.below.resize(shape.width, 0);
        for &word in words.into_iter().flatten() {
            stop::steps(shape.width);
            let above = Row { is_first: row == 0, start: shape.ends(row).0, cells: &self.above };
            row += 1;
            let least = fill(shape, row, above, word, reference, &mut self.below);
            if least > at_most {
                return least;
            }
            let (start, cells_end) = shape.ends(row);
            std::mem::swap(&mut self.above, &mut self.below);
            self.above.truncate(cells_end - start);
            self.below.resize(shape.width, 0);
            if row >= end
                && let Some(offset) = offset(&self.above, stored_row(shape, &self.cells, row).cells)
            {
                return self.distance().wrapping_add(offset);
            }
        }
        self.above.last().copied().unwrap_or(UNREACHABLE)
    }

    /// The last step of the preferred path to a cell: match or substitution before an extra word before a missing one.
    pub(super) fn step(&self, i: usize, j: usize, equal: bool) -> Step {
        let (above, here) = (stored_row(self.shape, &self.cells, i - 1), stored_row(self.shape, &self.cells, i));
        let distance = here.cell(j);
        if above.cell(j - 1) + u32::from(!equal) == distance {
            if equal { Step::Match } else { Step::Substitution }
        } else if above.cell(j) + 1 == distance {
            Step::Extra
        } else {
            Step::Missing
        }
    }
}

/// The difference of every cell of a row from its counterpart, modulo 2³², if it is the same for all. With the same
/// words it then holds for all later rows.
fn offset(row: &[u32], other: &[u32]) -> Option<u32> {
    let mut offsets = row.iter().zip(other).map(|(a, b)| a.wrapping_sub(*b));
    let first = offsets.next()?;
    offsets.all(|offset| offset == first).then_some(first)
}

fn stored_row(shape: Shape, cells: &[u32], row: usize) -> Row<'_> {
    let (start, end) = shape.ends(row);
    let cells = if row == 0 { &[] } else { &cells[(row - 1) * shape.width..][..end - start] };
    Row { is_first: row == 0, start, cells }
}

/// Writes a row and returns its smallest cell.
fn fill(shape: Shape, row: usize, above: Row<'_>, word: u32, reference: &[u32], out: &mut [u32]) -> u32 {
    let (start, end) = shape.ends(row);
    let (mut left, mut least) = (UNREACHABLE, UNREACHABLE);
    let mut diagonal = if start == 0 { UNREACHABLE } else { above.cell(start - 1) };
    for (j, out) in (start..end).zip(out) {
        let up = above.cell(j);
        let substituted = if j > 0 { diagonal + u32::from(word != reference[j - 1]) } else { UNREACHABLE };
        left = substituted.min(up + 1).min(left + 1).min(UNREACHABLE);
        *out = left;
        least = least.min(left);
        diagonal = up;
    }
    least
}
