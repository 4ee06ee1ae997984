//! The information of the n-grams that hypotheses share with their references.

use super::Counts;
use super::information::{Information, NgramInformation, Reader};
use crate::error::{Error, Result};
use crate::text::Scratch;
use crate::text::ngrams::ngram_count;
use crate::text::{NgramMatcher, Tokenizer};
use crate::{Segment, Tally, by_references};

/// Turns segments into NIST's counts.
#[derive(Clone)]
pub(super) struct Counter {
    pub(super) tokenizer: Tokenizer,
    pub(super) lowercase: bool,
    pub(super) max_order: usize,
}

/// Buffers reused between segments.
struct Workspace {
    matcher: NgramMatcher,
    /// The numbers of the references' words in [`Information`].
    numbers: Vec<u32>,
    /// The information of the hypothesis's n-grams, by their number in the matcher.
    informed: Vec<Option<NgramInformation>>,
    reference_length: f64,
}

impl Counter {
    pub(super) fn information_of(&self, references: &[&[&str]]) -> Information {
        let mut reader = Reader::default();
        let (mut scratch, mut tokens) = (Scratch::default(), String::new());
        for reference in references.iter().copied().flatten() {
            self.tokenizer.tokenize_segment(reference, self.lowercase, &mut scratch, &mut tokens);
            reader.read(self.tokenizer.tokens(&tokens));
        }
        reader.finish(self.max_order)
    }

    pub(super) fn tally(&self, batch: &[Segment<'_>], information: &Information) -> Result<Vec<Tally>> {
        let mut work = Workspace {
            matcher: NgramMatcher::new(self.tokenizer, self.lowercase, self.max_order),
            numbers: Vec::new(),
            informed: Vec::new(),
            reference_length: 0.0,
        };
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            work.read_references(segments[0].references, information)?;
            for segment in segments {
                tallies.push(self.counts(segment.hypothesis, information, &mut work)?);
            }
        }
        Ok(tallies)
    }

    fn counts(&self, hypothesis: &str, information: &Information, work: &mut Workspace) -> Result<Tally> {
        let length = work.matcher.read_hypothesis(hypothesis);
        let totals = (0..self.max_order).map(|i| ngram_count(length, i + 1) as f64);
        Counts::tally(work.reference_length, totals, |bits| work.add_information(information, bits))
    }
}

impl Workspace {
    fn read_references(&mut self, references: &[&str], information: &Information) -> Result<()> {
        let Workspace { matcher, numbers, informed, reference_length } = self;
        matcher.clear();
        let length: usize = references.iter().map(|line| matcher.add_reference(line)).sum();
        *reference_length = length as f64 / references.len().max(1) as f64;
        numbers.clear();
        for symbol in 0..matcher.words.len() as u32 {
            let word = matcher.words.word(symbol);
            numbers.push(information.word(word).ok_or_else(|| unprepared(word))?);
        }
        informed.clear();
        informed.resize(matcher.ngrams.len(), None);
        Ok(())
    }

    /// Adds the information of the current hypothesis's matches to those of their order.
    fn add_information(&mut self, information: &Information, bits: &mut [f64]) -> Result<()> {
        let (numbers, informed) = (&self.numbers, &mut self.informed);
        let NgramMatcher { symbols, words, ngrams, .. } = &mut self.matcher;
        let mut shorter = NgramInformation::CERTAIN;
        let mut unknown = None;
        ngrams.visit(symbols, |visit| {
            let slot = &mut informed[visit.ngram];
            if slot.is_none() {
                let word = numbers[symbols[visit.start + visit.order - 1] as usize];
                *slot = information.ngram(visit.order, shorter, word);
            }
            if slot.is_none() {
                unknown.get_or_insert(visit);
            }
            shorter = slot.unwrap_or(NgramInformation::CERTAIN);
            if visit.matches {
                bits[visit.order - 1] += shorter.bits;
            }
        });
        let Some(visit) = unknown else { return Ok(()) };
        let ngram = symbols[visit.start..visit.start + visit.order].iter();
        let ngram: Vec<&str> = ngram.map(|&symbol| words.word(symbol)).collect();
        Err(unprepared(&ngram.join(" ")))
    }
}

fn unprepared(ngram: &str) -> Error {
    Error::NotPrepared { metric: super::INFO.name, ngram: Some(ngram.to_owned()) }
}
