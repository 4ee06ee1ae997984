//! Converts the trees of a treebank to those that parsers learn.
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

use crate::parse::constituents::{Tree, TreeBuilder};

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
