//! The loss of some lists of a batch, and its gradients: the whole network forward and backward.
//!
//! ```text
//! L = Σ (−log p(head) − log p(label | head) − λ log p(tag) − λ log p(fine tag))          over items, times a scale
//! ```

use super::edges::EdgesSpace;
use super::encoder::EncoderSpace;
use super::{BiaffineBatch, BiaffineNetwork};
use crate::parameters::Gradients;
use crate::random::Random;
use std::ops::{AddAssign, Range};

/// Sums of the four losses over items, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BiaffineLosses {
    /// Of heads.
    pub arcs: f64,
    /// Of labels, at the true heads.
    pub labels: f64,
    /// Of tags.
    pub tags: f64,
    /// Of fine tags.
    pub fine_tags: f64,
    /// Items summed over.
    pub items: usize,
}

impl BiaffineLosses {
    /// What is made small: heads and labels, and tags of both kinds with their weight, per item.
    pub fn mean(&self, tag_weight: f32) -> f64 {
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

/// What the losses weigh in the gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossScale {
    /// Of heads and labels: one over the items of the batch.
    pub arcs: f32,
    /// Of tags and fine tags.
    pub tags: f32,
}

/// Room to work in.
#[derive(Clone, Debug, Default)]
pub struct BiaffineWorkspace {
    encoder: EncoderSpace,
    edges: EdgesSpace,
}

impl BiaffineNetwork {
    /// The losses of some lists of a batch that was [checked](BiaffineBatch::check), and their gradients, added to
    /// `gradients`. Without a generator nothing is dropped.
    pub fn loss(
        &self,
        batch: &BiaffineBatch<'_>,
        lists: Range<usize>,
        scale: LossScale,
        mut random: Option<&mut Random>,
        space: &mut BiaffineWorkspace,
        gradients: Option<&mut Gradients>,
    ) -> BiaffineLosses {
        let items = lists.clone().map(|list| batch.lists.range(list).len()).sum();
        if items == 0 {
            return BiaffineLosses::default();
        }
        let first = batch.lists.range(lists.start).start;
        let inputs = (batch.forms, batch.lists, batch.words);
        let BiaffineWorkspace { encoder: space, edges } = space;
        let dropout = (self.dropout, random.as_deref_mut());
        self.encoder.forward(&self.parameters, inputs, lists, dropout, space);
        let EncoderSpace { starts, x, tagger, .. } = &mut *space;
        let heads = &batch.targets.heads[first..first + items];
        self.edges.forward(&self.parameters, x, (starts, heads), (self.dropout, random), edges);
        let [tags, fine_tags] = self.encoder.tagger.loss(batch.targets, (first, starts), scale.tags, tagger);
        let [arcs, labels] = self.edges.loss(batch.targets, (first, starts), scale.arcs, edges);
        if let Some(gradients) = gradients {
            let dx = self.edges.backward(&self.parameters, starts, self.dropout, edges, gradients);
            self.encoder.backward(&self.parameters, dx, self.dropout, space, gradients);
        }
        BiaffineLosses { arcs, labels, tags, fine_tags, items }
    }
}
