//! Bracketed trees, the format of the Penn Treebank (Marcus, Santorini & Marcinkiewicz, 1993, J93-2004).
//!
//! ```text
//! ( (S
//!     (NP-SBJ-1 (DT The) (NN cat))
//!     (VP (VBD sat) (NP (-NONE- *-1)))
//!     (. .)))
//! (ROOT (NP (NN One) (NN line)))
//! ```
//!
//! A bracket is a phrase, `(label bracket …)`, or a word with its tag, `(tag word)`. A tree may extend over any number
//! of lines. White space is that of ASCII, so that any other space may be part of a word. The label may be missing, as
//! in the outermost bracket of the Treebank.
//!
//! # Choices
//! [`read_trees`] keeps everything as written: function labels, indexes, empty elements, escapes. [`Normalisation`]
//! converts trees to what parsers learn. In a word, brackets are written `-LRB-` and `-RRB-`; [`Normalisation`] also
//! unescapes `-LSB-`, `-LCB-` and so on and the old escapes `\/` and `\*`. A word beside brackets, two words in one
//! bracket and an empty bracket are errors; for a sentence that it could not parse, a parser may write `(())` or `()`,
//! which [`read_parses`] returns as `None`.
//!
//! # Agreement
//! All 13,263 trees of GUM are read; they are the same after writing and reading again, and their unescaped words equal
//! those of GUM's dependency trees.
//!
//! # Example
//! ```
//! use std::path::Path;
//! use tercet_research::parse::bracketed::{Normalisation, read_trees};
//!
//! let trees = read_trees(Path::new("one.ptb"), "( (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (NP (-NONE- *)))))")?;
//! let plain = Normalisation::default().apply(&trees[0]).expect("a tree with words");
//! assert_eq!(plain.to_string(), "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat))))");
//! # Ok::<(), tercet_base::Error>(())
//! ```
//!
//! # Normalisation
//! Converts the trees of a treebank to those that parsers learn:
//!
//! | step | before | after |
//! |---|---|---|
//! | functions and indexes | `NP-SBJ-1`, `NP=2`, `PP-LOC-PRD` | `NP`, `NP`, `PP` |
//! | empty elements | `(NP (-NONE- *T*-1))` | removed, with every phrase that has no other words |
//! | words | `-LRB-`, `1\/2` | `(`, `1/2` |
//! | root | `( (S …))`, `(TOP …)`, `(S1 …)`, `(S …)` | `(ROOT …)`, exactly one |
//!
//! A label is cut at its first `-` or `=` that is not its first character: EVALB's rule for phrases, except that
//! `-NONE-` and `-LRB-` are kept. Tags of words are not changed, as in EVALB. A phrase over a phrase of the same label,
//! which may result, is kept: EVALB counts both.

mod read;

pub use read::{read_parses, read_trees};

use crate::parse::constituents::{Node, Tree, TreeBuilder};
use std::borrow::Cow;
use std::fmt;

/// The label of the outermost bracket after normalisation, as in the Stanford parser and GUM.
pub(in crate::parse) const ROOT: &str = "ROOT";

/// The tag of empty elements such as traces.
pub(in crate::parse) const EMPTY_ELEMENT: &str = "-NONE-";

/// Which steps of normalisation are left out. Default: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Normalisation {
    /// Keep `NP-SBJ-1` as it is.
    pub keep_functions: bool,
    /// Keep `-NONE-` and the phrases that have no other words.
    pub keep_empty_elements: bool,
    /// Keep `-LRB-` and `\/` in words.
    pub keep_escapes: bool,
    /// Keep the outermost bracket, or its absence.
    pub keep_root: bool,
}

impl Normalisation {
    /// The normalised tree; `None` if it has only empty elements.
    pub fn apply(&self, tree: &Tree) -> Option<Tree> {
        let mut builder = TreeBuilder::new();
        let has_root = tree.root().word().is_none() && is_root_label(tree.root().label());
        if !self.keep_root && !has_root {
            builder.open(ROOT);
        }
        tree.walk(|index, leaving| {
            let node = &tree.nodes()[index];
            match node.word() {
                _ if leaving => builder.close(),
                Some(_) if node.label() == EMPTY_ELEMENT && !self.keep_empty_elements => {}
                Some(word) if self.keep_escapes => builder.word(node.label(), word),
                Some(word) => builder.word(node.label(), &unescape(word)),
                None if index == 0 && has_root && !self.keep_root => builder.open(ROOT),
                None if self.keep_functions => builder.open(node.label()),
                None => builder.open(phrase_category(node.label())),
            }
        });
        builder.finish()
    }
}

/// Whether a label is that of an outermost bracket: empty, `ROOT`, `TOP` or `S1`.
fn is_root_label(label: &str) -> bool {
    matches!(label, "" | ROOT | "TOP" | "S1")
}

/// A phrase's label without functions and indexes.
fn phrase_category(label: &str) -> &str {
    let cut = label.char_indices().skip(1).find(|&(_, c)| c == '-' || c == '=');
    match cut {
        Some((place, _)) if !label.starts_with('-') => &label[..place],
        _ => label,
    }
}

/// A word without the escapes of the Penn Treebank.
pub(in crate::parse) fn unescape(word: &str) -> String {
    const ESCAPES: [(&str, &str); 8] = [
        ("-LRB-", "("),
        ("-RRB-", ")"),
        ("-LSB-", "["),
        ("-RSB-", "]"),
        ("-LCB-", "{"),
        ("-RCB-", "}"),
        ("\\/", "/"),
        ("\\*", "*"),
    ];
    let mut word = word.to_owned();
    for (escape, plain) in ESCAPES {
        if word.contains(escape) {
            word = word.replace(escape, plain);
        }
    }
    word
}

#[cfg(test)]
mod tests;

/// A phrase that fits into this many columns is written on one line.
const WIDTH: usize = 80;

/// On one line: `(S (NP (PRP I)) (VP (VBP sleep)))`. Brackets within words and labels are written `-LRB-`, `-RRB-`.
impl fmt::Display for Tree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&flat(self, 0))
    }
}

impl Tree {
    /// The tree on several lines, indented by two columns per phrase; a phrase that fits into 80 columns is on one
    /// line.
    pub fn indented(&self) -> String {
        let widths = widths(self);
        let mut text = String::new();
        let mut open: Vec<usize> = Vec::new();
        let mut index = 0;
        while index < self.nodes().len() {
            close_ended(self, &mut open, index, &mut text);
            let indent = 2 * open.len();
            if index > 0 {
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', indent));
            }
            let node = &self.nodes()[index];
            if node.word().is_some() || indent + widths[index] <= WIDTH {
                text.push_str(&flat(self, index));
                index = node.past;
            } else {
                text.push('(');
                text.push_str(&written(node.label()));
                open.push(index);
                index += 1;
            }
        }
        close_ended(self, &mut open, index, &mut text);
        text
    }
}

fn close_ended(tree: &Tree, open: &mut Vec<usize>, index: usize, text: &mut String) {
    while open.pop_if(|phrase| tree.nodes()[*phrase].past <= index).is_some() {
        text.push(')');
    }
}

/// A node and its descendants on one line.
fn flat(tree: &Tree, from: usize) -> String {
    let mut text = String::new();
    let mut open: Vec<usize> = Vec::new();
    for index in from..tree.nodes()[from].past {
        close_ended(tree, &mut open, index, &mut text);
        if index > from {
            text.push(' ');
        }
        let node = &tree.nodes()[index];
        match node.word() {
            Some(word) => text.push_str(&leaf(node, word)),
            None => {
                text.push('(');
                text.push_str(&written(node.label()));
                open.push(index);
            }
        }
    }
    close_ended(tree, &mut open, tree.nodes()[from].past, &mut text);
    text
}

fn leaf(node: &Node, word: &str) -> String {
    format!("({} {})", written_tag(node.label()), written_tag(word))
}

/// How many characters each node takes on one line.
fn widths(tree: &Tree) -> Vec<usize> {
    let mut widths = vec![0; tree.nodes().len()];
    tree.walk(|index, leaving| {
        let node = &tree.nodes()[index];
        match node.word() {
            Some(word) => widths[index] = leaf(node, word).chars().count(),
            None if leaving => {
                let inner: usize = tree.children(index).map(|child| widths[child] + 1).sum();
                widths[index] = inner + written(node.label()).chars().count() + 2;
            }
            None => {}
        }
    });
    widths
}

/// A label that can be read again: brackets escaped, white space as `_`.
fn written(label: &str) -> Cow<'_, str> {
    if !label.contains(|c: char| c == '(' || c == ')' || c.is_ascii_whitespace()) {
        return Cow::Borrowed(label);
    }
    let escaped = label.replace('(', "-LRB-").replace(')', "-RRB-");
    Cow::Owned(escaped.replace(|c: char| c.is_ascii_whitespace(), "_"))
}

/// A tag or a word, which may not be empty.
fn written_tag(text: &str) -> Cow<'_, str> {
    if text.is_empty() { Cow::Borrowed("_") } else { written(text) }
}
