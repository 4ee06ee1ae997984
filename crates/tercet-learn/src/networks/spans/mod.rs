//! Tags of items and labels of spans, from lists of words.
//!
//! ```text
//! x = norm(encoder(list)), p(tag of i)           `networks/lists`
//! p(label of (i, j)) = softmax(C h(i, j) + c)    for every span; label 0 means no label; `layers/span_labels.rs`
//! ```
//!
//! # Loss
//! ```text
//! L = Σ over spans of −log p(label) + λ Σ over items of −log p(tag),       times a scale
//! ```
//!
//! Every span is scored independently, including those without a label (Teng & Zhang 2018, C18-1011: such local models
//! are as good as models of whole trees).

use crate::activation::exp;
use crate::error::{Error, Result};
use crate::layers::{Dense, Dropout, LayerNorm, LayerNormWorkspace, SpanLabels, SpanLabelsWorkspace};
use crate::loss::{cross_entropy, largest};
use crate::model_file::{ModelFile, SMALL};
use crate::networks::limits::{MAX_SIZE, check_parameters, check_positive};
use crate::networks::lists::encoder::{EncoderSpace, Inputs, ListEncoder};
use crate::networks::lists::{EncoderShape, Forms, ListBatch, ListLosses, ListNetwork, Lists, LossScale};
use crate::networks::stored::{StoredShape, restored, stored_shape};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use std::ops::Range;

/// A network that predicts tags of items and labels of spans.
#[derive(Clone, Debug)]
pub struct SpanNetwork {
    shape: SpanShape,
    dropout: Dropout,
    parameters: Parameters,
    encoder: ListEncoder,
    norm: LayerNorm,
    spans: SpanLabels,
}

impl SpanNetwork {
    /// A network with random weights; `dropout` is its rate in training.
    pub fn new(shape: SpanShape, dropout: f32, seed: u64) -> Result<Self> {
        shape.check()?;
        let dropout = Dropout::new(dropout)?;
        let random = &mut Random::stream(seed, "weights", 0);
        let mut parameters = Parameters::default();
        let encoder = ListEncoder::new(&mut parameters, &shape.encoder, 0, random);
        let norm = LayerNorm::new(&mut parameters, "last.norm", shape.encoder.width);
        let sizes = [shape.encoder.width, shape.hidden, shape.labels];
        let spans = SpanLabels::new(&mut parameters, "spans", sizes, random);
        Ok(SpanNetwork { shape, dropout, parameters, encoder, norm, spans })
    }

    /// The sizes of the network.
    pub fn shape(&self) -> SpanShape {
        self.shape
    }
}

/// Sizes of a [`SpanNetwork`](SpanNetwork).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanShape {
    /// Sizes of the encoder: words, recurrent layers, tags.
    pub encoder: EncoderShape,
    /// Hidden units from which the label of a span is predicted.
    pub hidden: usize,
    /// Number of labels; label 0 means no label.
    pub labels: usize,
}

impl SpanShape {
    /// Returns an error if a size is 0 or too large.
    pub fn check(&self) -> Result<()> {
        self.encoder.check()?;
        check_positive("hidden", self.hidden, MAX_SIZE)?;
        check_positive("labels", self.labels, usize::from(u16::MAX))?;
        check_parameters(self.parameters())
    }

    /// Number of learned values.
    fn parameters(&self) -> u64 {
        let [d, hidden, labels] = [self.encoder.width, self.hidden, self.labels].map(|size| size as u64);
        let top = 2 * d + 2 * Dense::count(2 * d, hidden) + Dense::count(hidden, labels);
        self.encoder.parameters().saturating_add(top)
    }
}

stored_shape!(SpanShape { hidden, labels } in encoder);

impl SpanNetwork {
    /// Writes the network into a file, tables and matrices as 8-bit integers; `prefix` is put before its keys and
    /// tensors.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        self.shape.store(prefix, file);
        file.add_quantised_parameters(prefix, &self.parameters, SMALL);
    }

    /// Reads a network from a file, without dropout; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let shape = SpanShape::stored(prefix, file)?;
        let make = || SpanNetwork::new(shape, 0.0, 0);
        restored((prefix, file), shape.check(), || shape.parameters(), make, |network| &mut network.parameters)
    }
}

/// Predictions for one list of n items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpanEvidence {
    /// Log probability of every tag, n × tags.
    pub tags: Vec<f32>,
    /// Log probability of every label minus that of no label, spans × labels. Spans are sorted by their end: (0,1),
    /// (0,2), (1,2), (0,3), …
    pub labels: Vec<f32>,
    /// Vectors of the items, n × d.
    pub vectors: Vec<f32>,
}

impl SpanNetwork {
    /// Calls `see` with the number of each list and its predictions, which do not depend on the other lists. With
    /// `random`, dropout is applied, so that predictions for training data resemble those for unseen data.
    pub fn evidence(
        &self,
        forms: &Forms,
        lists: &Lists,
        mut random: Option<&mut Random>,
        space: &mut SpanWorkspace,
        mut see: impl FnMut(usize, &SpanEvidence),
    ) -> Result<()> {
        forms.check(&self.shape.encoder)?;
        lists.check("form", forms.len())?;
        let inputs = (forms, lists, &[][..]);
        self.encode(inputs, 0..lists.len(), random.as_deref_mut(), space);
        let (d, tags) = (self.shape.encoder.width, self.shape.encoder.tags);
        let mut said = SpanEvidence::default();
        let with_items = (0..lists.len()).filter(|list| !lists.list(*list).is_empty());
        for (list, rows) in with_items.zip(space.encoder.starts.windows(2)) {
            let y = &space.y[rows[0] * d..rows[1] * d];
            said.vectors.clear();
            said.vectors.extend_from_slice(&y[d..]);
            said.tags.clear();
            said.tags.extend_from_slice(&space.encoder.tagger.scores()[(rows[0] + 1) * tags..rows[1] * tags]);
            said.tags.chunks_exact_mut(tags).for_each(to_logarithms);
            self.spans.forward(&self.parameters, y, self.dropout, random.as_deref_mut(), &mut space.spans);
            said.labels.clear();
            said.labels.extend_from_slice(space.spans.logits());
            said.labels.chunks_exact_mut(self.shape.labels).for_each(over_first);
            see(list, &said);
        }
        Ok(())
    }
}

/// Replaces scores by log probabilities. The logarithm is computed in double precision: rounded to single precision it
/// is the same on all systems.
fn to_logarithms(scores: &mut [f32]) {
    let top = largest(scores);
    let sum: f32 = scores.iter().map(|x| exp(x - top)).sum();
    let total = top + f64::from(sum).ln() as f32;
    scores.iter_mut().for_each(|x| *x -= total);
}

/// Replaces scores by their differences to the first.
fn over_first(scores: &mut [f32]) {
    let first = scores[0];
    scores.iter_mut().for_each(|x| *x -= first);
}

#[cfg(test)]
mod tests;

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

tercet_base::add_fields!(SpanLosses { labels, tags, items });

/// Memory that is reused between calls.
#[derive(Clone, Debug, Default)]
pub struct SpanWorkspace {
    encoder: EncoderSpace,
    norm: LayerNormWorkspace,
    /// Vectors of the items, roots included.
    y: Vec<f32>,
    mask: Vec<f32>,
    spans: SpanLabelsWorkspace,
}

impl ListNetwork for SpanNetwork {
    const SHARDS: usize = 8;
    type Targets = SpanTargets;
    type Losses = SpanLosses;
    type Workspace = SpanWorkspace;

    crate::training::parameters_in!(parameters);

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
    fn encode(
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
