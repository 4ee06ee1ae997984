//! A recursive network that scores trees, and learns which of several trees over the same leaves is best.
//!
//! ```text
//! leaf_i = tanh(A x_i + a)                        x: input vectors of the items
//! score  = Σ over nodes of v_k · p                `layers/composition.rs`
//! total  = base + score                           base: score of the tree without the network
//! ```
//!
//! The loss is a margin loss (Socher, Bauer, Manning & Ng 2013, P13-1045, sec. 3.3): the total of the best tree y⁺
//! should exceed that of every other tree by κ for each of its errors,
//!
//! ```text
//! L = max over y of (total(y) + κ cost(y)) − total(y⁺) − κ cost(y⁺)
//! ```
//!
//! where y⁺ is the tree of the lowest cost; among several such, the one of the highest total.

use crate::activation::Activation;
use crate::error::{Error, Result};
use crate::layers::{Composition, CompositionNode, CompositionWorkspace, Dense};
use crate::model_file::{ModelFile, SMALL};
use crate::networks::limits::{MAX_SIZE, check_parameters, check_positive};
use crate::networks::stored::{StoredShape, restored, stored_shape};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use crate::training::{BatchLoss, Identity, Objective, Shards};

/// Sizes of a [`RecursiveNetwork`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecursiveShape {
    /// Dimensions of an input vector.
    pub inputs: usize,
    /// Dimensions of a node's vector.
    pub width: usize,
    /// Number of kinds of nodes.
    pub kinds: usize,
}

/// A network that scores trees.
#[derive(Clone, Debug)]
pub struct RecursiveNetwork {
    shape: RecursiveShape,
    parameters: Parameters,
    leaf: Dense,
    composition: Composition,
}

stored_shape!(RecursiveShape { inputs, width, kinds });

impl RecursiveShape {
    fn sizes(&self) -> [(&'static str, usize); 3] {
        [("inputs", self.inputs), ("width", self.width), ("kinds", self.kinds)]
    }

    fn parameters(&self) -> u64 {
        let [inputs, width, kinds] = self.sizes().map(|(_, size)| size as u64);
        (inputs + 1) * width + kinds * width * 2 * (width + 1)
    }

    fn check(&self) -> Result<()> {
        self.sizes().into_iter().try_for_each(|(name, size)| check_positive(name, size, MAX_SIZE))?;
        check_parameters(self.parameters())
    }
}

impl RecursiveNetwork {
    /// A network whose nodes are at first the means of their parts, plus noise.
    pub fn new(shape: RecursiveShape, seed: u64) -> Result<Self> {
        shape.check()?;
        let random = &mut Random::stream(seed, "recursive weights", 0);
        let mut parameters = Parameters::default();
        let sizes = [shape.inputs, shape.width];
        let leaf = Dense::new(&mut parameters, "leaf", sizes, Activation::Tanh, random);
        let composition = Composition::new(&mut parameters, "node", [shape.width, shape.kinds], random);
        Ok(RecursiveNetwork { shape, parameters, leaf, composition })
    }

    /// The sizes of the network.
    pub fn shape(&self) -> RecursiveShape {
        self.shape
    }

    /// The learned parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The vectors of the leaves (items × width) from their input vectors.
    pub fn leaves(&self, x: &[f32]) -> Vec<f32> {
        let mut leaves = Vec::new();
        self.leaf.forward(&self.parameters, x, &mut leaves);
        leaves
    }

    /// The score of a tree over these leaves; leaves the vectors of its nodes in `space`, the root last.
    pub fn score(&self, leaves: &[f32], nodes: &[CompositionNode], space: &mut CompositionWorkspace) -> f32 {
        self.composition.forward(&self.parameters, leaves, nodes, space)
    }

    /// Writes the network into a file, tables and matrices as 8-bit integers; `prefix` is put before its keys and
    /// tensors.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        self.shape.store(prefix, file);
        file.add_quantised_parameters(prefix, &self.parameters, SMALL);
    }

    /// Reads a network from a file; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let shape = RecursiveShape::stored(prefix, file)?;
        let make = || RecursiveNetwork::new(shape, 0);
        restored((prefix, file), shape.check(), || shape.parameters(), make, |network| &mut network.parameters)
    }
}

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
        Error::check_at_least_zero("margin", settings.margin)?;
        let shards = Shards::new(SHARDS, network.parameters());
        Ok(RankingObjective { network, lists, settings, identity, frozen, order: Vec::new(), shards })
    }
}

impl Objective for RankingObjective<'_> {
    crate::training::parameters_in!(network.parameters);

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
    fn loss(
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

#[cfg(test)]
mod tests;
