//! N-gram matches of hypotheses against their references.

use crate::metrics::{Segment, Tally, by_references};
use crate::text::Tokenizer;
use crate::text::ngrams::{Ngrams, Words, ngram_count};
use crate::text::tokenizer::Scratch;

/// Turns segments into BLEU's counts.
pub(super) struct Counter {
    tokenizer: Tokenizer,
    lowercase: bool,
    max_order: usize,
    shortest: bool,
}

/// What is reused from segment to segment.
struct Workspace {
    scratch: Scratch,
    tokens: String,
    symbols: Vec<u32>,
    words: Words,
    ngrams: Ngrams,
    lengths: Vec<usize>,
    matches: Vec<u32>,
}

impl Counter {
    pub(super) fn new(tokenizer: Tokenizer, lowercase: bool, max_order: usize, shortest: bool) -> Self {
        Counter { tokenizer, lowercase, max_order, shortest }
    }

    pub(super) fn tally(&self, batch: &[Segment<'_>]) -> Vec<Tally> {
        let mut work = Workspace {
            scratch: Scratch::default(),
            tokens: String::new(),
            symbols: Vec::new(),
            words: Words::default(),
            ngrams: Ngrams::new(self.max_order),
            lengths: Vec::new(),
            matches: vec![0; self.max_order],
        };
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            self.learn_references(segments[0].references, &mut work);
            tallies
                .extend(segments.iter().map(|segment| self.match_hypothesis(segment.hypothesis, &mut work)));
        }
        tallies
    }

    fn learn_references(&self, references: &[&str], work: &mut Workspace) {
        work.words.clear();
        work.ngrams.clear();
        work.lengths.clear();
        for reference in references {
            self.tokenize(reference, work);
            work.symbols.clear();
            work.symbols.extend(self.tokenizer.tokens(&work.tokens).map(|token| work.words.learn(token)));
            work.ngrams.add(&work.symbols);
            work.lengths.push(work.symbols.len());
        }
    }

    fn match_hypothesis(&self, hypothesis: &str, work: &mut Workspace) -> Tally {
        self.tokenize(hypothesis, work);
        work.symbols.clear();
        work.symbols.extend(self.tokenizer.tokens(&work.tokens).map(|token| work.words.get(token)));
        work.matches.fill(0);
        work.ngrams.count_matches(&work.symbols, &mut work.matches);
        let length = work.symbols.len();
        let mut tally = Vec::with_capacity(2 + 2 * self.max_order);
        tally.push(length as f64);
        tally.push(self.reference_length(length, &work.lengths) as f64);
        tally.extend(work.matches.iter().map(|&matches| f64::from(matches)));
        tally.extend((1..=self.max_order).map(|order| ngram_count(length, order) as f64));
        Tally::new(tally)
    }

    fn tokenize(&self, line: &str, work: &mut Workspace) {
        self.tokenizer.tokenize_segment(line, self.lowercase, &mut work.scratch, &mut work.tokens);
    }

    fn reference_length(&self, hypothesis: usize, references: &[usize]) -> usize {
        let lengths = references.iter().copied();
        if self.shortest {
            lengths.min().unwrap_or(0)
        } else {
            lengths.min_by_key(|&length| (length.abs_diff(hypothesis), length)).unwrap_or(0)
        }
    }
}
