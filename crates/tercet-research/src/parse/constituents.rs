//! A constituency tree over the words of a sentence.
//!
//! One list of nodes, parents before children: a node has the span of its words and the index after its last
//! descendant. Nothing recurses, so a very deep tree of a damaged file does not overflow the stack.

/// A phrase or a word with its tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub(super) label: String,
    pub(super) word: Option<String>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The index after the last descendant.
    pub(super) past: usize,
}

/// A tree with at least one node. The root is node 0; every phrase has children, every leaf is a tag with a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// Builds a tree from opening and closing brackets.
///
/// ```
/// use tercet_research::parse::TreeBuilder;
///
/// let mut builder = TreeBuilder::new();
/// builder.open("NP");
/// builder.word("DT", "the");
/// builder.word("NN", "cat");
/// builder.close();
/// assert_eq!(builder.finish().unwrap().to_string(), "(NP (DT the) (NN cat))");
/// ```
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
    open: Vec<usize>,
    words: usize,
}

impl Node {
    /// The phrase's label, or the word's tag. Empty for a bracket without a label.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The word, if this is a leaf.
    pub fn word(&self) -> Option<&str> {
        self.word.as_deref()
    }

    /// The indices of the words below, from 0.
    pub fn span(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

impl Tree {
    /// All nodes, parents before children, left to right.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The outermost node.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// The indices of a node's children, in order.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[node].past;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.nodes[child].past;
            Some(child)
        })
    }

    /// Tag and word of every leaf, in order.
    pub fn leaves(&self) -> impl Iterator<Item = (&str, &str)> {
        self.nodes.iter().filter_map(|node| Some((node.label(), node.word()?)))
    }

    /// The words in order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.leaves().map(|(_, word)| word)
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.root().end
    }

    /// Always false: a tree has words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Label and span of every phrase, parents before children; leaves are left out.
    pub fn phrases(&self) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
        self.nodes.iter().filter(|node| node.word.is_none()).map(|node| (node.label(), node.span()))
    }

    /// Calls `visit` for each node before its descendants and, if it is a phrase, again after them (with `true`).
    pub(super) fn walk(&self, mut visit: impl FnMut(usize, bool)) {
        let mut open: Vec<usize> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            while let Some(&phrase) = open.last().filter(|&&phrase| self.nodes[phrase].past == index) {
                visit(phrase, true);
                open.pop();
            }
            visit(index, false);
            if node.word.is_none() {
                open.push(index);
            }
        }
        open.into_iter().rev().for_each(|phrase| visit(phrase, true));
    }
}

impl TreeBuilder {
    /// A builder without nodes.
    pub fn new() -> Self {
        TreeBuilder::default()
    }

    /// Begins a phrase.
    pub fn open(&mut self, label: &str) {
        self.open.push(self.nodes.len());
        self.push(label, None, self.words);
    }

    /// Adds a word to the innermost open phrase.
    pub fn word(&mut self, tag: &str, word: &str) {
        self.words += 1;
        self.push(tag, Some(word.to_owned()), self.words - 1);
    }

    /// Ends the innermost open phrase. A phrase without words is removed.
    pub fn close(&mut self) {
        let Some(phrase) = self.open.pop() else { return };
        if self.nodes[phrase].start == self.words {
            self.nodes.truncate(phrase);
            return;
        }
        let past = self.nodes.len();
        self.nodes[phrase].end = self.words;
        self.nodes[phrase].past = past;
    }

    /// How many phrases are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes open phrases and returns the tree; `None` if there is no word. Several outermost brackets are put into
    /// one without a label.
    pub fn finish(mut self) -> Option<Tree> {
        while self.depth() > 0 {
            self.close();
        }
        let first = self.nodes.first()?;
        if first.past < self.nodes.len() {
            self.nodes.iter_mut().for_each(|node| node.past += 1);
            let past = self.nodes.len() + 1;
            self.nodes.insert(0, Node { label: String::new(), word: None, start: 0, end: self.words, past });
        }
        Some(Tree { nodes: self.nodes })
    }

    fn push(&mut self, label: &str, word: Option<String>, start: usize) {
        let (end, past) = (self.words, self.nodes.len() + 1);
        self.nodes.push(Node { label: label.to_owned(), word, start, end, past });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_know_their_spans_and_children() {
        let tree: Tree = {
            let mut builder = TreeBuilder::new();
            builder.open("S");
            builder.open("NP");
            builder.word("PRP", "I");
            builder.close();
            builder.open("VP");
            builder.word("VBP", "see");
            builder.open("NP");
            builder.close();
            builder.open("NP");
            builder.word("PRP", "you");
            builder.finish().unwrap()
        };
        let phrases: Vec<_> = tree.phrases().collect();
        assert_eq!(phrases, [("S", 0..3), ("NP", 0..1), ("VP", 1..3), ("NP", 2..3)]);
        assert_eq!(tree.children(0).map(|child| tree.nodes()[child].label()).collect::<Vec<_>>(), ["NP", "VP"]);
        assert_eq!(tree.children(3).map(|child| tree.nodes()[child].label()).collect::<Vec<_>>(), ["VBP", "NP"]);
        assert_eq!(tree.children(2).count(), 0);
        assert_eq!((tree.len(), tree.words().collect::<Vec<_>>()), (3, vec!["I", "see", "you"]));
    }

    #[test]
    fn several_outermost_brackets_become_one() {
        let mut builder = TreeBuilder::new();
        builder.word("A", "a");
        builder.open("X");
        builder.word("B", "b");
        assert_eq!(builder.finish().unwrap().to_string(), "( (A a) (X (B b)))");
        let mut empty = TreeBuilder::new();
        empty.open("X");
        assert_eq!(empty.finish(), None);
    }
}
