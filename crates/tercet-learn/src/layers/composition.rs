//! Composition of tree nodes with separate weights for each kind of node (the syntactically untied network of Socher,
//! Bauer, Manning & Ng 2013, P13-1045).
//!
//! ```text
//! p = tanh(W_k [l; r] + b_k)          a node of kind k over its parts l and r; r = 0 where there is only one
//! s = Σ over nodes of v_k · p
//! ```
//!
//! Nodes come children before parents; the vectors of the leaves are given. W_k starts at ½ [I I] plus noise, so that a
//! node is at first the mean of its parts, as in the paper; b starts at 0, v at noise.
//!
//! A kind is a row of three tables, so that only kinds that occur have gradients and are updated.

use super::set_zeros;
use crate::activation::tanh;
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;

/// Size of the noise on W.
const WEIGHT_NOISE: f32 = 0.01;
/// Size of the noise of v.
const SCORE_NOISE: f32 = 0.01;

#[derive(Clone, Debug)]
pub struct Composition {
    width: usize,
    weights: TensorId,
    biases: TensorId,
    scores: TensorId,
}

/// A node over one or two earlier vectors. Indices: leaves are 0, 1, …, nodes follow in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompositionNode {
    /// The kind of node, whose weights are used.
    pub kind: u32,
    /// Index of the first part.
    pub left: u32,
    /// Index of the second part, if there is one.
    pub right: Option<u32>,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct CompositionWorkspace {
    vectors: Vec<f32>,
    gradients: Vec<f32>,
    delta: Vec<f32>,
    row: Vec<f32>,
}

impl CompositionWorkspace {
    /// The vectors of leaves and nodes, one after another.
    pub fn vectors(&self) -> &[f32] {
        &self.vectors
    }
}

impl Composition {
    /// Adds `name.weights`, `name.biases` and `name.scores`, a row per kind.
    pub fn new(parameters: &mut Parameters, name: &str, [width, kinds]: [usize; 2], random: &mut Random) -> Self {
        let mut weights = Vec::with_capacity(kinds * width * 2 * width);
        for _ in 0..kinds {
            for row in 0..width {
                let mean = |column: usize| if column % width == row { 0.5 } else { 0.0 };
                let noise = |random: &mut Random| random.uniform(-WEIGHT_NOISE, WEIGHT_NOISE);
                weights.extend((0..2 * width).map(|column| mean(column) + noise(random)));
            }
        }
        let scores = (0..kinds * width).map(|_| random.uniform(-SCORE_NOISE, SCORE_NOISE)).collect();
        let mut add = |part: &str, columns: usize, values: Vec<f32>| {
            parameters.add(&format!("{name}.{part}"), Role::Embedding, [kinds, columns], values)
        };
        Composition {
            width,
            weights: add("weights", 2 * width * width, weights),
            biases: add("biases", width, vec![0.0; kinds * width]),
            scores: add("scores", width, scores),
        }
    }

    /// Vectors of all nodes over these leaves, and the sum of their scores.
    pub fn forward(
        &self,
        parameters: &Parameters,
        leaves: &[f32],
        nodes: &[CompositionNode],
        space: &mut CompositionWorkspace,
    ) -> f32 {
        let d = self.width;
        space.vectors.clear();
        space.vectors.extend_from_slice(leaves);
        let mut sum = 0.0;
        for node in nodes {
            let (weights, bias, score) = self.rows(parameters, node.kind);
            let at = space.vectors.len();
            space.vectors.extend_from_slice(bias);
            let (known, made) = space.vectors.split_at_mut(at);
            for (side, part) in [Some(node.left), node.right].into_iter().enumerate() {
                let Some(part) = part.map(|part| &known[part as usize * d..(part as usize + 1) * d]) else {
                    continue;
                };
                for (sum, weights) in made.iter_mut().zip(weights.chunks_exact(2 * d)) {
                    *sum += dot(&weights[side * d..(side + 1) * d], part);
                }
            }
            made.iter_mut().for_each(|value| *value = tanh(*value));
            sum += dot(score, made);
        }
        sum
    }

    /// Adds the gradients of a multiple of the score; those of the leaves to `leaf_gradients`.
    pub fn backward(
        &self,
        parameters: &Parameters,
        nodes: &[CompositionNode],
        multiple: f32,
        space: &mut CompositionWorkspace,
        gradients: &mut Gradients,
        leaf_gradients: &mut [f32],
    ) {
        let d = self.width;
        let CompositionWorkspace { vectors, gradients: all, delta, row } = space;
        set_zeros(all, vectors.len());
        let leaves = vectors.len() / d - nodes.len();
        for (number, node) in nodes.iter().enumerate().rev() {
            let at = (leaves + number) * d;
            let (weights, _, score) = self.rows(parameters, node.kind);
            let p = &vectors[at..at + d];
            row.clear();
            row.extend(p.iter().map(|p| p * multiple));
            gradients.rows(self.scores).add(node.kind, row);
            delta.clear();
            let flow = all[at..at + d].iter().zip(score).zip(p);
            delta.extend(flow.map(|((above, v), p)| (above + multiple * v) * (1.0 - p * p)));
            gradients.rows(self.biases).add(node.kind, delta);
            set_zeros(row, 2 * d * d);
            for (side, part) in [Some(node.left), node.right].into_iter().enumerate() {
                let Some(part) = part.map(|part| part as usize * d) else { continue };
                for ((g, weights), sums) in
                    delta.iter().zip(weights.chunks_exact(2 * d)).zip(row.chunks_exact_mut(2 * d))
                {
                    let columns = side * d..(side + 1) * d;
                    add_scaled(&mut all[part..part + d], *g, &weights[columns.clone()]);
                    add_scaled(&mut sums[columns], *g, &vectors[part..part + d]);
                }
            }
            gradients.rows(self.weights).add(node.kind, row);
        }
        leaf_gradients.iter_mut().zip(&*all).for_each(|(sum, g)| *sum += g);
    }

    /// W, b and v of a kind.
    fn rows<'a>(&self, parameters: &'a Parameters, kind: u32) -> (&'a [f32], &'a [f32], &'a [f32]) {
        let (kind, d) = (kind as usize, self.width);
        let row = |id: TensorId, size: usize| &parameters.values(id)[kind * size..(kind + 1) * size];
        (row(self.weights, 2 * d * d), row(self.biases, d), row(self.scores, d))
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_scaled(sums: &mut [f32], factor: f32, values: &[f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{assert_all_close, check_layer, wave};

    fn node(kind: u32, left: u32, right: Option<u32>) -> CompositionNode {
        CompositionNode { kind, left, right }
    }

    #[test]
    fn gradients_agree_with_differences_over_trees_of_one_and_two_parts() {
        let trees: [(usize, Vec<CompositionNode>); 4] = [
            (1, vec![]),
            (1, vec![node(1, 0, None), node(1, 1, None)]),
            (3, vec![node(0, 1, Some(2)), node(2, 0, Some(3))]),
            (3, vec![node(2, 0, None), node(0, 3, Some(1)), node(1, 4, None), node(0, 5, Some(2))]),
        ];
        for (number, (leaves, nodes)) in trees.into_iter().enumerate() {
            let mut parameters = Parameters::default();
            let mut random = Random::stream(number as u64, "test", 0);
            let layer = Composition::new(&mut parameters, "tree", [3, 3], &mut random);
            for tensor in parameters.tensors_mut() {
                tensor.values.iter_mut().for_each(|value| *value += random.uniform(-0.5, 0.5));
            }
            let x = wave(leaves * 3, 0.3);
            let forward = |parameters: &Parameters, x: &[f32], space: &mut CompositionWorkspace| {
                vec![layer.forward(parameters, x, &nodes, space)]
            };
            check_layer(&mut parameters, (&x, &[1.5]), 5e-3, forward, |parameters, multiple, space, gradients| {
                let mut dx = vec![0.0; x.len()];
                layer.backward(parameters, &nodes, multiple[0], space, gradients, &mut dx);
                dx
            });
        }
    }

    #[test]
    fn a_node_starts_as_the_mean_of_its_parts() {
        let mut parameters = Parameters::default();
        let layer = Composition::new(&mut parameters, "tree", [2, 1], &mut Random::stream(1, "test", 0));
        for tensor in parameters.tensors_mut() {
            tensor.values.iter_mut().for_each(|value| *value = (*value * 2.0).round() / 2.0);
        }
        let mut space = CompositionWorkspace::default();
        let score = layer.forward(&parameters, &[0.2, 0.4, 0.6, 0.0], &[node(0, 0, Some(1))], &mut space);
        assert_all_close(&space.vectors()[4..], &[0.4f32.tanh(), 0.2f32.tanh()]);
        assert_eq!(score, 0.0);
    }
}
