//! Precision, recall and their harmonic mean, from counts.
//!
//! ```text
//! P = correct / system,   R = correct / gold,   F1 = 2 · correct / (system + gold)
//! ```
//!
//! 0 where nothing is divided by nothing: the script of CoNLL 2018 does so, EVALB prints `nan` for F1.

/// How many things gold has, how many the system has, and how many of them are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// Things in the gold standard.
    pub gold: usize,
    /// Things in the system's output.
    pub system: usize,
    /// Things that are in both.
    pub correct: usize,
}

impl Matches {
    /// The share of the system's things that are right, from 0 to 1.
    pub fn precision(&self) -> f64 {
        share(self.correct, self.system)
    }

    /// The share of gold's things that were found, from 0 to 1.
    pub fn recall(&self) -> f64 {
        share(self.correct, self.gold)
    }

    /// The harmonic mean of both, from 0 to 1.
    pub fn f1(&self) -> f64 {
        share(2 * self.correct, self.gold + self.system)
    }
}

/// Counts of two texts together.
impl std::ops::AddAssign for Matches {
    fn add_assign(&mut self, other: Matches) {
        self.gold += other.gold;
        self.system += other.system;
        self.correct += other.correct;
    }
}

/// A part of a whole; 0 of nothing.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
