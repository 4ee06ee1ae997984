//! Words and the numbers of their rows, in three arrays that can be that can be written to a file.
//!
//! `text` has all words, one after another; `ends` has the end of each; `slots` is a hash table with open addressing
//! that contains the number of a word's row plus one, and 0 in free slots. Its size is a power of two and it is at most
//! half full.

use crate::error::{Error, Result};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A view of the arrays. All accesses are checked, since a file may be damaged.
#[derive(Clone, Copy)]
pub(super) struct IndexView<'a> {
    pub text: &'a [u8],
    pub ends: &'a [u32],
    pub slots: &'a [u32],
}

impl<'a> IndexView<'a> {
    /// The row of a word.
    pub fn find(self, word: &str) -> Option<usize> {
        self.probe(word).ok()
    }

    /// The word of a row.
    pub fn word(self, row: usize) -> Option<&'a str> {
        std::str::from_utf8(self.bytes(row)?).ok()
    }

    fn bytes(self, row: usize) -> Option<&'a [u8]> {
        let start = if row == 0 { 0 } else { *self.ends.get(row - 1)? };
        self.text.get(start as usize..*self.ends.get(row)? as usize)
    }

    /// The row of a word, or the free slot where it belongs.
    fn probe(self, word: &str) -> Result<usize, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let start = hash(word) as usize;
        for step in 0..self.slots.len() {
            let slot = start.wrapping_add(step) & mask;
            match self.slots.get(slot) {
                None | Some(0) => return Err(slot),
                Some(&row) if self.bytes(row as usize - 1) == Some(word.as_bytes()) => {
                    return Ok(row as usize - 1);
                }
                Some(_) => {}
            }
        }
        Err(0)
    }
}

fn hash(word: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    hasher.finish()
}

/// An index to which words are added, in the order of their rows.
#[derive(Default)]
pub(super) struct Index {
    text: Vec<u8>,
    ends: Vec<u32>,
    slots: Vec<u32>,
}

impl Index {
    pub fn view(&self) -> IndexView<'_> {
        IndexView { text: &self.text, ends: &self.ends, slots: &self.slots }
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a word with the next row's number; returns false if it is there already.
    pub fn insert(&mut self, word: &str) -> Result<bool> {
        if (self.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let Err(slot) = self.view().probe(word) else { return Ok(false) };
        let end = u32::try_from(self.text.len() + word.len()).map_err(|_| {
            Error::Unusable("word vectors: the words alone are more than 4 GiB; read a part of the file".to_owned())
        })?;
        self.text.extend_from_slice(word.as_bytes());
        self.ends.push(end);
        self.slots[slot] = self.ends.len() as u32;
        Ok(true)
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(8);
        self.slots = vec![0; size];
        for row in 0..self.len() {
            let word = self.view().word(row).unwrap_or_default();
            if let Err(slot) = self.view().probe(word) {
                self.slots[slot] = row as u32 + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_row() {
        let words: Vec<String> = (0..1000).map(|number| format!("w{number}é")).collect();
        let mut index = Index::default();
        for word in &words {
            assert!(index.insert(word).unwrap());
        }
        assert!(!index.insert("w7é").unwrap());
        assert_eq!(index.len(), 1000);
        for (row, word) in words.iter().enumerate() {
            assert_eq!(index.view().find(word), Some(row));
            assert_eq!(index.view().word(row), Some(word.as_str()));
        }
        assert_eq!(index.view().find("w1000é"), None);
        assert_eq!(index.view().word(1000), None);
    }

    #[test]
    fn nothing_is_found_in_an_empty_index() {
        assert_eq!(Index::default().view().find("a"), None);
        let nonsense = IndexView { text: b"a", ends: &[9, 3], slots: &[1, 2, 700, 2] };
        assert_eq!(nonsense.find("a"), None);
        assert_eq!(nonsense.word(1), None);
    }
}
