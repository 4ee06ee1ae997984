//! Phrase structure: a grammar.
#![allow(dead_code)]

mod chart;
mod derivation;
mod grammar;
mod k_best;
mod lexicon;
mod symbols;
#[cfg(test)]
mod tests;
