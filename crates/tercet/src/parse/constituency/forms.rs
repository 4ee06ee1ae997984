//! Words as the network sees them, by number: what the dependency parser sees of them.

use crate::parse::dependency::vocabulary::Vocabulary;
use rustc_hash::FxHashMap;
use tercet_learn::networks::Forms;

/// Distinct words, each with its numbers once.
#[derive(Clone, Debug, Default)]
pub(super) struct FormTable {
    /// What the network reads.
    pub forms: Forms,
    numbers: FxHashMap<String, u32>,
    characters: Vec<u8>,
}

impl FormTable {
    /// The number of a word, a new one if it has none.
    pub fn number(&mut self, words: &Vocabulary, word: &str) -> u32 {
        if let Some(&known) = self.numbers.get(word) {
            return known;
        }
        let number = words.push_form(word, &mut self.characters, &mut self.forms);
        self.numbers.insert(word.to_owned(), number);
        number
    }

    /// Forgets all words, and keeps the memory.
    pub fn clear(&mut self) {
        self.forms.clear();
        self.numbers.clear();
    }
}
