//! A hash table from words to lists of numbers, fast to look up: all words in one string, all numbers in one vector,
//! and an open-addressed index.

use foldhash::fast::RandomState;
use std::hash::BuildHasher;

/// Words, each with its numbers.
#[derive(Default)]
pub(super) struct Table {
    /// The words, one after another.
    text: String,
    entries: Vec<Entry>,
    numbers: Vec<u32>,
    /// [`FREE`] or the number of an entry. Its length is a power of two and at least twice the number of entries.
    slots: Vec<u32>,
    hasher: RandomState,
}

struct Entry {
    word: (u32, u32),
    numbers: (u32, u32),
}

const FREE: u32 = u32::MAX;

impl Table {
    pub(super) fn with_capacity(words: usize) -> Self {
        let slots = vec![FREE; (2 * words).next_power_of_two()];
        Table { slots, entries: Vec::with_capacity(words), ..Table::default() }
    }

    /// Sets the numbers of a word and replaces earlier ones.
    pub(super) fn insert(&mut self, word: &str, numbers: impl IntoIterator<Item = u32>) {
        if 2 * (self.entries.len() + 1) > self.slots.len() {
            self.grow();
        }
        let start = self.numbers.len() as u32;
        self.numbers.extend(numbers);
        let numbers = (start, self.numbers.len() as u32);
        match self.find(word) {
            Ok(entry) => self.entries[entry].numbers = numbers,
            Err(slot) => {
                self.slots[slot] = self.entries.len() as u32;
                let start = self.text.len() as u32;
                self.text.push_str(word);
                self.entries.push(Entry { word: (start, self.text.len() as u32), numbers });
            }
        }
    }

    /// The numbers of a word, if it is in the table.
    pub(super) fn get(&self, word: &str) -> Option<&[u32]> {
        let entry = self.find(word).ok()?;
        let (start, end) = self.entries[entry].numbers;
        Some(&self.numbers[start as usize..end as usize])
    }

    /// All words, in the order in which they were added.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| self.word(entry))
    }

    fn word(&self, entry: &Entry) -> &str {
        &self.text[entry.word.0 as usize..entry.word.1 as usize]
    }

    /// The entry of a word, or the slot it would take.
    fn find(&self, word: &str) -> Result<usize, usize> {
        if self.slots.is_empty() {
            return Err(0);
        }
        let mask = self.slots.len() - 1;
        let mut slot = self.place(word) & mask;
        loop {
            match self.slots[slot] {
                FREE => return Err(slot),
                entry if self.word(&self.entries[entry as usize]) == word => return Ok(entry as usize),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = (4 * (self.entries.len() + 1)).next_power_of_two();
        let mut slots = vec![FREE; size];
        for (number, entry) in self.entries.iter().enumerate() {
            let mut slot = self.place(self.word(entry)) & (size - 1);
            while slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = number as u32;
        }
        self.slots = slots;
    }

    fn place(&self, word: &str) -> usize {
        self.hasher.hash_one(word) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_numbers() {
        for mut table in [Table::default(), Table::with_capacity(1000)] {
            for number in 0..1000_u32 {
                table.insert(&format!("w{number}"), [number, number + 1]);
            }
            assert!((0..1000).all(|n| table.get(&format!("w{n}")) == Some(&[n, n + 1])));
            assert_eq!((table.words().count(), table.words().nth(7)), (1000, Some("w7")));
            assert_eq!(table.get("w1000"), None);
        }
        assert_eq!(Table::default().get("w"), None);
    }

    #[test]
    fn later_numbers_replace_earlier_ones() {
        let mut table = Table::default();
        table.insert("a", [1, 2]);
        table.insert("a", [3]);
        table.insert("", []);
        assert_eq!((table.get("a"), table.get("")), (Some(&[3][..]), Some(&[][..])));
        assert_eq!(table.words().collect::<Vec<_>>(), ["a", ""]);
    }
}
