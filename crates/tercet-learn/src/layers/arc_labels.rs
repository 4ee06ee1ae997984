//! Scores of the labels of arcs: a hidden layer over both ends (Kiperwasser & Goldberg, 2016, eq. 4).
//!
//! ```text
//! z = W · gelu(c_i + e_head(i)) + b          c: an item as a dependent, e: as a head
//! ```
//!
//! Dozat and Manning score labels with a biaffine form for every label; a sum of both ends is cheaper.
//! The first row of a list is its root; each item has one arc, to its head.

use super::{Dense, Dropout};
use crate::activation::{Activation, quick_gelu, quick_gelu_slope};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;

#[derive(Clone, Debug)]
pub struct ArcLabels {
    width: usize,
    dropout: Dropout,
    output: Dense,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct ArcLabelsWorkspace {
    /// The row of the dependent and of the head of every arc.
    ends: Vec<[usize; 2]>,
    sums: Vec<f32>,
    hidden: Vec<f32>,
    mask: Vec<f32>,
}

impl ArcLabels {
    /// Adds `name.weight` (labels × width) and `name.bias` (zero) to the parameters.
    pub fn new(
        parameters: &mut Parameters,
        name: &str,
        [width, labels]: [usize; 2],
        dropout: Dropout,
        random: &mut Random,
    ) -> Self {
        let output = Dense::new(parameters, name, [width, labels], Activation::Identity, random);
        ArcLabels { width, dropout, output }
    }

    /// W and b.
    pub(crate) fn output(&self) -> &Dense {
        &self.output
    }

    /// Scores of every arc; `heads` are positions in the list, 0 for the root.
    pub fn forward(
        &self,
        parameters: &Parameters,
        [c, e]: [&[f32]; 2],
        (starts, heads): (&[usize], &[u32]),
        random: Option<&mut Random>,
        space: &mut ArcLabelsWorkspace,
        scores: &mut Vec<f32>,
    ) {
        let width = self.width;
        space.ends.clear();
        let items = starts.windows(2).flat_map(|list| (list[0] + 1..list[1]).map(|row| (row, list[0])));
        space.ends.extend(items.zip(heads).map(|((row, root), head)| [row, root + *head as usize]));
        space.sums.clear();
        for &[row, head] in &space.ends {
            let (c, e) = (&c[row * width..(row + 1) * width], &e[head * width..(head + 1) * width]);
            space.sums.extend(c.iter().zip(e).map(|(c, e)| c + e));
        }
        space.hidden.clear();
        space.hidden.extend(space.sums.iter().map(|x| quick_gelu(*x)));
        self.dropout.forward(&mut space.hidden, random, &mut space.mask);
        self.output.forward(parameters, &space.hidden, scores);
    }

    /// Adds the gradients of W and b, and those of c and e to `dc` and `de`; `score_gradients` is overwritten.
    pub fn backward(
        &self,
        parameters: &Parameters,
        score_gradients: &mut [f32],
        space: &ArcLabelsWorkspace,
        gradients: &mut Gradients,
        [dc, de]: [&mut [f32]; 2],
    ) {
        let scores = &*score_gradients.to_vec();
        let mut deltas = self.output.backward(parameters, &space.hidden, scores, score_gradients, gradients);
        self.dropout.backward(&mut deltas, &space.mask);
        deltas.iter_mut().zip(&space.sums).for_each(|(g, x)| *g *= quick_gelu_slope(*x));
        let width = self.width;
        for (&[row, head], delta) in space.ends.iter().zip(deltas.chunks_exact(width)) {
            dc[row * width..(row + 1) * width].iter_mut().zip(delta).for_each(|(sum, g)| *sum += g);
            de[head * width..(head + 1) * width].iter_mut().zip(delta).for_each(|(sum, g)| *sum += g);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{check_inputs, check_parameters, wave};

    #[test]
    fn gradients_agree_with_differences() {
        let (width, starts, heads) = (3, [0, 4, 4, 5, 7], [2, 0, 2, 0]);
        let mut parameters = Parameters::default();
        let random = &mut Random::stream(1, "test", 0);
        let layer = ArcLabels::new(&mut parameters, "label", [width, 2], Dropout::default(), random);
        let (c, e, weights) = (wave(7 * width, 0.1), wave(7 * width, 0.6), wave(4 * 2, 0.9));
        let run = |parameters: &Parameters, c: &[f32], e: &[f32], space: &mut ArcLabelsWorkspace| {
            let mut scores = Vec::new();
            layer.forward(parameters, [c, e], (&starts, &heads), None, space, &mut scores);
            scores.iter().zip(&weights).map(|(s, w)| f64::from(s * w)).sum::<f64>()
        };
        let loss = |parameters: &Parameters, c: &[f32], e: &[f32]| run(parameters, c, e, &mut Default::default());
        let (mut space, mut gradients) = (ArcLabelsWorkspace::default(), Gradients::zeros(&parameters));
        run(&parameters, &c, &e, &mut space);
        let (mut dc, mut de) = (vec![0.0; c.len()], vec![0.0; e.len()]);
        let deltas = &mut weights.clone();
        layer.backward(&parameters, deltas, &space, &mut gradients, [&mut dc, &mut de]);
        assert!(dc[..width].iter().all(|g| *g == 0.0), "a root depends on nothing");
        check_inputs(&c, &dc, 5e-3, |c| loss(&parameters, c, &e));
        check_inputs(&e, &de, 5e-3, |e| loss(&parameters, &c, e));
        check_parameters(&mut parameters, &gradients, 5e-3, |parameters| loss(parameters, &c, &e));
    }
}
