//! Trains the recursive network to choose the correct tree from the best trees of a sentence.
//!
//! On its training sentences, the network of spans makes hardly any mistakes to learn from. So they are parsed with
//! dropout, as in its training: then it makes mistakes like those on new sentences. (The usual solution is to train it
//! several times on parts of the treebank, at several times the cost.)
//!
//! The cost of a tree is the number of its brackets that gold does not have, plus the number of gold brackets it lacks;
//! the paper counts the former only, which favours flat trees.

use crate::error::Result;
use crate::parse::Tree;
use crate::parse::constituency::derivation::Derivation;
use crate::parse::constituency::grammar::{SymbolKind, Symbols, spans_of};
use crate::parse::constituency::parser::{ConstituencyParser, MAX_PIECE_WORDS, Workspace};
use crate::parse::constituency::training::recipe::ConstituencyRecipe;
use rayon::prelude::*;
use tercet_base::progress::{Progress, Stopped};
use tercet_learn::networks::{ListNetwork, RankedTree, RankedTrees, RankingObjective, RankingSettings};
use tercet_learn::optimizer::{Method, OptimizerSettings};
use tercet_learn::training::{Checkpoints, Identity, Run, StepSettings, Stopping, train};
use tercet_math::random::Random;

/// The name of this phase in checkpoints.
pub(super) const PHASE: &str = "recursive";

/// Trains the parser's recursive network.
pub(super) fn train_recursive(
    parser: &mut ConstituencyParser,
    recipe: &ConstituencyRecipe,
    trees: &[Tree],
    derivations: &[Derivation],
    identity: Identity,
    checkpoints: &mut Checkpoints,
    progress: Progress<'_>,
) -> Result<()> {
    let learning = &recipe.recursive;
    let lists = candidates(parser, recipe, trees, derivations, progress)?;
    let settings = RankingSettings { margin: learning.margin, batch_size: learning.batch, seed: recipe.training.seed };
    let frozen = Some(parser.network.parameters());
    let mut objective = RankingObjective::new(&mut parser.recursive, &lists, settings, identity, frozen)?;
    let optimizer = OptimizerSettings {
        method: Method::ADAGRAD,
        learning_rate: learning.learning_rate,
        weight_decay: learning.weight_decay,
        ..OptimizerSettings::default()
    };
    let run = Run {
        phase: PHASE,
        name: "training the recursive network",
        rounds: "epochs",
        items: "sentences",
        steps: StepSettings::plain(optimizer),
        stopping: Stopping::after(learning.epochs),
        checkpoints,
        progress,
    };
    train(&mut objective, run, None)?;
    Ok(())
}

/// The best trees of all sentences that have more than one.
fn candidates(
    parser: &ConstituencyParser,
    recipe: &ConstituencyRecipe,
    trees: &[Tree],
    derivations: &[Derivation],
    progress: Progress<'_>,
) -> Result<Vec<RankedTrees>, Stopped> {
    progress.stage("parsing for the recursive network", trees.len(), "sentences")?;
    let lists: Result<Vec<Option<RankedTrees>>, Stopped> = (trees, derivations)
        .into_par_iter()
        .enumerate()
        .map_init(Workspace::default, |workspace, (number, (tree, gold))| {
            let random = &mut Random::stream(recipe.training.seed, "mistakes", number as u64);
            let list = parser.ranked(tree, gold, recipe.recursive.candidates, random, workspace);
            progress.advance(1).map(|()| list)
        })
        .collect();
    Ok(lists?.into_iter().flatten().collect())
}

impl ConstituencyParser {
    /// The best trees of a sentence and their costs; `None` if there is no choice.
    fn ranked(
        &self,
        tree: &Tree,
        gold: &Derivation,
        candidates: usize,
        random: &mut Random,
        workspace: &mut Workspace,
    ) -> Option<RankedTrees> {
        if tree.len() > MAX_PIECE_WORDS {
            return None;
        }
        let words: Vec<&str> = tree.words().collect();
        let right = brackets(gold, &self.grammar.symbols);
        let mut found = None;
        self.evidence(std::iter::once(words.as_slice()), Some(random), workspace, |workspace, _, spans| {
            let best = self.best(spans, candidates, workspace);
            let ranked = best.into_iter().map(|(derivation, base)| RankedTree {
                nodes: self.kinds.nodes(&derivation, words.len()),
                base,
                cost: differences(&right, &brackets(&derivation, &self.grammar.symbols)) as f32,
            });
            found = Some(RankedTrees { inputs: spans.vectors.clone(), trees: ranked.collect() });
        });
        found.filter(|list| list.trees.iter().any(|tree| tree.cost != list.trees[0].cost))
    }
}

/// First word, word after the last and category of all phrases, sorted; `ROOT` may be among them, since every tree has
/// it.
fn brackets<'a>(derivation: &Derivation, symbols: &'a Symbols) -> Vec<(u32, u32, &'a str)> {
    let spans = spans_of(derivation);
    let phrases =
        derivation.steps.iter().zip(spans).filter(|(step, _)| symbols.kind(step.symbol) == SymbolKind::Phrase);
    let mut brackets: Vec<(u32, u32, &str)> =
        phrases.map(|(step, (start, end))| (start, end, symbols.category(step.symbol))).collect();
    brackets.sort_unstable();
    brackets
}

/// How many elements are in only one of two sorted lists.
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
