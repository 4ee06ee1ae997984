//! A dependency tree: every word has a head, which is another word or the root.
//!
//! Words are counted from 0; heads are ids as CoNLL-U writes them: word `i` has the id `i + 1`, the root 0. A tree is
//! checked when it is made: heads exist, exactly one word has the root as its head (as UD demands), there is no cycle.
//! A tree may have no words.
//!
//! **Projective**: every word and its descendants form a span without gaps; then no two arcs cross, the one to
//! the root included (Nivre & Nilsson, 2005, P05-1013).

use crate::error::{Error, Result};
use tercet_learn::networks::TreeError;

/// Heads and relations of a sentence, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DependencyTree {
    heads: Vec<usize>,
    labels: Vec<String>,
    /// The children of all ids, one id after the other; those of `id` are at `starts[id]..starts[id + 1]`.
    children: Vec<usize>,
    starts: Vec<usize>,
}

impl DependencyTree {
    /// A tree of the heads (0 for the root, else ids from 1) and relations of the words in order.
    pub fn new(heads: Vec<usize>, labels: Vec<String>) -> Result<Self> {
        if heads.len() != labels.len() {
            let (heads, labels) = (heads.len(), labels.len());
            return Err(Error::BadRequest(format!(
                "{heads} heads, but {labels} relations: every word has one of each"
            )));
        }
        if let Some(error) = TreeError::find(heads.len(), |word| heads[word]) {
            return Err(Error::Unusable(error.to_string()));
        }
        let (starts, children) = children_of(&heads);
        Ok(DependencyTree { heads, labels, children, starts })
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The id of a word's head: 0 for the root, else the head's index plus 1.
    pub fn head(&self, word: usize) -> usize {
        self.heads[word]
    }

    /// All heads.
    pub fn heads(&self) -> &[usize] {
        &self.heads
    }

    /// A word's relation to its head.
    pub fn label(&self, word: usize) -> &str {
        &self.labels[word]
    }

    /// The word whose head is the root; `None` if there are no words.
    pub fn root(&self) -> Option<usize> {
        self.children.get(self.starts[0]).copied()
    }

    /// The words whose head is this word, in order.
    pub fn children(&self, word: usize) -> &[usize] {
        &self.children[self.starts[word + 1]..self.starts[word + 2]]
    }

    /// All words, heads before their children, children from left to right.
    pub fn top_down(&self) -> Vec<usize> {
        let mut order: Vec<usize> = self.root().into_iter().collect();
        let mut next = 0;
        while let Some(&word) = order.get(next) {
            order.extend_from_slice(self.children(word));
            next += 1;
        }
        order
    }
}

fn children_of(heads: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut starts = vec![0; heads.len() + 2];
    for &head in heads {
        starts[head + 1] += 1;
    }
    for id in 0..=heads.len() {
        starts[id + 1] += starts[id];
    }
    let mut next = starts.clone();
    let mut children = vec![0; heads.len()];
    for (word, &head) in heads.iter().enumerate() {
        children[next[head]] = word;
        next[head] += 1;
    }
    (starts, children)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(heads: &[usize]) -> Result<DependencyTree> {
        DependencyTree::new(heads.to_vec(), heads.iter().map(|head| format!("on{head}")).collect())
    }

    #[test]
    fn children_are_in_order() {
        let tree = tree(&[2, 4, 2, 0, 4]).unwrap();
        assert_eq!(tree.root(), Some(3));
        assert_eq!(
            (tree.children(1), tree.children(3), tree.children(4)),
            ([0, 2].as_slice(), [1, 4].as_slice(), [].as_slice())
        );
        assert_eq!(tree.top_down(), [3, 1, 4, 0, 2]);
        assert_eq!((tree.head(0), tree.label(0)), (2, "on2"));
    }

    #[test]
    fn a_tree_may_have_no_words() {
        let tree = tree(&[]).unwrap();
        assert_eq!((tree.len(), tree.root()), (0, None));
    }

    #[test]
    fn invalid_trees_are_errors_that_name_the_word() {
        for (heads, message) in [
            (&[0, 3][..], "the head of word 2 is 3, but there are 2 words"),
            (&[0, 1, 0], "word 3 has the root as its head, and so does word 1: a tree has one root"),
            (&[1], "word 1 is its own ancestor: the heads form a cycle"),
            (&[0, 3, 4, 2], "word 2 is its own ancestor: the heads form a cycle"),
            (&[2, 1], "word 1 is its own ancestor: the heads form a cycle"),
        ] {
            assert_eq!(tree(heads).unwrap_err().to_string(), message);
        }
        let error = DependencyTree::new(vec![0], Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "1 heads, but 0 relations: every word has one of each");
    }

    /// Cayley: there are n^(n-1) trees of n words with a root.
    #[test]
    fn as_many_lists_of_heads_are_trees_as_there_are_trees() {
        let heads = |code: usize| -> Vec<usize> { (0..5).map(|place| code / 6usize.pow(place) % 6).collect() };
        assert_eq!((0..6usize.pow(5)).filter(|code| tree(&heads(*code)).is_ok()).count(), 625);
    }
}
