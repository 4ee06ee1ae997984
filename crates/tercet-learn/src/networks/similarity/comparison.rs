//! From two hidden states to the logits of the scores 1 to K.

use super::SimilarityShape;
use crate::activation::Activation;
use crate::layers::Dense;
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;

/// The hidden layer over [h×, h+], and the layer of logits.
#[derive(Clone, Debug)]
pub struct Comparison {
    memory: usize,
    hidden: Dense,
    output: Dense,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct ComparisonWorkspace {
    /// Pairs × 2H.
    features: Vec<f32>,
    hidden: Vec<f32>,
    /// Pairs × K.
    pub logits: Vec<f32>,
    /// The gradients of the logits; overwritten by the backward pass.
    pub logit_gradients: Vec<f32>,
}

impl Comparison {
    /// Adds `comparison.weight` (W× and W+ side by side), `comparison.bias`, `output.weight` and `output.bias`.
    pub fn new(parameters: &mut Parameters, shape: SimilarityShape, random: &mut Random) -> Self {
        let SimilarityShape { memory, hidden, classes, .. } = shape;
        let mut layer = |name, sizes, activation| Dense::new_as_torch(parameters, name, sizes, activation, random);
        Comparison {
            memory,
            hidden: layer("comparison", [2 * memory, hidden], Activation::Sigmoid),
            output: layer("output", [hidden, classes], Activation::Identity),
        }
    }

    /// The logits of pairs of rows of `states`.
    pub fn forward(
        &self,
        parameters: &Parameters,
        states: &[f32],
        pairs: &[[u32; 2]],
        space: &mut ComparisonWorkspace,
    ) {
        space.features.clear();
        for pair in pairs {
            let [a, b] = pair.map(|row| self.state(states, row));
            space.features.extend(a.iter().zip(b).map(|(a, b)| a * b));
            space.features.extend(a.iter().zip(b).map(|(a, b)| (a - b).abs()));
        }
        self.hidden.forward(parameters, &space.features, &mut space.hidden);
        self.output.forward(parameters, &space.hidden, &mut space.logits);
    }

    /// Adds the gradients of the weights, and those of the states to `state_gradients`.
    pub fn backward(
        &self,
        parameters: &Parameters,
        states: &[f32],
        pairs: &[[u32; 2]],
        space: &mut ComparisonWorkspace,
        gradients: &mut Gradients,
        state_gradients: &mut [f32],
    ) {
        let ComparisonWorkspace { features, hidden, logits, logit_gradients } = space;
        let mut deltas = self.output.backward(parameters, hidden, logits, logit_gradients, gradients);
        let deltas = self.hidden.backward(parameters, features, hidden, &mut deltas, gradients);
        let h = self.memory;
        for (pair, deltas) in pairs.iter().zip(deltas.chunks_exact(2 * h)) {
            let (product, distance) = deltas.split_at(h);
            for [mine, other] in [[pair[0], pair[1]], [pair[1], pair[0]]] {
                let sums = &mut state_gradients[mine as usize * h..(mine as usize + 1) * h];
                let (mine, other) = (self.state(states, mine), self.state(states, other));
                for k in 0..h {
                    sums[k] += product[k] * other[k] + distance[k] * sign(mine[k] - other[k]);
                }
            }
        }
    }

    fn state<'a>(&self, states: &'a [f32], row: u32) -> &'a [f32] {
        &states[row as usize * self.memory..(row as usize + 1) * self.memory]
    }
}

/// The derivative of |x|; 0 at 0, as in PyTorch.
fn sign(x: f32) -> f32 {
    f32::from(x > 0.0) - f32::from(x < 0.0)
}
