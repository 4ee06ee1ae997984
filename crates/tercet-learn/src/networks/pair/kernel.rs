//! Forward and backward pass of a batch, in loops that the compiler vectorises.
//!
//! Inputs are rows [a | b | c], each part padded with zeros to a multiple of eight numbers; the weights of a block are
//! copied into rows of the same layout, and its nodes padded to a multiple of four, so that no loop has a remainder.
//! Sums run in a fixed order: eight partial sums per dot product, added pairwise; examples in the order of the batch.

use super::{Block, PairCore, PairShape};
use crate::activation::tanh_in_place;
use crate::layers::set_zeros;
use crate::parameters::{Gradients, Parameters};

/// Numbers that are processed together.
const LANES: usize = 8;
/// Nodes that are processed together.
const NODES: usize = 4;

type Lanes = [f32; LANES];

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct PairWorkspace {
    shape: Option<PairShape>,
    batch: usize,
    vector: usize,
    /// `vector`, padded.
    part: usize,
    skip: usize,
    /// batch × 3 parts.
    inputs: Vec<f32>,
    /// batch × 2 skip.
    skips: Vec<f32>,
    blocks: Vec<BlockWorkspace>,
    /// batch × 3 parts: gradients of the inputs.
    input_gradients: Vec<f32>,
}

#[derive(Clone, Debug, Default)]
struct BlockWorkspace {
    /// Padded nodes × (inputs · part).
    weights: Vec<f32>,
    /// batch × padded nodes: activations, and in the backward pass gradients before the activation.
    nodes: Vec<f32>,
    deltas: Vec<f32>,
    /// batch × four deltas.
    four: Vec<[f32; NODES]>,
}

impl PairWorkspace {
    /// Allocates memory for a batch.
    pub(crate) fn begin(&mut self, core: &PairCore, batch: usize) {
        let shape = core.shape;
        let part = shape.vector.next_multiple_of(LANES);
        if self.shape != Some(shape) {
            *self = PairWorkspace { shape: Some(shape), ..PairWorkspace::default() }; // padding is zero again
        }
        (self.batch, self.vector, self.part, self.skip) = (batch, shape.vector, part, shape.skip);
        self.inputs.resize(batch * 3 * part, 0.0);
        self.skips.resize(batch * 2 * shape.skip, 0.0);
        self.blocks.resize_with(core.blocks.len(), BlockWorkspace::default);
    }

    /// The vector of a slot (0, 1, 2 for a, b, c), to be filled.
    #[inline]
    pub(crate) fn input(&mut self, slot: usize, row: usize) -> &mut [f32] {
        let start = (row * 3 + slot) * self.part;
        &mut self.inputs[start..start + self.vector]
    }

    /// Sets the skip features of a row.
    #[inline]
    pub(crate) fn skips(&mut self, row: usize, a: &[f32], b: &[f32]) {
        let (left, right) = self.skips[row * 2 * self.skip..(row + 1) * 2 * self.skip].split_at_mut(self.skip);
        left.copy_from_slice(a);
        right.copy_from_slice(b);
    }

    /// The gradient of the vector of a slot, after a backward pass that computed it.
    pub(crate) fn input_gradient(&self, slot: usize, row: usize) -> &[f32] {
        let start = (row * 3 + slot) * self.part;
        &self.input_gradients[start..start + self.vector]
    }
}

impl PairCore {
    /// The logits of the batch in the workspace.
    pub fn forward(&self, parameters: &Parameters, workspace: &mut PairWorkspace, logits: &mut Vec<f32>) {
        let output = parameters.values(self.output);
        logits.clear();
        logits.resize(workspace.batch, parameters.values(self.output_bias)[0]);
        let mut at = 0;
        let (part, inputs) = (workspace.part, &workspace.inputs);
        for (block, space) in self.blocks.iter().zip(&mut workspace.blocks) {
            let padded = block.nodes.next_multiple_of(NODES);
            pack(parameters, block, self.shape.vector, part, &mut space.weights);
            block_sums(parameters, block, part, inputs, workspace.batch, space);
            if self.is_direct() {
                logits.iter_mut().zip(space.nodes.chunks_exact(padded)).for_each(|(logit, z)| *logit += z[0]);
                at += 3 * self.shape.vector;
            } else {
                tanh_in_place(&mut space.nodes);
                let weights = &output[at..at + block.nodes];
                for (logit, nodes) in logits.iter_mut().zip(space.nodes.chunks_exact(padded)) {
                    *logit += weights.iter().zip(nodes).map(|(w, h)| w * h).sum::<f32>();
                }
                at += block.nodes;
            }
        }
        if workspace.skip > 0 {
            for (logit, skips) in logits.iter_mut().zip(workspace.skips.chunks_exact(2 * workspace.skip)) {
                *logit += output[at..].iter().zip(skips).map(|(w, psi)| w * psi).sum::<f32>();
            }
        }
    }

    /// Adds the gradients of the last forward pass; those of the inputs are left in the workspace.
    pub fn backward(
        &self,
        parameters: &Parameters,
        workspace: &mut PairWorkspace,
        logit_gradients: &[f32],
        gradients: &mut Gradients,
        with_inputs: bool,
    ) {
        gradients.dense(self.output_bias)[0] += logit_gradients.iter().sum::<f32>();
        if with_inputs {
            set_zeros(&mut workspace.input_gradients, workspace.inputs.len());
        }
        let mut at = 0;
        let part = workspace.part;
        for (block, space) in self.blocks.iter().zip(&mut workspace.blocks) {
            if self.is_direct() {
                direct_deltas(logit_gradients, block, space);
                at += 3 * self.shape.vector;
            } else {
                self.hidden_deltas(parameters, logit_gradients, block, space, at, gradients);
                at += block.nodes;
            }
            self.weight_gradients(block, space, part, &workspace.inputs, gradients);
            if with_inputs {
                input_gradients(block, space, part, &mut workspace.input_gradients);
            }
        }
        let skips = &mut gradients.dense(self.output)[at..];
        if workspace.skip > 0 {
            for (g, psi) in logit_gradients.iter().zip(workspace.skips.chunks_exact(2 * workspace.skip)) {
                skips.iter_mut().zip(psi).for_each(|(sum, psi)| *sum += g * psi);
            }
        }
    }

    /// δ = g · v · (1 − h²) of every node, and the gradients of v and of the biases.
    fn hidden_deltas(
        &self,
        parameters: &Parameters,
        logit_gradients: &[f32],
        block: &Block,
        space: &mut BlockWorkspace,
        at: usize,
        gradients: &mut Gradients,
    ) {
        let padded = block.nodes.next_multiple_of(NODES);
        let output = &parameters.values(self.output)[at..at + block.nodes];
        set_zeros(&mut space.deltas, space.nodes.len());
        let sums = &mut gradients.dense(self.output)[at..at + block.nodes];
        let rows = space.nodes.chunks_exact(padded).zip(space.deltas.chunks_exact_mut(padded));
        for ((nodes, deltas), &g) in rows.zip(logit_gradients) {
            for (((sum, &v), &h), delta) in sums.iter_mut().zip(output).zip(nodes).zip(deltas) {
                *sum += g * h;
                *delta = g * v * (1.0 - h * h);
            }
        }
        if let Some(bias) = block.bias {
            let sums = gradients.dense(bias);
            for deltas in space.deltas.chunks_exact(padded) {
                sums.iter_mut().zip(deltas).for_each(|(sum, delta)| *sum += delta);
            }
        }
    }

    /// Adds Σ δ xᵀ over the batch.
    fn weight_gradients(
        &self,
        block: &Block,
        space: &mut BlockWorkspace,
        part: usize,
        inputs: &[f32],
        gradients: &mut Gradients,
    ) {
        let (vector, padded) = (self.shape.vector, block.nodes.next_multiple_of(NODES));
        let width = block.inputs.len() * vector;
        let sums = gradients.dense(block.weight);
        let inputs = inputs.as_chunks::<LANES>().0;
        for first in (0..block.nodes).step_by(NODES) {
            space.four.clear();
            space.four.extend(space.deltas.as_chunks::<NODES>().0.iter().skip(first / NODES).step_by(padded / NODES));
            for (place, slot) in block.inputs.iter().enumerate() {
                for chunk in (0..vector).step_by(LANES) {
                    let products = outer(&space.four, &inputs[(slot * part + chunk) / LANES..], 3 * part / LANES);
                    let lanes = LANES.min(vector - chunk);
                    for (node, product) in products.iter().enumerate().take(block.nodes - first) {
                        let start = (first + node) * width + place * vector + chunk;
                        let row = &mut sums[start..start + lanes];
                        row.iter_mut().zip(product).for_each(|(sum, product)| *sum += product);
                    }
                }
            }
        }
    }
}

/// Copies the weights of a block into padded rows.
fn pack(parameters: &Parameters, block: &Block, vector: usize, part: usize, packed: &mut Vec<f32>) {
    let width = block.inputs.len() * vector;
    let values = parameters.values(block.weight);
    packed.resize(block.nodes.next_multiple_of(NODES) * block.inputs.len() * part, 0.0);
    if vector == 0 {
        return;
    }
    for (row, weights) in
        packed.chunks_exact_mut(block.inputs.len() * part).zip(values.chunks_exact(width)).take(block.nodes)
    {
        for (to, from) in row.chunks_exact_mut(part).zip(weights.chunks_exact(vector)) {
            to[..vector].copy_from_slice(from);
        }
    }
}

/// z = W x + bias of every node and example.
fn block_sums(
    parameters: &Parameters,
    block: &Block,
    part: usize,
    inputs: &[f32],
    batch: usize,
    space: &mut BlockWorkspace,
) {
    let padded = block.nodes.next_multiple_of(NODES);
    set_zeros(&mut space.nodes, batch * padded);
    if let Some(bias) = block.bias {
        for nodes in space.nodes.chunks_exact_mut(padded) {
            nodes[..block.nodes].copy_from_slice(parameters.values(bias));
        }
    }
    if part == 0 {
        return;
    }
    let width = block.inputs.len() * part;
    for (rows, first) in space.weights.chunks_exact(NODES * width).zip((0..padded).step_by(NODES)) {
        for (x, nodes) in inputs.chunks_exact(3 * part).zip(space.nodes.chunks_exact_mut(padded)) {
            let sums = dot_four(x, part, block.inputs, rows);
            let nodes = &mut nodes[first..first + NODES];
            nodes.iter_mut().zip(&sums).for_each(|(node, sums)| *node += total(sums));
        }
    }
}

/// The products of an example with four rows of weights, summed lane by lane.
///
/// Never inlined: beside the sum of the lanes, the compiler would vectorise over rows, with a shuffle per number.
#[inline(never)]
fn dot_four(x: &[f32], part: usize, inputs: &[usize], rows: &[f32]) -> [Lanes; NODES] {
    let width = inputs.len() * part;
    let mut sums = [[0.0; LANES]; NODES];
    for (place, slot) in inputs.iter().enumerate() {
        let row = |node: usize| rows[node * width + place * part..][..part].as_chunks::<LANES>().0;
        let x = x[slot * part..][..part].as_chunks::<LANES>().0;
        let rows = x.iter().zip(row(0)).zip(row(1)).zip(row(2)).zip(row(3));
        for ((((x, first), second), third), fourth) in rows {
            for (sum, weights) in sums.iter_mut().zip([first, second, third, fourth]) {
                for lane in 0..LANES {
                    sum[lane] += x[lane] * weights[lane];
                }
            }
        }
    }
    sums
}

#[inline]
fn total(sums: &Lanes) -> f32 {
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}

/// Σ over the batch of four deltas times eight inputs, which lie `stride` lanes apart.
#[inline]
fn outer(deltas: &[[f32; NODES]], inputs: &[Lanes], stride: usize) -> [Lanes; NODES] {
    let mut sums = [[0.0; LANES]; NODES];
    for (deltas, x) in deltas.iter().zip(inputs.iter().step_by(stride)) {
        for (delta, sum) in deltas.iter().zip(&mut sums) {
            for lane in 0..LANES {
                sum[lane] += delta * x[lane];
            }
        }
    }
    sums
}

/// Without a hidden layer the only node is the output.
fn direct_deltas(logit_gradients: &[f32], block: &Block, space: &mut BlockWorkspace) {
    let padded = block.nodes.next_multiple_of(NODES);
    set_zeros(&mut space.deltas, space.nodes.len());
    for (deltas, &g) in space.deltas.chunks_exact_mut(padded).zip(logit_gradients) {
        deltas[0] = g;
    }
}

/// Adds Wᵀ δ for every example.
fn input_gradients(block: &Block, space: &BlockWorkspace, part: usize, sums: &mut [f32]) {
    if part == 0 {
        return;
    }
    let (padded, width) = (block.nodes.next_multiple_of(NODES), block.inputs.len() * part);
    for (deltas, sums) in space.deltas.chunks_exact(padded).zip(sums.chunks_exact_mut(3 * part)) {
        for (delta, row) in deltas.iter().zip(space.weights.chunks_exact(width)).take(block.nodes) {
            for (slot, weights) in block.inputs.iter().zip(row.chunks_exact(part)) {
                let sums = &mut sums[slot * part..(slot + 1) * part];
                sums.iter_mut().zip(weights).for_each(|(sum, w)| *sum += delta * w);
            }
        }
    }
}
