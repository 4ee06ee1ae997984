//! From two hidden states to the logits of the scores 1 to K.
//! From them come the expected score and the two losses.

use super::SimilarityShape;
use crate::activation::{Activation, sign};
use crate::layers::Dense;
use crate::loss::{kl_divergence, logistic};
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

/// p̂ and ŷ = Σ_j j p̂_j.
fn distribution(logits: &[f32]) -> (Vec<f64>, f64) {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f64> = logits.iter().map(|x| f64::from(x - top).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let p: Vec<f64> = weights.into_iter().map(|weight| weight / sum).collect();
    let score = p.iter().zip(1u32..).map(|(p, score)| p * f64::from(score)).sum();
    (p, score)
}

/// ŷ.
pub fn expected_score(logits: &[f32]) -> f64 {
    distribution(logits).1
}

/// The sparse target distribution p of a score from 1 to K.
fn target(score: f32, p: &mut [f32]) {
    let floor = (score.floor() as usize).clamp(1, p.len());
    let above = score - floor as f32;
    p.fill(0.0);
    p[floor - 1] = 1.0 - above;
    if let Some(next) = p.get_mut(floor) {
        *next = above;
    }
}

/// KL(p ‖ p̂) of a scored pair; its gradient by the logits, to `gradient`.
pub fn scored_loss(logits: &[f32], score: f32, gradient: &mut [f32]) -> f64 {
    let mut p = vec![0.0; logits.len()];
    target(score, &mut p);
    kl_divergence(logits, &p, gradient)
}

/// The logistic loss of s (ŷ(better) − ŷ(worse)), times a weight; its gradients by both lists of logits, to
/// `gradients`, those of the better first.
pub fn ranked_loss([better, worse]: [&[f32]; 2], scale: f32, weight: f32, gradients: &mut [f32]) -> f64 {
    let sides = [better, worse].map(distribution);
    let difference = sides[0].1 - sides[1].1;
    let (loss, slope) = logistic((f64::from(scale) * difference) as f32, 1.0);
    let slope = f64::from(slope) * f64::from(scale) * f64::from(weight);
    for (side, (gradient, (p, score))) in gradients.chunks_exact_mut(better.len()).zip(&sides).enumerate() {
        let slope = if side == 0 { slope } else { -slope };
        for ((g, p), class) in gradient.iter_mut().zip(p).zip(1u32..) {
            *g = (slope * p * (f64::from(class) - score)) as f32;
        }
    }
    loss * f64::from(weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::check_inputs;

    #[test]
    fn targets_are_the_papers() {
        let of = |score: f32| {
            let mut p = [9.0; 5];
            target(score, &mut p);
            p
        };
        let expected = [
            (2.7, [0.0, 0.3, 0.7, 0.0, 0.0]),
            (1.0, [1.0, 0.0, 0.0, 0.0, 0.0]),
            (4.25, [0.0, 0.0, 0.0, 0.75, 0.25]),
            (5.0, [0.0, 0.0, 0.0, 0.0, 1.0]),
        ];
        for (score, p) in expected {
            of(score).iter().zip(p).for_each(|(found, p)| assert!((found - p).abs() < 1e-6, "{score}"));
        }
    }

    #[test]
    fn the_expected_score_stays_within_the_classes() {
        assert_eq!(expected_score(&[0.0; 5]), 3.0);
        assert_eq!(expected_score(&[900.0, 0.0, 0.0]), 1.0);
        assert_eq!(expected_score(&[0.0, -900.0, 900.0]), 3.0);
        assert!((expected_score(&[0.0, 2f32.ln()]) - 5.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn gradients_of_both_losses_agree_with_differences() {
        let logits = [0.3, -1.2, 2.0, 0.4, -0.6];
        for score in [1.0, 2.7, 3.0, 4.99, 5.0] {
            let mut gradient = [0.0; 5];
            scored_loss(&logits, score, &mut gradient);
            check_inputs(&logits, &gradient, 5e-3, |x| scored_loss(x, score, &mut [0.0; 5]));
        }
        let both = [0.3, -1.2, 2.0, 0.4, 0.1, -0.7];
        for (scale, weight) in [(1.0, 1.0), (4.0, 0.3)] {
            let loss = |x: &[f32], gradients: &mut [f32]| ranked_loss([&x[..3], &x[3..]], scale, weight, gradients);
            let mut gradients = [0.0; 6];
            loss(&both, &mut gradients);
            check_inputs(&both, &gradients, 5e-3, |x| loss(x, &mut [0.0; 6]));
        }
    }

    #[test]
    fn the_ranked_loss_falls_as_the_better_one_leads() {
        let of = |better: &[f32], worse: &[f32]| ranked_loss([better, worse], 1.0, 1.0, &mut [0.0; 4]);
        assert!((of(&[0.0, 0.0], &[0.0, 0.0]) - 2f64.ln()).abs() < 1e-9);
        assert!(of(&[0.0, 3.0], &[3.0, 0.0]) < 0.4);
        assert!(of(&[3.0, 0.0], &[0.0, 3.0]) > 1.2);
    }
}
