//! An alignment as callers see it.

use super::pair::Edit;
use super::shifts::Shift;

/// How TERp turns a hypothesis into the best of its references.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TerpAlignment {
    /// Which reference it is.
    pub reference_number: usize,
    /// The words of the hypothesis.
    pub hypothesis: Vec<String>,
    /// The words of the hypothesis after all shifts.
    pub shifted_hypothesis: Vec<String>,
    /// The words of the reference.
    pub reference: Vec<String>,
    /// The cost of all edits and shifts.
    pub edits: f64,
    /// The length that the edits are divided by.
    pub reference_length: f64,
    /// The edits after the shifts, in the order of the sentences.
    pub steps: Vec<Edit>,
    /// The shifts, in the order in which they were made.
    pub shifts: Vec<MovedBlock>,
    /// The phrases among the edits, in order.
    pub phrases: Vec<AlignedPhrase>,
    /// Whether a limit on time ended the search early.
    pub unfinished: bool,
}

/// A shift. Positions are those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MovedBlock {
    /// The first word of the block.
    pub start: usize,
    /// The last word of the block.
    pub end: usize,
    /// The word of the reference that decided where the block goes; `None` for the front.
    pub place: Option<usize>,
    /// The word behind which the block goes; `None` for the front.
    pub target: Option<usize>,
}

impl MovedBlock {
    pub(super) fn new(shift: &Shift) -> Self {
        let position = |number: i32| usize::try_from(number).ok();
        let (place, target) = (position(shift.place), position(shift.target));
        MovedBlock { start: shift.start, end: shift.end, place, target }
    }
}

/// A phrase of the table in an alignment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AlignedPhrase {
    /// What it costs.
    pub cost: f64,
    /// The probability in the table.
    pub probability: f64,
    /// The words in the reference.
    pub reference: String,
    /// The words in the hypothesis.
    pub hypothesis: String,
}
