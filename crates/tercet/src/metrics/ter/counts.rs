//! From segments to tallies: words to numbers, the best of several references.

use super::Limits;
use super::reference::Reference;
use super::search::{Edits, Search};
use crate::metrics::{Segment, Tally, by_references};
use crate::text::Scratch;
use crate::text::ngrams::Words;
use crate::text::{self, Tokenizer};

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
            self.tokenizer.tokenize_into(text::trim_end(text), &mut work.scratch, &mut work.tokens);
            if self.twice() {
                let once = std::mem::take(&mut work.tokens);
                self.tokenizer.tokenize_into(&once, &mut work.scratch, &mut work.tokens);
            }
            reference.words.clear();
            reference.words.extend(text::split(&work.tokens).map(|word| work.words.learn(word)));
        }
        for reference in &mut work.references {
            reference.index(work.words.len());
        }
    }

    /// sacreBLEU tokenizes references twice. Only normalization changes anything the second time: it splits off the
    /// possessive of `Tom's .`, but not of `Tom's.`
    fn twice(&self) -> bool {
        matches!(self.tokenizer, Tokenizer::Tercom(options) if options.normalized)
    }

    /// The fewest edits over all references, the mean of their lengths.
    fn count(&self, hypothesis: &str, work: &mut Workspace) -> Tally {
        self.tokenizer.tokenize_into(text::trim_end(hypothesis), &mut work.scratch, &mut work.tokens);
        let unknown = work.words.len() as u32;
        work.hypothesis.clear();
        work.hypothesis.extend(text::split(&work.tokens).map(|word| work.words.get(word).min(unknown)));
        let (mut best, mut length): (Option<Edits>, usize) = (None, 0);
        for reference in &work.references {
            let edits = work.search.edits(&work.hypothesis, reference, &self.limits);
            length += reference.words.len();
            if best.is_none_or(|best| edits.total() < best.total()) {
                best = Some(edits);
            }
        }
        let mean_length = length as f64 / work.references.len().max(1) as f64;
        tally_of(best.unwrap_or_default(), mean_length)
    }
}

fn tally_of(edits: Edits, reference_length: f64) -> Tally {
    let count = f64::from;
    Tally::new(vec![
        count(edits.total()),
        reference_length,
        count(edits.insertions),
        count(edits.deletions),
        count(edits.substitutions),
        count(edits.shifts),
        count(edits.shifted_words),
    ])
}
