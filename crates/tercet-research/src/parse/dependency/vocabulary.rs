//! Numbers of words, tags and relations.
//!
//! They are sorted by frequency, then by their text, so that the same data give the same numbers
//! everywhere. Words are identified by their normal form; number 0 is for unknown words. Only tags and relations of the
//! training data are predicted.

use super::word_form::{normal_form, push_characters, shape_row};
use crate::error::{Error, Result};
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
    pub fn of(counts: &Counts, least: u64, most: usize) -> Self {
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
    pub fn of(counts: &Counts) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, u64)]) -> Counts {
        of.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn names_are_sorted_by_frequency_then_text() {
        let words = Vocabulary::of(&counts(&[("b", 3), ("a", 3), ("the", 9), ("rare", 1), ("c", 2)]), 2, 3);
        assert_eq!(words.words(), ["the", "a", "b"]);
        let number = |word| words.number(word);
        assert_eq!((number("the"), number("b"), number("c"), number("rare")), (1, 3, UNKNOWN, UNKNOWN));
        assert_eq!(words.len(), 4);
    }

    #[test]
    fn an_inventory_holds_every_name_once() {
        let tags = Inventory::of(&counts(&[("NOUN", 5), ("X", 1), ("VERB", 7)]));
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
}
