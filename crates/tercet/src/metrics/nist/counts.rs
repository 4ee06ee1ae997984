//! What the n-grams of hypotheses tell that their references tell too.

use super::information::{Information, Informed, Reader};
use crate::error::{Error, Result};
use crate::metrics::{Segment, Tally, by_references};
use crate::text::Tokenizer;
use crate::text::ngrams::{Ngrams, Words, ngram_count};
use crate::text::tokenizer::Scratch;

/// Turns segments into NIST's counts.
#[derive(Clone)]
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
    words: Words,
    ngrams: Ngrams,
    /// How the information numbers `words`.
    numbers: Vec<u32>,
    /// What the n-grams tell that a hypothesis had, by their number in `ngrams`.
    informed: Vec<Option<Informed>>,
    reference_length: f64,
}

impl Counter {
    pub(super) fn inform(&self, references: &[&[&str]]) -> Information {
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
            scratch: Scratch::default(),
            tokens: String::new(),
            symbols: Vec::new(),
            words: Words::default(),
            ngrams: Ngrams::new(self.max_order),
            numbers: Vec::new(),
            informed: Vec::new(),
            reference_length: 0.0,
        };
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            self.learn_references(segments[0].references, information, &mut work)?;
            for segment in segments {
                tallies.push(self.match_hypothesis(segment.hypothesis, information, &mut work)?);
            }
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
        work.numbers.clear();
        let mut length = 0;
        for reference in references {
            self.tokenize(reference, work);
            work.symbols.clear();
            for token in self.tokenizer.tokens(&work.tokens) {
                let symbol = work.words.learn(token);
                if symbol as usize == work.numbers.len() {
                    work.numbers.push(information.word(token).ok_or_else(|| unprepared(token))?);
                }
                work.symbols.push(symbol);
            }
            work.ngrams.add(&work.symbols);
            length += work.symbols.len();
        }
        work.reference_length = length as f64 / references.len().max(1) as f64;
        work.informed.clear();
        work.informed.resize(work.ngrams.len(), None);
        Ok(())
    }

    fn match_hypothesis(
        &self,
        hypothesis: &str,
        information: &Information,
        work: &mut Workspace,
    ) -> Result<Tally> {
        self.tokenize(hypothesis, work);
        let tokens = self.tokenizer.tokens(&work.tokens);
        work.symbols.clear();
        work.symbols.extend(tokens.map(|token| work.words.get(token)));
        let mut tally = vec![0.0; 1 + self.max_order];
        tally[0] = work.reference_length;
        work.add_information(information, &mut tally)?;
        tally.extend((1..=self.max_order).map(|order| ngram_count(work.symbols.len(), order) as f64));
        Ok(Tally::new(tally))
    }

    fn tokenize(&self, line: &str, work: &mut Workspace) {
        self.tokenizer.tokenize_segment(line, self.lowercase, &mut work.scratch, &mut work.tokens);
    }
}

impl Workspace {
    /// Adds what the matches of the hypothesis at hand tell to `bits[order]`.
    fn add_information(&mut self, information: &Information, bits: &mut [f64]) -> Result<()> {
        let (symbols, numbers, informed) = (&self.symbols, &self.numbers, &mut self.informed);
        let mut shorter = Informed::CERTAIN;
        let mut unknown = None;
        self.ngrams.visit(symbols, |visit| {
            let slot = &mut informed[visit.ngram];
            if slot.is_none() {
                let word = numbers[symbols[visit.start + visit.order - 1] as usize];
                *slot = information.ngram(visit.order, shorter, word);
            }
            if slot.is_none() {
                unknown.get_or_insert(visit);
            }
            shorter = slot.unwrap_or(Informed::CERTAIN);
            if visit.matches {
                bits[visit.order] += shorter.bits;
            }
        });
        let Some(visit) = unknown else { return Ok(()) };
        let ngram = symbols[visit.start..visit.start + visit.order].iter();
        let ngram: Vec<&str> = ngram.map(|&symbol| self.words.word(symbol)).collect();
        Err(unprepared(&ngram.join(" ")))
    }
}

fn unprepared(ngram: &str) -> Error {
    Error::Unusable(format!(
        "metric `nist` was not prepared with the reference that has `{ngram}`: its weights depend on all references \
         (call `prepare` with those of every segment)"
    ))
}
