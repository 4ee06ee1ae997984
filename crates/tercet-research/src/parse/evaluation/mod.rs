//! Evaluation of parsers against a treebank.
//!
//! | function | counts as in |
//! |---|---|
//! | [`evaluate_text`] | the script of CoNLL 2018, for files whose words may be split differently |
//! | [`evaluate_words`] | the same, for files with gold words |
//! | [`evaluate_brackets`] | EVALB |
//!
//! Results are integer counts that can be summed over files; [`Matches`] computes precision, recall and F1:
//!
//! ```text
//! P = correct / system,   R = correct / gold,   F1 = 2 · correct / (system + gold)
//! ```
//!
//! 0 / 0 is 0, as in the script of CoNLL 2018; EVALB prints `nan` for F1.

mod brackets;
mod dependency;
mod flat_words;

pub use brackets::{BracketRules, BracketScores, BracketTotals, Outcome, SentenceBrackets, evaluate_brackets};
pub use dependency::{DependencyScores, evaluate_text, evaluate_words};

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

tercet_base::add_fields!(Matches { gold, system, correct });

/// `part / whole`; 0 if `whole` is 0.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests;
