//! METEOR's paraphrase tables: millions of pairs of short phrases (Denkowski & Lavie, 2010; 2014).
//!
//! A table is what METEOR ships as `paraphrase-xx.gz`: three lines per pair, a probability, a phrase and a paraphrase
//! of it. METEOR ignores the probability; here it must be a number, to notice a missing line, and is then ignored.
//!
//! # Form
//! Words become numbers; all phrases, first and second, become the nodes of one trie, so that a phrase is one number
//! too; every node has the list of its paraphrases, in the order of the table. The phrases of a sentence are found once
//! ([`Paraphrases::phrases`]), and pairs between two sentences by comparing numbers ([`Paraphrases::each_pair`]).
//!
//! The table for English (62 MB compressed, 272 MB of text, 5.3 million pairs) becomes a trie of 60 MB. Building it
//! takes seconds; it is then kept as a file in the user's cache folder, see `cache`.
//!
//! # Agreement
//! Equal to METEOR 1.5's own table of paths (its jar, its English table) at every position of the 66,088 sentences of
//! WMT17 German–English: the same phrases, of the same lengths, in the same order. METEOR accepts an empty phrase; here
//! it is an error.

mod cache;
mod phrase_table;
mod table;
mod terp_table;
mod tree;
mod vocabulary;

pub use phrase_table::PhraseTable;

#[cfg(test)]
mod tests;

use crate::cache::Cache;
use crate::error::Result;
use std::ops::Range;
use std::path::Path;
use tree::Tree;
use vocabulary::Vocabulary;

/// A table of paraphrases, by the first phrase of each pair.
pub struct Paraphrases {
    hash: String,
    vocabulary: Vocabulary,
    tree: Tree,
}

impl Paraphrases {
    /// Opens a table as METEOR ships it (`paraphrase-en.gz`: probability, phrase, phrase, on three lines), or its
    /// cached form if there is one.
    pub fn open(path: &Path, cache: &Cache) -> Result<Self> {
        cache::open(path, cache)
    }

    /// The number of a word, if any phrase has it. Case matters.
    pub fn word(&self, word: &str) -> Option<u32> {
        self.vocabulary.number(word)
    }

    /// Calls `found` for every pair whose first phrase starts a sequence of words (`u32::MAX` for unknown ones): with
    /// the length of that phrase and the words of the other; shorter first phrases first, then in the order of the
    /// table.
    #[cfg(test)]
    fn each_prefix(&self, words: &[u32], mut found: impl FnMut(usize, &[u32])) {
        let mut spelling = Vec::new();
        for (length, phrase) in self.tree.prefixes(words) {
            for &other in self.tree.pairs(phrase) {
                self.tree.spell(other, &mut spelling);
                found(length as usize, &spelling);
            }
        }
    }

    /// All phrases of the table in a sentence, by the numbers of its words (`u32::MAX` for unknown ones).
    pub fn phrases(&self, words: &[u32]) -> Phrases {
        let mut places = Vec::new();
        for start in 0..words.len() {
            let prefixes = self.tree.prefixes(&words[start..]);
            places.extend(prefixes.map(|(length, phrase)| Place { phrase, start: start as u32, length }));
        }
        Phrases::new(places)
    }

    /// Calls `found` for every phrase of one sentence that the table pairs with a phrase of another, with the ranges of
    /// the two. In the order of the first phrases (by start, then by length), then of the table, then of the second
    /// phrases.
    pub fn each_pair(&self, one: &Phrases, other: &Phrases, mut found: impl FnMut(Range<usize>, Range<usize>)) {
        for place in &one.places {
            for &phrase in self.tree.pairs(place.phrase) {
                for place_of_second in other.places_of(phrase) {
                    found(place.range(), place_of_second.range());
                }
            }
        }
    }

    /// The hash of the table's file.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// The phrases of a table that a sentence has.
#[derive(Clone, Debug, Default)]
pub struct Phrases {
    /// In the order of the sentence, shorter first.
    places: Vec<Place>,
    /// Every phrase and its index in `places`, sorted by phrase.
    by_phrase: Vec<(u32, u32)>,
    /// A bit for each phrase, by its last bits, to reject most phrases that are not in the sentence without a search.
    present: Vec<u64>,
}

/// A phrase in a sentence.
#[derive(Clone, Copy, Debug)]
struct Place {
    phrase: u32,
    start: u32,
    length: u32,
}

impl Place {
    fn range(&self) -> Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }
}

/// Words of 64 bits in [`Phrases::present`]; a power of two.
const PRESENT: usize = 64;

impl Phrases {
    fn new(places: Vec<Place>) -> Self {
        let mut by_phrase: Vec<(u32, u32)> = places.iter().map(|place| place.phrase).zip(0..).collect();
        by_phrase.sort_unstable();
        let mut present = vec![0; PRESENT];
        for place in &places {
            let (word, bit) = present_bit(place.phrase);
            present[word] |= bit;
        }
        Phrases { places, by_phrase, present }
    }

    /// The occurrences of a phrase, from left to right.
    fn places_of(&self, phrase: u32) -> impl Iterator<Item = &Place> {
        let (word, bit) = present_bit(phrase);
        let listed = match self.present.get(word) {
            Some(bits) if bits & bit != 0 => self.by_phrase.as_slice(),
            _ => &[],
        };
        let from = listed.partition_point(|&(listed, _)| listed < phrase);
        let same = listed[from..].iter().take_while(move |&&(listed, _)| listed == phrase);
        same.map(|&(_, place)| &self.places[place as usize])
    }
}

fn present_bit(phrase: u32) -> (usize, u64) {
    (phrase as usize / 64 % PRESENT, 1 << (phrase % 64))
}
