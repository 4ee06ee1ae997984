//! A reference, indexed for any number of hypotheses.

use super::bits::{Bits, Masks};

/// The words of a reference as numbers, with their positions.
#[derive(Default)]
pub(super) struct Reference {
    pub(super) words: Vec<u32>,
    /// Bit masks of positions, for references that fit one machine word or two.
    pub(super) masks: Masks,
    /// The positions of all words, word by word of the vocabulary.
    positions: Vec<u32>,
    /// Where those of each word end.
    ends: Vec<u32>,
    /// How often each word of the vocabulary occurs.
    counts: Vec<u32>,
}

impl Reference {
    /// Indexes `words`, numbered below `vocabulary`; the number `vocabulary` is for words that no reference has.
    pub(super) fn index(&mut self, vocabulary: usize) {
        self.counts.clear();
        self.counts.resize(vocabulary + 1, 0);
        self.words.iter().for_each(|&word| self.counts[word as usize] += 1);
        let mut end = 0;
        self.ends.clear();
        // First where those of each word start; the last one then ends where the next word starts.
        for count in &self.counts {
            self.ends.push(end);
            end += count;
        }
        self.positions.clear();
        self.positions.resize(self.words.len(), 0);
        for (position, &word) in self.words.iter().enumerate() {
            let next = &mut self.ends[word as usize];
            self.positions[*next as usize] = position as u32;
            *next += 1;
        }
        self.masks = match self.words.len() {
            0..=64 => Masks::Narrow(u64::masks(&self.words, vocabulary)),
            65..=128 => Masks::Wide(u128::masks(&self.words, vocabulary)),
            _ => Masks::None,
        };
    }

    /// The positions of a word that are at most `distance` away from a place, in order.
    pub(super) fn positions_near(
        &self,
        word: u32,
        place: usize,
        distance: usize,
    ) -> impl Iterator<Item = usize> {
        let (end, count) = (self.ends[word as usize] as usize, self.counts[word as usize] as usize);
        let positions = &self.positions[end - count..end];
        let (lowest, highest) = (place.saturating_sub(distance), place.saturating_add(distance));
        // Few are faster looked at than searched.
        let first = match count {
            0..16 => 0,
            _ => positions.partition_point(|&position| (position as usize) < lowest),
        };
        let positions = positions[first..].iter().map(|&position| position as usize);
        positions.take_while(move |&position| position <= highest).filter(move |&position| position >= lowest)
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
