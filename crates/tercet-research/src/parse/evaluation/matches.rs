//! Precision, recall and their harmonic mean, from counts.
//!
//! ```text
//! P = correct / system,   R = correct / gold,   F1 = 2 · correct / (system + gold)
//! ```
//!
//! 0 / 0 is 0, as in the script of CoNLL 2018; EVALB prints `nan` for F1.

/// Counts of gold items, system items and correct system items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// Items in the gold standard.
    pub gold: usize,
    /// Items in the system's output.
    pub system: usize,
    /// Items in both.
    pub correct: usize,
}

impl Matches {
    /// The share of the system's items that are correct, from 0 to 1.
    pub fn precision(&self) -> f64 {
        share(self.correct, self.system)
    }

    /// The share of gold items that were found, from 0 to 1.
    pub fn recall(&self) -> f64 {
        share(self.correct, self.gold)
    }

    /// The harmonic mean of precision and recall, from 0 to 1.
    pub fn f1(&self) -> f64 {
        share(2 * self.correct, self.gold + self.system)
    }
}

/// Adds the counts of another text.
impl std::ops::AddAssign for Matches {
    fn add_assign(&mut self, other: Matches) {
        self.gold += other.gold;
        self.system += other.system;
        self.correct += other.correct;
    }
}

/// `part / whole`; 0 if `whole` is 0.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
