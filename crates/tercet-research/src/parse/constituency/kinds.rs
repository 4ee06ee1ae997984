//! The kinds of nodes that have their own weights in the recursive network, by the categories of their children.
//!
//! A pair of categories that is frequent enough in the treebank is a kind, as is the category of an only child; all
//! others share kind 0. A partial phrase, `@NP`, has a category of its own.

use super::derivation::{Derivation, From};
use super::symbols::{Symbol, Symbols};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tercet_learn::networks::CompositionNode;

/// The kind of rare nodes, and of nodes that join parts without a grammar rule.
pub(super) const ANY: u32 = 0;

/// Categories of the children; the second is empty for an only child.
type Pair = (String, String);

#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    pairs: Vec<Pair>,
    /// The category of each symbol, by number.
    categories: Vec<u16>,
    numbers: FxHashMap<(u16, u16), u32>,
}

/// No second child.
const NOTHING: u16 = u16::MAX;

impl Kinds {
    /// The kinds that occur at least `least` times.
    pub fn of(derivations: &[Derivation], symbols: &Symbols, least: usize) -> Self {
        let mut counts: BTreeMap<Pair, usize> = BTreeMap::new();
        for derivation in derivations {
            let category = |step: u32| symbols.category(derivation.steps[step as usize].symbol).to_owned();
            for step in &derivation.steps {
                let pair = match step.from {
                    From::Word(_) => continue,
                    From::One(child) => (category(child), String::new()),
                    From::Two(left, right) => (category(left), category(right)),
                };
                *counts.entry(pair).or_default() += 1;
            }
        }
        let often = counts.into_iter().filter(|(_, count)| *count >= least);
        Kinds::new(often.map(|(pair, _)| pair).collect(), symbols)
    }

    /// The kinds of a model, in order of their numbers from 1.
    pub fn new(pairs: Vec<Pair>, symbols: &Symbols) -> Self {
        let mut names: FxHashMap<&str, u16> = FxHashMap::default();
        let mut categories = Vec::with_capacity(symbols.len());
        for symbol in symbols.all() {
            let next = names.len() as u16;
            categories.push(*names.entry(symbols.category(symbol)).or_insert(next));
        }
        let number = |name: &str| if name.is_empty() { Some(NOTHING) } else { names.get(name).copied() };
        let numbered = pairs.iter().zip(1..);
        let numbers =
            numbered.filter_map(|((left, right), kind)| Some(((number(left)?, number(right)?), kind))).collect();
        Kinds { pairs, categories, numbers }
    }

    /// The categories of kinds, in order of their numbers from 1.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The number of kinds, kind 0 included.
    pub fn len(&self) -> usize {
        self.pairs.len() + 1
    }

    fn kind(&self, left: Symbol, right: Option<Symbol>) -> u32 {
        let category = |symbol: Symbol| self.categories[usize::from(symbol)];
        self.numbers.get(&(category(left), right.map_or(NOTHING, category))).copied().unwrap_or(ANY)
    }

    /// The nodes of a derivation, for the recursive network.
    pub fn nodes(&self, derivation: &Derivation, words: usize) -> Vec<CompositionNode> {
        let (mut nodes, mut place) = (Vec::new(), Vec::with_capacity(derivation.steps.len()));
        let symbol = |step: u32| derivation.steps[step as usize].symbol;
        for step in &derivation.steps {
            let (left, right) = match step.from {
                From::Word(word) => {
                    place.push(word);
                    continue;
                }
                From::One(child) => (child, None),
                From::Two(left, right) => (left, Some(right)),
            };
            place.push((words + nodes.len()) as u32);
            nodes.push(CompositionNode {
                kind: self.kind(symbol(left), right.map(symbol)),
                left: place[left as usize],
                right: right.map(|right| place[right as usize]),
            });
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::bracketed::read_trees;
    use crate::parse::constituency::derivation::Memory;
    use std::path::Path;

    #[test]
    fn frequent_pairs_are_kinds_and_words_are_leaves() {
        let text = "(ROOT (S (NP (D a) (N b)) (VP (V c)))) (ROOT (NP (D a) (N b)))";
        let mut symbols = Symbols::default();
        let memory = Memory { siblings: 1, parents: true };
        let derivations: Vec<Derivation> = read_trees(Path::new("t"), text)
            .unwrap()
            .iter()
            .map(|tree| Derivation::of_tree(tree, memory, &mut symbols).unwrap())
            .collect();
        let kinds = Kinds::of(&derivations, &symbols, 2);
        assert_eq!(kinds.pairs(), [("D".to_owned(), "N".to_owned())]);
        let all = Kinds::of(&derivations, &symbols, 1);
        assert_eq!(all.len(), 6);
        let nodes = kinds.nodes(&derivations[0], 3);
        assert_eq!(nodes.iter().map(|node| node.kind).collect::<Vec<_>>(), [0, 1, 0, 0]);
        let root = nodes[nodes.len() - 1];
        assert_eq!((root.left, root.right), (5, None));
    }
}
