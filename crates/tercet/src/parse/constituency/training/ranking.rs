//! The recursive network learns which of the best trees of a sentence is the right one.
//!
//! Of sentences that the network of spans has learned, it would say nearly only what is right, and nothing could be learned from its mistakes. So
//! its units are dropped while it reads them, as in its training: then it makes mistakes like those on new sentences. (The
//! usual remedy is to train it several times on parts of the treebank, at as many times the cost.)
//!
//! A tree costs as much as it has brackets that gold has not, and lacks of gold's; the paper counts the former only, which
//! favours flat trees.

use super::{Observer, Progress};
use crate::error::Result;
use crate::parse::Tree;
use crate::parse::constituency::derivation::Derivation;
use crate::parse::constituency::grammar::spans_of;
use crate::parse::constituency::parser::{ConstituencyParser, Room};
use crate::parse::constituency::pieces::LONGEST;
use crate::parse::constituency::symbols::{Kind, Symbols};
use crate::parse::constituency::training::recipe::Recipe;
use rayon::prelude::*;
use tercet_learn::networks::recursive::{RankedTree, RankedTrees, RecursiveSettings, RecursiveTrainer};
use tercet_learn::optimizer::{Method, OptimizerSettings};
use tercet_learn::random::Random;

/// Trains the parser's recursive network.
pub(super) fn fit_recursive(
    parser: &mut ConstituencyParser,
    recipe: &Recipe,
    trees: &[Tree],
    derivations: &[Derivation],
    observer: Observer<'_>,
) -> Result<()> {
    let (learning, seed) = (&recipe.recursive, recipe.training.seed);
    observer(&Progress::Candidates { sentences: trees.len() });
    let seen: &ConstituencyParser = parser;
    let lists: Vec<Option<RankedTrees>> = (trees, derivations)
        .into_par_iter()
        .enumerate()
        .map_init(Room::default, |room, (number, (tree, gold))| {
            let random = &mut Random::stream(seed, "mistakes", number as u64);
            seen.ranked(tree, gold, learning.candidates, random, room)
        })
        .collect();
    let lists: Vec<RankedTrees> = lists.into_iter().flatten().collect();
    let mut trainer = RecursiveTrainer::new(&parser.recursive, recursive_settings(recipe))?;
    for epoch in 0..learning.epochs as u64 {
        let mut order: Vec<&RankedTrees> = lists.iter().collect();
        Random::stream(seed, "order of candidates", epoch).shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks(learning.batch) {
            loss += trainer.step(&mut parser.recursive, batch)?;
        }
        observer(&Progress::Ranking { epoch: epoch as usize + 1, loss: loss / lists.len().max(1) as f64 });
    }
    Ok(())
}

/// How a recipe says that it learns.
fn recursive_settings(recipe: &Recipe) -> RecursiveSettings {
    let learning = &recipe.recursive;
    let optimizer = OptimizerSettings {
        method: Method::ADAGRAD,
        learning_rate: learning.learning_rate,
        weight_decay: learning.weight_decay,
        ..OptimizerSettings::default()
    };
    RecursiveSettings { optimizer, margin: learning.margin }
}

impl ConstituencyParser {
    /// The best trees of a sentence and what is wrong with each; `None` where there is nothing to choose.
    fn ranked(
        &self,
        tree: &Tree,
        gold: &Derivation,
        candidates: usize,
        random: &mut Random,
        room: &mut Room,
    ) -> Option<RankedTrees> {
        if tree.len() > LONGEST {
            return None;
        }
        let words: Vec<&str> = tree.words().collect();
        let right = brackets(gold, &self.grammar.symbols);
        let mut found = None;
        self.evidence(std::iter::once(words.as_slice()), Some(random), room, |room, _, said| {
            let best = self.best(said, candidates, room);
            let ranked = best.into_iter().map(|(derivation, base)| RankedTree {
                nodes: self.kinds.nodes(&derivation, words.len()),
                base,
                cost: differences(&right, &brackets(&derivation, &self.grammar.symbols)) as f32,
            });
            found = Some(RankedTrees { inputs: said.vectors.clone(), trees: ranked.collect() });
        });
        found.filter(|list| list.trees.iter().any(|tree| tree.cost != list.trees[0].cost))
    }
}

/// First word, past the last, category of all phrases, sorted; `ROOT`, which every tree has, makes no difference.
fn brackets<'a>(derivation: &Derivation, symbols: &'a Symbols) -> Vec<(u32, u32, &'a str)> {
    let spans = spans_of(derivation);
    let phrases =
        derivation.steps.iter().zip(spans).filter(|(step, _)| symbols.kind(step.symbol) == Kind::Phrase);
    let mut brackets: Vec<(u32, u32, &str)> =
        phrases.map(|(step, (start, end))| (start, end, symbols.category(step.symbol))).collect();
    brackets.sort_unstable();
    brackets
}

/// How many elements of two sorted lists are in one of them only.
fn differences<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut i, mut j, mut same) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, same) = (i + 1, j + 1, same + 1),
        }
    }
    a.len() + b.len() - 2 * same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_of_one_side_only_are_counted() {
        assert_eq!(differences(&[1, 2, 2, 5], &[2, 3, 5, 6]), 4);
        assert_eq!(differences::<i32>(&[], &[]), 0);
        assert_eq!(differences(&[1], &[]), 1);
    }
}
