//! Words with their stems and senses, each looked up once.

use super::resources::Resources;
use super::settings::Settings;
use crate::text::{porter_stem, terp_number};
use foldhash::HashMap;

/// How two words are related: a bit for each.
pub(super) const EQUAL: u8 = 1;
pub(super) const SAME_STEM: u8 = 1 << 1;
pub(super) const SYNONYMS: u8 = 1 << 2;

/// The properties of a word that are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// Equal words have the same.
    key: u32,
    stem: u32,
    /// A bit for each of its senses, several senses to a bit: words that share no bit share no sense.
    filter: u64,
    senses: (u32, u32),
    /// Its number in the phrase table.
    pub(super) phrase_word: u32,
    pub(super) is_stop: bool,
}

/// Words seen so far.
#[derive(Default)]
pub(super) struct Lexicon {
    numbers: HashMap<Box<str>, u32>,
    words: Vec<Word>,
    texts: Vec<Box<str>>,
    stems: HashMap<String, u32>,
    senses: Vec<u32>,
}

/// The maximum number of words kept between segments, which bounds memory.
const MAX_WORDS: usize = 1 << 18;

/// The key of all numbers, where any number equals any other.
const NUMBER: u32 = u32::MAX;

impl Lexicon {
    /// Clears the lexicon if it is too large; numbers returned before are then invalid.
    pub(super) fn trim(&mut self) {
        if self.words.len() > MAX_WORDS {
            *self = Lexicon::default();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The number of a word.
    pub(super) fn number(&mut self, text: &str, settings: &Settings, resources: &Resources) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.words.len() as u32;
        let word = self.learn(text, number, settings, resources);
        self.numbers.insert(text.into(), number);
        self.texts.push(text.into());
        self.words.push(word);
        number
    }

    fn learn(&mut self, text: &str, number: u32, settings: &Settings, resources: &Resources) -> Word {
        let stem = if settings.stems {
            let next = self.stems.len() as u32;
            *self.stems.entry(porter_stem(text)).or_insert(next)
        } else {
            number
        };
        let first = self.senses.len();
        if let Some(senses) = resources.senses {
            senses.senses(text, &mut self.senses);
        }
        let is_number = settings.any_number && terp_number(text).is_some();
        let bit = |sense: &u32| 1u64 << (sense.wrapping_mul(0x9e37_79b9) >> 26);
        let table = resources.phrases.as_ref();
        Word {
            key: if is_number { NUMBER } else { number },
            stem,
            filter: self.senses[first..].iter().map(bit).fold(0, |bits, bit| bits | bit),
            senses: (first as u32, self.senses.len() as u32),
            phrase_word: table.and_then(|table| table.word(text)).unwrap_or(u32::MAX),
            is_stop: resources.stop.contains(text),
        }
    }

    pub(super) fn word(&self, number: u32) -> &Word {
        &self.words[number as usize]
    }

    pub(super) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// How two words are related.
    pub(super) fn relation(&self, a: &Word, b: &Word) -> u8 {
        if a.key == b.key {
            return EQUAL;
        }
        let mut relation = if a.stem == b.stem { SAME_STEM } else { 0 };
        if a.filter & b.filter != 0 && self.share_sense(a, b) {
            relation |= SYNONYMS;
        }
        relation
    }

    fn share_sense(&self, a: &Word, b: &Word) -> bool {
        let senses = |word: &Word| &self.senses[word.senses.0 as usize..word.senses.1 as usize];
        let (mut a, mut b) = (senses(a), senses(b));
        while let ([first, rest_a @ ..], [second, rest_b @ ..]) = (a, b) {
            match first.cmp(second) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => a = rest_a,
                std::cmp::Ordering::Greater => b = rest_b,
            }
        }
        false
    }
}
