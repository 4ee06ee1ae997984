//! N-gram matches of hypotheses against their references.

use super::precisions::Counts;
use crate::text::ngrams::ngram_count;
use crate::text::{NgramMatcher, Tokenizer};
use crate::{Segment, Tally, by_references};

/// Turns segments into BLEU's counts.
pub(super) struct Counter {
    pub(super) tokenizer: Tokenizer,
    lowercase: bool,
    max_order: usize,
    shortest: bool,
}

impl Counter {
    pub(super) fn new(tokenizer: Tokenizer, lowercase: bool, max_order: usize, shortest: bool) -> Self {
        Counter { tokenizer, lowercase, max_order, shortest }
    }

    pub(super) fn tally(&self, batch: &[Segment<'_>]) -> Vec<Tally> {
        let mut matcher = NgramMatcher::new(self.tokenizer, self.lowercase, self.max_order);
        let (mut lengths, mut matches) = (Vec::new(), vec![0; self.max_order]);
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            matcher.clear();
            lengths.clear();
            lengths.extend(segments[0].references.iter().map(|line| matcher.add_reference(line)));
            for segment in segments {
                let length = matcher.read_hypothesis(segment.hypothesis);
                matches.fill(0);
                matcher.ngrams.count_matches(&matcher.symbols, &mut matches);
                tallies.push(self.counts(length, self.reference_length(length, &lengths), &matches));
            }
        }
        tallies
    }

    fn counts(&self, length: usize, reference_length: usize, matches: &[u32]) -> Tally {
        let matches = matches.iter().map(|&matches| f64::from(matches));
        let totals = (1..=self.max_order).map(|order| ngram_count(length, order) as f64);
        Counts::<f64>::tally([length as f64, reference_length as f64], matches, totals)
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
