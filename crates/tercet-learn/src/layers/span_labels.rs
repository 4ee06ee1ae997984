//! Label scores for every span of a list, from the vectors at its two ends.
//!
//! ```text
//! c_k = [x_k; x_{k+1}]                           the boundary between item k and the next, k = 0 … n; x_{n+1} = 0
//! h(i, j) = relu(A c_i + B c_j + b)              the span of the items i + 1 … j, 0 ≤ i < j ≤ n
//! logits(i, j) = C h(i, j) + c
//! ```
//!
//! Rows of a list are x_0 (the root before the first item), x_1, …, x_n. Spans are sorted by their end: (0,1), (0,2),
//! (1,2), (0,3), …, so that span (i, j) has the index j (j − 1) / 2 + i.
//!
//! After Stern, Andreas & Klein (2017, P17-1076), who label spans from the difference of the vectors at their ends;
//! with separate A and B the network can learn that and more at the same cost.

use super::{Dense, Dropout};
use crate::activation::Activation;
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;

#[derive(Clone, Debug)]
pub struct SpanLabels {
    width: usize,
    hidden: usize,
    left: Dense,
    right: Dense,
    out: Dense,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct SpanLabelsWorkspace {
    fences: Vec<f32>,
    left: Vec<f32>,
    right: Vec<f32>,
    hidden: Vec<f32>,
    mask: Vec<f32>,
    logits: Vec<f32>,
}

impl SpanLabelsWorkspace {
    /// Spans × labels.
    pub fn logits(&self) -> &[f32] {
        &self.logits
    }
}

impl SpanLabels {
    /// Adds `name.left`, `name.right` and `name.out` to the parameters.
    pub fn new(
        parameters: &mut Parameters,
        name: &str,
        [width, hidden, labels]: [usize; 3],
        random: &mut Random,
    ) -> Self {
        let mut dense = |part: &str, sizes: [usize; 2]| {
            Dense::new(parameters, &format!("{name}.{part}"), sizes, Activation::Identity, random)
        };
        SpanLabels {
            width,
            hidden,
            left: dense("left", [2 * width, hidden]),
            right: dense("right", [2 * width, hidden]),
            out: dense("out", [hidden, labels]),
        }
    }

    /// The logits of all spans of one list.
    pub fn forward(
        &self,
        parameters: &Parameters,
        x: &[f32],
        dropout: Dropout,
        random: Option<&mut Random>,
        space: &mut SpanLabelsWorkspace,
    ) {
        let (d, hidden) = (self.width, self.hidden);
        let rows = x.len() / d;
        space.fences.clear();
        for k in 0..rows {
            space.fences.extend_from_slice(&x[k * d..((k + 2) * d).min(x.len())]);
        }
        space.fences.resize(rows * 2 * d, 0.0);
        self.left.forward(parameters, &space.fences, &mut space.left);
        self.right.forward(parameters, &space.fences, &mut space.right);
        space.hidden.clear();
        for j in 1..rows {
            let right = &space.right[j * hidden..(j + 1) * hidden];
            for left in space.left[..j * hidden].chunks_exact(hidden) {
                space.hidden.extend(left.iter().zip(right).map(|(l, r)| (l + r).max(0.0)));
            }
        }
        dropout.forward(&mut space.hidden, random, &mut space.mask);
        self.out.forward(parameters, &space.hidden, &mut space.logits);
    }

    /// Adds the gradients of the weights, and those of `x` to `dx`; `d_logits` is overwritten.
    pub fn backward(
        &self,
        parameters: &Parameters,
        dropout: Dropout,
        d_logits: &mut [f32],
        space: &mut SpanLabelsWorkspace,
        gradients: &mut Gradients,
        dx: &mut [f32],
    ) {
        let (d, hidden) = (self.width, self.hidden);
        let rows = dx.len() / d;
        let mut d_hidden = self.out.backward(parameters, &space.hidden, &space.logits, d_logits, gradients);
        d_hidden.iter_mut().zip(&space.hidden).for_each(|(g, h)| *g *= f32::from(*h > 0.0));
        dropout.backward(&mut d_hidden, &space.mask);
        let (mut d_left, mut d_right) = (vec![0.0; rows * hidden], vec![0.0; rows * hidden]);
        let mut spans = d_hidden.chunks_exact(hidden);
        for j in 1..rows {
            for (i, g) in (0..j).zip(&mut spans) {
                add(&mut d_left[i * hidden..(i + 1) * hidden], g);
                add(&mut d_right[j * hidden..(j + 1) * hidden], g);
            }
        }
        let mut d_fences = self.left.backward(parameters, &space.fences, &space.left, &mut d_left, gradients);
        add(&mut d_fences, &self.right.backward(parameters, &space.fences, &space.right, &mut d_right, gradients));
        for (k, g) in d_fences.chunks_exact(2 * d).enumerate() {
            let end = ((k + 2) * d).min(dx.len());
            add(&mut dx[k * d..end], g);
        }
    }
}

fn add(sums: &mut [f32], values: &[f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{check_layer, wave};

    #[test]
    fn gradients_agree_with_differences_for_lists_of_any_length() {
        for items in [0, 1, 2, 4] {
            let (mut parameters, mut random) = (Parameters::default(), Random::stream(items, "test", 0));
            let layer = SpanLabels::new(&mut parameters, "spans", [2, 5, 3], &mut random);
            // Away from the kink of the rectifier, where finite differences are wrong.
            for bias in parameters.tensors_mut().iter_mut().filter(|tensor| tensor.name.ends_with("bias")) {
                bias.values.iter_mut().enumerate().for_each(|(i, b)| *b = if i % 2 == 0 { 2.0 } else { -2.0 });
            }
            let x = wave((items as usize + 1) * 2, 0.3);
            let spans = items as usize * (items as usize + 1) / 2;
            let weights = wave(spans * 3, 0.8);
            let none = Dropout::default();
            let forward = |parameters: &Parameters, x: &[f32], space: &mut SpanLabelsWorkspace| {
                layer.forward(parameters, x, none, None, space);
                assert_eq!(space.logits().len(), spans * 3);
                space.logits().to_vec()
            };
            check_layer(&mut parameters, (&x, &weights), 2e-3, forward, |parameters, d_logits, space, gradients| {
                let mut dx = vec![0.0; x.len()];
                layer.backward(parameters, none, d_logits, space, gradients, &mut dx);
                dx
            });
        }
    }

    #[test]
    fn a_span_sees_both_its_ends_in_the_order_that_is_stated() {
        let (mut parameters, mut random) = (Parameters::default(), Random::stream(1, "test", 0));
        let layer = SpanLabels::new(&mut parameters, "spans", [1, 1, 1], &mut random);
        for (tensor, values) in
            parameters.tensors_mut().iter_mut().zip([&[0.0, 10.0][..], &[0.0][..], &[1.0, 0.0], &[0.0], &[1.0], &[0.0]])
        {
            tensor.values.copy_from_slice(values);
        }
        let mut space = SpanLabelsWorkspace::default();
        layer.forward(&parameters, &[0.0, 1.0, 2.0, 3.0], Dropout::default(), None, &mut space);
        assert_eq!(space.logits(), [11.0, 12.0, 22.0, 13.0, 23.0, 33.0]);
    }
}
