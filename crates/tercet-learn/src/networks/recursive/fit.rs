//! Training on lists of trees, with a margin loss.

use super::RecursiveNetwork;
use crate::error::{Error, Result};
use crate::layers::{CompositionNode, CompositionWorkspace};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use crate::training::shards::Shards;
use crate::training::{BatchLoss, Identity, Objective};

/// Number of shards of a batch, independent of the number of threads.
const SHARDS: usize = 8;

/// One candidate tree.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedTree {
    /// The nodes, children before parents.
    pub nodes: Vec<CompositionNode>,
    /// Score of the tree without the network.
    pub base: f32,
    /// Number of errors of the tree.
    pub cost: f32,
}

/// Trees over the same leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedTrees {
    /// The input vectors of the leaves.
    pub inputs: Vec<f32>,
    /// The candidate trees.
    pub trees: Vec<RankedTree>,
}

/// Settings for training a recursive network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankingSettings {
    /// κ: margin per error.
    pub margin: f32,
    /// Lists per batch.
    pub batch_size: usize,
    /// Seed of shuffling.
    pub seed: u64,
}

/// A recursive network and its training data, shuffled in each epoch, as an [`Objective`].
#[derive(Debug)]
pub struct RankingObjective<'a> {
    network: &'a mut RecursiveNetwork,
    lists: &'a [RankedTrees],
    settings: RankingSettings,
    identity: Identity,
    frozen: Option<&'a Parameters>,
    /// The order of the lists in the epoch.
    order: Vec<&'a RankedTrees>,
    shards: Shards<Vec<CompositionWorkspace>, f64>,
}

impl<'a> RankingObjective<'a> {
    /// `frozen` are the [parameters](Objective::frozen) of the network that produced the trees.
    pub fn new(
        network: &'a mut RecursiveNetwork,
        lists: &'a [RankedTrees],
        settings: RankingSettings,
        identity: Identity,
        frozen: Option<&'a Parameters>,
    ) -> Result<Self> {
        if !(settings.margin >= 0.0 && settings.margin.is_finite()) {
            return Err(Error::setting("margin", settings.margin, "a number of at least 0"));
        }
        let shards = Shards::new(SHARDS, network.parameters());
        Ok(RankingObjective { network, lists, settings, identity, frozen, order: Vec::new(), shards })
    }
}

impl Objective for RankingObjective<'_> {
    fn parameters(&self) -> &Parameters {
        &self.network.parameters
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.network.parameters
    }

    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn frozen(&self) -> Option<&Parameters> {
        self.frozen
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        self.order = self.lists.iter().collect();
        Random::stream(self.settings.seed, "order of candidates", round as u64 - 1).shuffle(&mut self.order);
        Ok(self.order.len().div_ceil(self.settings.batch_size))
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let RankingSettings { margin, batch_size, .. } = self.settings;
        let start = batch * batch_size;
        let lists = &self.order[start..self.order.len().min(start + batch_size)];
        let network = &*self.network;
        let sum = self.shards.run(gradients, |number, spaces, gradients| {
            let share = lists.len() * number / SHARDS..lists.len() * (number + 1) / SHARDS;
            lists[share].iter().map(|list| network.loss(list, margin, spaces, gradients)).sum()
        });
        gradients.scale(1.0 / lists.len() as f32);
        Ok(BatchLoss { sum, items: lists.len() })
    }
}

impl RecursiveNetwork {
    /// The loss of one list; adds its gradients.
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
            self.composition.backward(&self.parameters, nodes, multiple, &mut spaces[at], gradients, &mut deltas);
        }
        self.leaf.backward(&self.parameters, &list.inputs, &leaves, &mut deltas, gradients);
        f64::from(loss)
    }
}

/// y⁺ and the tree with the maximum of the loss; the first of equal ones.
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
