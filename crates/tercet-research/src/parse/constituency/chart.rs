//! The best derivation of every span, from the shortest to the longest: CKY (Cocke; Kasami 1965; Younger 1967).
//!
//! ```text
//! inner(i, j, P) = max over k, P → L R   of  outer(i, k, L) + outer(k, j, R) + w log P(P → L R)
//! outer(i, j, A) = max over chains A ⇒ B of  inner(i, j, B) + w log P(A ⇒ B) + s(i, j, label)
//! ```
//!
//! s is the network's score of the span's label minus its score of no phrase, 0 without a network; w is the weight of
//! the grammar. Tags and partial phrases (`@NP`) have no label: their outer score is the inner one.
//!
//! # Pruning
//! A label whose score is below −`label_margin` is dropped; so is a symbol that is more than `beam` below the best of
//! its span, unless the span is a word or the whole sentence. Only phrases and tags, few after pruning, are left
//! children of binary rules; the inner loop is over the rules of one left child.

use super::grammar::{Grammar, NO_PHRASE, Symbol};

/// The score of a symbol that cannot be derived.
pub(super) const NONE: f32 = f32::NEG_INFINITY;

/// The network's scores of tags and labels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence<'a> {
    /// One row per word, one column per tag of the grammar.
    pub tags: &'a [f32],
    /// One row per span (see [`cell`]), one column per label of the grammar: log p(label) − log p(no phrase).
    pub labels: Option<&'a [f32]>,
}

/// Weights and pruning of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Search {
    /// w: the weight of the grammar's log probabilities.
    pub grammar_weight: f32,
    /// A label that scores this much less than no phrase is dropped.
    pub label_margin: f32,
    /// A symbol that scores this much less than the best of its span is dropped.
    pub beam: f32,
}

/// The index of span (i, j), i < j, among all spans of a sentence.
#[inline]
pub(super) fn cell(i: usize, j: usize) -> usize {
    j * (j - 1) / 2 + i
}

/// How many spans a sentence has.
pub(super) fn cells(words: usize) -> usize {
    words * (words + 1) / 2
}

/// Scores of all spans and symbols; reused for the next sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    words: usize,
    symbols: usize,
    inner: Vec<f32>,
    outer: Vec<f32>,
    /// Symbols of each span that can be a left child, with their outer scores.
    left: Vec<Vec<(Symbol, f32)>>,
}

impl Chart {
    /// Fills the chart for a sentence.
    pub fn fill(&mut self, grammar: &Grammar, evidence: Evidence<'_>, search: &Search) {
        self.words = evidence.tags.len() / grammar.tags.len().max(1);
        self.symbols = grammar.symbols.len();
        let (spans, size) = (cells(self.words), cells(self.words) * self.symbols);
        for scores in [&mut self.inner, &mut self.outer] {
            scores.clear();
            scores.resize(size, NONE);
        }
        self.left.iter_mut().for_each(Vec::clear);
        self.left.resize(spans.max(self.left.len()), Vec::new());
        for j in 1..=self.words {
            for i in (0..j).rev() {
                if j == i + 1 {
                    self.fill_word(i, grammar, evidence.tags);
                }
                self.combine(i, j, grammar, search.grammar_weight);
                self.finish_span(i, j, grammar, evidence.labels, search);
            }
        }
    }

    /// How many words the sentence has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The best score of a symbol without a chain above it.
    #[inline]
    pub fn inner(&self, cell: usize, symbol: Symbol) -> f32 {
        self.inner[cell * self.symbols + usize::from(symbol)]
    }

    /// The best score of a symbol.
    #[inline]
    pub fn outer(&self, cell: usize, symbol: Symbol) -> f32 {
        self.outer[cell * self.symbols + usize::from(symbol)]
    }

    /// The scores of all symbols of a span.
    pub fn outer_row(&self, cell: usize) -> &[f32] {
        &self.outer[cell * self.symbols..(cell + 1) * self.symbols]
    }

    fn fill_word(&mut self, word: usize, grammar: &Grammar, scores: &[f32]) {
        let row = cell(word, word + 1) * self.symbols;
        let scores = &scores[word * grammar.tags.len()..(word + 1) * grammar.tags.len()];
        for ((tag, _), score) in grammar.tags.iter().zip(scores) {
            self.inner[row + usize::from(*tag)] = *score;
        }
    }

    /// Applies binary rules.
    fn combine(&mut self, i: usize, j: usize, grammar: &Grammar, weight: f32) {
        let at = cell(i, j) * self.symbols;
        let made = &mut self.inner[at..at + self.symbols];
        for k in i + 1..j {
            let right = cell(k, j) * self.symbols;
            let right = &self.outer[right..right + self.symbols];
            for &(symbol, score) in &self.left[cell(i, k)] {
                for pair in &grammar.by_left[usize::from(symbol)] {
                    let sum = score + weight * pair.score + right[usize::from(pair.right)];
                    let best = &mut made[usize::from(pair.other)];
                    *best = best.max(sum);
                }
            }
        }
    }

    /// Applies chains, then the beam.
    fn finish_span(&mut self, i: usize, j: usize, grammar: &Grammar, labels: Option<&[f32]>, search: &Search) {
        let span = cell(i, j);
        let row = span * self.symbols;
        let inner = &self.inner[row..row + self.symbols];
        let outer = &mut self.outer[row..row + self.symbols];
        let labels = labels.map(|labels| &labels[span * grammar.labels.len()..(span + 1) * grammar.labels.len()]);
        outer.copy_from_slice(inner);
        grammar.phrases.iter().for_each(|&phrase| outer[usize::from(phrase)] = NONE);
        for chain in &grammar.chains {
            let below = inner[usize::from(chain.bottom())];
            if below > NONE
                && let Some(score) = label_score(labels, chain.label, search.label_margin)
            {
                let best = &mut outer[usize::from(chain.top())];
                *best = best.max(below + search.grammar_weight * chain.score + score);
            }
        }
        let whole = i == 0 && j == self.words;
        if j > i + 1 && !whole {
            let best = outer.iter().copied().fold(NONE, f32::max);
            outer.iter_mut().filter(|score| **score < best - search.beam).for_each(|score| *score = NONE);
        }
        let found = grammar.lefts.iter().map(|&symbol| (symbol, outer[usize::from(symbol)]));
        self.left[span].extend(found.filter(|(_, score)| *score > NONE));
    }
}

/// The score of a label at a span; `None` if it is dropped.
#[inline]
pub(super) fn label_score(labels: Option<&[f32]>, label: u16, margin: f32) -> Option<f32> {
    match labels {
        None => Some(0.0),
        Some(_) if label == NO_PHRASE => Some(0.0),
        Some(labels) => Some(labels[usize::from(label)]).filter(|score| *score >= -margin),
    }
}
