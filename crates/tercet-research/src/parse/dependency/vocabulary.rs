//! Numbers of words, tags and relations.
//!
//! They are sorted by frequency, then by their text, so that the same data give the same numbers everywhere. Words are
//! identified by their normal form; number 0 is for unknown words. Only tags and relations of the training data are
//! predicted.
//!
//! # Features of a word
//! Its normal form, its shape, its characters.
//!
//! | part | of `Co-Op2026s` | |
//! |---|---|---|
//! | normal form | `co-op0000s` | lower case, every digit `0`; looked up among the words of the training data |
//! | shape | `Xx-Xxdddx` | `X` capital, `x` letter, `d` digit, else itself; runs cut at 3, all at 12; CRC-32 mod 512 |
//! | characters | `^Co-Op2026s$` | of more than 12, first and last 6; ASCII as it is, others 128 + code point mod 64 |
//!
//! The last two are for unknown words: names, numbers, misspellings, untranslated words. Hashes need no table; shapes
//! with the same hash share a row in training too.
//!
//! # Choices
//! Letters and digits are Unicode's (`char::is_alphabetic`, `is_numeric`), lower case is its full mapping, so `İ`
//! becomes two characters. The empty form has the characters `^$`.

use crate::error::{Error, Result};
use flate2::Crc;
use foldhash::HashMap;
use std::collections::BTreeMap;
use tercet_learn::networks::Forms;

/// How often each name occurs.
pub type Counts = BTreeMap<String, u64>;

/// The number of words that are not in the [`Vocabulary`].
pub const UNKNOWN: u32 = 0;

/// Words by number, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    words: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Vocabulary {
    /// The `most` most frequent words among those that occur at least `least` times.
    pub fn from_counts(counts: &Counts, least: u64, most: usize) -> Self {
        let mut words = by_count(counts.iter().filter(|(_, count)| **count >= least));
        words.truncate(most);
        Vocabulary::from_words(words).expect("counts have every word once")
    }

    /// The words of a model, in order.
    pub fn from_words(words: Vec<String>) -> Result<Self> {
        let numbers = numbered(&words, 1)?;
        Ok(Vocabulary { words, numbers })
    }

    /// The number of a normal form, or [`UNKNOWN`].
    pub fn number(&self, normal_form: &str) -> u32 {
        self.numbers.get(normal_form).copied().unwrap_or(UNKNOWN)
    }

    /// Adds the features of a form to `forms`, and returns its number there; `characters` is a buffer.
    pub fn push_form(&self, form: &str, characters: &mut Vec<u8>, forms: &mut Forms) -> u32 {
        characters.clear();
        push_characters(form, characters);
        forms.push(self.number(&normal_form(form)), shape_row(form), characters)
    }

    /// The words in order, the first with number 1.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// How many numbers there are, that of unknown words included.
    pub fn len(&self) -> usize {
        self.words.len() + 1
    }
}

/// The probability that a word is treated as unknown in training: a / (a + n) + 0.02 for a word that occurs n times.
/// From rare words the network learns to handle unknown ones; the constant keeps it from relying on frequent words
/// alone.
pub fn chance_unknown(word: u32, count: u64, readiness: f32) -> f32 {
    if word == UNKNOWN || readiness == 0.0 {
        return 0.0;
    }
    readiness / (readiness + count as f32) + 0.02
}

/// A closed set of names by number, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Inventory {
    /// All names that occur.
    pub fn from_counts(counts: &Counts) -> Self {
        Inventory::from_names(by_count(counts.iter())).expect("counts have every name once")
    }

    /// The names of a model, in order; each must fit into a column of CoNLL-U.
    pub fn from_names(names: Vec<String>) -> Result<Self> {
        if let Some(name) = names.iter().find(|name| name.is_empty() || name.contains(['\t', '\n', '\r'])) {
            return Err(Error::Unusable(format!("{name:?} is not a valid name of a tag or relation")));
        }
        let numbers = numbered(&names, 0)?;
        Ok(Inventory { names, numbers })
    }

    /// The number of a name.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The name of a number.
    pub fn name(&self, number: usize) -> &str {
        &self.names[number]
    }

    /// The names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }
}

/// The numbers of everything that a model reads and predicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbering {
    /// Normal forms.
    pub words: Vocabulary,
    /// Universal parts of speech.
    pub upos: Inventory,
    /// Parts of speech of the treebank.
    pub xpos: Inventory,
    /// Relations, subtypes included.
    pub relations: Inventory,
}

fn by_count<'a>(counts: impl Iterator<Item = (&'a String, &'a u64)>) -> Vec<String> {
    let mut sorted: Vec<(&String, &u64)> = counts.collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    sorted.into_iter().map(|(name, _)| name.clone()).collect()
}

fn numbered(names: &[String], first: u32) -> Result<HashMap<String, u32>> {
    let mut numbers = HashMap::default();
    for (name, number) in names.iter().zip(first..) {
        if numbers.insert(name.clone(), number).is_some() {
            return Err(Error::Unusable(format!("`{name}` occurs twice: names must be distinct")));
        }
    }
    Ok(numbers)
}

/// Number of rows for shapes.
pub const SHAPES: usize = 512;

/// Number of rows for characters.
pub const CHARACTERS: usize = 192;

/// Characters kept of a form, half of them from each end.
const MAX_CHARACTERS: usize = 12;

/// Longest run of one symbol in a shape.
const RUN: usize = 3;

// Before the first and after the last character. Neither byte occurs in text; 0 is not used.
const START: u8 = 1;
const END: u8 = 2;

/// Lower case, digits `0`.
pub fn normal_form(form: &str) -> String {
    if form.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return form.to_owned();
    }
    form.chars().flat_map(char::to_lowercase).map(|c| if c.is_numeric() { '0' } else { c }).collect()
}

/// The row of a form's shape.
pub fn shape_row(form: &str) -> u32 {
    let mut crc = Crc::new();
    crc.update(shape(form).as_bytes());
    crc.sum() % SHAPES as u32
}

fn shape(form: &str) -> String {
    let mut shape = String::new();
    let (mut last, mut run, mut length) = (None, 0, 0);
    for class in form.chars().map(class) {
        run = if last == Some(class) { run + 1 } else { 1 };
        last = Some(class);
        if run <= RUN {
            shape.push(class);
            length += 1;
        }
        if length == MAX_CHARACTERS {
            break;
        }
    }
    shape
}

fn class(character: char) -> char {
    match character {
        c if c.is_uppercase() => 'X',
        c if c.is_alphabetic() => 'x',
        c if c.is_numeric() => 'd',
        c => c,
    }
}

/// Adds the characters of a form to a list.
pub fn push_characters(form: &str, characters: &mut Vec<u8>) {
    characters.push(START);
    let is_short = form.len() <= MAX_CHARACTERS || form.chars().nth(MAX_CHARACTERS).is_none();
    if is_short {
        characters.extend(form.chars().map(row));
    } else {
        characters.extend(form.chars().take(MAX_CHARACTERS / 2).map(row));
        let end = characters.len();
        characters.extend(form.chars().rev().take(MAX_CHARACTERS / 2).map(row));
        characters[end..].reverse();
    }
    characters.push(END);
}

fn row(character: char) -> u8 {
    match u8::try_from(character) {
        Ok(ascii @ 0..128) => ascii,
        _ => 128 + (u32::from(character) % 64) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, u64)]) -> Counts {
        of.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn names_are_sorted_by_frequency_then_text() {
        let words = Vocabulary::from_counts(&counts(&[("b", 3), ("a", 3), ("the", 9), ("rare", 1), ("c", 2)]), 2, 3);
        assert_eq!(words.words(), ["the", "a", "b"]);
        let number = |word| words.number(word);
        assert_eq!((number("the"), number("b"), number("c"), number("rare")), (1, 3, UNKNOWN, UNKNOWN));
        assert_eq!(words.len(), 4);
    }

    #[test]
    fn an_inventory_holds_every_name_once() {
        let tags = Inventory::from_counts(&counts(&[("NOUN", 5), ("X", 1), ("VERB", 7)]));
        assert_eq!(tags.names(), ["VERB", "NOUN", "X"]);
        assert_eq!((tags.number("NOUN"), tags.number("ADJ"), tags.name(2)), (Some(1), None, "X"));
        let refused = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            Inventory::from_names(names).unwrap_err().to_string()
        };
        assert_eq!(refused(&["a", "a"]), "`a` occurs twice: names must be distinct");
        assert_eq!(refused(&["a", ""]), "\"\" is not a valid name of a tag or relation");
        assert_eq!(refused(&["a\tb"]), "\"a\\tb\" is not a valid name of a tag or relation");
    }

    fn characters(form: &str) -> Vec<u8> {
        let mut characters = Vec::new();
        push_characters(form, &mut characters);
        characters
    }

    #[test]
    fn normal_forms_have_no_case_and_no_digits() {
        for (form, normal) in
            [("the", "the"), ("Co-Op2026s", "co-op0000s"), ("ÉTÉ", "été"), ("٣", "0"), ("", ""), ("U.S.", "u.s.")]
        {
            assert_eq!(normal_form(form), normal);
        }
    }

    #[test]
    fn shapes_keep_capitals_digits_and_punctuation() {
        for (form, expected) in [
            ("Co-Op2026s", "Xx-Xxdddx"),
            ("internationally", "xxx"),
            ("McDonald", "XxXxxx"),
            ("...!!", "...!!"),
            ("aBcDeFgHiJkLmN", "xXxXxXxXxXxX"),
            ("", ""),
            ("中文", "xx"),
        ] {
            assert_eq!(shape(form), expected);
        }
    }

    /// `python3 -c "import zlib; print([zlib.crc32(s.encode()) % 512 for s in ('', 'xxx', 'Xxxx', 'ddd', '—')])"`
    #[test]
    fn rows_of_shapes_are_those_of_zlib() {
        let rows: Vec<u32> = ["", "internationally", "Mary", "2026", "—"].map(shape_row).to_vec();
        assert_eq!(rows, [0, 10, 329, 268, 202]);
    }

    #[test]
    fn long_forms_keep_both_ends() {
        assert_eq!(characters("ab"), [1, b'a', b'b', 2]);
        assert_eq!(characters(""), [1, 2]);
        assert_eq!(characters("abcdefghijkl").len(), 14);
        assert_eq!(characters("abcdefwxyzghijkl"), [b"\x01abcdefghijkl".as_slice(), &[2]].concat());
        assert_eq!(characters("é"), [1, 128 + (0xe9 % 64), 2]);
        // Twelve characters of two bytes each are not many.
        assert_eq!(characters(&"é".repeat(12)).len(), 14);
        assert!(characters("\u{10ffff}").iter().all(|&id| usize::from(id) < CHARACTERS));
    }
}
