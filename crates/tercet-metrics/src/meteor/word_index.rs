//! The words of a long hypothesis, sorted by what modules compare, so that matches are found without reading all of it.

use super::words::{Lexicon, Word};

/// Hypotheses of more words are indexed.
pub(super) const MAX_UNINDEXED: usize = 256;

/// Places of words by their hash, by the hash of their stem, and by their sets of synonyms.
#[derive(Default)]
pub(super) struct WordIndex {
    keys: Vec<(i32, u32)>,
    stems: Vec<(i32, u32)>,
    sets: Vec<(u32, u32)>,
    found: Vec<u32>,
}

impl WordIndex {
    pub(super) fn fill(&mut self, words: &[Word], lexicon: &Lexicon) {
        self.keys.clear();
        self.stems.clear();
        self.sets.clear();
        for (place, word) in words.iter().enumerate() {
            self.keys.push((word.key, place as u32));
            self.stems.push((word.stem, place as u32));
            self.sets.extend(lexicon.sets(word).iter().map(|&set| (set, place as u32)));
        }
        self.keys.sort_unstable();
        self.stems.sort_unstable();
        self.sets.sort_unstable();
    }

    /// The places of words with this hash, from left to right.
    pub(super) fn with_key(&self, key: i32) -> impl Iterator<Item = usize> {
        with(&self.keys, key)
    }

    /// The places of words whose stem has this hash.
    pub(super) fn with_stem(&self, stem: i32) -> impl Iterator<Item = usize> {
        with(&self.stems, stem)
    }

    /// The places of words that have one of these sets of synonyms.
    pub(super) fn with_sets(&mut self, sets: &[u32]) -> impl Iterator<Item = usize> {
        self.found.clear();
        for &set in sets {
            self.found.extend(with(&self.sets, set).map(|place| place as u32));
        }
        self.found.sort_unstable();
        self.found.dedup();
        self.found.iter().map(|&place| place as usize)
    }
}

fn with<K: Ord + Copy>(sorted: &[(K, u32)], key: K) -> impl Iterator<Item = usize> {
    let start = sorted.partition_point(|(other, _)| *other < key);
    sorted[start..].iter().take_while(move |(other, _)| *other == key).map(|(_, place)| *place as usize)
}
