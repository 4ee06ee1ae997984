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
    /// Each order takes one reference.
    pub(super) nltk: bool,
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
        reader.finish(self.max_order, !self.nltk)
    }

    pub(super) fn tally(&self, batch: &[Segment<'_>], information: &Information) -> Result<Vec<Tally>> {
        let mut tallies = Vec::with_capacity(batch.len());
        // All references together, or each by itself.
        let mut works: Vec<Workspace> = Vec::new();
        for segments in by_references(batch) {
            let references = segments[0].references;
            let parts: Vec<&[&str]> = match self.nltk && references.len() > 1 {
                true => references.chunks(1).collect(),
                false => vec![references],
            };
            while works.len() < parts.len() {
                works.push(Workspace::new(self));
            }
            let works = &mut works[..parts.len()];
            for (work, part) in works.iter_mut().zip(parts) {
                work.read_references(part, information)?;
            }
            for segment in segments {
                tallies.push(self.counts(segment.hypothesis, information, works)?);
            }
        }
        Ok(tallies)
    }

    fn counts(&self, hypothesis: &str, information: &Information, works: &mut [Workspace]) -> Result<Tally> {
        let mut length = 0;
        let mut bits = vec![vec![0.0; self.max_order]; works.len()];
        for (work, bits) in works.iter_mut().zip(&mut bits) {
            length = work.matcher.read_hypothesis(hypothesis);
            work.add_information(information, bits)?;
        }
        // The reference of each order; the first one if there is no other.
        let value = |i: usize, order: usize| (bits[i][order], works[i].reference_length);
        let chosen: Vec<usize> = (0..self.max_order)
            .map(|order| {
                let better = |a: &usize, b: &usize| {
                    let ((a_bits, a_length), (b_bits, b_length)) = (value(*a, order), value(*b, order));
                    a_bits.total_cmp(&b_bits).then(a_length.total_cmp(&b_length))
                };
                (0..works.len()).max_by(better).unwrap_or(0)
            })
            .collect();
        let lengths = chosen.iter().map(|&i| works[i].reference_length);
        let reference_length = match works.len() {
            1 => works[0].reference_length,
            _ => lengths.sum::<f64>() / self.max_order as f64,
        };
        let totals = (0..self.max_order).map(|i| ngram_count(length, i + 1) as f64);
        Counts::tally(reference_length, totals, |sums| {
            for (order, (sum, &i)) in sums.iter_mut().zip(&chosen).enumerate() {
                *sum = bits[i][order];
            }
            Ok(())
        })
    }
}

impl Workspace {
    fn new(counter: &Counter) -> Self {
        Workspace {
            matcher: NgramMatcher::new(counter.tokenizer, counter.lowercase, counter.max_order),
            numbers: Vec::new(),
            informed: Vec::new(),
            reference_length: 0.0,
        }
    }

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
