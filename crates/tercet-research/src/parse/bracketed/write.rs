//! Writes trees on one line, or indented with a phrase per line.

use crate::parse::constituents::{Node, Tree};
use std::borrow::Cow;
use std::fmt;

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
