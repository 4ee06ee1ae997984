//! The greedy search: make the shift that saves most edits, until none saves any.

use super::Limits;
use super::alignment::{Alignment, Step};
use super::band::Band;
use super::bits::{Columns, Masks};
use super::distances::{ByCell, ByColumn, Distances, Pair};
use super::reference::Reference;
use super::shift::{Shift, list_shifts};
use std::cmp::Ordering;
use tercet_base::stop;

/// The edits that turn a hypothesis into a reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Edits {
    /// Words of the hypothesis that the reference lacks.
    pub(super) insertions: u32,
    /// Words of the reference that the hypothesis lacks.
    pub(super) deletions: u32,
    pub(super) substitutions: u32,
    pub(super) shifts: u32,
    /// The number of words in all shifts.
    pub(super) shifted_words: u32,
}

impl Edits {
    /// The number of edits; a shift counts one.
    pub(super) fn total(self) -> u32 {
        self.insertions + self.deletions + self.substitutions + self.shifts
    }
}

/// Finds edits; its buffers are reused between segments.
#[derive(Default)]
pub(super) struct Search {
    alignment: Alignment,
    shifts: Vec<Shift>,
    made: Vec<Shift>,
    hypothesis: Vec<u32>,
    unmatched: Vec<u32>,
    narrow: Columns<u64>,
    wide: Columns<u128>,
    band: Band,
}

impl Search {
    /// The edits from a hypothesis, its words numbered as the reference's are, to a reference.
    pub(super) fn edits(&mut self, hypothesis: &[u32], reference: &Reference, limits: &Limits) -> Edits {
        self.made.clear();
        if reference.words.is_empty() {
            self.alignment.retrace(hypothesis.len(), 0, |_, _| Step::Extra);
            return Edits { insertions: hypothesis.len() as u32, ..Edits::default() };
        }
        self.hypothesis.clear();
        self.hypothesis.extend_from_slice(hypothesis);
        let Search { alignment, shifts, made, hypothesis, unmatched, narrow, wide, band } = self;
        let fewest = reference.fewest_edits(hypothesis, unmatched);
        let mut descent = GreedySearch { alignment, shifts, made, hypothesis, reference, limits, fewest };
        let beam = limits.beam;
        let cells = ByCell { band, beam };
        match &reference.masks {
            Masks::Narrow(masks) => descent.run(ByColumn::new(narrow, masks, cells)),
            Masks::Wide(masks) => descent.run(ByColumn::new(wide, masks, cells)),
            Masks::None => descent.run(cells),
        }
    }

    /// The shifts that the last search made, in their order.
    pub(super) fn shifts_made(&self) -> &[Shift] {
        &self.made
    }

    /// The steps of the last search after these shifts, the first one first.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step> {
        self.alignment.steps.iter().rev().copied()
    }
}

/// One run of the search.
struct GreedySearch<'a> {
    alignment: &'a mut Alignment,
    shifts: &'a mut Vec<Shift>,
    /// The shifts that were made.
    made: &'a mut Vec<Shift>,
    hypothesis: &'a mut Vec<u32>,
    reference: &'a Reference,
    limits: &'a Limits,
    /// A lower bound on the edits for any order of the words.
    fewest: u32,
}

impl GreedySearch<'_> {
    fn run(&mut self, mut distances: impl Distances) -> Edits {
        let mut edits = Edits::default();
        let (mut tried, mut unchanged) = (0, 0);
        loop {
            let distance = distances.compute(self.pair(), unchanged);
            self.retrace(&distances);
            if distance == self.fewest {
                break;
            }
            let most = self.limits.candidates - tried;
            if !list_shifts(self.hypothesis, self.reference, self.alignment, self.limits, most, self.shifts) {
                break;
            }
            tried += self.shifts.len();
            let Some(shift) = self.best_shift(&mut distances, distance) else {
                break;
            };
            let exchange = shift.exchange(self.hypothesis.len());
            exchange.apply(self.hypothesis);
            unchanged = exchange.first;
            self.made.push(shift);
            edits.shifts += 1;
            edits.shifted_words += shift.length;
        }
        Edits {
            insertions: self.alignment.insertions,
            deletions: self.alignment.deletions,
            substitutions: self.alignment.substitutions,
            ..edits
        }
    }

    fn pair(&self) -> Pair<'_> {
        Pair { hypothesis: self.hypothesis, reference: &self.reference.words }
    }

    fn retrace(&mut self, distances: &impl Distances) {
        let pair = Pair { hypothesis: self.hypothesis, reference: &self.reference.words };
        self.alignment.retrace(pair.hypothesis.len(), pair.reference.len(), |i, j| distances.step(pair, i, j));
    }

    /// The listed shift that saves most edits, if any does. Shifts that cannot be better than the best so far are
    /// skipped.
    fn best_shift(&self, distances: &mut impl Distances, distance: u32) -> Option<Shift> {
        let pair = self.pair();
        stop::steps(self.shifts.len() * pair.hypothesis.len());
        let mut best: Option<(u32, Shift)> = None;
        for &shift in self.shifts.iter() {
            let exchange = shift.exchange(pair.hypothesis.len());
            let (saved, preferred) =
                best.map_or((0, false), |(saved, other)| (saved, shift.preference(other) == Ordering::Greater));
            let needed = saved + u32::from(!preferred);
            let possible = distances.most_saved(exchange).min(distance - self.fewest);
            if exchange.is_void() || possible < needed {
                continue;
            }
            let at_most = distance - needed;
            let shifted = distances.exchanged(pair, exchange, at_most);
            if shifted <= at_most {
                best = Some((distance - shifted, shift));
            }
        }
        best.map(|(_, shift)| shift)
    }
}
