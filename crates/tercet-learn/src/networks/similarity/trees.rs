//! Trees of words, which are numbers, and lists of words without heads.
//!
//! A tree is checked once, when it is added: one root, no cycle, every head a word of the tree. So nothing that works on
//! [`Trees`] has to think of anything else. An empty tree is allowed: its hidden state is the zero vector.

use super::TreeEncoding;
use crate::error::{Error, Result};
use crate::layers::TreeBatch;
use crate::networks::WordLists;

/// Why heads are not a tree. Words are counted from 1, as in heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// A word without a head, or a head without a word.
    #[error("it has {words} words and {heads} heads: every word needs one")]
    HeadCount {
        /// Number of words.
        words: usize,
        /// Number of heads.
        heads: usize,
    },
    /// A head that is not a word of the tree.
    #[error("the head of word {word} is {head}: expected 0 for the root, or a word from 1 to {words}")]
    HeadOutOfRange {
        /// The word.
        word: usize,
        /// Its head.
        head: u32,
        /// Number of words.
        words: usize,
    },
    /// No head is 0.
    #[error("no word is the root: a tree has one word with head 0")]
    NoRoot,
    /// More than one head is 0.
    #[error("words {first} and {second} are both the root: a tree has one")]
    SeveralRoots {
        /// The first root.
        first: usize,
        /// The second root.
        second: usize,
    },
    /// Heads that lead back to where they started.
    #[error("the heads of word {word} form a cycle: every word must lead to the root")]
    Cycle {
        /// The first word on a cycle.
        word: usize,
    },
}

/// Word numbers, with or without heads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trees {
    words: WordLists,
    /// The head of every word, 0 for roots and for words without heads.
    heads: Vec<u32>,
    /// The height of every word above the leaves of its tree.
    heights: Vec<u32>,
    /// The first tree of two or more words that has no tree.
    without_tree: Option<usize>,
}

impl Trees {
    /// Adds a list of words without heads, for an LSTM; returns its number.
    pub fn push_list(&mut self, words: &[u32]) -> u32 {
        if words.len() > 1 {
            self.without_tree.get_or_insert(self.len());
        }
        self.push(words, &vec![0; words.len()], &vec![0; words.len()])
    }

    /// Adds a tree: `heads[i]` is the head of word i + 1, 0 for the root, k for the k-th word. Returns its
    /// number, or an error if the heads are not a tree.
    pub fn push_tree(&mut self, words: &[u32], heads: &[u32]) -> Result<u32> {
        let heights =
            checked_heights(words.len(), heads).map_err(|cause| Error::BadTree { tree: self.len(), cause })?;
        Ok(self.push(words, heads, &heights))
    }

    fn push(&mut self, words: &[u32], heads: &[u32], heights: &[u32]) -> u32 {
        self.words.push(words.iter().copied());
        self.heads.extend_from_slice(heads);
        self.heights.extend_from_slice(heights);
        (self.len() - 1) as u32
    }

    /// Number of trees.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no trees.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words of a tree.
    ///
    /// # Panics
    /// If there is no such tree.
    pub fn words(&self, tree: usize) -> &[u32] {
        self.words.list(tree)
    }

    /// The heads of a tree, zeros if it has none.
    ///
    /// # Panics
    /// If there is no such tree.
    pub fn heads(&self, tree: usize) -> &[u32] {
        &self.heads[self.words.range(tree)]
    }

    /// All words, as lists.
    pub(super) fn lists(&self) -> &WordLists {
        &self.words
    }

    /// Heads of all trees, one after another.
    pub(super) fn all_heads(&self) -> &[u32] {
        &self.heads
    }

    /// Returns an error if a word is not in the vocabulary, or heads are needed and missing.
    pub(super) fn check(&self, encoding: TreeEncoding, vocabulary: usize) -> Result<()> {
        self.words.check(vocabulary)?;
        match self.without_tree {
            Some(tree) if encoding == TreeEncoding::ChildSumTreeLstm => {
                let what = format!("tree {tree} (counted from 0)");
                Err(Error::shape(what, "heads, which a Tree-LSTM needs", "words without heads"))
            }
            _ => Ok(()),
        }
    }

    /// Adds a tree to a batch. For an LSTM it becomes a chain: every word is the head of the one before.
    pub(super) fn add_to(&self, batch: &mut TreeBatch, tree: usize, encoding: TreeEncoding) {
        let range = self.words.range(tree);
        match encoding {
            TreeEncoding::Lstm => batch.push_chain(range.len()),
            TreeEncoding::ChildSumTreeLstm => {
                batch.push_tree(&self.heads[range.clone()], &self.heights[range]);
            }
        }
    }
}

/// The height of every word: 0 for leaves, one more than the highest child for the others.
fn checked_heights(words: usize, heads: &[u32]) -> Result<Vec<u32>, TreeError> {
    if heads.len() != words {
        return Err(TreeError::HeadCount { words, heads: heads.len() });
    }
    if let Some(at) = heads.iter().position(|head| *head as usize > words) {
        return Err(TreeError::HeadOutOfRange { word: at + 1, head: heads[at], words });
    }
    let mut roots = (0..words).filter(|at| heads[*at] == 0);
    match (roots.next(), roots.next()) {
        (None, _) if words > 0 => return Err(TreeError::NoRoot),
        (Some(first), Some(second)) => {
            return Err(TreeError::SeveralRoots { first: first + 1, second: second + 1 });
        }
        _ => {}
    }
    heights(heads)
}

/// Removes leaves until nothing is left. What cannot be removed is on a cycle, because no head of a cycle is outside of it.
fn heights(heads: &[u32]) -> Result<Vec<u32>, TreeError> {
    let mut heights = vec![0; heads.len()];
    let mut waiting = vec![0u32; heads.len()];
    heads.iter().filter(|head| **head > 0).for_each(|head| waiting[*head as usize - 1] += 1);
    let mut ready: Vec<usize> = (0..heads.len()).filter(|at| waiting[*at] == 0).collect();
    let mut done = 0;
    while let Some(&at) = ready.get(done) {
        done += 1;
        let Some(head) = (heads[at] as usize).checked_sub(1) else { continue };
        heights[head] = heights[head].max(heights[at] + 1);
        waiting[head] -= 1;
        if waiting[head] == 0 {
            ready.push(head);
        }
    }
    match waiting.iter().position(|children| *children > 0) {
        None => Ok(heights),
        Some(at) => Err(TreeError::Cycle { word: at + 1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(words: usize, heads: &[u32]) -> (TreeError, String) {
        let mut trees = Trees::default();
        trees.push_tree(&[1, 2], &[2, 0]).unwrap();
        let error = trees.push_tree(&vec![0; words], heads).unwrap_err();
        let text = error.to_string();
        assert_eq!(trees.len(), 1);
        match error {
            Error::BadTree { tree: 1, cause } => (cause, text),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn heads_that_are_no_tree_are_refused_by_name() {
        let (cause, text) = refused(4, &[2, 3, 1, 0]);
        assert_eq!(cause, TreeError::Cycle { word: 1 });
        let expected = "tree 1 (counted from 0): the heads of word 1 form a cycle: every word must lead to the root";
        assert_eq!(text, expected);
        assert_eq!(refused(5, &[2, 0, 4, 5, 4]).0, TreeError::Cycle { word: 4 });
        assert_eq!(refused(2, &[0, 2]).0, TreeError::Cycle { word: 2 });
        let (cause, text) = refused(3, &[0, 1, 0]);
        assert_eq!(cause, TreeError::SeveralRoots { first: 1, second: 3 });
        assert!(text.ends_with("words 1 and 3 are both the root: a tree has one"), "{text}");
        let (cause, text) = refused(2, &[2, 1]);
        assert_eq!(cause, TreeError::NoRoot);
        assert!(text.ends_with("no word is the root: a tree has one word with head 0"), "{text}");
        let (cause, text) = refused(3, &[2, 0]);
        assert_eq!(cause, TreeError::HeadCount { words: 3, heads: 2 });
        assert!(text.ends_with("it has 3 words and 2 heads: every word needs one"), "{text}");
        let (cause, text) = refused(2, &[0, 3]);
        assert_eq!(cause, TreeError::HeadOutOfRange { word: 2, head: 3, words: 2 });
        assert!(text.ends_with("the head of word 2 is 3: expected 0 for the root, or a word from 1 to 2"), "{text}");
        assert_eq!(refused(0, &[0]).0, TreeError::HeadCount { words: 0, heads: 1 });
    }

    #[test]
    fn trees_single_words_and_empty_trees_are_numbered_in_order() {
        let mut trees = Trees::default();
        assert_eq!(trees.push_tree(&[7, 8, 9], &[3, 1, 0]).unwrap(), 0);
        assert_eq!(trees.push_tree(&[5], &[0]).unwrap(), 1);
        assert_eq!(trees.push_tree(&[], &[]).unwrap(), 2);
        assert_eq!((trees.words(0), trees.heads(0)), (&[7, 8, 9][..], &[3, 1, 0][..]));
        assert_eq!((trees.words(1), trees.words(2)), (&[5][..], &[][..]));
        assert_eq!(trees.heights, [1, 0, 2, 0]);
    }

    #[test]
    fn deep_chains_are_no_problem() {
        let words = 100_000u32;
        let heads: Vec<u32> = (0..words).collect();
        let mut trees = Trees::default();
        trees.push_tree(&vec![0; heads.len()], &heads).unwrap();
        assert_eq!(trees.heights[0], words - 1);
    }

    #[test]
    fn a_tree_lstm_needs_trees_where_there_are_two_words() {
        let mut trees = Trees::default();
        trees.push_list(&[]);
        trees.push_list(&[3]);
        let both = TreeEncoding::VALUES;
        both.into_iter().for_each(|encoding| trees.check(encoding, 4).unwrap());
        trees.push_list(&[1, 2]);
        trees.check(TreeEncoding::Lstm, 4).unwrap();
        let error = trees.check(TreeEncoding::ChildSumTreeLstm, 4).unwrap_err().to_string();
        let expected = "tree 2 (counted from 0): expected heads, which a Tree-LSTM needs, found words without heads";
        assert_eq!(error, expected);
        let error = trees.check(TreeEncoding::Lstm, 3).unwrap_err().to_string();
        assert_eq!(error, "word list 1: expected words below 3, found word 3");
    }
}
