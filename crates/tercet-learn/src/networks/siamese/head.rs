//! From two vectors and nine features to a score: s = w · tanh(A (h, r, h ⊙ r, |h − r|) + B m + b) + c.

use crate::activation::tanh;
use crate::error::Result;
use crate::layers::{TensorSource, add_to};
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters, Role, TensorId};

/// Precision, recall and F of three layers.
pub(super) const MATCHING: usize = 9;

#[derive(Clone, Debug)]
pub(super) struct Head {
    width: usize,
    hidden: usize,
    /// A, b, B, w, c.
    vectors: TensorId,
    bias: TensorId,
    matching: TensorId,
    output: TensorId,
    output_bias: TensorId,
}

/// Results of the forward pass.
#[derive(Debug, Default)]
pub(super) struct HeadWorkspace {
    /// (h, r, h ⊙ r, |h − r|) of each item.
    pairs: Vec<f32>,
    /// tanh(…) of each item.
    hidden: Vec<f32>,
}

impl Head {
    pub fn new(
        parameters: &mut Parameters,
        width: usize,
        hidden: usize,
        source: &mut TensorSource<'_>,
    ) -> Result<Self> {
        let mut add = |name: &str, role, shape| {
            let values = source(name, shape)?;
            Ok::<_, crate::error::Error>(parameters.add(name, role, shape, values))
        };
        Ok(Head {
            width,
            hidden,
            vectors: add("head.sentence.weight", Role::Weight, [hidden, 4 * width])?,
            bias: add("head.bias", Role::Bias, [1, hidden])?,
            matching: add("head.matching.weight", Role::Weight, [hidden, MATCHING])?,
            output: add("head.output.weight", Role::Weight, [1, hidden])?,
            output_bias: add("head.output.bias", Role::Bias, [1, 1])?,
        })
    }

    /// The scores of items, whose lists and the reference (list 0) have these vectors.
    pub fn forward(
        &self,
        parameters: &Parameters,
        vectors: &[f32],
        items: impl ExactSizeIterator<Item = usize>,
        features: &[f32],
        space: &mut HeadWorkspace,
        scores: &mut Vec<f32>,
    ) {
        let (width, hidden, count) = (self.width, self.hidden, items.len());
        let reference = &vectors[..width];
        space.pairs.clear();
        for list in items {
            let own = &vectors[list * width..(list + 1) * width];
            let both = || own.iter().zip(reference);
            space.pairs.extend_from_slice(own);
            space.pairs.extend_from_slice(reference);
            space.pairs.extend(both().map(|(h, r)| h * r));
            space.pairs.extend(both().map(|(h, r)| (h - r).abs()));
        }
        space.hidden.clear();
        (0..count).for_each(|_| space.hidden.extend_from_slice(parameters.values(self.bias)));
        let a = View::new(parameters.values(self.vectors), hidden, 4 * width).transposed();
        multiply(View::new(&space.pairs, count, 4 * width), a, 1.0, &mut space.hidden, hidden);
        let b = View::new(parameters.values(self.matching), hidden, MATCHING).transposed();
        multiply(View::new(features, count, MATCHING), b, 1.0, &mut space.hidden, hidden);
        space.hidden.iter_mut().for_each(|number| *number = tanh(*number));
        let (output, offset) = (parameters.values(self.output), parameters.values(self.output_bias)[0]);
        let score = |row: &[f32]| row.iter().zip(output).map(|(t, w)| t * w).sum::<f32>() + offset;
        scores.clear();
        scores.extend(space.hidden.chunks_exact(hidden).map(score));
    }

    /// Adds the gradients of all tensors; returns those before tanh.
    pub fn backward(
        &self,
        parameters: &Parameters,
        features: &[f32],
        d_scores: &[f32],
        space: &HeadWorkspace,
        gradients: &mut Gradients,
    ) -> Vec<f32> {
        let (width, hidden, count) = (self.width, self.hidden, d_scores.len());
        let output = parameters.values(self.output);
        let mut before = space.hidden.clone();
        for (row, ds) in before.chunks_exact_mut(hidden).zip(d_scores) {
            let sums = gradients.dense(self.output).iter_mut().zip(&*row);
            sums.for_each(|(sum, t)| *sum += ds * t);
            gradients.dense(self.output_bias)[0] += ds;
            row.iter_mut().zip(output).for_each(|(t, w)| *t = ds * w * (1.0 - *t * *t));
            add_to(gradients.dense(self.bias), row);
        }
        let rows = View::new(&before, count, hidden).transposed();
        let pairs = View::new(&space.pairs, count, 4 * width);
        multiply(rows, pairs, 1.0, gradients.dense(self.vectors), 4 * width);
        let features = View::new(features, count, MATCHING);
        multiply(rows, features, 1.0, gradients.dense(self.matching), MATCHING);
        before
    }

    /// The gradients of the features of each item, given those before tanh.
    pub fn feature_gradients(&self, parameters: &Parameters, before: &[f32]) -> Vec<f32> {
        let count = before.len() / self.hidden;
        let mut found = vec![0.0; count * MATCHING];
        let b = View::new(parameters.values(self.matching), self.hidden, MATCHING);
        multiply(View::new(before, count, self.hidden), b, 0.0, &mut found, MATCHING);
        found
    }

    /// Adds the gradients of the vectors of items and reference, given those before tanh.
    pub fn vector_gradients(
        &self,
        parameters: &Parameters,
        before: &[f32],
        vectors: &[f32],
        items: impl Iterator<Item = usize>,
        d_vectors: &mut [f32],
    ) {
        let (width, count) = (self.width, before.len() / self.hidden);
        let mut found = vec![0.0; count * 4 * width];
        let a = View::new(parameters.values(self.vectors), self.hidden, 4 * width);
        multiply(View::new(before, count, self.hidden), a, 0.0, &mut found, 4 * width);
        for (list, g) in items.zip(found.chunks_exact(4 * width)) {
            for at in 0..width {
                let (h, r) = (vectors[list * width + at], vectors[at]);
                let (product, distance) = (g[2 * width + at], g[3 * width + at] * sign(h - r));
                d_vectors[list * width + at] += g[at] + product * r + distance;
                d_vectors[at] += g[width + at] + product * h - distance;
            }
        }
    }
}

/// The derivative of |x|; 0 at 0, as PyTorch's.
fn sign(x: f32) -> f32 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
