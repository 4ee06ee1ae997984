//! A dependency tree: every word hangs on another, one on the root.
//!
//! Words are counted from 0; heads are ids as CoNLL-U writes them: word `i` has the id `i + 1`, the root 0. A tree is
//! checked when it is made: heads are there, exactly one word hangs on the root (as UD demands), no word is above itself.
//! The tree of no words is a tree.
//!
//! **Projective**: the words below any word, with it, are neighbours without a gap; then no two arcs cross, the one to
//! the root included (Nivre & Nilsson, 2005, P05-1013).

use crate::error::{Error, Result};
use std::fmt;

/// Heads and relations of a sentence, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DependencyTree {
    heads: Vec<usize>,
    labels: Vec<String>,
    /// The words on each id, one id after the other, each in order; `starts[id]..starts[id + 1]`.
    children: Vec<usize>,
    starts: Vec<usize>,
}

/// Why heads are no tree. Words are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Outside { word: usize, head: usize, words: usize },
    NoRoot,
    SecondRoot { word: usize, first: usize },
    Circle { word: usize },
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
        if let Some(fault) = fault(&heads) {
            return Err(Error::Unusable(fault.to_string()));
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

    /// The word on the root; `None` in the tree of no words.
    pub fn root(&self) -> Option<usize> {
        self.children.get(self.starts[0]).copied()
    }

    /// The words that hang on a word, in order.
    pub fn children(&self, word: usize) -> &[usize] {
        &self.children[self.starts[word + 1]..self.starts[word + 2]]
    }

    /// Every word after the one it hangs on; of the words on one head, those on the left first.
    pub fn top_down(&self) -> Vec<usize> {
        let mut order: Vec<usize> = self.root().into_iter().collect();
        let mut next = 0;
        while let Some(&word) = order.get(next) {
            order.extend_from_slice(self.children(word));
            next += 1;
        }
        order
    }

    /// How many arcs are above each word: 0 for the one on the root.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.len()];
        for word in self.top_down() {
            if self.heads[word] > 0 {
                depths[word] = depths[self.heads[word] - 1] + 1;
            }
        }
        depths
    }

    /// Whether no arcs cross.
    pub fn is_projective(&self) -> bool {
        // First and last word of what is below each word, and how many they are.
        let mut below: Vec<(usize, usize, usize)> = (0..self.len()).map(|word| (word, word, 1)).collect();
        for word in self.top_down().into_iter().rev() {
            let (first, last, count) = below[word];
            if last - first + 1 != count {
                return false;
            }
            if let Some(head) = self.heads[word].checked_sub(1) {
                let above = &mut below[head];
                *above = (above.0.min(first), above.1.max(last), above.2 + count);
            }
        }
        true
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

/// The first reason why heads are no tree.
pub(super) fn fault(heads: &[usize]) -> Option<Fault> {
    let words = heads.len();
    if let Some((word, &head)) = heads.iter().enumerate().find(|&(_, &head)| head > words) {
        return Some(Fault::Outside { word, head, words });
    }
    let mut roots = heads.iter().enumerate().filter(|&(_, &head)| head == 0).map(|(word, _)| word);
    match (roots.next(), roots.next()) {
        (Some(first), Some(word)) => return Some(Fault::SecondRoot { word, first }),
        // Without a root there is a circle, which says more.
        (None, _) if words > 0 => return circle(heads).or(Some(Fault::NoRoot)),
        _ => {}
    }
    circle(heads)
}

/// Climbs from every word and marks the path with its start, up to the root or a word with a mark; a mark of this very
/// climb is a circle.
fn circle(heads: &[usize]) -> Option<Fault> {
    let mut marks = vec![None; heads.len()];
    for start in 0..heads.len() {
        let mut above = Some(start);
        while let Some(word) = above {
            match marks[word] {
                None => marks[word] = Some(start),
                Some(mark) if mark == start => return Some(Fault::Circle { word }),
                Some(_) => break,
            }
            above = heads[word].checked_sub(1);
        }
    }
    None
}

impl Fault {
    /// The word to blame.
    pub(super) fn word(self) -> usize {
        match self {
            Fault::Outside { word, .. } | Fault::SecondRoot { word, .. } | Fault::Circle { word } => word,
            Fault::NoRoot => 0,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::Outside { word, head, words } => {
                write!(formatter, "the head of word {} is {head}, but there are {words} words", word + 1)
            }
            Fault::NoRoot => write!(formatter, "no word hangs on the root (one head must be 0)"),
            Fault::SecondRoot { word, first } => {
                let (word, first) = (word + 1, first + 1);
                write!(
                    formatter,
                    "word {word} hangs on the root, and so does word {first}: a tree has one root"
                )
            }
            Fault::Circle { word } => {
                write!(formatter, "word {} is above itself: its heads go round in a circle", word + 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(heads: &[usize]) -> Result<DependencyTree> {
        DependencyTree::new(heads.to_vec(), heads.iter().map(|head| format!("on{head}")).collect())
    }

    #[test]
    fn children_are_in_order_and_depths_count_arcs() {
        let tree = tree(&[2, 4, 2, 0, 4]).unwrap();
        assert_eq!(tree.root(), Some(3));
        assert_eq!(
            (tree.children(1), tree.children(3), tree.children(4)),
            ([0, 2].as_slice(), [1, 4].as_slice(), [].as_slice())
        );
        assert_eq!(tree.top_down(), [3, 1, 4, 0, 2]);
        assert_eq!(tree.depths(), [2, 1, 2, 0, 1]);
        assert_eq!((tree.head(0), tree.label(0)), (2, "on2"));
    }

    #[test]
    fn the_tree_of_no_words_is_a_tree() {
        let tree = tree(&[]).unwrap();
        assert_eq!((tree.len(), tree.root(), tree.is_projective()), (0, None, true));
    }

    #[test]
    fn what_is_no_tree_is_refused_with_the_word() {
        for (heads, message) in [
            (&[0, 3][..], "the head of word 2 is 3, but there are 2 words"),
            (&[0, 1, 0], "word 3 hangs on the root, and so does word 1: a tree has one root"),
            (&[1], "word 1 is above itself: its heads go round in a circle"),
            (&[0, 3, 4, 2], "word 2 is above itself: its heads go round in a circle"),
            (&[2, 1], "word 1 is above itself: its heads go round in a circle"),
        ] {
            assert_eq!(tree(heads).unwrap_err().to_string(), message);
        }
        let error = DependencyTree::new(vec![0], Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "1 heads, but 0 relations: every word has one of each");
    }

    /// Against the definition by arcs: two of them cross if one has exactly one end inside the other.
    #[test]
    fn projective_is_what_has_no_crossing_arcs() {
        let crossing = |heads: &[usize]| {
            let arcs: Vec<(usize, usize)> = heads
                .iter()
                .enumerate()
                .map(|(word, &head)| (head.min(word + 1), head.max(word + 1)))
                .collect();
            arcs.iter().any(|a| arcs.iter().any(|b| a.0 < b.0 && b.0 < a.1 && a.1 < b.1))
        };
        let (mut trees, mut crossed) = (0, 0);
        for code in 0..6usize.pow(5) {
            let heads: Vec<usize> = (0..5).map(|place| code / 6usize.pow(place) % 6).collect();
            if let Ok(tree) = tree(&heads) {
                trees += 1;
                crossed += usize::from(crossing(&heads));
                assert_eq!(tree.is_projective(), !crossing(&heads), "{heads:?}");
            }
        }
        // Cayley: n^(n-1) trees of n words; projective ones binom(3n - 2, n - 1) / n: 1, 2, 7, 30, 143.
        assert_eq!((trees, trees - crossed), (625, 143));
    }
}
