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
    /// For long references, the positions of all words, word by word of the vocabulary, and where those of each end.
    sorted: Vec<u32>,
    ends: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Positions are also sorted for references of more words.
const MAX_UNSORTED: usize = 1000;

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
        self.sorted.clear();
        if self.words.len() > MAX_UNSORTED {
            self.sort_positions();
        }
        self.masks = match self.words.len() {
            0..=64 => Masks::Narrow(u64::masks(&self.words, vocabulary)),
            65..=128 => Masks::Wide(u128::masks(&self.words, vocabulary)),
            _ => Masks::None,
        };
    }

    fn sort_positions(&mut self) {
        let mut end = 0;
        self.ends.clear();
        // First where those of each word start; the last one then ends where the next word starts.
        for count in &self.counts {
            self.ends.push(end);
            end += count;
        }
        self.sorted.resize(self.words.len(), 0);
        for (position, &word) in self.words.iter().enumerate() {
            let next = &mut self.ends[word as usize];
            self.sorted[*next as usize] = position as u32;
            *next += 1;
        }
    }

    /// The positions of a word that are at most `distance` away from a place, in order.
    pub(super) fn positions_near(&self, word: u32, place: usize, distance: usize) -> impl Iterator<Item = usize> {
        let mut position = self.first[word as usize];
        if !self.sorted.is_empty() && position != NONE {
            position = self.first_from(word, place.saturating_sub(distance));
        }
        std::iter::from_fn(move || {
            while position != NONE {
                let here = position as usize;
                position = self.next[here];
                if here.abs_diff(place) <= distance {
                    return Some(here);
                }
                if here > place {
                    return None;
                }
            }
            None
        })
    }

    /// The first position of a word from a place on.
    fn first_from(&self, word: u32, place: usize) -> u32 {
        let end = self.ends[word as usize] as usize;
        let positions = &self.sorted[end - self.counts[word as usize] as usize..end];
        let first = positions.partition_point(|&position| (position as usize) < place);
        positions.get(first).copied().unwrap_or(NONE)
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
