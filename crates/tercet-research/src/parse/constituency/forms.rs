//! The features of distinct words, which are those of the dependency parser.

use crate::parse::dependency::vocabulary::Vocabulary;
use foldhash::HashMap;
use tercet_learn::networks::Forms;

/// Distinct words with their features.
#[derive(Clone, Debug, Default)]
pub(super) struct FormTable {
    /// The features of all words.
    pub forms: Forms,
    numbers: HashMap<String, u32>,
    characters: Vec<u8>,
}

impl FormTable {
    /// The number of a word, which is added if it is new.
    pub fn number(&mut self, words: &Vocabulary, word: &str) -> u32 {
        if let Some(&known) = self.numbers.get(word) {
            return known;
        }
        let number = words.push_form(word, &mut self.characters, &mut self.forms);
        self.numbers.insert(word.to_owned(), number);
        number
    }

    /// Removes all words, and keeps the memory.
    pub fn clear(&mut self) {
        self.forms.clear();
        self.numbers.clear();
    }
}
