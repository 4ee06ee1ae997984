//! The best derivation of every span, from the shortest to the longest: CKY (Cocke; Kasami 1965; Younger 1967).
//!
//! ```text
//! inner(i, j, P) = max over k, P → L R   of  outer(i, k, L) + outer(k, j, R) + w log P(P → L R)
//! outer(i, j, A) = max over chains A ⇒ B of  inner(i, j, B) + w log P(A ⇒ B) + s(i, j, label)
//! ```
//!
//! s is the network's score of the span's label over that of no phrase, 0 without a network; w weighs the grammar. Tags and the rest of a
//! phrase have no label: their outer score is the inner one.
//!
//! # Pruning
//! A label whose score is below −`label_margin` is no candidate of its span; a symbol that is more than `beam` below the best of its span
//! is dropped, unless the span is a word or the whole. Only phrases and tags stand on the left of a rule of two, which are few after this;
//! the inner loop is over the rules of one left symbol.

use super::grammar::{Grammar, NO_PHRASE};
use super::symbols::Symbol;

/// What is not derived.
pub(super) const NONE: f32 = f32::NEG_INFINITY;

/// Scores of the words' tags and of the spans' labels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence<'a> {
    /// Words × the grammar's tags.
    pub tags: &'a [f32],
    /// Spans (see [`cell`]) × the grammar's labels: log p of a label over that of no phrase.
    pub labels: Option<&'a [f32]>,
}

/// What is weighed and what is dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Search {
    /// w: what the grammar's logarithms are multiplied with.
    pub grammar_weight: f32,
    /// A label that is so much worse than none is no candidate.
    pub label_margin: f32,
    /// A symbol that is so much worse than its span's best is dropped.
    pub beam: f32,
}

/// The place of span (i, j), i < j, among all spans of a sentence.
#[inline]
pub(super) fn cell(i: usize, j: usize) -> usize {
    j * (j - 1) / 2 + i
}

/// How many spans a sentence of so many words has.
pub(super) fn cells(words: usize) -> usize {
    words * (words + 1) / 2
}

/// Scores of all spans and symbols; used again for the next sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    words: usize,
    symbols: usize,
    inner: Vec<f32>,
    outer: Vec<f32>,
    /// Symbols of each span that may stand on the left, with their outer scores.
    left: Vec<Vec<(Symbol, f32)>>,
}

impl Chart {
    /// Fills it for a sentence.
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

    /// The best score of a symbol, made of two parts or a tag.
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

    /// Two parts become one.
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

    /// Chains over what the span has, then the beam.
    fn finish_span(
        &mut self,
        i: usize,
        j: usize,
        grammar: &Grammar,
        labels: Option<&[f32]>,
        search: &Search,
    ) {
        let span = cell(i, j);
        let row = span * self.symbols;
        let inner = &self.inner[row..row + self.symbols];
        let outer = &mut self.outer[row..row + self.symbols];
        let labels =
            labels.map(|labels| &labels[span * grammar.labels.len()..(span + 1) * grammar.labels.len()]);
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

/// The score of a label at a span; `None` if it is no candidate.
#[inline]
pub(super) fn label_score(labels: Option<&[f32]>, label: u16, margin: f32) -> Option<f32> {
    match labels {
        None => Some(0.0),
        Some(_) if label == NO_PHRASE => Some(0.0),
        Some(labels) => Some(labels[usize::from(label)]).filter(|score| *score >= -margin),
    }
}
