//! The loss of some lists of a batch, and its gradients: the whole network forward and backward.
//!
//! ```text
//! L = Σ (−log p(head) − log p(label | head) − λ log p(tag) − λ log p(fine tag))          over items, times a scale
//! ```

use super::edges::EdgesSpace;
use super::recurrent::RecurrentSpace;
use super::spelling::SpellingSpace;
use super::tagger::TaggerSpace;
use super::{BiaffineBatch, BiaffineNetwork};
use crate::layers::layer_norm::LayerNormWorkspace;
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
    /// Distinct forms of the lists, sorted.
    forms: Vec<u32>,
    /// For every item, where its form is among them.
    places: Vec<usize>,
    words: Vec<u32>,
    /// First rows of the lists, roots included.
    starts: Vec<usize>,
    spelling: SpellingSpace,
    sums: Vec<f32>,
    norm: LayerNormWorkspace,
    x: Vec<f32>,
    mask: Vec<f32>,
    layers: Vec<RecurrentSpace>,
    tagger: TaggerSpace,
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
        self.arrange(batch, lists, space);
        self.embed(batch, random.as_deref_mut(), space);
        space.layers.resize_with(self.layers.len(), RecurrentSpace::default);
        let BiaffineWorkspace { starts, x, layers, tagger, edges, .. } = space;
        for (number, (layer, room)) in self.layers.iter().zip(layers).enumerate() {
            let dropout = (self.dropout, random.as_deref_mut());
            layer.forward(&self.parameters, (x, starts), dropout, room);
            if number + 1 == self.shape.tag_layer {
                self.tagger.forward(&self.parameters, x, tagger);
            }
        }
        let heads = &batch.targets.heads[first..first + items];
        self.edges.forward(&self.parameters, x, (starts, heads), (self.dropout, random), edges);
        let [tags, fine_tags] = self.tagger.loss(batch.targets, (first, starts), scale.tags, tagger);
        let [arcs, labels] = self.edges.loss(batch.targets, (first, starts), scale.arcs, edges);
        if let Some(gradients) = gradients {
            self.backward(space, gradients);
        }
        BiaffineLosses { arcs, labels, tags, fine_tags, items }
    }

    /// Rows of items, and the distinct forms among them. Lists without items have no rows.
    fn arrange(&self, batch: &BiaffineBatch<'_>, lists: Range<usize>, space: &mut BiaffineWorkspace) {
        let BiaffineWorkspace { forms, places, words, starts, .. } = space;
        starts.clear();
        starts.push(0);
        for length in lists.clone().map(|list| batch.lists.range(list).len()).filter(|length| *length > 0) {
            starts.push(starts.last().copied().unwrap_or_default() + length + 1);
        }
        let range = batch.lists.range(lists.start).start..batch.lists.range(lists.end - 1).end;
        let items = &batch.lists.items()[range.clone()];
        forms.clear();
        forms.extend_from_slice(items);
        forms.sort_unstable();
        forms.dedup();
        places.clear();
        places.extend(items.iter().map(|form| forms.partition_point(|other| other < form)));
        words.clear();
        match batch.words {
            [] => words.extend(items.iter().map(|form| batch.forms.word(*form))),
            given => words.extend_from_slice(&given[range]),
        }
    }

    /// x of the first layer.
    fn embed(&self, batch: &BiaffineBatch<'_>, random: Option<&mut Random>, space: &mut BiaffineWorkspace) {
        let BiaffineWorkspace { forms, places, words, starts, spelling, sums, norm, x, mask, .. } = space;
        self.spelling.forward(&self.parameters, batch.forms, forms, spelling);
        let (d, table) = (self.shape.width, self.words.values(&self.parameters));
        let mut items = words.iter().zip(places);
        sums.clear();
        for list in starts.windows(2) {
            sums.extend_from_slice(self.parameters.values(self.root));
            for (word, place) in items.by_ref().take(list[1] - list[0] - 1) {
                let word = &table[*word as usize * d..(*word as usize + 1) * d];
                let spelled = &spelling.vectors[*place * d..(*place + 1) * d];
                sums.extend(word.iter().zip(spelled).map(|(x, y)| x + y));
            }
        }
        self.norm.forward(&self.parameters, sums, norm, x);
        self.dropout.forward(x, random, mask);
    }

    fn backward(&self, space: &mut BiaffineWorkspace, gradients: &mut Gradients) {
        let BiaffineWorkspace { starts, layers, tagger, edges, .. } = space;
        let mut dx = self.edges.backward(&self.parameters, starts, self.dropout, edges, gradients);
        for (number, (layer, room)) in self.layers.iter().zip(layers).enumerate().rev() {
            if number + 1 == self.shape.tag_layer {
                self.tagger.backward(&self.parameters, &mut dx, tagger, gradients);
            }
            layer.backward(&self.parameters, (&mut dx, starts), self.dropout, room, gradients);
        }
        self.embed_back(dx, space, gradients);
    }

    fn embed_back(&self, mut dx: Vec<f32>, space: &mut BiaffineWorkspace, gradients: &mut Gradients) {
        let BiaffineWorkspace { forms, places, words, starts, spelling, sums, norm, mask, .. } = space;
        self.dropout.backward(&mut dx, mask);
        sums.fill(0.0);
        self.norm.backward(&self.parameters, &mut dx, norm, gradients, sums);
        let d = self.shape.width;
        let mut dv = vec![0.0; forms.len() * d];
        let mut items = words.iter().zip(places);
        for list in starts.windows(2) {
            let (root, rows) = sums[list[0] * d..list[1] * d].split_at(d);
            gradients.dense(self.root).iter_mut().zip(root).for_each(|(sum, g)| *sum += g);
            for (row, (word, place)) in rows.chunks_exact(d).zip(&mut items) {
                self.words.backward(std::iter::once(word), row, gradients);
                dv[*place * d..(*place + 1) * d].iter_mut().zip(row).for_each(|(sum, g)| *sum += g);
            }
        }
        self.spelling.backward(&self.parameters, &mut dv, spelling, gradients);
    }
}
