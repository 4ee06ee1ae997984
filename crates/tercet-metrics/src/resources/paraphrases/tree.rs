//! Phrases as the nodes of a trie of words, and the pairs between them.
//!
//! Nodes are numbered level by level, the children of a node side by side and sorted by word. So four arrays of numbers
//! are enough, and they can be written to a file as they are.

use foldhash::HashMap;
use std::ops::Range;

/// The phrase without words.
pub(super) const ROOT: u32 = 0;

/// Phrases and pairs of phrases, immutable.
pub(super) struct Tree {
    /// The last word of each phrase; that of the root is not used.
    pub words: Vec<u32>,
    /// The first child of each phrase; its children end at the first of the next phrase. One more entry than phrases.
    pub children: Vec<u32>,
    /// The start of each phrase's list of paraphrases in `pairs`. One more entry than phrases.
    pub lists: Vec<u32>,
    /// The lists of paraphrases of all phrases.
    pub pairs: Vec<u32>,
    /// The phrase of each single word, the root where there is none. Computed from the other arrays.
    firsts: Vec<u32>,
}

impl Tree {
    pub fn new(words: Vec<u32>, children: Vec<u32>, lists: Vec<u32>, pairs: Vec<u32>) -> Self {
        let singles = range(&children, ROOT);
        let last = words[singles.clone()].last().map_or(0, |&word| word as usize + 1);
        let mut firsts = vec![ROOT; last];
        for phrase in singles {
            firsts[words[phrase] as usize] = phrase as u32;
        }
        Tree { words, children, lists, pairs, firsts }
    }

    /// The phrases that start a sequence of words, shorter first, with their lengths.
    pub fn prefixes(&self, words: &[u32]) -> impl Iterator<Item = (u32, u32)> {
        let mut phrase = ROOT;
        words.iter().zip(1..).map_while(move |(&word, length)| {
            phrase = if length == 1 { self.first(word)? } else { self.child(phrase, word)? };
            Some((length, phrase))
        })
    }

    /// The phrase of one word.
    fn first(&self, word: u32) -> Option<u32> {
        self.firsts.get(word as usize).copied().filter(|&phrase| phrase != ROOT)
    }

    /// The phrase that is one word longer.
    fn child(&self, phrase: u32, word: u32) -> Option<u32> {
        let children = range(&self.children, phrase);
        let place = self.words[children.clone()].binary_search(&word).ok()?;
        Some((children.start + place) as u32)
    }

    /// The paraphrases of a phrase, in the order of the table.
    pub fn pairs(&self, phrase: u32) -> &[u32] {
        &self.pairs[self.list(phrase)]
    }

    /// Where the paraphrases of a phrase are in `pairs`.
    pub fn list(&self, phrase: u32) -> Range<usize> {
        range(&self.lists, phrase)
    }

    /// For each phrase the one that is one word shorter; the root for the root.
    pub fn parents(&self) -> Vec<u32> {
        let mut parents = vec![ROOT; self.words.len()];
        for phrase in 0..self.words.len() as u32 {
            parents[range(&self.children, phrase)].fill(phrase);
        }
        parents
    }

    /// Replaces the contents of `spelling` by the words of a phrase.
    #[cfg(test)]
    pub fn spell(&self, mut phrase: u32, spelling: &mut Vec<u32>) {
        spelling.clear();
        while phrase != ROOT {
            spelling.push(self.words[phrase as usize]);
            phrase = self.children.partition_point(|&first| first <= phrase) as u32 - 1;
        }
        spelling.reverse();
    }
}

fn range(starts: &[u32], phrase: u32) -> Range<usize> {
    starts[phrase as usize] as usize..starts[phrase as usize + 1] as usize
}

/// Builds a tree: phrases in the order in which they are added.
pub(super) struct TreeBuilder {
    /// The phrase that is one word shorter, and the last word.
    nodes: Vec<(u32, u32)>,
    index: HashMap<(u32, u32), u32>,
    pairs: Vec<(u32, u32)>,
}

impl TreeBuilder {
    pub fn new() -> Self {
        TreeBuilder { nodes: vec![(ROOT, 0)], index: HashMap::default(), pairs: Vec::new() }
    }

    /// The phrase that is one word longer.
    pub fn child(&mut self, phrase: u32, word: u32) -> u32 {
        *self.index.entry((phrase, word)).or_insert_with(|| {
            self.nodes.push((phrase, word));
            self.nodes.len() as u32 - 1
        })
    }

    /// Adds a pair: the second is a paraphrase of the first.
    pub fn pair(&mut self, first: u32, second: u32) {
        self.pairs.push((first, second));
    }

    /// Whether another pair of phrases with so many words might overflow `u32`.
    pub fn is_full(&self, words: usize) -> bool {
        self.nodes.len().max(self.pairs.len()) + words >= u32::MAX as usize
    }

    /// The tree, numbered level by level, and for each of its pairs how many were added before it.
    pub fn finish(self) -> (Tree, Vec<u32>) {
        let TreeBuilder { nodes, index, pairs } = self;
        drop(index);
        let (words, children, new_number) = level_by_level(&nodes);
        drop(nodes);
        let numbered = |phrase: u32| new_number[phrase as usize];
        let firsts = pairs.iter().zip(0..).map(|(&(first, _), place)| (numbered(first), place));
        let (lists, order) = grouped(words.len(), firsts);
        let pairs = order.iter().map(|&place| numbered(pairs[place as usize].1)).collect();
        (Tree::new(words, children, lists, pairs), order)
    }
}

/// The last words and first children of the nodes in their final order, and the final number of each old one.
fn level_by_level(nodes: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let but_root = nodes.iter().zip(0..).skip(1);
    let (starts, mut kin) = grouped(nodes.len(), but_root.map(|(&(parent, _), node)| (parent, node)));
    let mut order = Vec::with_capacity(nodes.len());
    let mut children = Vec::with_capacity(nodes.len() + 1);
    order.push(ROOT);
    for next in 0..nodes.len() {
        let siblings = &mut kin[range(&starts, order[next])];
        siblings.sort_unstable_by_key(|&node| nodes[node as usize].1);
        children.push(order.len() as u32);
        order.extend_from_slice(siblings);
    }
    children.push(order.len() as u32);
    let words = order.iter().map(|&node| nodes[node as usize].1).collect();
    let mut new_number = vec![0; nodes.len()];
    for (&node, number) in order.iter().zip(0..) {
        new_number[node as usize] = number;
    }
    (words, children, new_number)
}

/// Groups values by their keys, all below `keys`: the start of each key's values, and all values; within a key in their
/// given order.
fn grouped(keys: usize, items: impl Iterator<Item = (u32, u32)> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; keys + 2];
    for (key, _) in items.clone() {
        starts[key as usize + 2] += 1;
    }
    for key in 2..starts.len() {
        starts[key] += starts[key - 1];
    }
    let mut values = vec![0; starts[keys + 1] as usize];
    for (key, value) in items {
        let place = &mut starts[key as usize + 1];
        values[*place as usize] = value;
        *place += 1;
    }
    starts.pop();
    (starts, values)
}
