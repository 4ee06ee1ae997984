//! One hypothesis and one reference: what every step from one to the other costs.
//!
//! The distinct words of the hypothesis get small numbers, so that costs are a table of distinct word by place in the
//! reference that holds for every order of the hypothesis.

use super::phrases::Phrases;
use super::settings::{Constraint, Costs};
use super::words::{EQUAL, Lexicon, SAME_STEM, SYNONYMS};
use tercet_base::stop;

/// Kinds of edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edit {
    /// Equal words.
    Match,
    /// A word for another.
    Substitution,
    /// Words with the same stem.
    Stem,
    /// Synonyms.
    Synonym,
    /// A phrase of the table for another.
    Phrase,
    /// A word of the hypothesis that the reference lacks.
    Insertion,
    /// A word of the reference that the hypothesis lacks.
    Deletion,
}

/// Most relations of a hypothesis and a reference: about four thousand words each that are all different.
const MAX_RELATIONS: usize = 1 << 24;

/// The relation of words that have none.
const UNRELATED: u8 = 0;

/// The step between two words for each relation they may have: cost and kind.
pub(super) struct WordSteps([(f64, Edit); 8]);

impl WordSteps {
    pub(super) fn new(costs: &Costs) -> Self {
        let step = |relation: u8| {
            if relation & EQUAL != 0 {
                return (costs.matching, Edit::Match);
            }
            let mut step = (costs.substitution, Edit::Substitution);
            for (bit, cost, edit) in [(SAME_STEM, costs.stem, Edit::Stem), (SYNONYMS, costs.synonym, Edit::Synonym)] {
                if relation & bit != 0 && cost < step.0 {
                    step = (cost, edit);
                }
            }
            step
        };
        WordSteps(std::array::from_fn(|relation| step(relation as u8)))
    }
}

/// The words of a hypothesis and of a reference, and their relations.
#[derive(Default)]
pub(super) struct Pair {
    /// The words of the hypothesis in their present order, as numbers of distinct words.
    pub(super) words: Vec<u32>,
    /// The number of words of the reference.
    pub(super) length: usize,
    /// The distinct words of the hypothesis, by their numbers in the lexicon.
    pub(super) distinct: Vec<u32>,
    /// By distinct word and place in the reference. The last row is for all distinct words that have none of their own.
    relations: Vec<u8>,
    costs: Vec<f64>,
    /// The number of distinct words with a row of their own.
    rows: usize,
    /// By distinct word, and by place in the reference.
    pub(super) is_stop: Vec<bool>,
    pub(super) reference_is_stop: Vec<bool>,
    pub(super) phrases: Phrases,
    /// The distinct number of each word of the lexicon, or `u32::MAX`; between calls all are.
    distinct_of: Vec<u32>,
}

impl Pair {
    /// Takes words by their numbers in the lexicon. Leaves the phrases empty.
    pub(super) fn set(&mut self, hypothesis: &[u32], reference: &[u32], lexicon: &Lexicon, steps: &WordSteps) {
        self.distinct_of.resize(lexicon.len().max(self.distinct_of.len()), u32::MAX);
        self.distinct.clear();
        self.words.clear();
        for &word in hypothesis {
            let distinct = &mut self.distinct_of[word as usize];
            if *distinct == u32::MAX {
                *distinct = self.distinct.len() as u32;
                self.distinct.push(word);
            }
            self.words.push(*distinct);
        }
        for &word in &self.distinct {
            self.distinct_of[word as usize] = u32::MAX;
        }
        self.length = reference.len();
        self.relations.clear();
        self.costs.clear();
        self.rows = self.distinct.len().min(MAX_RELATIONS / reference.len().max(1));
        for &word in &self.distinct[..self.rows] {
            stop::steps(4 * reference.len());
            let word = lexicon.word(word);
            for &other in reference {
                let relation = lexicon.relation(word, lexicon.word(other));
                self.relations.push(relation);
                self.costs.push(steps.0[relation as usize].0);
            }
        }
        if self.is_reduced() {
            self.relations.resize(self.relations.len() + reference.len(), UNRELATED);
            self.costs.resize(self.costs.len() + reference.len(), steps.0[usize::from(UNRELATED)].0);
        }
        self.is_stop.clear();
        self.is_stop.extend(self.distinct.iter().map(|&word| lexicon.word(word).is_stop));
        self.reference_is_stop.clear();
        self.reference_is_stop.extend(reference.iter().map(|&word| lexicon.word(word).is_stop));
        self.phrases.clear(self.distinct.len());
    }

    /// Whether some words of the hypothesis match nothing, because there would be too many relations.
    pub(super) fn is_reduced(&self) -> bool {
        self.rows < self.distinct.len()
    }

    /// Where the relations of a distinct word begin.
    fn row(&self, word: u32) -> usize {
        (word as usize).min(self.rows) * self.length
    }

    /// What it costs to put each word of the reference in the place of a distinct word.
    pub(super) fn costs(&self, word: u32) -> &[f64] {
        &self.costs[self.row(word)..][..self.length]
    }

    /// The kind of the step between a distinct word and a place of the reference.
    pub(super) fn edit(&self, word: u32, place: usize, steps: &WordSteps) -> Edit {
        steps.0[usize::from(self.relations[self.row(word) + place])].1
    }

    /// Whether a distinct word equals a place of the reference.
    pub(super) fn is_match(&self, word: u32, place: usize) -> bool {
        self.relations[self.row(word) + place] & EQUAL != 0
    }

    /// Whether a distinct word matches a place of the reference in a block that is shifted.
    pub(super) fn matches(&self, word: u32, place: usize, constraint: Constraint) -> bool {
        let relation = self.relations[self.row(word) + place];
        if constraint == Constraint::Exact { relation & EQUAL != 0 } else { relation != 0 }
    }

    /// A lower bound on the edits for any order of the words.
    pub(super) fn fewest_edits(&self, costs: &Costs) -> f64 {
        if !self.phrases.is_empty() {
            return 0.0;
        }
        let cheapest = |place: usize| {
            stop::steps(self.rows);
            let to_place = self.costs.get(place..).unwrap_or_default().iter().step_by(self.length);
            to_place.copied().fold(costs.deletion, f64::min)
        };
        let reached: f64 = (0..self.length).map(cheapest).sum();
        reached + self.words.len().saturating_sub(self.length) as f64 * costs.insertion
    }
}
