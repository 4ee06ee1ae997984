//! How well a parser agrees with a treebank.
//!
//! | function | counts as |
//! |---|---|
//! | [`evaluate_text`] | the script of CoNLL 2018, for files whose words may be cut differently |
//! | [`evaluate_words`] | the same where the words must be the gold ones |
//! | [`evaluate_brackets`] | EVALB |
//!
//! Counts are whole and add up; only [`Matches`] divides.

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
