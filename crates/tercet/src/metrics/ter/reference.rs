//! A reference, indexed for any number of hypotheses.

use super::bits::{Bits, Masks};

/// The words of a reference as numbers, with their positions.
#[derive(Default)]
pub(super) struct Reference {
    pub(super) words: Vec<u32>,
    /// Bit masks of positions, for references that fit one machine word or two.
    pub(super) masks: Masks,
    /// The first position of each word of the vocabulary.
    first: Vec<u32>,
    /// The next position of the same word.
    next: Vec<u32>,
    /// How often each word of the vocabulary occurs.
    counts: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Reference {
    /// Indexes `words`, numbered below `vocabulary`; the number `vocabulary` is for words that no reference has.
    pub(super) fn index(&mut self, vocabulary: usize) {
        self.first.clear();
        self.first.resize(vocabulary + 1, NONE);
        self.counts.clear();
        self.counts.resize(vocabulary + 1, 0);
        self.next.clear();
        self.next.resize(self.words.len(), NONE);
        for (position, &word) in self.words.iter().enumerate().rev() {
            let first = &mut self.first[word as usize];
            self.next[position] = std::mem::replace(first, position as u32);
            self.counts[word as usize] += 1;
        }
        self.masks = match self.words.len() {
            0..=64 => Masks::Narrow(u64::masks(&self.words, vocabulary)),
            65..=128 => Masks::Wide(u128::masks(&self.words, vocabulary)),
            _ => Masks::None,
        };
    }

    /// The positions of a word, in order.
    pub(super) fn positions(&self, word: u32) -> impl Iterator<Item = usize> {
        let mut position = self.first[word as usize];
        std::iter::from_fn(move || {
            let here = position;
            if here == NONE {
                return None;
            }
            position = self.next[here as usize];
            Some(here as usize)
        })
    }

    /// A lower bound on the edits for any order of these words: what is left when every word that the other side has is
    /// matched. `unmatched` is a buffer.
    pub(super) fn fewest_edits(&self, hypothesis: &[u32], unmatched: &mut Vec<u32>) -> u32 {
        unmatched.clone_from(&self.counts);
        let mut matches = 0;
        for &word in hypothesis {
            let left = &mut unmatched[word as usize];
            matches += usize::from(*left > 0);
            *left = left.saturating_sub(1);
        }
        (hypothesis.len().max(self.words.len()) - matches) as u32
    }
}
