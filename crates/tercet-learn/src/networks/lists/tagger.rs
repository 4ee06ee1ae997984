//! Prediction of tags between two layers; the layers above get the probabilities of the tags.
//!
//! ```text
//! t = norm(x),   z = W t + b,   z′ = W′ t + b′ (fine tags),   x ← x + softmax(z) · E_tag
//! ```

use crate::activation::Activation;
use crate::initialisation::glorot_uniform;
use crate::layers::{Dense, LayerNorm, LayerNormWorkspace};
use crate::loss::{cross_entropy, softmax};
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;

#[derive(Clone, Debug)]
pub(in crate::networks) struct Tagger {
    tags: usize,
    fine_tags: usize,
    width: usize,
    pub norm: LayerNorm,
    pub output: Dense,
    pub fine: Option<Dense>,
    /// E_tag, tags × d.
    pub embedding: TensorId,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub(in crate::networks) struct TaggerSpace {
    norm: LayerNormWorkspace,
    t: Vec<f32>,
    /// Scores, then their gradients.
    scores: Vec<f32>,
    fine: Vec<f32>,
    probabilities: Vec<f32>,
}

impl TaggerSpace {
    /// Scores of all rows, those of roots included, after a forward pass.
    pub fn scores(&self) -> &[f32] {
        &self.scores
    }
}

impl Tagger {
    /// With random weights, for vectors of d numbers.
    pub fn new(parameters: &mut Parameters, d: usize, [tags, fine_tags]: [usize; 2], random: &mut Random) -> Self {
        let norm = LayerNorm::new(parameters, "tag.norm", d);
        let output = Dense::new(parameters, "tag", [d, tags], Activation::Identity, random);
        let fine =
            (fine_tags > 0).then(|| Dense::new(parameters, "fine_tag", [d, fine_tags], Activation::Identity, random));
        let values = glorot_uniform(tags * d, tags, d, random);
        let embedding = parameters.add("tag.vectors", Role::Weight, [tags, d], values);
        Tagger { tags, fine_tags, width: d, norm, output, fine, embedding }
    }

    pub fn forward(&self, parameters: &Parameters, x: &mut [f32], space: &mut TaggerSpace) {
        self.norm.forward(parameters, x, &mut space.norm, &mut space.t);
        self.output.forward(parameters, &space.t, &mut space.scores);
        if let Some(fine) = &self.fine {
            fine.forward(parameters, &space.t, &mut space.fine);
        }
        space.probabilities.clear();
        space.probabilities.extend_from_slice(&space.scores);
        space.probabilities.chunks_exact_mut(self.tags).for_each(|row| {
            softmax(row);
        });
        let rows = x.len() / self.width;
        let vectors = View::new(parameters.values(self.embedding), self.tags, self.width);
        multiply(View::new(&space.probabilities, rows, self.tags), vectors, 1.0, x, self.width);
    }

    /// The losses of tags and fine tags; replaces the scores by their gradients. Targets begin with the first item of
    /// the lists; those of fine tags are ignored if the network has none.
    pub fn loss(
        &self,
        [tags, fine_tags]: [&[u16]; 2],
        starts: &[usize],
        scale: f32,
        space: &mut TaggerSpace,
    ) -> [f64; 2] {
        let loss = sum(&mut space.scores, self.tags, starts, tags, scale);
        if self.fine.is_none() {
            return [loss, 0.0];
        }
        [loss, sum(&mut space.fine, self.fine_tags, starts, fine_tags, scale)]
    }

    /// Adds the gradients of all weights; `dx` has the gradients of the output, and those of the input are added to it.
    pub fn backward(
        &self,
        parameters: &Parameters,
        dx: &mut [f32],
        space: &mut TaggerSpace,
        gradients: &mut Gradients,
    ) {
        let (rows, d) = (dx.len() / self.width, self.width);
        let probabilities = View::new(&space.probabilities, rows, self.tags);
        let deltas = View::new(dx, rows, d);
        multiply(probabilities.transposed(), deltas, 1.0, gradients.dense(self.embedding), d);
        let mut dp = vec![0.0; space.probabilities.len()];
        let vectors = View::new(parameters.values(self.embedding), self.tags, d);
        multiply(deltas, vectors.transposed(), 0.0, &mut dp, self.tags);
        let all = dp.chunks_exact(self.tags).zip(space.probabilities.chunks_exact(self.tags));
        for (ds, (dp, p)) in space.scores.chunks_exact_mut(self.tags).zip(all) {
            let mean: f32 = dp.iter().zip(p).map(|(g, p)| g * p).sum();
            ds.iter_mut().zip(dp).zip(p).for_each(|((s, g), p)| *s += p * (g - mean));
        }
        let mut dt = self.output.backward(parameters, &space.t, &dp, &mut space.scores, gradients);
        if let Some(fine) = &self.fine {
            let scores = vec![0.0; space.fine.len()];
            let more = fine.backward(parameters, &space.t, &scores, &mut space.fine, gradients);
            dt.iter_mut().zip(more).for_each(|(sum, g)| *sum += g);
        }
        self.norm.backward(parameters, &mut dt, &space.norm, gradients, dx);
    }
}

/// The losses of all items; roots have no loss.
fn sum(scores: &mut [f32], width: usize, starts: &[usize], targets: &[u16], scale: f32) -> f64 {
    let (mut loss, mut targets) = (0.0, targets.iter());
    for list in starts.windows(2) {
        let rows = &mut scores[list[0] * width..list[1] * width];
        let (root, items) = rows.split_at_mut(width);
        root.fill(0.0);
        for (row, target) in items.chunks_exact_mut(width).zip(&mut targets) {
            loss += cross_entropy(row, usize::from(*target), scale);
        }
    }
    loss
}
