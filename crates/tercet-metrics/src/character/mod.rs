//! CharacTER: character edits after shifting words, per character of the hypothesis (Wang et al., 2016).
//!
//! ```text
//! CharacTER = 100 · min(1, (shift cost + character edits) / characters of the hypothesis)
//! ```
//!
//! First the words of the hypothesis are brought nearer to the order of the reference. Of all phrases that stand in
//! both, at different positions, the one whose move to its position in the reference lowers the word edit distance most
//! is moved; this is repeated until no move lowers it. Then come the characters of both lines, words joined by one
//! space. The cost of shifting is the mean length of the words of each phrase that moved to the right.
//!
//! # Choices
//! - In per cent, as the other error rates; the authors' script prints 1/100 of ours. A corpus scores the mean of its
//!   segments.
//! - Of equally good moves the script takes the one that leaves the greatest line, words compared one by one by code
//!   points; so do we. The script compares distances as single-precision quotients. Below 2²³ words these are equal
//!   only where the distances are, so ours are whole numbers.
//! - An empty hypothesis scores 100, against an empty reference too. A hypothesis against an empty reference scores
//!   100.
//! - Of several references the one with the lowest score counts, the first of equals (the script takes one).
//! - `tok` and `lowercase` prepare lines before; the script does neither.
//! - The search for moves grows with the fourth power of the length where words repeat. After 2²⁹ steps, a few seconds'
//!   work, no further move is made; lines of more than 32,767 words, or with a product of lengths above 2²⁵, are not
//!   searched at all. Such segments are counted in the component `unfinished`. Ordinary text of 5,000 characters a line
//!   stays below and takes about a second.
//!
//! # Agreement
//! Equal to rwth-i6/CharacTER at c4b25cb: the four digits it prints of a segment, its average to 1e-9. The package cer
//! 1.2.0 from PyPI agrees to 1e-9 except where a move more than halves the distance: its double-precision remainder may
//! then pass for a gain, and it makes a move that gains nothing. It fails on empty references. In both we follow the
//! script.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let character = Registry::lexical().build("character")?;
//! let references = ["yesterday she sang a song"];
//! let tallies = character.tally(&[Segment::new("she sang a song yesterday", &references)])?;
//! // Four words moved to the right, three characters each on average, of 25 characters.
//! assert_eq!(character.score(&tallies[0]), 12.0);
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod cuts;
mod shift_cost;
mod shifts;

use super::error_rate::{ErrorRate, Errors};
use super::word_options::WordOptions;
use super::{Component, Direction, FittedSlope, LanguageRules, MetricInfo, Paper, Tally};
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::{edit_operations, levenshtein, split};
use shift_cost::shift_cost;
use shifts::shift_towards;
use std::sync::Arc;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "character",
    aliases: &[("cter", "character")],
    summary: "character edits after shifting words, per character of the hypothesis",
    citation: "Wang et al., WMT 2016",
    papers: &[PAPER],
    agrees_with: "rwth-i6/CharacTER c4b25cb, cer 1.2.0",
    direction: Direction::LowerIsBetter,
    options: WordOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 0.04849, log_likelihood: -0.6292, accuracy: 0.6464 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Character::in_context(options.typed(), registry.context())?)))
};

const PAPER: Paper = Paper { short: "Wang et al., 2016", bibtex: include_str!("wang-2016-character.bib") };

/// CharacTER.
pub type Character = ErrorRate<ShiftedErrors>;

/// What [`Character`] counts.
#[derive(Debug)]
pub enum ShiftedErrors {}

impl Errors for ShiftedErrors {
    type Options = WordOptions;

    const INFO: &'static MetricInfo = &INFO;
    const TITLE: &'static str = "CharacTER";

    fn compare(hypothesis: &str, reference: &str) -> Tally {
        compare(hypothesis, reference)
    }

    fn components(total: &Tally) -> Vec<Component> {
        CharacterCounts::components(total).into_iter().skip(2).collect()
    }

    fn is_unfinished(tally: &Tally) -> bool {
        CharacterCounts::read(tally).unfinished > 0.0
    }
}

counts! {
    /// The rate and 1, then character edits, the cost of shifts, characters of the hypothesis, and whether the search
    /// for shifts was cut short.
    struct CharacterCounts { rate, one, edits, shift_cost, hyp_len, unfinished }
}

fn compare(hypothesis: &str, reference: &str) -> Tally {
    let hypothesis: Vec<&str> = split(hypothesis).collect();
    let reference: Vec<&str> = split(reference).collect();
    let vocabulary = Vocabulary::new(&hypothesis, &reference);
    let original = vocabulary.numbers(&hypothesis);
    let shifted = shift_towards(&vocabulary.numbers(&reference), original.clone());
    let cost = shift_cost(&original, &shifted.words, |word| vocabulary.characters(word));
    let characters = vocabulary.joined(&shifted.words);
    let (edits, exact) = distance(&characters, &joined(reference.iter().copied()));
    let length = characters.len() as f64;
    let rate = if characters.is_empty() { 1.0 } else { ((edits + cost) / length).min(1.0) };
    let unfinished = f64::from(u8::from(!shifted.finished || !exact));
    CharacterCounts { rate, one: 1.0, edits, shift_cost: cost, hyp_len: length, unfinished }.tally()
}

/// The number of character edits, and whether it is surely the least.
fn distance(a: &[char], b: &[char]) -> (f64, bool) {
    /// Lines with a greater product of lengths are compared as [`edit_operations`] compares such lines.
    const MAX_CELLS: usize = 1 << 34;
    if a.len().saturating_mul(b.len()) <= MAX_CELLS {
        return (levenshtein(a, b) as f64, true);
    }
    let operations = edit_operations(a, b);
    (operations.edits() as f64, operations.exact)
}

/// The words of two lines, numbered in the order of their code points (which is that of their bytes).
struct Vocabulary<'a>(Vec<&'a str>);

impl<'a> Vocabulary<'a> {
    fn new(hypothesis: &[&'a str], reference: &[&'a str]) -> Self {
        let mut words = [hypothesis, reference].concat();
        words.sort_unstable();
        words.dedup();
        Vocabulary(words)
    }

    fn numbers(&self, words: &[&str]) -> Vec<u32> {
        let number = |word: &&str| self.0.partition_point(|known| known < word) as u32;
        words.iter().map(number).collect()
    }

    fn characters(&self, number: u32) -> usize {
        self.0[number as usize].chars().count()
    }

    fn joined(&self, numbers: &[u32]) -> Vec<char> {
        joined(numbers.iter().map(|&number| self.0[number as usize]))
    }
}

/// The characters of words with a space between any two.
fn joined<'a>(words: impl Iterator<Item = &'a str>) -> Vec<char> {
    let mut characters = Vec::new();
    for (i, word) in words.enumerate() {
        if i > 0 {
            characters.push(' ');
        }
        characters.extend(word.chars());
    }
    characters
}

#[cfg(test)]
mod tests;
