//! Phrase structure: a grammar.

mod chart;
mod derivation;
mod forms;
mod grammar;
mod k_best;
mod kinds;
mod lexicon;
mod model;
mod parser;
mod pieces;
mod symbols;
#[cfg(test)]
mod tests;
pub mod training;

pub use parser::{ConstituencyParser, Phrases, SYNTAX_DIMENSION};
