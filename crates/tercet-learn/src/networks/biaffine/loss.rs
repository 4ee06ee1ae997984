//! The loss of some lists of a batch, and its gradients: the whole network forward and backward.
//!
//! ```text
//! L = Σ (−log p(head) − log p(label | head) − λ log p(tag) − λ log p(fine tag))          over items, times a scale
//! ```

use super::edges::EdgesSpace;
use super::{Analysis, BiaffineNetwork};
use crate::error::Result;
use crate::networks::lists::encoder::EncoderSpace;
use crate::networks::lists::{ListBatch, ListLosses, ListNetwork, LossScale};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use std::ops::{AddAssign, Range};

/// Sums of the four losses over items, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BiaffineLosses {
    /// Loss of the heads.
    pub arcs: f64,
    /// Loss of the labels, given the true heads.
    pub labels: f64,
    /// Loss of the tags.
    pub tags: f64,
    /// Loss of the fine tags.
    pub fine_tags: f64,
    /// Number of items.
    pub items: usize,
}

impl ListLosses for BiaffineLosses {
    fn mean(&self, tag_weight: f32) -> f64 {
        let sum = self.arcs + self.labels + f64::from(tag_weight) * (self.tags + self.fine_tags);
        sum / self.items.max(1) as f64
    }
}

impl AddAssign for BiaffineLosses {
    fn add_assign(&mut self, other: Self) {
        self.arcs += other.arcs;
        self.labels += other.labels;
        self.tags += other.tags;
        self.fine_tags += other.fine_tags;
        self.items += other.items;
    }
}

/// Memory that is reused between calls.
#[derive(Clone, Debug, Default)]
pub struct BiaffineWorkspace {
    encoder: EncoderSpace,
    edges: EdgesSpace,
}

impl ListNetwork for BiaffineNetwork {
    const SHARDS: usize = 16;
    type Targets = Analysis;
    type Losses = BiaffineLosses;
    type Workspace = BiaffineWorkspace;

    fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
    }

    fn check(&self, batch: &ListBatch<'_, Analysis>) -> Result<()> {
        batch.check_inputs(&self.shape.encoder)?;
        batch.check_targets(&self.shape)
    }

    fn loss(
        &self,
        batch: &ListBatch<'_, Analysis>,
        lists: Range<usize>,
        scale: LossScale,
        mut random: Option<&mut Random>,
        space: &mut BiaffineWorkspace,
        gradients: &mut Gradients,
    ) -> BiaffineLosses {
        let items = batch.lists.range_of(lists.clone());
        if items.is_empty() {
            return BiaffineLosses::default();
        }
        let (targets, first) = (batch.targets, items.start);
        let BiaffineWorkspace { encoder: space, edges } = space;
        let dropout = (self.dropout, random.as_deref_mut());
        self.encoder.forward(&self.parameters, batch.inputs(), lists, dropout, space);
        let EncoderSpace { starts, x, tagger, .. } = &mut *space;
        let heads = &targets.heads[items.clone()];
        self.edges.forward(&self.parameters, x, (starts, heads), (self.dropout, random), edges);
        let wanted = [&targets.tags[first..], targets.fine_tags.get(first..).unwrap_or_default()];
        let [tags, fine_tags] = self.encoder.tagger.loss(wanted, starts, scale.tags, tagger);
        let [arcs, labels] = self.edges.loss(targets, (first, starts), scale.top, edges);
        let dx = self.edges.backward(&self.parameters, starts, self.dropout, edges, gradients);
        self.encoder.backward(&self.parameters, dx, self.dropout, space, gradients);
        BiaffineLosses { arcs, labels, tags, fine_tags, items: items.len() }
    }
}
