//! Binary trees as the grammar derives them, and the conversion from and to [`Tree`]s.
//!
//! A phrase of more than two children is binarised from the right: the symbol of a partial phrase has its
//! category and the last `siblings` children before it (horizontal Markovization; Collins 1997, Klein & Manning 2003).
//!
//! ```text
//! (NP (DT the) (JJ old) (NN cat))   →   (NP (DT the) (@NP|DT (JJ old) (NN cat)))
//! ```
//!
//! With `parents`, phrases are annotated with the category above them (Johnson 1998). Characters of annotations that
//! occur in a label (the Penn Treebank has `PRT|ADVP`) are escaped as `%7C` and so on, and unescaped in trees. A
//! derivation is a list of steps, children before parents, so that deep trees need no recursion.

use super::grammar::{Symbol, SymbolKind, Symbols};
use crate::parse::bracketed::ROOT;
use crate::parse::{Tree, TreeBuilder};
use std::borrow::Cow;

/// The context in a symbol's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memory {
    /// How many children before a partial phrase are in its name.
    pub siblings: usize,
    /// Whether phrases are annotated with the category above.
    pub parents: bool,
}

/// One step: a word, or a phrase of one or two earlier steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub symbol: Symbol,
    pub from: From,
}

/// The children of a step: earlier steps by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// A word by its index.
    Word(u32),
    One(u32),
    Two(u32, u32),
}

/// A tree whose nodes have at most two children. The last step is the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Derivation {
    /// Children before parents.
    pub steps: Vec<Step>,
}

impl Derivation {
    /// Adds a step and returns its number.
    pub fn push(&mut self, symbol: Symbol, from: From) -> u32 {
        self.steps.push(Step { symbol, from });
        self.steps.len() as u32 - 1
    }

    /// The derivation of a tree, whose symbols are added to `symbols`; `None` if there are too many.
    pub fn of_tree(tree: &Tree, memory: Memory, symbols: &mut Symbols) -> Option<Self> {
        let above = labels_above(tree);
        let mut made = Derivation::default();
        let mut step_of = vec![0_u32; tree.nodes().len()];
        for (index, node) in tree.nodes().iter().enumerate().rev() {
            step_of[index] = match node.word() {
                Some(_) => {
                    let tag = symbols.add(SymbolKind::Tag, node.label())?;
                    made.push(tag, From::Word(node.span().start as u32))
                }
                None => {
                    let parent =
                        above[index].as_ref().filter(|_| memory.parents).map_or(String::new(), |p| format!("^{p}"));
                    let name = format!("{}{parent}", plain(node.label()));
                    let children: Vec<(u32, String)> = tree
                        .children(index)
                        .map(|child| (step_of[child], plain(tree.nodes()[child].label())))
                        .collect();
                    made.phrase(&name, &children, memory.siblings, symbols)?
                }
            };
        }
        Some(made)
    }

    /// Adds the steps of one phrase, from its right end; returns the number of the last.
    fn phrase(
        &mut self,
        name: &str,
        children: &[(u32, String)],
        siblings: usize,
        symbols: &mut Symbols,
    ) -> Option<u32> {
        let mut rest = children[children.len() - 1].0;
        for at in (0..children.len().saturating_sub(1)).rev() {
            let symbol = match at {
                0 => symbols.add(SymbolKind::Phrase, name)?,
                _ => symbols.add(SymbolKind::Rest, &rest_name(name, &children[..at], siblings))?,
            };
            rest = self.push(symbol, From::Two(children[at].0, rest));
        }
        match children {
            [(only, _)] => Some(self.push(symbols.add(SymbolKind::Phrase, name)?, From::One(*only))),
            _ => Some(rest),
        }
    }

    /// The tree that it derives for these words, under `ROOT`, without annotations and partial phrases.
    pub fn to_tree(&self, symbols: &Symbols, words: &[&str]) -> Option<Tree> {
        let mut builder = TreeBuilder::new();
        builder.open(ROOT);
        self.build(symbols, words, &mut builder);
        builder.close();
        builder.finish()
    }

    /// Adds its phrases, without `ROOT`, to a builder.
    pub fn build(&self, symbols: &Symbols, words: &[&str], builder: &mut TreeBuilder) {
        let mut todo: Vec<Option<u32>> =
            self.steps.len().checked_sub(1).map(|last| Some(last as u32)).into_iter().collect();
        while let Some(next) = todo.pop() {
            let Some(step) = next.map(|step| self.steps[step as usize]) else {
                builder.close();
                continue;
            };
            if symbols.kind(step.symbol) == SymbolKind::Phrase && symbols.category(step.symbol) != ROOT {
                builder.open(&shown(symbols.category(step.symbol)));
                todo.push(None);
            }
            match step.from {
                From::Word(place) => builder.word(symbols.category(step.symbol), words[place as usize]),
                From::One(child) => todo.push(Some(child)),
                From::Two(left, right) => todo.extend([Some(right), Some(left)]),
            }
        }
    }
}

/// Characters of annotations and their escapes in labels; `%` is first, since the escapes contain it.
const MARKS: [(&str, &str); 5] = [("%", "%25"), ("^", "%5E"), ("|", "%7C"), ("@", "%40"), ("+", "%2B")];

/// A label with the characters of annotations escaped.
fn plain(label: &str) -> String {
    MARKS.iter().fold(label.to_owned(), |label, (mark, escape)| label.replace(mark, escape))
}

/// The inverse of [`plain`].
fn shown(category: &str) -> Cow<'_, str> {
    if !category.contains('%') {
        return Cow::Borrowed(category);
    }
    Cow::Owned(MARKS.iter().rev().fold(category.to_owned(), |label, (mark, escape)| label.replace(escape, mark)))
}

fn rest_name(phrase: &str, before: &[(u32, String)], siblings: usize) -> String {
    let remembered = before.iter().rev().take(siblings);
    remembered.fold(format!("@{phrase}"), |name, (_, sibling)| format!("{name}|{sibling}"))
}

/// The label above each node.
fn labels_above(tree: &Tree) -> Vec<Option<String>> {
    let mut above = vec![None; tree.nodes().len()];
    for (index, node) in tree.nodes().iter().enumerate() {
        for child in tree.children(index) {
            above[child] = Some(plain(node.label()));
        }
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::bracketed::read_trees;
    use std::path::Path;

    fn tree(text: &str) -> Tree {
        read_trees(Path::new("t"), text).unwrap().remove(0)
    }

    const TEXT: &str = "(ROOT (S (NP (DT a) (JJ b) (JJ c) (NN d)) (VP (VBZ e) (S (VP (VB f)))) (. .)))";

    fn names(memory: Memory) -> Vec<String> {
        let mut symbols = Symbols::default();
        let made = Derivation::of_tree(&tree(TEXT), memory, &mut symbols).unwrap();
        let words: Vec<&str> = "a b c d e f .".split(' ').collect();
        assert_eq!(made.to_tree(&symbols, &words).unwrap(), tree(TEXT));
        made.steps.iter().map(|step| symbols.name(step.symbol).to_owned()).filter(|name| name.contains('@')).collect()
    }

    #[test]
    fn trees_survive_binarisation_and_partial_phrases_name_their_siblings() {
        assert_eq!(names(Memory { siblings: 0, parents: false }), ["@NP", "@NP", "@S"]);
        assert_eq!(names(Memory { siblings: 1, parents: false }), ["@NP|JJ", "@NP|DT", "@S|NP"]);
        assert_eq!(names(Memory { siblings: 2, parents: true }), ["@NP^S|JJ|DT", "@NP^S|DT", "@S^ROOT|NP"]);
    }

    #[test]
    fn labels_with_characters_of_annotations_are_restored() {
        let text = "(ROOT (S|SINV (A+B (DT|X a) (@ b) (^ c)) (PRT|ADVP (RP d)) (%7C^% (RP e)) (%25 (+ f))))";
        let words: Vec<&str> = "a b c d e f".split(' ').collect();
        for (siblings, parents) in [(0, false), (1, true), (3, true)] {
            let mut symbols = Symbols::default();
            let made = Derivation::of_tree(&tree(text), Memory { siblings, parents }, &mut symbols).unwrap();
            assert_eq!(made.to_tree(&symbols, &words).unwrap().to_string(), text);
        }
    }

    #[test]
    fn deep_trees_do_not_overflow_the_stack_of_derivations() {
        let text = format!("(ROOT {}(X x){})", "(A ".repeat(50_000), ")".repeat(50_000));
        let mut symbols = Symbols::default();
        let made = Derivation::of_tree(&tree(&text), Memory { siblings: 1, parents: true }, &mut symbols).unwrap();
        assert_eq!(made.steps.len(), 50_002);
        assert_eq!(made.to_tree(&symbols, &["x"]).unwrap(), tree(&text));
    }
}
