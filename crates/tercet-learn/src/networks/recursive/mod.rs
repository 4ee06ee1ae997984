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

mod fit;
#[cfg(test)]
mod tests;

pub use fit::{RankedTree, RankedTrees, RankingObjective, RankingSettings};

use crate::activation::Activation;
use crate::error::Result;
use crate::layers::{Composition, CompositionNode, CompositionWorkspace, Dense};
use crate::model_file::{ModelFile, SMALL};
use crate::networks::limits::{MAX_SIZE, check_parameters, check_positive};
use crate::networks::stored::{check_sizes, store_sizes};
use crate::parameters::Parameters;
use crate::random::Random;

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
        store_sizes(prefix, self.shape.sizes(), file);
        file.add_quantised_parameters(prefix, &self.parameters, SMALL);
    }

    /// Reads a network from a file; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let size = |name: &str| file.number(&format!("{prefix}{name}"));
        let shape = RecursiveShape { inputs: size("inputs")?, width: size("width")?, kinds: size("kinds")? };
        check_sizes(file, shape.check(), || shape.parameters())?;
        let mut network = RecursiveNetwork::new(shape, 0)?;
        file.restore_parameters(prefix, &mut network.parameters)?;
        Ok(network)
    }
}
