//! Learning from lists of trees, by margin.

use super::RecursiveNetwork;
use crate::error::{Error, Result};
use crate::layers::{CompositionNode, CompositionWorkspace};
use crate::optimizer::{Optimizer, OptimizerSettings};
use crate::parameters::Gradients;
use crate::training::shards::Shards;

/// Parts that a batch is cut into, whatever the number of threads.
const SHARDS: usize = 8;

/// One tree.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedTree {
    /// Its nodes.
    pub nodes: Vec<CompositionNode>,
    /// What is known of it without the network.
    pub base: f32,
    /// How much is wrong with it.
    pub cost: f32,
}

/// Trees over the same leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedTrees {
    /// The given vectors of the leaves.
    pub inputs: Vec<f32>,
    /// The trees.
    pub trees: Vec<RankedTree>,
}

/// How a network learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecursiveSettings {
    /// The optimizer.
    pub optimizer: OptimizerSettings,
    /// κ.
    pub margin: f32,
}

impl RecursiveSettings {
    /// Refuses numbers that cannot be meant.
    pub fn check(&self) -> Result<()> {
        self.optimizer.check()?;
        if !(self.margin >= 0.0 && self.margin.is_finite()) {
            return Err(Error::setting("margin", self.margin, "a number of at least 0"));
        }
        Ok(())
    }
}

/// A network's optimizer, and the room that shards work in.
#[derive(Debug)]
pub struct RecursiveTrainer {
    settings: RecursiveSettings,
    optimizer: Optimizer,
    shards: Shards<Vec<CompositionWorkspace>, f64>,
}

impl RecursiveTrainer {
    /// A fresh one.
    pub fn new(network: &RecursiveNetwork, settings: RecursiveSettings) -> Result<Self> {
        settings.check()?;
        let optimizer = Optimizer::new(settings.optimizer, network.parameters())?;
        Ok(RecursiveTrainer { settings, optimizer, shards: Shards::new(SHARDS, network.parameters()) })
    }

    /// Learns from some lists; returns the sum of their losses before the step.
    pub fn step(&mut self, network: &mut RecursiveNetwork, lists: &[&RankedTrees]) -> Result<f64> {
        let (seen, margin) = (&*network, self.settings.margin);
        let (loss, gradients) = self.shards.run(|number, spaces, gradients| {
            let share = lists.len() * number / SHARDS..lists.len() * (number + 1) / SHARDS;
            lists[share].iter().map(|list| seen.loss(list, margin, spaces, gradients)).sum()
        });
        if !loss.is_finite() {
            let rate = self.settings.optimizer.learning_rate;
            return Err(Error::setting("learning_rate", rate, "a lower one: the loss is not finite"));
        }
        gradients.scale(1.0 / lists.len().max(1) as f32);
        self.optimizer.step(&mut network.parameters, gradients);
        Ok(loss)
    }
}

impl RecursiveNetwork {
    /// The loss of one list, and its gradients, added.
    pub(super) fn loss(
        &self,
        list: &RankedTrees,
        margin: f32,
        spaces: &mut Vec<CompositionWorkspace>,
        gradients: &mut Gradients,
    ) -> f64 {
        let leaves = self.leaves(&list.inputs);
        spaces.resize_with(spaces.len().max(list.trees.len()), CompositionWorkspace::default);
        let score = |(tree, space): (&RankedTree, &mut CompositionWorkspace)| {
            tree.base + self.score(&leaves, &tree.nodes, space)
        };
        let totals: Vec<f32> = list.trees.iter().zip(spaces.iter_mut()).map(score).collect();
        let Some((best, worst)) = rivals(&list.trees, &totals, margin) else { return 0.0 };
        let value = |at: usize| totals[at] + margin * list.trees[at].cost;
        let loss = value(worst) - value(best);
        if loss <= 0.0 || best == worst {
            return 0.0;
        }
        let mut deltas = vec![0.0; leaves.len()];
        for (at, multiple) in [(worst, 1.0), (best, -1.0)] {
            let nodes = &list.trees[at].nodes;
            self.composition.backward(
                &self.parameters,
                nodes,
                multiple,
                &mut spaces[at],
                gradients,
                &mut deltas,
            );
        }
        self.leaf.backward(&self.parameters, &list.inputs, &leaves, &mut deltas, gradients);
        f64::from(loss)
    }
}

/// y⁺ and the tree that comes nearest to it or beats it by most; the first of equals.
fn rivals(trees: &[RankedTree], totals: &[f32], margin: f32) -> Option<(usize, usize)> {
    let places = || 0..trees.len();
    let lowest = trees.iter().map(|tree| tree.cost).fold(f32::INFINITY, f32::min);
    let best = places()
        .filter(|at| trees[*at].cost == lowest)
        .max_by(|a, b| totals[*a].total_cmp(&totals[*b]).then(b.cmp(a)))?;
    let value = |at: &usize| totals[*at] + margin * trees[*at].cost;
    let worst = places().max_by(|a, b| value(a).total_cmp(&value(b)).then(b.cmp(a)))?;
    Some((best, worst))
}
