//! What the network learns from: trees of words, which are numbers, or lists of words without heads. Each distinct tree
//! of a batch is encoded once, and each distinct pair of trees is compared once.
//!
//! A tree is checked once, when it is added: one root, no cycle, every head a word of the tree. So nothing that works
//! on [`Trees`] has to think of anything else. An empty tree is allowed: its hidden state is the zero vector.

use super::{BatchBy, SimilarityShape, TreeEncoding};
use crate::error::{Error, Result};
use crate::layers::TreeBatch;
use crate::networks::Lists;
use crate::random::Random;
use std::ops::Range;

/// A reference and an item with the similarity that people gave them. Trees are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredPair {
    /// The reference.
    pub reference: u32,
    /// The item.
    pub translation: u32,
    /// The similarity, from 1 to K.
    pub score: f32,
}

/// A reference and two items, of which people preferred one. Trees are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedPair {
    /// The reference.
    pub reference: u32,
    /// The better item.
    pub better: u32,
    /// The worse item.
    pub worse: u32,
}

/// Trees, and what people said about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimilarityExamples {
    /// The trees.
    pub trees: Trees,
    /// Pairs with a similarity.
    pub scored: Vec<ScoredPair>,
    /// Pairs of items in order.
    pub ranked: Vec<RankedPair>,
}

impl SimilarityExamples {
    /// Number of examples of both kinds.
    pub(super) fn count(&self) -> usize {
        self.scored.len() + self.ranked.len()
    }

    /// Returns an error if a tree does not exist or has no heads where they are needed, a word is not in the
    /// vocabulary, or a score is out of range. Examples are counted from 0, ranked ones after the scored ones.
    pub(super) fn check(&self, shape: SimilarityShape, vocabulary: usize) -> Result<()> {
        self.trees.check(shape.encoding, vocabulary)?;
        let bad = |example: usize, reason: String| Err(Error::BadExample { example, reason });
        let missing = |numbers: &[u32]| numbers.iter().copied().find(|n| *n as usize >= self.trees.len());
        for (example, pair) in self.scored.iter().enumerate() {
            if !(1.0..=shape.classes as f32).contains(&pair.score) {
                return bad(example, format!("score {} is not between 1 and {}", pair.score, shape.classes));
            }
        }
        let scored = self.scored.iter().map(|pair| missing(&[pair.reference, pair.translation]));
        let ranked = self.ranked.iter().map(|pair| missing(&[pair.reference, pair.better, pair.worse]));
        match scored.chain(ranked).enumerate().find_map(|(example, number)| Some((example, number?))) {
            None => Ok(()),
            Some((example, number)) => bad(example, format!("it has tree {number} of {}", self.trees.len())),
        }
    }
}

/// The examples of an epoch in their order, cut into batches.
#[derive(Debug, Default)]
pub struct Epoch {
    /// Numbers of examples; ranked pairs follow the scored ones.
    order: Vec<u32>,
    /// The end of every batch in `order`.
    ends: Vec<usize>,
}

impl Epoch {
    pub fn new(examples: &SimilarityExamples, batch_by: BatchBy, batch_size: usize, random: &mut Random) -> Self {
        let mut groups: Vec<Vec<u32>> = match batch_by {
            BatchBy::Pair => (0..examples.count() as u32).map(|example| vec![example]).collect(),
            BatchBy::Reference => by_reference(examples),
        };
        random.shuffle(&mut groups);
        let mut epoch = Epoch::default();
        for batch in groups.chunks(batch_size) {
            batch.iter().for_each(|group| epoch.order.extend_from_slice(group));
            epoch.ends.push(epoch.order.len());
        }
        epoch
    }

    /// Number of batches.
    pub fn batches(&self) -> usize {
        self.ends.len()
    }

    /// The examples of a batch.
    pub fn batch(&self, batch: usize) -> &[u32] {
        let start = if batch == 0 { 0 } else { self.ends[batch - 1] };
        &self.order[start..self.ends[batch]]
    }
}

/// The examples of every reference, in the order of references.
fn by_reference(examples: &SimilarityExamples) -> Vec<Vec<u32>> {
    let mut groups = vec![Vec::new(); examples.trees.len()];
    let scored = examples.scored.iter().map(|pair| pair.reference);
    let ranked = examples.ranked.iter().map(|pair| pair.reference);
    scored.chain(ranked).zip(0..).for_each(|(reference, example)| groups[reference as usize].push(example));
    groups.retain(|group| !group.is_empty());
    groups
}

/// The trees and comparisons of a batch.
#[derive(Debug, Default)]
pub struct Batch {
    /// The distinct trees, in the order of their first example.
    pub trees: Vec<u32>,
    /// The place of every tree of the data in `trees`; `u32::MAX` for those that are not there.
    place: Vec<u32>,
    /// Distinct pairs of places, sorted.
    pub pairs: Vec<[u32; 2]>,
    /// The pairs of every example as numbers in `pairs`; a scored example has the same one twice.
    pub compared: Vec<[usize; 2]>,
}

impl Batch {
    /// Fills the batch with these examples.
    pub fn fill(&mut self, examples: &SimilarityExamples, numbers: &[u32]) {
        self.place.resize(examples.trees.len(), u32::MAX);
        self.trees.drain(..).for_each(|tree| self.place[tree as usize] = u32::MAX);
        let of_example = |number: &u32| match examples.scored.get(*number as usize) {
            Some(pair) => [[pair.reference, pair.translation]; 2],
            None => {
                let pair = examples.ranked[*number as usize - examples.scored.len()];
                [[pair.reference, pair.better], [pair.reference, pair.worse]]
            }
        };
        let both: Vec<[[u32; 2]; 2]> =
            numbers.iter().map(|number| of_example(number).map(|pair| pair.map(|n| self.place(n)))).collect();
        self.pairs.clear();
        self.pairs.extend(both.iter().flatten());
        self.pairs.sort_unstable();
        self.pairs.dedup();
        let number = |pair| self.pairs.binary_search(&pair).expect("every pair is among the distinct ones");
        self.compared.clear();
        self.compared.extend(both.into_iter().map(|both| both.map(number)));
    }

    /// The place of a tree, which is added if it is new.
    fn place(&mut self, tree: u32) -> u32 {
        let place = &mut self.place[tree as usize];
        if *place == u32::MAX {
            *place = self.trees.len() as u32;
            self.trees.push(tree);
        }
        *place
    }

    /// The trees of one of `shards` parts.
    pub fn share(&self, shard: usize, shards: usize) -> Range<usize> {
        let count = self.trees.len();
        count * shard / shards..count * (shard + 1) / shards
    }
}

/// Why heads are not a tree. Words are counted from 0, heads from 1; the head 0 is the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// A head that is not a word of the tree.
    #[error("the head of word {} is {head}, but there are {words} words", .word + 1)]
    Outside {
        /// The word.
        word: usize,
        /// Its head.
        head: usize,
        /// Number of words.
        words: usize,
    },
    /// More than one head is 0.
    #[error("word {} has the root as its head, and so does word {}: a tree has one root", .word + 1, .first + 1)]
    SecondRoot {
        /// The second word whose head is the root.
        word: usize,
        /// The first one.
        first: usize,
    },
    /// Heads that lead back to where they started.
    #[error("word {} is its own ancestor: the heads form a cycle", .word + 1)]
    Cycle {
        /// A word on the cycle.
        word: usize,
    },
}

impl TreeError {
    /// What is wrong with the heads of so many words, if anything. Where no head is the root, there is a cycle.
    pub fn find(words: usize, head: impl Fn(usize) -> usize) -> Option<Self> {
        if let Some(word) = (0..words).find(|word| head(*word) > words) {
            return Some(TreeError::Outside { word, head: head(word), words });
        }
        let mut roots = (0..words).filter(|word| head(*word) == 0);
        if let (Some(first), Some(word)) = (roots.next(), roots.next()) {
            return Some(TreeError::SecondRoot { word, first });
        }
        // The word from which each word was reached first.
        let mut reached_from = vec![None; words];
        for start in 0..words {
            let mut above = Some(start);
            while let Some(word) = above {
                match reached_from[word] {
                    None => reached_from[word] = Some(start),
                    Some(earlier) if earlier == start => return Some(TreeError::Cycle { word }),
                    Some(_) => break,
                }
                above = head(word).checked_sub(1);
            }
        }
        None
    }

    /// The word whose head is wrong.
    pub fn word(self) -> usize {
        match self {
            TreeError::Outside { word, .. } | TreeError::SecondRoot { word, .. } | TreeError::Cycle { word } => word,
        }
    }
}

/// Word numbers, with or without heads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trees {
    words: Lists,
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
        let tree = self.len();
        if heads.len() != words.len() {
            let what = format!("heads of tree {tree} (counted from 0)");
            return Err(Error::shape(what, format!("{}, one per word", words.len()), heads.len()));
        }
        match TreeError::find(words.len(), |word| heads[word] as usize) {
            Some(cause) => Err(Error::BadTree { tree, cause }),
            None => Ok(self.push(words, heads, &heights(heads))),
        }
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
    pub(super) fn lists(&self) -> &Lists {
        &self.words
    }

    /// Heads of all trees, one after another.
    pub(super) fn all_heads(&self) -> &[u32] {
        &self.heads
    }

    /// Returns an error if a word is not in the vocabulary, or heads are needed and missing.
    pub(super) fn check(&self, encoding: TreeEncoding, vocabulary: usize) -> Result<()> {
        self.words.check("word", vocabulary)?;
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

/// The height of every word of a tree: 0 for leaves, one more than the highest child for the others. Removes leaves
/// until nothing is left.
fn heights(heads: &[u32]) -> Vec<u32> {
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
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two references, 0 and 3, with items 1, 2 and 4, 5.
    fn examples() -> SimilarityExamples {
        let mut examples = SimilarityExamples::default();
        for word in 0..6 {
            examples.trees.push_list(&[word]);
        }
        let ranked = [(0, 1, 2), (3, 4, 5), (0, 2, 1), (0, 1, 2)];
        examples.ranked = ranked.map(|(reference, better, worse)| RankedPair { reference, better, worse }).to_vec();
        examples.scored = vec![ScoredPair { reference: 3, translation: 5, score: 2.0 }];
        examples
    }

    #[test]
    fn batches_of_standards_have_all_their_examples() {
        let epoch = |by, size, seed| Epoch::new(&examples(), by, size, &mut Random::stream(seed, "test", 0));
        let of_standards: Vec<Vec<u32>> = {
            let epoch = epoch(BatchBy::Reference, 1, 1);
            let mut all: Vec<Vec<u32>> = (0..epoch.batches()).map(|b| epoch.batch(b).to_vec()).collect();
            all.sort();
            all
        };
        assert_eq!(of_standards, [vec![0, 2], vec![1, 3, 4]]);
        assert_eq!(epoch(BatchBy::Reference, 64, 1).batches(), 1);
        let pairs = epoch(BatchBy::Pair, 2, 1);
        assert_eq!((pairs.batches(), pairs.batch(2).len()), (3, 1));
        let mut all: Vec<u32> = (0..3).flat_map(|batch| pairs.batch(batch)).copied().collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn trees_are_encoded_and_pairs_compared_once() {
        let mut batch = Batch::default();
        for _ in 0..2 {
            batch.fill(&examples(), &[1, 3, 4, 0]);
            assert_eq!(batch.trees, [0, 1, 2, 3, 5]);
            assert_eq!(batch.pairs, [[0, 1], [0, 2], [3, 4]]);
            assert_eq!(batch.compared, [[0, 1], [1, 0], [0, 1], [2, 2]]);
        }
        batch.fill(&examples(), &[2]);
        assert_eq!((&batch.trees[..], batch.pairs.len()), (&[3, 4, 5][..], 2));
    }

    #[test]
    fn heads_that_are_no_tree_are_refused_by_name() {
        for (words, heads, message) in [
            (4, &[2, 3, 1, 0][..], "tree 1 (counted from 0): word 1 is its own ancestor: the heads form a cycle"),
            (5, &[2, 0, 4, 5, 4], "tree 1 (counted from 0): word 4 is its own ancestor: the heads form a cycle"),
            (2, &[0, 2], "tree 1 (counted from 0): word 2 is its own ancestor: the heads form a cycle"),
            (2, &[2, 1], "tree 1 (counted from 0): word 1 is its own ancestor: the heads form a cycle"),
            (2, &[0, 3], "tree 1 (counted from 0): the head of word 2 is 3, but there are 2 words"),
            (3, &[2, 0], "heads of tree 1 (counted from 0): expected 3, one per word, found 2"),
            (0, &[0], "heads of tree 1 (counted from 0): expected 0, one per word, found 1"),
        ] {
            let mut trees = Trees::default();
            trees.push_tree(&[1, 2], &[2, 0]).unwrap();
            assert_eq!(trees.push_tree(&vec![0; words], heads).unwrap_err().to_string(), message);
            assert_eq!(trees.len(), 1);
        }
        let error = Trees::default().push_tree(&[0; 3], &[0, 1, 0]).unwrap_err();
        assert!(matches!(error, Error::BadTree { tree: 0, cause: TreeError::SecondRoot { word: 2, first: 0 } }));
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
