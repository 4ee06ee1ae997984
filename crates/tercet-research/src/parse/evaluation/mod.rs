//! Evaluation of parsers against a treebank.
//!
//! | function | counts as in |
//! |---|---|
//! | [`evaluate_text`] | the script of CoNLL 2018, for files whose words may be split differently |
//! | [`evaluate_words`] | the same, for files with gold words |
//! | [`evaluate_brackets`] | EVALB |
//!
//! Results are integer counts that can be summed over files; [`Matches`] computes precision, recall and F1.

mod alignment;
mod brackets;
mod dependency;
mod flat_words;
mod matches;
mod sentence_brackets;
#[cfg(test)]
mod tests;

pub use brackets::{BracketRules, BracketScores, BracketTotals, evaluate_brackets};
pub use dependency::{DependencyScores, evaluate_text, evaluate_words};
pub use matches::Matches;
pub use sentence_brackets::{Outcome, SentenceBrackets};
