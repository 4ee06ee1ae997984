//! The loss of some lists, and its gradients.
//!
//! ```text
//! L = Σ over spans of −log p(label) + λ Σ over items of −log p(tag),       times a scale
//! ```
//!
//! Every span is scored independently, including those without a label (Teng & Zhang 2018, C18-1011: such local models
//! are as good as models of whole trees).

use super::{SpanNetwork, SpanShape};
use crate::error::{Error, Result};
use crate::layers::LayerNormWorkspace;
use crate::layers::SpanLabelsWorkspace;
use crate::loss::cross_entropy;
use crate::networks::lists::encoder::{EncoderSpace, Inputs};
use crate::networks::lists::{ListBatch, ListLosses, ListNetwork, LossScale};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use std::ops::{AddAssign, Range};

/// Training targets of lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpanTargets {
    /// The tag of every item.
    pub tags: Vec<u16>,
    /// Spans that have a label: list, index of the span in the list, label; sorted by list.
    pub labels: Vec<(u32, u32, u16)>,
}

impl ListBatch<'_, SpanTargets> {
    /// Returns an error if targets do not match the lists or are out of range.
    fn check_targets(&self, shape: &SpanShape) -> Result<()> {
        let (items, tags) = (self.lists.items().len(), shape.encoder.tags);
        if self.targets.tags.len() != items {
            return Err(Error::shape("tags", format!("{items}, one per item"), self.targets.tags.len()));
        }
        if let Some(tag) = self.targets.tags.iter().find(|tag| usize::from(**tag) >= tags) {
            return Err(Error::shape("tags", format!("numbers below {tags}"), tag));
        }
        if let Some(two) = self.targets.labels.windows(2).find(|two| two[0].0 > two[1].0) {
            let reason = format!("its labels come after those of list {}: lists go in order", two[0].0);
            return Err(Error::BadExample { example: two[1].0 as usize, reason });
        }
        for &(list, span, label) in &self.targets.labels {
            let length = if (list as usize) < self.lists.len() { self.lists.range(list as usize).len() } else { 0 };
            if span as usize >= length * (length + 1) / 2 || usize::from(label) >= shape.labels {
                let reason = format!("span {span} of a list of {length} has the label {label}");
                return Err(Error::BadExample { example: list as usize, reason });
            }
        }
        Ok(())
    }
}

/// Sums of the losses, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpanLosses {
    /// Loss of the labels.
    pub labels: f64,
    /// Loss of the tags.
    pub tags: f64,
    /// Number of items.
    pub items: usize,
}

impl ListLosses for SpanLosses {
    fn mean(&self, tag_weight: f32) -> f64 {
        (self.labels + f64::from(tag_weight) * self.tags) / self.items.max(1) as f64
    }
}

impl AddAssign for SpanLosses {
    fn add_assign(&mut self, other: Self) {
        self.labels += other.labels;
        self.tags += other.tags;
        self.items += other.items;
    }
}

/// Memory that is reused between calls.
#[derive(Clone, Debug, Default)]
pub struct SpanWorkspace {
    pub(super) encoder: EncoderSpace,
    norm: LayerNormWorkspace,
    /// Vectors of the items, roots included.
    pub(super) y: Vec<f32>,
    mask: Vec<f32>,
    pub(super) spans: SpanLabelsWorkspace,
}

impl ListNetwork for SpanNetwork {
    const SHARDS: usize = 8;
    type Targets = SpanTargets;
    type Losses = SpanLosses;
    type Workspace = SpanWorkspace;

    fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
    }

    fn check(&self, batch: &ListBatch<'_, SpanTargets>) -> Result<()> {
        batch.check_inputs(&self.shape.encoder)?;
        batch.check_targets(&self.shape)
    }

    fn loss(
        &self,
        batch: &ListBatch<'_, SpanTargets>,
        lists: Range<usize>,
        scale: LossScale,
        mut random: Option<&mut Random>,
        space: &mut SpanWorkspace,
        gradients: &mut Gradients,
    ) -> SpanLosses {
        let items = batch.lists.range_of(lists.clone());
        if items.is_empty() {
            return SpanLosses::default();
        }
        self.encode(batch.inputs(), lists.clone(), random.as_deref_mut(), space);
        let EncoderSpace { starts, tagger, .. } = &mut space.encoder;
        let wanted = [&batch.targets.tags[items.clone()], &[]];
        let [tags, _] = self.encoder.tagger.loss(wanted, starts, scale.tags, tagger);
        let (y, mut labels, mut dy, d) = (&space.y, 0.0, vec![0.0; space.y.len()], self.shape.encoder.width);
        let with_items = lists.filter(|list| !batch.lists.range(*list).is_empty());
        for (list, rows) in with_items.zip(starts.windows(2)) {
            let rows = rows[0] * d..rows[1] * d;
            let wanted = labels_of(&batch.targets.labels, list as u32);
            self.spans.forward(
                &self.parameters,
                &y[rows.clone()],
                self.dropout,
                random.as_deref_mut(),
                &mut space.spans,
            );
            let mut deltas = space.spans.logits().to_vec();
            labels += self.label_loss(&mut deltas, wanted, scale.top);
            let dx = &mut dy[rows];
            self.spans.backward(&self.parameters, self.dropout, &mut deltas, &mut space.spans, gradients, dx);
        }
        self.dropout.backward(&mut dy, &space.mask);
        let mut dx = vec![0.0; dy.len()];
        self.norm.backward(&self.parameters, &mut dy, &space.norm, gradients, &mut dx);
        self.encoder.backward(&self.parameters, dx, self.dropout, &mut space.encoder, gradients);
        SpanLosses { labels, tags, items: items.len() }
    }
}

impl SpanNetwork {
    /// Vectors of the items of some lists, in `space.y`.
    pub(super) fn encode(
        &self,
        inputs: Inputs<'_>,
        lists: Range<usize>,
        mut random: Option<&mut Random>,
        space: &mut SpanWorkspace,
    ) {
        let dropout = (self.dropout, random.as_deref_mut());
        self.encoder.forward(&self.parameters, inputs, lists, dropout, &mut space.encoder);
        self.norm.forward(&self.parameters, &space.encoder.x, &mut space.norm, &mut space.y);
        self.dropout.forward(&mut space.y, random, &mut space.mask);
    }

    /// The loss of all spans of a list; replaces the logits by their gradients.
    fn label_loss(&self, logits: &mut [f32], wanted: &[(u32, u32, u16)], scale: f32) -> f64 {
        let mut targets = vec![0_u16; logits.len() / self.shape.labels];
        wanted.iter().for_each(|&(_, span, label)| targets[span as usize] = label);
        let rows = logits.chunks_exact_mut(self.shape.labels).zip(targets);
        rows.map(|(row, target)| cross_entropy(row, usize::from(target), scale)).sum()
    }
}

/// The labels of one list.
fn labels_of(labels: &[(u32, u32, u16)], list: u32) -> &[(u32, u32, u16)] {
    let (start, end) = (labels.partition_point(|l| l.0 < list), labels.partition_point(|l| l.0 <= list));
    &labels[start..end]
}
