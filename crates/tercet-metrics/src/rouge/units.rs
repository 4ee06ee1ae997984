//! Units of two lines that are counted: n-grams, words of a common subsequence, pairs of words.

use super::skip_bigrams::SkipBigrams;
use super::summaries::shared_words;
use super::weighted_subsequence::{WeightedSubsequence, weighted_subsequence};
use crate::text::common_subsequence;
use crate::text::ngrams::{Ngrams, Words, ngram_count};

/// The units and how they are counted.
#[derive(Clone, Copy)]
pub(super) enum UnitKind {
    /// Sequences of so many words.
    Ngrams(usize),
    /// Words, of which those of the longest common subsequence are shared.
    Subsequence,
    /// The same of texts of several sentences.
    Summary,
    /// The same with runs weighted by their length to the power of `weight`.
    Weighted { weight: f64, tool: bool },
    /// Pairs of words.
    Pairs(SkipBigrams),
}

/// The number of units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Units {
    pub(super) shared: f64,
    pub(super) reference: f64,
    pub(super) hypothesis: f64,
    /// Whether a limit was reached.
    pub(super) unfinished: bool,
}

/// A reference, prepared for any number of hypotheses.
pub(super) struct Reference {
    vocabulary: Words,
    words: Vec<u32>,
    /// The words of each sentence, of a summary only.
    sentences: Vec<Vec<u32>>,
    ngrams: Ngrams,
}

impl UnitKind {
    /// `skip` is the most words between those of a pair, `None` for any number.
    pub(super) fn new(name: &str, skip: Option<usize>, weight: f64, tool: bool) -> Self {
        let distance = skip.map_or(usize::MAX, |skip| skip + 1);
        match name {
            "l" => UnitKind::Subsequence,
            "lsum" => UnitKind::Summary,
            "w" => UnitKind::Weighted { weight, tool },
            "s" => UnitKind::Pairs(SkipBigrams { distance, words: false, all_words: false }),
            "su" => UnitKind::Pairs(SkipBigrams { distance, words: true, all_words: !tool }),
            order => UnitKind::Ngrams(order.parse().expect("a number of the declared ones")),
        }
    }
}

impl Units {
    pub(super) fn plus(self, other: Units) -> Units {
        Units {
            shared: self.shared + other.shared,
            reference: self.reference + other.reference,
            hypothesis: self.hypothesis + other.hypothesis,
            unfinished: self.unfinished || other.unfinished,
        }
    }
}

impl Reference {
    pub(super) fn new(line: &str, kind: UnitKind) -> Self {
        let mut vocabulary = Words::default();
        let mut read =
            |line: &str| -> Vec<u32> { line.split_ascii_whitespace().map(|word| vocabulary.learn(word)).collect() };
        let (words, sentences) = match kind {
            UnitKind::Summary => (Vec::new(), line.split('\n').map(read).collect()),
            _ => (read(line), Vec::new()),
        };
        let mut ngrams = Ngrams::new(if let UnitKind::Ngrams(order) = kind { order } else { 0 });
        ngrams.add(&words);
        Reference { vocabulary, words, sentences, ngrams }
    }

    pub(super) fn compare(&mut self, hypothesis: &str, kind: UnitKind) -> Units {
        if matches!(kind, UnitKind::Summary) {
            let words = |line: &str| line.split_ascii_whitespace().map(|word| self.vocabulary.get(word)).collect();
            return shared_words(&self.sentences, &hypothesis.split('\n').map(words).collect::<Vec<_>>());
        }
        let hypothesis: Vec<u32> = hypothesis.split_ascii_whitespace().map(|word| self.vocabulary.get(word)).collect();
        match kind {
            UnitKind::Ngrams(order) => self.shared_ngrams(&hypothesis, order),
            UnitKind::Subsequence => {
                let (shared, exact) = common_subsequence(&self.words, &hypothesis);
                let [shared, reference, hypothesis] =
                    [shared, self.words.len(), hypothesis.len()].map(|count| count as f64);
                Units { shared, reference, hypothesis, unfinished: !exact }
            }
            UnitKind::Summary => Units::default(), // compared above
            UnitKind::Weighted { weight, tool } => self.weighted(&hypothesis, weight, tool),
            UnitKind::Pairs(pairs) => pairs.compare(&self.words, &hypothesis),
        }
    }

    fn shared_ngrams(&mut self, hypothesis: &[u32], order: usize) -> Units {
        let mut shared = 0usize;
        self.ngrams.visit(hypothesis, |visit| shared += usize::from(visit.order == order && visit.matches));
        let count = |length: usize| ngram_count(length, order) as f64;
        Units {
            shared: shared as f64,
            reference: count(self.words.len()),
            hypothesis: count(hypothesis.len()),
            unfinished: false,
        }
    }

    fn weighted(&self, hypothesis: &[u32], weight: f64, tool: bool) -> Units {
        let WeightedSubsequence { length, exact } = weighted_subsequence(&self.words, hypothesis, weight, tool);
        let weighted = |length: usize| (length as f64).powf(weight);
        let reference = weighted(self.words.len());
        Units {
            shared: length,
            // The tool weights the length of the reference twice.
            reference: if tool { reference.powf(weight) } else { reference },
            hypothesis: weighted(hypothesis.len()),
            unfinished: !exact,
        }
    }
}
