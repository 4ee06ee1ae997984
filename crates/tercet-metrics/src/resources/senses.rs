//! WordNet's senses of a word as TERp looks them up, through the Java library JAWS: two words are synonyms if they
//! share a set.
//!
//! The sets of a word are those of the word in lower case as any part of speech, and for each part of speech those of
//! its base forms: all that the list of exceptions of this part of speech has, and all that its endings ([`ENDINGS`])
//! lead to. METEOR's look-up ([`Synonyms`](super::Synonyms)) is another one: it knows no parts of speech and takes one
//! base form.
//!
//! # Choices
//! JAWS lacks WordNet's two rules that put an -e in place of -er and -est; so do we. It compares sets by identity
//! behind caches that forget, so that a pair of synonyms is now and then overlooked in long runs; this definition is
//! what it gives when nothing is forgotten.
//!
//! # Form
//! `wordnet30_types.bin`, made by `cargo xtask wordnet DIR` with `wordnet30.bin`, is a raw deflate stream of bytes.
//! Each has a bit for every type of set: noun, verb, adjective, adverb, satellite of an adjective. First for every set
//! of `wordnet30.bin` the types of the sets with these words; then for every word the types of sets without another
//! word; then for every base form of every exception the lists that have it.
//!
//! # Agreement
//! The same pairs of synonyms as TERp among all words of its golden inputs (`tests/golden/terp.rs`).

use super::hash::hash_all;
use super::table::Table;
use super::wordnet::{Dictionary, PACKED, inflate};
use std::sync::OnceLock;

static TYPES: &[u8] = include_bytes!("wordnet30_types.bin");

const NOUN: u8 = 1;
const VERB: u8 = 1 << 1;
const ADJECTIVE: u8 = 1 << 2;
const SATELLITE: u8 = 1 << 4;
const ALL: u8 = 0x1f;

/// Endings, what replaces them in the base form, and the types of sets that the base form is looked up in.
const ENDINGS: [(&str, &str, u8); 16] = [
    ("s", "", NOUN | VERB),
    ("ses", "s", NOUN),
    ("xes", "x", NOUN),
    ("zes", "z", NOUN),
    ("ches", "ch", NOUN),
    ("shes", "sh", NOUN),
    ("men", "man", NOUN),
    ("ies", "y", NOUN | VERB),
    ("es", "e", VERB),
    ("es", "", VERB),
    ("ed", "e", VERB),
    ("ed", "", VERB),
    ("ing", "e", VERB),
    ("ing", "", VERB),
    ("er", "", ADJECTIVE | SATELLITE),
    ("est", "", ADJECTIVE | SATELLITE),
];

/// The senses of the words of WordNet 3.0. A sense is eight times the number of a set, plus its type.
pub struct Senses {
    words: Table,
    exceptions: Table,
    hash: String,
}

impl Senses {
    /// The dictionary embedded in the binary; unpacked on first use.
    pub fn embedded() -> &'static Senses {
        static EMBEDDED: OnceLock<Senses> = OnceLock::new();
        EMBEDDED.get_or_init(unpack)
    }

    /// Appends the senses of a word and of its base forms to `senses`; sorted, without duplicates.
    pub fn senses(&self, word: &str, senses: &mut Vec<u32>) {
        let first = senses.len();
        let word = word.to_lowercase();
        self.add(&word, ALL, senses);
        senses.extend(self.exceptions.get(&word).unwrap_or_default());
        let mut base = String::with_capacity(word.len() + 1);
        for (ending, replacement, types) in ENDINGS {
            if let Some(start) = word.strip_suffix(ending) {
                base.clear();
                base.push_str(start);
                base.push_str(replacement);
                self.add(&base, types, senses);
            }
        }
        let mut found = senses.split_off(first);
        found.sort_unstable();
        found.dedup();
        senses.append(&mut found);
    }

    /// The hash of the dictionary's source.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    fn add(&self, word: &str, types: u8, senses: &mut Vec<u32>) {
        let own = self.words.get(word).unwrap_or_default();
        senses.extend(own.iter().filter(|sense| is_of(**sense, types)));
    }
}

/// Whether a sense is of one of these types.
fn is_of(sense: u32, types: u8) -> bool {
    types & 1 << (sense % 8) != 0
}

/// The senses of a set, one for each of its types.
fn senses_of(set: usize, types: u8) -> impl Iterator<Item = u32> {
    (0..8).map(move |kind| 8 * set as u32 + kind).filter(move |sense| is_of(*sense, types))
}

fn unpack() -> Senses {
    let Dictionary { words, sets, members, forms, bases } = Dictionary::unpack();
    let types = inflate(TYPES);
    let (of_sets, rest) = types.split_at(sets);
    let (alone, lists) = rest.split_at(words.len());
    let mut table = Table::with_capacity(words.len());
    let mut members = members.into_iter().peekable();
    for (word, types) in alone.iter().enumerate() {
        let own = std::iter::from_fn(|| members.next_if(|member| member.0 == word));
        let shared = own.flat_map(|(_, set)| senses_of(set as usize, of_sets[set as usize]));
        table.insert(words.get(word), shared.chain(senses_of(sets + word, *types)));
    }
    let mut lists = lists.iter();
    let mut exceptions = Table::with_capacity(forms.len());
    for (form, bases) in bases.iter().enumerate() {
        let senses = bases.iter().zip(&mut lists).flat_map(|(&base, list)| {
            let types = list | if list & ADJECTIVE != 0 { SATELLITE } else { 0 };
            let own = table.get(words.get(base)).unwrap_or_default();
            own.iter().copied().filter(move |sense| is_of(*sense, types))
        });
        exceptions.insert(forms.get(form), senses);
    }
    Senses { words: table, exceptions, hash: hash_all(&[PACKED, TYPES]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn synonyms(a: &str, b: &str) -> bool {
        let senses = |word: &str| {
            let mut senses = Vec::new();
            Senses::embedded().senses(word, &mut senses);
            senses
        };
        let others = senses(b);
        senses(a).iter().any(|sense| others.contains(sense))
    }

    #[test]
    fn synonyms_share_a_sense() {
        assert!(synonyms("car", "automobile"));
        assert!(synonyms("Cars", "automobiles"));
        assert!(synonyms("bought", "purchased"));
        assert!(!synonyms("car", "house"));
        assert!(!synonyms("", "s"));
    }

    #[test]
    fn base_forms_are_looked_up_as_their_part_of_speech() {
        assert!(synonyms("hand", "manus"));
        assert!(!synonyms("handed", "manus"));
        assert!(synonyms("handed", "passed"));
    }

    #[test]
    fn exceptions_do_not_switch_endings_off() {
        assert!(synonyms("axes", "axis") && synonyms("axes", "ax"));
        assert!(synonyms("feet", "foot"));
    }
}
