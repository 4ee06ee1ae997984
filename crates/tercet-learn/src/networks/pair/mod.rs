//! A network over three vectors `a`, `b`, `c`, with skip connections past its hidden layer (Guzmán et al., 2017, sec.
//! 3).
//!
//! ```text
//! p = sig(wᵀ [h_ab, h_ac, h_bc, ψ_a, ψ_b] + bias),   h_xy = tanh(W_xy [x, y] + bias_xy)
//! ```
//!
//! # Choices
//! - [`Architecture::Single`] has no hidden layer: logistic regression on all inputs.
//! - [`Architecture::Groups`] is the paper's: three groups of H nodes, each over two of the vectors.
//! - [`Architecture::Full`] has 3H nodes over all three vectors, the paper's fully connected variant.
//! - `a`, `b` and `c` have the same number of dimensions; there may be no skip features.
//! - The output is a logit; see [`logits`](super::logits).
//!
//! # Speed
//! Per-operation overhead dominates at H = 4, so `kernel.rs` processes a whole batch in three loops. Weights are copied
//! into rows padded to full registers once per batch, and gradients are accumulated in registers over the batch.

mod kernel;
#[cfg(test)]
mod tests;

pub use kernel::PairWorkspace;

use super::data_digest::DataDigest;
use super::limits::{MAX_SIZE, check_parameters, check_size};
use super::{Case, Example, Network, check_examples};
use crate::error::{Error, Result};
use crate::initialisation::glorot_uniform;
use crate::matrix::Matrix;
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;

tercet_base::choices! {
    /// The hidden layer of a pair network.
    pub enum Architecture: "architecture" = Groups {
        /// No hidden layer: logistic regression.
        Single = "single",
        /// Three groups of hidden nodes, over [a, b], [a, c] and [b, c].
        Groups = "groups",
        /// The same number of hidden nodes, each over all of a, b and c.
        Full = "full",
    }
}

/// Sizes of a [`PairNetwork`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairShape {
    /// The hidden layer of a pair network.
    pub architecture: Architecture,
    /// Dimensions of each of a, b and c; may be 0.
    pub vector: usize,
    /// Skip features of each of a and b; may be 0.
    pub skip: usize,
    /// H, nodes per group (the paper's default is 4); not used by [`Architecture::Single`].
    pub hidden: usize,
}

impl PairShape {
    /// Returns an error if there are no inputs or no nodes, or if a size is too large.
    pub fn check(&self) -> Result<()> {
        for (name, size) in [("vector", self.vector), ("skip", self.skip), ("hidden", self.hidden)] {
            check_size(name, size, MAX_SIZE)?;
        }
        let has_inputs = self.vector + self.skip > 0;
        Error::check_setting(has_inputs, "inputs", 0, "at least one dimension or one skip feature")?;
        let has_nodes = self.hidden > 0 || self.architecture == Architecture::Single;
        Error::check_setting(has_nodes, "hidden", 0, "at least 1 node per group")?;
        check_parameters(self.parameters())
    }

    /// Number of learned values; sizes must be within their limits.
    pub(super) fn parameters(&self) -> u64 {
        let [vector, skip, nodes] = [self.vector, self.skip, self.nodes()].map(|size| size as u64);
        let (hidden, direct) = match self.architecture {
            Architecture::Single => (0, 3 * vector),
            Architecture::Groups => (nodes * (2 * vector + 1), 0),
            Architecture::Full => (nodes * (3 * vector + 1), 0),
        };
        hidden + direct + nodes + 2 * skip + 1
    }

    /// Total number of hidden nodes.
    pub fn nodes(&self) -> usize {
        if self.architecture == Architecture::Single { 0 } else { 3 * self.hidden }
    }
}

/// Data of a [`PairNetwork`]: vectors, skip features, and examples with row numbers of them.
#[derive(Clone, Debug, Default)]
pub struct PairExamples {
    /// One row per item; a, b and c are rows of it.
    pub vectors: Matrix,
    /// One row of skip features per (item, c).
    pub skips: Matrix,
    /// The examples.
    pub examples: Vec<Example>,
}

/// A pair network over precomputed vectors.
#[derive(Clone, Debug)]
pub struct PairNetwork {
    parameters: Parameters,
    core: PairCore,
}

impl PairNetwork {
    /// A network with random weights.
    pub fn new(shape: PairShape, seed: u64) -> Result<Self> {
        shape.check()?;
        let mut parameters = Parameters::default();
        let core = PairCore::new(shape, &mut parameters, &mut Random::stream(seed, "weights", 0));
        Ok(PairNetwork { parameters, core })
    }

    /// The sizes of the network.
    pub fn shape(&self) -> PairShape {
        self.core.shape
    }
}

/// The part that both pair networks share; the parameters are stored by the network.
#[derive(Clone, Debug)]
pub(crate) struct PairCore {
    pub shape: PairShape,
    blocks: Vec<Block>,
    output: TensorId,
    output_bias: TensorId,
}

/// Hidden nodes over some of the vectors.
#[derive(Clone, Debug)]
struct Block {
    /// 0, 1, 2 for a, b, c.
    inputs: &'static [usize],
    nodes: usize,
    weight: TensorId,
    bias: Option<TensorId>,
}

impl PairCore {
    pub fn new(shape: PairShape, parameters: &mut Parameters, random: &mut Random) -> Self {
        let mut blocks = Vec::new();
        let groups: &[(&str, &[usize], usize)] = match shape.architecture {
            Architecture::Single => &[],
            Architecture::Groups => &[("ab", &[0, 1], 1), ("ac", &[0, 2], 1), ("bc", &[1, 2], 1)],
            Architecture::Full => &[("abc", &[0, 1, 2], 3)],
        };
        for (name, inputs, times) in groups {
            let (nodes, width) = (times * shape.hidden, inputs.len() * shape.vector);
            let weights = glorot_uniform(nodes * width, width, nodes, random);
            let weight = parameters.add(&format!("hidden.{name}.weight"), Role::Weight, [nodes, width], weights);
            let bias = parameters.add(&format!("hidden.{name}.bias"), Role::Bias, [1, nodes], vec![0.0; nodes]);
            blocks.push(Block { inputs, nodes, weight, bias: Some(bias) });
        }
        let direct = if shape.architecture == Architecture::Single { 3 * shape.vector } else { 0 };
        let width = direct + shape.nodes() + 2 * shape.skip;
        let weights = glorot_uniform(width, width, 1, random);
        let output = parameters.add("output.weight", Role::Weight, [1, width], weights);
        let output_bias = parameters.add("output.bias", Role::Bias, [1, 1], vec![0.0]);
        if direct > 0 {
            blocks.push(Block { inputs: &[0, 1, 2], nodes: 1, weight: output, bias: None });
        }
        PairCore { shape, blocks, output, output_bias }
    }

    /// Whether there is no hidden layer.
    fn is_direct(&self) -> bool {
        self.shape.architecture == Architecture::Single
    }
}

impl Network for PairNetwork {
    type Examples = PairExamples;
    type Workspace = PairWorkspace;

    crate::training::parameters_in!(parameters);

    fn comparisons(examples: &PairExamples) -> &[Example] {
        &examples.examples
    }

    fn check(&self, examples: &PairExamples) -> Result<()> {
        let shape = self.core.shape;
        check_table("vectors", &examples.vectors, shape.vector)?;
        check_table("skip features", &examples.skips, shape.skip)?;
        let rows = |table: &Matrix, used: usize| if used > 0 { table.rows() } else { usize::MAX };
        let items = rows(&examples.vectors, shape.vector);
        check_examples(&examples.examples, items, Some(rows(&examples.skips, shape.skip)))
    }

    fn description(&self) -> String {
        let PairShape { architecture, vector, skip, hidden } = self.core.shape;
        let architecture = architecture.name();
        format!("ready vectors of {vector}, {skip} skip features, architecture {architecture}, hidden {hidden}")
    }

    fn data_hash(&self, examples: &PairExamples) -> String {
        let shape = self.core.shape;
        DataDigest::default()
            .table(&examples.vectors, shape.vector)
            .table(&examples.skips, shape.skip)
            .examples(&examples.examples, shape.skip > 0)
            .finish()
    }

    fn forward(
        &self,
        examples: &PairExamples,
        cases: &[Case],
        _dropout: Option<&mut Random>,
        workspace: &mut PairWorkspace,
        logits: &mut Vec<f32>,
    ) {
        workspace.begin(&self.core, cases.len());
        for (row, case) in cases.iter().enumerate() {
            let e = case.ordered(&examples.examples);
            if self.core.shape.vector > 0 {
                for (slot, item) in [e.a, e.b, e.c].into_iter().enumerate() {
                    workspace.input(slot, row).copy_from_slice(examples.vectors.row(item as usize));
                }
            }
            if self.core.shape.skip > 0 {
                let (a, b) = (examples.skips.row(e.skip_a as usize), examples.skips.row(e.skip_b as usize));
                workspace.skips(row, a, b);
            }
        }
        self.core.forward(&self.parameters, workspace, logits);
    }

    fn backward(
        &self,
        _examples: &PairExamples,
        _cases: &[Case],
        logit_gradients: &[f32],
        workspace: &mut PairWorkspace,
        gradients: &mut Gradients,
    ) {
        self.core.backward(&self.parameters, workspace, logit_gradients, gradients, false);
    }
}

/// Returns an error if a table has the wrong width or a value is NaN or infinite. Unused tables are not checked.
pub(crate) fn check_table(what: &str, table: &Matrix, width: usize) -> Result<()> {
    if width == 0 {
        return Ok(());
    }
    if table.columns() != width {
        return Err(Error::shape(what, format!("{width} columns"), table.columns()));
    }
    Ok(table.check_finite(what)?)
}
