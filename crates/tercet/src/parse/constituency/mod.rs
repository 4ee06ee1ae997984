//! Phrase structure: a grammar.
#![allow(dead_code)]

mod chart;
mod derivation;
mod forms;
mod grammar;
mod k_best;
mod lexicon;
mod symbols;
mod training;
#[cfg(test)]
mod tests;
