//! Words with their stems, synonyms and paraphrases, each looked up once.

use super::language_resources::LanguageResources;
use crate::resources::Phrases;
use crate::text::java_hash;
use foldhash::HashMap;

/// The properties of a word that modules compare.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// Java's hash of the word.
    pub(super) key: i32,
    /// Java's hash of its stem.
    pub(super) stem: i32,
    /// A bit for each of its sets of synonyms, several sets to a bit: words that share no bit share no set.
    pub(super) filter: u64,
    /// Where its sets are in the lexicon.
    sets: (u32, u32),
    /// Its number in the paraphrase table.
    pub(super) paraphrase: u32,
    /// The number of the first word that has the same hash, stem and sets: all of these match the same words.
    pub(super) class: u32,
    /// Whether it is a function word.
    pub(super) is_function: bool,
}

/// Words seen so far.
#[derive(Default)]
pub(super) struct Lexicon {
    numbers: HashMap<Box<str>, u32>,
    words: Vec<Word>,
    /// The class of each hash and stem of words without synonyms.
    classes: HashMap<(i32, i32), u32>,
    sets: Vec<u32>,
    stem: String,
}

/// The maximum number of words kept between segments, which bounds memory.
const MAX_WORDS: usize = 1 << 18;

impl Lexicon {
    /// Clears the lexicon if it is too large; [`Word`]s returned before are then invalid.
    pub(super) fn trim(&mut self) {
        if self.words.len() > MAX_WORDS {
            *self = Lexicon::default();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The properties of a word.
    pub(super) fn look_up(&mut self, text: &str, resources: &LanguageResources) -> Word {
        if let Some(&number) = self.numbers.get(text) {
            return self.words[number as usize];
        }
        let word = self.learn(text, resources);
        self.numbers.insert(text.into(), self.words.len() as u32);
        self.words.push(word);
        word
    }

    fn learn(&mut self, text: &str, resources: &LanguageResources) -> Word {
        let key = java_hash(text);
        let stem = resources.stems.as_ref().map_or(key, |stems| {
            self.stem.clear();
            stems.stem(text, &mut self.stem);
            java_hash(&self.stem)
        });
        let first = self.sets.len();
        if let Some(synonyms) = &resources.synonyms {
            synonyms.sets(text, &mut self.sets);
        }
        let number = self.words.len() as u32;
        let has_synonyms = first < self.sets.len();
        let class = if has_synonyms { number } else { *self.classes.entry((key, stem)).or_insert(number) };
        let bit = |set: &u32| 1u64 << (set.wrapping_mul(0x9e37_79b9) >> 26);
        Word {
            key,
            stem,
            filter: self.sets[first..].iter().map(bit).fold(0, |bits, bit| bits | bit),
            sets: (first as u32, self.sets.len() as u32),
            paraphrase: resources.paraphrases.as_ref().and_then(|table| table.word(text)).unwrap_or(u32::MAX),
            class,
            is_function: resources.function_words.contains(&text.to_lowercase()),
        }
    }

    /// The sets of synonyms of a word, in order.
    pub(super) fn sets(&self, word: &Word) -> &[u32] {
        &self.sets[word.sets.0 as usize..word.sets.1 as usize]
    }

    /// Whether two words have a set of synonyms in common.
    pub(super) fn are_synonyms(&self, a: &Word, b: &Word) -> bool {
        if a.filter & b.filter == 0 {
            return false;
        }
        let (mut a, mut b) = (self.sets(a), self.sets(b));
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

/// The words of a line and its phrases in the paraphrase table.
#[derive(Default)]
pub(super) struct Sentence {
    pub(super) words: Vec<Word>,
    /// The phrases of the paraphrase table that are in it.
    pub(super) phrases: Phrases,
}

impl Sentence {
    /// Looks up its words, and its phrases where there is a table.
    pub(super) fn look_up<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        lexicon: &mut Lexicon,
        resources: &LanguageResources,
    ) {
        self.words.clear();
        self.words.extend(words.map(|word| lexicon.look_up(word, resources)));
        if let Some(table) = &resources.paraphrases {
            let numbers: Vec<u32> = self.words.iter().map(|word| word.paraphrase).collect();
            self.phrases = table.phrases(&numbers);
        }
    }
}
