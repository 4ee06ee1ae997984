//! A siamese network: how well does a list of tokens fit another one, the reference?
//!
//! ```text
//! x₀ = norm(E_token + E_position),   xₗ = layerₗ(xₗ₋₁)                     the same encoder for every list
//! h  = √D · mean of the rows of x_L, scaled to length 1                     likewise r, of the reference
//! m  = (P, R, F) of W x_L, of a middle x_M, of x₀                           matching.rs
//! s  = w · tanh(A (h, r, h ⊙ r, |h − r|) + B m + b) + c                     head.rs
//! ```
//!
//! The network exists already; this is its fine-tuning. The head is always learned. Of the encoder, nothing or the last layers
//! are learned, with W; or all of it. What is not learned is computed before: vectors of lists, or the rows after the layers
//! that stay as they are ([`Lines`]).
//!
//! # Losses
//! ```text
//! two lists, one better:   log(1 + e^(−(s(better) − s(worse)) / T)),         a list with a number y:   (s − y)² / 2
//! ```
//!
//! each with a weight. A step's gradient is that of the weighted mean of a batch. Examples with the same reference are a
//! [`SiameseGroup`]; a batch has whole groups, so that every list of a group is encoded once.

mod encoder;
mod examples;
mod head;
mod matching;
mod objective;
mod shape;
#[cfg(test)]
mod tests;
mod training;

pub use examples::{FrozenLayers, GroupItem, Lines, RankedItems, ScoredItem, SiameseGroup};
pub use shape::{LearnedLayers, SiameseShape};
pub use training::{SiameseSettings, SiameseTraining};

use crate::error::Result;
use crate::parameters::{Gradients, Parameters};
use encoder::{Encoder, EncoderWorkspace};
use head::{Head, HeadWorkspace, MATCHING};
use matching::{Matches, matches};
use rayon::prelude::*;

/// The head, and what is learned of the encoder.
#[derive(Clone, Debug)]
pub struct SiameseNetwork {
    parameters: Parameters,
    head: Head,
    encoder: Option<Encoder>,
}

/// Results of the forward pass of a group that the backward pass needs.
#[derive(Debug, Default)]
pub(super) struct GroupWorkspace {
    encoder: EncoderWorkspace,
    /// Items × 9.
    features: Vec<f32>,
    /// Of each item, those of the learned layers.
    matches: Vec<Matches>,
    head: HeadWorkspace,
    scores: Vec<f32>,
}

impl SiameseNetwork {
    /// A network whose tensors have the values that `source` gives for a name and a shape. The encoder's names are those of its
    /// family; the others are `projection.weight`, `head.sentence.weight`, `head.matching.weight`, `head.bias`,
    /// `head.output.weight` and `head.output.bias`. Weight decay pulls towards these values.
    pub fn new(shape: &SiameseShape, mut source: impl FnMut(&str, [usize; 2]) -> Result<Vec<f32>>) -> Result<Self> {
        let mut parameters = Parameters::default();
        let head = Head::new(&mut parameters, shape.encoder.width, shape.hidden, &mut source)?;
        let learned = shape.learned.as_ref();
        let encoder = learned.map(|learned| Encoder::new(&mut parameters, &shape.encoder, learned, &mut source));
        let encoder = encoder.transpose()?;
        parameters.anchor_weights();
        Ok(SiameseNetwork { parameters, head, encoder })
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The scores of the items of groups, on all threads.
    pub fn scores(&self, groups: &[SiameseGroup], lines: &Lines<'_>) -> Vec<Vec<f32>> {
        let scores = |space: &mut GroupWorkspace, group: &SiameseGroup| {
            self.forward(group, lines, space);
            space.scores.clone()
        };
        groups.par_iter().map_init(GroupWorkspace::default, scores).collect()
    }

    /// The scores of a group's items, to the workspace.
    fn forward(&self, group: &SiameseGroup, lines: &Lines<'_>, space: &mut GroupWorkspace) {
        match &self.encoder {
            Some(encoder) => encoder.forward(&self.parameters, &group.lines, lines, &mut space.encoder),
            None => lines.vectors(&group.lines, &mut space.encoder.vectors),
        }
        space.features.clear();
        space.matches.clear();
        for item in &group.items {
            space.features.extend_from_slice(&item.matching);
            if let Some(encoder) = &self.encoder {
                let features = space.features.len() - MATCHING;
                for slot in encoder.slots() {
                    let found = matches(&space.encoder.taps[slot], item.list, 0);
                    let at = features + 3 * slot;
                    space.features[at..at + 3].copy_from_slice(&found.values());
                    space.matches.push(found);
                }
            }
        }
        let items = group.items.iter().map(|item| item.list);
        let GroupWorkspace { encoder, features, head, scores, .. } = space;
        self.head.forward(&self.parameters, &encoder.vectors, items, features, head, scores);
    }

    /// Adds the gradients of all tensors, given those of the scores.
    fn backward(
        &self,
        group: &SiameseGroup,
        lines: &Lines<'_>,
        d_scores: &[f32],
        space: &mut GroupWorkspace,
        gradients: &mut Gradients,
    ) {
        let hidden = self.head.backward(&self.parameters, &space.features, d_scores, &space.head, gradients);
        let Some(encoder) = &self.encoder else { return };
        space.encoder.start_gradients();
        let items = group.items.iter().map(|item| item.list);
        let EncoderWorkspace { vectors, d_vectors, .. } = &mut space.encoder;
        self.head.vector_gradients(&self.parameters, &hidden, vectors, items, d_vectors);
        let d_features = self.head.feature_gradients(&self.parameters, &hidden);
        let mut found = space.matches.iter();
        for (item, d_features) in group.items.iter().zip(d_features.chunks_exact(MATCHING)) {
            for slot in encoder.slots() {
                let found = found.next().expect("every item has its matches");
                let (tap, d_rows) = (&space.encoder.taps[slot], &mut space.encoder.d_taps[slot]);
                found.backward(tap, [item.list, 0], &d_features[3 * slot..3 * slot + 3], d_rows);
            }
        }
        encoder.backward(&self.parameters, &group.lines, lines, &mut space.encoder, gradients);
    }
}
