//! The words of a table and their numbers.

use foldhash::HashMap;

/// Maps words to numbers.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// All words in the order of their numbers, a newline after each; no word contains one.
    text: String,
    numbers: HashMap<Box<str>, u32>,
}

impl Vocabulary {
    /// The vocabulary of a text as [`Vocabulary::text`] returns it.
    pub fn of_text(text: String) -> Self {
        let words = text.split_terminator('\n').zip(0..);
        let numbers = words.map(|(word, number)| (word.into(), number)).collect();
        Vocabulary { text, numbers }
    }

    /// All words, a newline after each.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a word, if it is known.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The number of a word, a new one if it is not known.
    pub fn number_or_new(&mut self, word: &str) -> u32 {
        if let Some(number) = self.number(word) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.text.push_str(word);
        self.text.push('\n');
        self.numbers.insert(word.into(), number);
        number
    }
}
