//! From segments to tallies: words to numbers, the best of several references.

use super::marks::EditsOfWords;
use super::reference::Reference;
use super::search::{Edits, Search};
use super::{Limits, TerCounts};
use crate::text::Scratch;
use crate::text::ngrams::Words;
use crate::text::{self, Tokenizer};
use crate::word_marks::located;
use crate::{Segment, Tally, WordMarks, by_references};

/// Turns segments into TER's counts.
pub(super) struct Counter {
    pub(super) tokenizer: Tokenizer,
    pub(super) limits: Limits,
}

/// Buffers reused between segments.
#[derive(Default)]
struct Workspace {
    scratch: Scratch,
    tokens: String,
    words: Words,
    hypothesis: Vec<u32>,
    references: Vec<Reference>,
    search: Search,
}

impl Counter {
    pub(super) fn tally(&self, batch: &[Segment<'_>]) -> Vec<Tally> {
        let mut work = Workspace::default();
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            self.read_references(segments[0].references, &mut work);
            tallies.extend(segments.iter().map(|segment| self.count(segment.hypothesis, &mut work)));
        }
        tallies
    }

    fn read_references(&self, references: &[&str], work: &mut Workspace) {
        work.words.clear();
        work.references.resize_with(references.len(), Reference::default);
        for (text, reference) in references.iter().zip(&mut work.references) {
            self.tokenize_reference(text, &mut work.scratch, &mut work.tokens);
            reference.words.clear();
            reference.words.extend(text::split(&work.tokens).map(|word| work.words.learn(word)));
        }
        for reference in &mut work.references {
            reference.index(work.words.len());
        }
    }

    fn tokenize_reference(&self, text: &str, scratch: &mut Scratch, tokens: &mut String) {
        self.tokenizer.tokenize_into(text::trim_end(text), scratch, tokens);
        if self.twice() {
            let once = std::mem::take(tokens);
            self.tokenizer.tokenize_into(&once, scratch, tokens);
        }
    }

    fn read_hypothesis(&self, hypothesis: &str, work: &mut Workspace) {
        self.tokenizer.tokenize_into(text::trim_end(hypothesis), &mut work.scratch, &mut work.tokens);
        let unknown = work.words.len() as u32;
        work.hypothesis.clear();
        work.hypothesis.extend(text::split(&work.tokens).map(|word| work.words.get(word).min(unknown)));
    }

    /// sacreBLEU tokenizes references twice. Only normalization changes anything the second time: it splits off the
    /// possessive of `Tom's .`, but not of `Tom's.`
    fn twice(&self) -> bool {
        matches!(self.tokenizer, Tokenizer::Tercom(options) if options.normalized)
    }

    /// The edits of each segment, word by word.
    pub(super) fn mark(&self, batch: &[Segment<'_>]) -> Vec<WordMarks> {
        let mut work = Workspace::default();
        let mut marks = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            self.read_references(segments[0].references, &mut work);
            marks.extend(segments.iter().map(|segment| self.mark_segment(segment, &mut work)));
        }
        marks
    }

    fn mark_segment(&self, segment: &Segment<'_>, work: &mut Workspace) -> WordMarks {
        self.read_hypothesis(segment.hypothesis, work);
        let Some((number, _)) = self.best_reference(work) else { return WordMarks::default() };
        if number + 1 < work.references.len() {
            // Once more: the search remembers the steps of the last reference only.
            work.search.edits(&work.hypothesis, &work.references[number], &self.limits);
        }
        let edits = EditsOfWords::new(&work.search, work.hypothesis.len());
        let hypothesis = located(segment.hypothesis, text::split(&work.tokens), edits.hypothesis);
        let line = segment.references[number];
        self.tokenize_reference(line, &mut work.scratch, &mut work.tokens);
        let reference = located(line, text::split(&work.tokens), edits.reference);
        WordMarks { reference: number, hypothesis_marks: hypothesis, reference_marks: reference }
    }

    /// The fewest edits over all references, the mean of their lengths.
    fn count(&self, hypothesis: &str, work: &mut Workspace) -> Tally {
        self.read_hypothesis(hypothesis, work);
        let (_, edits) = self.best_reference(work).unwrap_or_default();
        let length: usize = work.references.iter().map(|reference| reference.words.len()).sum();
        let mean_length = length as f64 / work.references.len().max(1) as f64;
        tally_of(edits, mean_length)
    }

    /// The reference with the fewest edits, the first of equals.
    fn best_reference(&self, work: &mut Workspace) -> Option<(usize, Edits)> {
        let mut best: Option<(usize, Edits)> = None;
        for (number, reference) in work.references.iter().enumerate() {
            let edits = work.search.edits(&work.hypothesis, reference, &self.limits);
            if best.is_none_or(|(_, best)| edits.total() < best.total()) {
                best = Some((number, edits));
            }
        }
        best
    }
}

fn tally_of(edits: Edits, reference_length: f64) -> Tally {
    let count = f64::from;
    TerCounts {
        edits: count(edits.total()),
        ref_len: reference_length,
        insertions: count(edits.insertions),
        deletions: count(edits.deletions),
        substitutions: count(edits.substitutions),
        shifts: count(edits.shifts),
        shifted_words: count(edits.shifted_words),
    }
    .tally()
}
