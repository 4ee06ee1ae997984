//! One interface for two computations of sacreBLEU's edit distance: bit vectors where they give the same result, else
//! its own cell-by-cell computation.

use super::alignment::Step;
use super::band::Band;
use super::bits::{Bits, Columns};
use super::shift::Exchange;

/// A hypothesis and a reference, as numbers of words.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) hypothesis: &'a [u32],
    pub(super) reference: &'a [u32],
}

/// Distances between one reference and a hypothesis that is shifted repeatedly.
pub(super) trait Distances {
    /// The distance of a hypothesis whose words before `from` are as in the last one.
    fn compute(&mut self, pair: Pair<'_>, from: usize) -> u32;

    /// The distance after a move, which is not made; any value above `at_most` if the distance is above it.
    fn exchanged(&mut self, pair: Pair<'_>, exchange: Exchange, at_most: u32) -> u32;

    /// A bound on the edits a move saves.
    fn most_saved(&self, exchange: Exchange) -> u32;

    /// The last step of the preferred path to a cell.
    fn step(&self, pair: Pair<'_>, i: usize, j: usize) -> Step;
}

/// Cell by cell, for references of any length.
pub(super) struct ByCell<'a> {
    pub(super) band: &'a mut Band,
    pub(super) beam: usize,
}

impl Distances for ByCell<'_> {
    fn compute(&mut self, pair: Pair<'_>, from: usize) -> u32 {
        self.band.compute(pair.hypothesis, pair.reference, self.beam, from)
    }

    fn exchanged(&mut self, pair: Pair<'_>, exchange: Exchange, at_most: u32) -> u32 {
        self.band.exchanged(pair.hypothesis, pair.reference, exchange, at_most)
    }

    fn most_saved(&self, _exchange: Exchange) -> u32 {
        u32::MAX
    }

    fn step(&self, pair: Pair<'_>, i: usize, j: usize) -> Step {
        let equal = pair.hypothesis[i - 1] == pair.reference[j - 1];
        self.band.step(i, j, equal)
    }
}

/// By bit vectors; by cell where the optimal edits may leave the band.
pub(super) struct ByColumn<'a, W> {
    columns: &'a mut Columns<W>,
    masks: &'a [W],
    cells: ByCell<'a>,
    /// Whether `cells` is computed for the current hypothesis.
    has_cells: bool,
    /// Whether the current hypothesis needs `cells`.
    needs_cells: bool,
}

impl<'a, W: Bits> ByColumn<'a, W> {
    pub(super) fn new(columns: &'a mut Columns<W>, masks: &'a [W], cells: ByCell<'a>) -> Self {
        ByColumn { columns, masks, cells, has_cells: false, needs_cells: false }
    }

    /// Whether all paths with this many edits are within the band.
    fn stays_in_band(&self, pair: Pair<'_>, distance: u32) -> bool {
        let difference = pair.hypothesis.len().abs_diff(pair.reference.len());
        (distance as usize + difference) / 2 < self.cells.beam
    }
}

impl<W: Bits> Distances for ByColumn<'_, W> {
    fn compute(&mut self, pair: Pair<'_>, from: usize) -> u32 {
        let distance = self.columns.compute(pair.hypothesis, self.masks, pair.reference.len(), from);
        self.needs_cells = !self.stays_in_band(pair, distance);
        self.has_cells = self.needs_cells;
        if self.needs_cells { self.cells.compute(pair, 0) } else { distance }
    }

    fn exchanged(&mut self, pair: Pair<'_>, exchange: Exchange, at_most: u32) -> u32 {
        let distance = self.columns.exchanged(exchange);
        if distance > at_most || self.stays_in_band(pair, distance) {
            return distance;
        }
        if !self.has_cells {
            self.cells.compute(pair, 0);
            self.has_cells = true;
        }
        self.cells.exchanged(pair, exchange, at_most)
    }

    fn most_saved(&self, exchange: Exchange) -> u32 {
        if self.needs_cells { u32::MAX } else { exchange.most_saved() }
    }

    fn step(&self, pair: Pair<'_>, i: usize, j: usize) -> Step {
        if self.needs_cells { self.cells.step(pair, i, j) } else { self.columns.step(i, j) }
    }
}
