//! WordNet 3.0, packed inside the binary.
//!
//! WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. Its licence, which must accompany every
//! copy of the database, is in `LICENSE-WORDNET` in this folder.
//!
//! `wordnet30.bin` is made by `cargo xtask wordnet DIR` (Miller, 1995: WordNet; files as in Debian's `wordnet-base`).
//! It has only what a search for synonyms needs: all words, the words of each set with at least two, and the lists of
//! exceptions. Sets with the same words are merged, and base forms that are not in the dictionary are left out. A word
//! without synonyms gets a set of its own here, so that its forms ("aardvark", "aardvarks") share it.
//!
//! # Form
//! A raw deflate stream of numbers (little-endian base 128, the high bit says that more follows), column by column:
//!
//! - the words, sorted by byte: their number; for each, how many bytes it shares with the previous one; for each, how
//!   many bytes follow; those bytes;
//! - the sets, sorted by their words: their number; the number of words in each; for each, its first word minus the
//!   first of the previous set; for each, the further words, each minus the previous one;
//! - the exceptions: the forms, encoded as the words; the number of base forms of each; the base forms one after
//!   another, each minus the previous one, with its sign in the lowest bit.
//!
//! # Agreement
//! All 152,219 pairs of words that share a set in WordNet, and none of the 837 additional pairs of METEOR's
//! `english.synsets`, which numbers sets of different parts of speech alike; the exceptions are METEOR's
//! (`tests/golden/wordnet.rs`).

use super::hash::hash;
use super::synonyms::Synonyms;
use super::table::Table;
use flate2::read::DeflateDecoder;
use std::collections::BTreeMap;
use std::io::Read;

pub(super) static PACKED: &[u8] = include_bytes!("wordnet30.bin");

/// The dictionary of synonyms.
pub(super) fn unpack() -> Synonyms {
    let dictionary = Dictionary::unpack();
    let Dictionary { words, forms, bases, .. } = &dictionary;
    let bases_of = |bases: &Vec<usize>| bases.iter().map(|&base| words.get(base)).collect();
    let exceptions: BTreeMap<&str, Vec<&str>> =
        (0..forms.len()).map(|form| (forms.get(form), bases_of(&bases[form]))).collect();
    Synonyms::new(dictionary.table(), &exceptions, hash(PACKED))
}

/// The contents of the file.
pub(super) struct Dictionary {
    pub(super) words: Words,
    /// How many sets there are.
    pub(super) sets: usize,
    /// Every word of every set, with the number of the set, sorted.
    pub(super) members: Vec<(usize, u32)>,
    /// Irregular forms.
    pub(super) forms: Words,
    /// The base forms of each irregular form.
    pub(super) bases: Vec<Vec<usize>>,
}

impl Dictionary {
    pub(super) fn unpack() -> Self {
        let bytes = inflate(PACKED);
        let mut columns = Columns { bytes: &bytes };
        let words = columns.words();
        let (sets, members) = columns.sets();
        let forms = columns.words();
        let counts = columns.numbers(forms.len());
        let mut base = 0_i64;
        let mut next_base = || {
            base += columns.signed();
            base as usize
        };
        let bases = counts.into_iter().map(|count| (0..count).map(|_| next_base()).collect()).collect();
        Dictionary { words, sets, members, forms, bases }
    }

    /// The words with their sets. A word without any gets one of its own.
    fn table(&self) -> Table {
        let mut table = Table::with_capacity(self.words.len());
        let mut members = self.members.iter().copied().peekable();
        for word in 0..self.words.len() {
            let mut sets = std::iter::from_fn(|| members.next_if(|member| member.0 == word)).peekable();
            let alone = sets.peek().is_none().then_some((self.sets + word) as u32);
            table.insert(self.words.get(word), sets.map(|(_, set)| set).chain(alone));
        }
        table
    }
}

pub(super) fn inflate(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 * packed.len());
    DeflateDecoder::new(packed).read_to_end(&mut bytes).expect("the file in the binary is whole");
    bytes
}

/// Words, one after another.
pub(super) struct Words {
    text: String,
    ends: Vec<usize>,
}

impl Words {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }
}

/// The numbers that have not been read yet.
struct Columns<'b> {
    bytes: &'b [u8],
}

impl Columns<'_> {
    fn number(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.bytes[0];
            self.bytes = &self.bytes[1..];
            number |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    fn signed(&mut self) -> i64 {
        let number = self.number() as i64;
        if number & 1 == 0 { number >> 1 } else { -(number >> 1) }
    }

    fn numbers(&mut self, count: usize) -> Vec<usize> {
        (0..count).map(|_| self.number()).collect()
    }

    fn words(&mut self) -> Words {
        let count = self.number();
        let (shared, further) = (self.numbers(count), self.numbers(count));
        let (mut text, mut ends) = (String::with_capacity(16 * count), Vec::with_capacity(count));
        let mut last = 0;
        for (shared, further) in shared.into_iter().zip(further) {
            let (tail, rest) = self.bytes.split_at(further);
            self.bytes = rest;
            let start = text.len();
            text.extend_from_within(last..last + shared);
            text.push_str(std::str::from_utf8(tail).expect("WordNet is ASCII"));
            ends.push(text.len());
            last = start;
        }
        Words { text, ends }
    }

    /// The number of sets, and their words with the number of the set, sorted.
    fn sets(&mut self) -> (usize, Vec<(usize, u32)>) {
        let count = self.number();
        let (sizes, firsts) = (self.numbers(count), self.numbers(count));
        let mut members: Vec<(usize, u32)> = Vec::with_capacity(3 * count);
        let mut first = 0;
        for (set, (size, step)) in sizes.into_iter().zip(firsts).enumerate() {
            first += step;
            members.push((first, set as u32));
            let mut word = first;
            for _ in 1..size {
                word += self.number();
                members.push((word, set as u32));
            }
        }
        members.sort_unstable();
        (count, members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn synonyms(a: &str, b: &str) -> bool {
        let sets = |word: &str| {
            let mut sets = Vec::new();
            Synonyms::embedded().sets(word, &mut sets);
            sets
        };
        let others = sets(b);
        sets(a).iter().any(|set| others.contains(set))
    }

    #[test]
    fn synonyms_share_a_set() {
        assert!(synonyms("car", "automobile"));
        assert!(synonyms("cars", "automobiles"));
        assert!(synonyms("bought", "purchased"));
        assert!(!synonyms("car", "house"));
        assert!(!synonyms("Car", "automobile"));
    }

    #[test]
    fn forms_of_a_word_without_synonyms_share_a_set() {
        assert_eq!(Synonyms::embedded().own_sets("linguistics").map(<[u32]>::len), Some(1));
        assert!(synonyms("villager", "villagers"));
    }

    #[test]
    fn irregular_forms_have_their_bases() {
        assert!(synonyms("feet", "foot"));
        assert!(synonyms("axes", "axis") && synonyms("axes", "axe") && synonyms("axes", "ax"));
    }

    #[test]
    fn different_parts_of_speech_share_no_set() {
        assert!(!synonyms("mortar_fire", "transcribe"));
    }

    #[test]
    fn dictionary_is_complete() {
        let dictionary = Synonyms::embedded();
        assert_eq!(dictionary.words().count(), 147_306);
        assert!(dictionary.words().all(|word| !dictionary.own_sets(word).unwrap_or_default().is_empty()));
    }

    #[test]
    fn file_is_small() {
        assert!(PACKED.len() < 2_000_000, "{} bytes", PACKED.len());
    }
}
