//! Forward and backward pass of some pairs.

use super::{RelatedPair, RelationNetwork, most_probable};
use crate::layers::LstmWorkspace;
use crate::loss::cross_entropy;
use crate::networks::WordLists;
use crate::parameters::Gradients;
use std::ops::AddAssign;

/// Results of the forward pass that the backward pass needs. Lists are the first ones of all pairs, then the second
/// ones.
#[derive(Clone, Debug, Default)]
pub(super) struct RelationWorkspace {
    /// The vectors of all words, list after list, and where each list starts.
    tokens: Vec<f32>,
    starts: Vec<usize>,
    lstm: [LstmWorkspace; 2],
    /// Lists × 2H: u and v, and their gradients.
    states: Vec<f32>,
    state_gradients: Vec<f32>,
    /// Pairs × 8H, then the output of every layer; the last are the logits.
    values: Vec<Vec<f32>>,
}

impl RelationWorkspace {
    /// Pairs × classes.
    pub fn logits(&self) -> &[f32] {
        self.values.last().map_or(&[], Vec::as_slice)
    }
}

/// Losses and right answers of some pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answers {
    /// The sum of the losses.
    pub loss: f64,
    /// Pairs whose class was the most probable one.
    pub right: usize,
}

impl AddAssign for Answers {
    fn add_assign(&mut self, other: Self) {
        self.loss += other.loss;
        self.right += other.right;
    }
}

impl RelationNetwork {
    /// The logits of these pairs, which must have been checked.
    pub(super) fn forward(&self, lists: &WordLists, pairs: &[RelatedPair], space: &mut RelationWorkspace) {
        let RelationWorkspace { tokens, starts, lstm, states, values, .. } = space;
        let width = self.encoder.width();
        tokens.clear();
        starts.clear();
        starts.push(0);
        let numbers = pairs.iter().map(|pair| pair.first).chain(pairs.iter().map(|pair| pair.second));
        for number in numbers {
            let words = lists.list(number as usize);
            words.iter().for_each(|word| tokens.extend_from_slice(self.vectors.row(*word as usize)));
            starts.push(tokens.len() / self.vectors.columns());
        }
        states.resize(2 * pairs.len() * width, 0.0);
        self.encoder.forward_max(&self.parameters, tokens, starts, lstm, states);
        values.resize_with(self.layers.len() + 1, Vec::new);
        compare(states, width, &mut values[0]);
        for (number, layer) in self.layers.iter().enumerate() {
            let (before, after) = values.split_at_mut(number + 1);
            layer.forward(&self.parameters, &before[number], &mut after[0]);
        }
    }

    /// The losses of the pairs of the last [`forward`](Self::forward) with this workspace; adds the gradients, times
    /// `scale`.
    pub(super) fn backward(
        &self,
        pairs: &[RelatedPair],
        scale: f32,
        space: &mut RelationWorkspace,
        gradients: &mut Gradients,
    ) -> Answers {
        let RelationWorkspace { lstm, states, state_gradients, values, .. } = space;
        let mut answers = Answers::default();
        let mut deltas = values[self.layers.len()].clone();
        for (logits, pair) in deltas.chunks_exact_mut(self.shape.classes).zip(pairs) {
            answers.right += usize::from(most_probable(logits) == pair.class);
            answers.loss += cross_entropy(logits, pair.class as usize, scale);
        }
        for (number, layer) in self.layers.iter().enumerate().rev() {
            let (x, y) = (&values[number], &values[number + 1]);
            deltas = layer.backward(&self.parameters, x, y, &mut deltas, gradients);
        }
        state_gradients.resize(states.len(), 0.0);
        compare_back(states, self.encoder.width(), &deltas, state_gradients);
        self.encoder.backward_max(&self.parameters, state_gradients, lstm, gradients);
        answers
    }
}

/// [u, v, |u − v|, u ⊙ v] of every pair.
fn compare(states: &[f32], width: usize, features: &mut Vec<f32>) {
    features.clear();
    let (first, second) = states.split_at(states.len() / 2);
    for (u, v) in first.chunks_exact(width).zip(second.chunks_exact(width)) {
        features.extend_from_slice(u);
        features.extend_from_slice(v);
        features.extend(u.iter().zip(v).map(|(u, v)| (u - v).abs()));
        features.extend(u.iter().zip(v).map(|(u, v)| u * v));
    }
}

/// The gradients of u and v, given those of the features.
fn compare_back(states: &[f32], width: usize, deltas: &[f32], gradients: &mut [f32]) {
    let half = states.len() / 2;
    let (du, dv) = gradients.split_at_mut(half);
    for (pair, deltas) in deltas.chunks_exact(4 * width).enumerate() {
        for k in 0..width {
            let at = pair * width + k;
            let (u, v) = (states[at], states[half + at]);
            let [first, second, distance, product] = [0, 1, 2, 3].map(|part| deltas[part * width + k]);
            let distance = distance * sign(u - v);
            du[at] = first + distance + product * v;
            dv[at] = second - distance + product * u;
        }
    }
}

/// The derivative of |x|; 0 at 0, as in PyTorch.
fn sign(x: f32) -> f32 {
    f32::from(x > 0.0) - f32::from(x < 0.0)
}
