//! Lists of word numbers, concatenated.

use crate::error::{Error, Result};
use std::ops::Range;

/// Lists of words; a word is its row number in the embedding matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordLists {
    words: Vec<u32>,
    ends: Vec<usize>,
}

impl WordLists {
    /// Lists from slices.
    pub fn from_lists<L: AsRef<[u32]>>(lists: &[L]) -> Self {
        let mut all = WordLists::default();
        lists.iter().for_each(|list| all.push(list.as_ref().iter().copied()));
        all
    }

    /// Adds a list; it may be empty.
    pub fn push(&mut self, words: impl IntoIterator<Item = u32>) {
        self.words.extend(words);
        self.ends.push(self.words.len());
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One list.
    ///
    /// # Panics
    /// If there is no such list.
    #[inline]
    pub fn list(&self, list: usize) -> &[u32] {
        &self.words[self.range(list)]
    }

    /// Where a list is among all words.
    #[inline]
    pub(in crate::networks) fn range(&self, list: usize) -> Range<usize> {
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        start..self.ends[list]
    }

    /// Returns an error if a word is not in the vocabulary.
    pub(in crate::networks) fn check(&self, vocabulary: usize) -> Result<()> {
        match self.words.iter().position(|word| *word as usize >= vocabulary) {
            None => Ok(()),
            Some(at) => {
                let list = self.ends.partition_point(|end| *end <= at);
                let found = format!("word {}", self.words[at]);
                Err(Error::shape(format!("word list {list}"), format!("words below {vocabulary}"), found))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_and_unknown_words_are_named() {
        let lists = WordLists::from_lists(&[vec![1, 2], vec![], vec![7]]);
        assert_eq!((lists.len(), lists.list(0), lists.list(2)), (3, &[1, 2][..], &[7][..]));
        assert!(lists.list(1).is_empty() && lists.check(8).is_ok());
        let error = lists.check(7).unwrap_err().to_string();
        assert_eq!(error, "word list 2: expected words below 7, found word 7");
    }
}
