//! What the n-grams of hypotheses tell that their references tell too.

use super::information::{Information, Reader};
use crate::error::{Error, Result};
use crate::metrics::{Segment, Tally, by_references};
use crate::text::Tokenizer;
use crate::text::ngrams::{Ngrams, Words, ngram_count};
use crate::text::tokenizer::Scratch;

/// Turns segments into NIST's counts.
pub(super) struct Counter {
    pub(super) tokenizer: Tokenizer,
    pub(super) lowercase: bool,
    pub(super) max_order: usize,
}

/// What is reused from segment to segment.
struct Workspace {
    scratch: Scratch,
    tokens: String,
    symbols: Vec<u32>,
    /// The same words as the information numbers them.
    numbers: Vec<u32>,
    words: Words,
    ngrams: Ngrams,
    /// By number of the n-gram in `ngrams`.
    weights: Vec<f64>,
    reference_length: f64,
}

impl Counter {
    pub(super) fn inform(&self, references: &[&[&str]]) -> Information {
        let mut reader = Reader::default();
        let (mut scratch, mut tokens) = (Scratch::default(), String::new());
        for reference in references.iter().copied().flatten() {
            self.tokenizer
                .tokenize_segment(reference, self.lowercase, &mut scratch, &mut tokens);
            reader.read(self.tokenizer.tokens(&tokens));
        }
        reader.finish(self.max_order)
    }

    pub(super) fn tally(&self, batch: &[Segment<'_>], information: &Information) -> Result<Vec<Tally>> {
        let mut work = Workspace {
            scratch: Scratch::default(),
            tokens: String::new(),
            symbols: Vec::new(),
            numbers: Vec::new(),
            words: Words::default(),
            ngrams: Ngrams::new(self.max_order),
            weights: Vec::new(),
            reference_length: 0.0,
        };
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            self.learn_references(segments[0].references, information, &mut work)?;
            tallies.extend(
                segments
                    .iter()
                    .map(|segment| self.match_hypothesis(segment.hypothesis, &mut work)),
            );
        }
        Ok(tallies)
    }

    fn learn_references(
        &self,
        references: &[&str],
        information: &Information,
        work: &mut Workspace,
    ) -> Result<()> {
        work.words.clear();
        work.ngrams.clear();
        work.weights.clear();
        let mut length = 0;
        for reference in references {
            self.tokenize(reference, work);
            work.symbols.clear();
            work.numbers.clear();
            for token in self.tokenizer.tokens(&work.tokens) {
                work.symbols.push(work.words.learn(token));
                work.numbers.push(information.word(token));
            }
            work.ngrams.add(&work.symbols);
            length += work.symbols.len();
            if !work.weigh(information) {
                return Err(Error::Unusable(format!(
                    "metric `nist` was not prepared with the reference `{reference}`: its weights depend on all \
                     references (call `prepare` with those of every segment)"
                )));
            }
        }
        work.reference_length = length as f64 / references.len().max(1) as f64;
        Ok(())
    }

    fn match_hypothesis(&self, hypothesis: &str, work: &mut Workspace) -> Tally {
        self.tokenize(hypothesis, work);
        work.symbols.clear();
        work.symbols.extend(
            self.tokenizer
                .tokens(&work.tokens)
                .map(|token| work.words.get(token)),
        );
        let mut tally = vec![0.0; 1 + self.max_order];
        tally[0] = work.reference_length;
        let weights = &work.weights;
        work.ngrams
            .visit_matches(&work.symbols, |order, ngram| tally[order] += weights[ngram]);
        tally.extend((1..=self.max_order).map(|order| ngram_count(work.symbols.len(), order) as f64));
        Tally::new(tally)
    }

    fn tokenize(&self, line: &str, work: &mut Workspace) {
        self.tokenizer
            .tokenize_segment(line, self.lowercase, &mut work.scratch, &mut work.tokens);
    }
}

impl Workspace {
    /// Weighs the n-grams of the reference at hand; false if one is not known.
    fn weigh(&mut self, information: &Information) -> bool {
        self.weights.resize(self.ngrams.len(), 0.0);
        (0..self.symbols.len()).all(|start| {
            information.visit(&self.numbers[start..], |order, weight| {
                let ngram = self.ngrams.position(&self.symbols[start..start + order]);
                self.weights[ngram.expect("it was added")] = weight;
            })
        })
    }
}
