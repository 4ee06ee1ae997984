//! Heads, labels and tags of the items of a list: biaffine attention (Dozat & Manning, 2017) over simple recurrent
//! units.
//!
//! ```text
//! x, p(tag of i)                                                   vectors and tags of items: `networks/lists`
//! p(head j of i)     = softmax_j((U a_i + u) · b_j)                a, b, c, e: norm(x) projected
//! p(label of i → j)  = softmax(V gelu(c_i + e_j))
//! ```
//!
//! Dozat and Manning use LSTMs; the recurrent layers here are simple recurrent units. Labels are scored as by
//! Kiperwasser and Goldberg (2016).
//!
//! `edges.rs` has the scores of heads and labels, `ready/` the same function for inference only, several times as fast.
//! In a file, tables and matrices may be 8-bit integers; the dropout rate is not there.
//!
//! # Loss
//! ```text
//! L = Σ (−log p(head) − log p(label | head) − λ log p(tag) − λ log p(fine tag))          over items, times a scale
//! ```

mod edges;
mod ready;

pub use ready::{AnalysisSettings, AnalysisWorkspace, BiaffineReady, Candidates, ReadyForms};

use crate::error::{Error, Result};
use crate::layers::{Dense, Dropout};
use crate::model_file::{ModelFile, SMALL};
use crate::networks::limits::{MAX_SIZE, check_parameters, check_positive, check_size};
use crate::networks::lists::encoder::{EncoderSpace, ListEncoder};
use crate::networks::lists::{EncoderShape, ListBatch, ListLosses, ListNetwork, LossScale};
use crate::networks::stored::{StoredShape, restored, stored_shape};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use edges::{Edges, EdgesSpace};
use std::ops::Range;

/// A network that predicts heads, labels and tags.
#[derive(Clone, Debug)]
pub struct BiaffineNetwork {
    shape: BiaffineShape,
    dropout: Dropout,
    parameters: Parameters,
    encoder: ListEncoder,
    edges: Edges,
}

impl BiaffineNetwork {
    /// A network with random weights; `dropout` is its rate in training.
    pub fn new(shape: BiaffineShape, dropout: f32, seed: u64) -> Result<Self> {
        shape.check()?;
        let dropout = Dropout::new(dropout)?;
        let random = &mut Random::stream(seed, "weights", 0);
        let mut parameters = Parameters::default();
        let encoder = ListEncoder::new(&mut parameters, &shape.encoder, shape.fine_tags, random);
        let edges = Edges::new(&mut parameters, &shape, dropout, random);
        Ok(BiaffineNetwork { shape, dropout, parameters, encoder, edges })
    }

    /// The sizes of the network.
    pub fn shape(&self) -> BiaffineShape {
        self.shape
    }
}

/// Tags, heads and labels of all items, in the order of the lists' items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Tag of each item.
    pub tags: Vec<u16>,
    /// Fine tag of each item; empty for a network without fine tags.
    pub fine_tags: Vec<u16>,
    /// Head of each item: 0 for the root, or a position in the list, counted from 1.
    pub heads: Vec<u32>,
    /// Label of the arc from each item to its head.
    pub labels: Vec<u16>,
}

impl Analysis {
    /// Removes all items; allocated memory is kept.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.fine_tags.clear();
        self.heads.clear();
        self.labels.clear();
    }
}

impl ListBatch<'_, Analysis> {
    /// Returns an error if there is not one target per item, or a target is out of range.
    fn check_targets(&self, shape: &BiaffineShape) -> Result<()> {
        let (targets, items) = (self.targets, self.lists.items().len());
        let fine = if shape.fine_tags > 0 { items } else { 0 };
        for (name, expected, found) in [
            ("tags", items, targets.tags.len()),
            ("fine tags", fine, targets.fine_tags.len()),
            ("heads", items, targets.heads.len()),
            ("labels", items, targets.labels.len()),
        ] {
            if found != expected {
                return Err(Error::shape(name, format!("{expected}, one per item"), found));
            }
        }
        (0..self.lists.len()).try_for_each(|list| self.check_list(list, shape))
    }

    /// The same for one list.
    fn check_list(&self, list: usize, shape: &BiaffineShape) -> Result<()> {
        let (targets, range) = (self.targets, self.lists.range(list));
        for (place, item) in range.clone().enumerate() {
            let head = targets.heads[item] as usize;
            let fine = targets.fine_tags.get(item).copied().unwrap_or_default();
            let reason = if head > range.len() || head == place + 1 {
                format!("item {place} has the head {head}")
            } else if usize::from(targets.tags[item]) >= shape.encoder.tags {
                format!("item {place} has the tag {} of {}", targets.tags[item], shape.encoder.tags)
            } else if usize::from(targets.labels[item]) >= shape.labels {
                format!("item {place} has the label {} of {}", targets.labels[item], shape.labels)
            } else if usize::from(fine) >= shape.fine_tags.max(1) {
                format!("item {place} has the fine tag {fine} of {}", shape.fine_tags)
            } else {
                continue;
            };
            return Err(Error::BadExample { example: list, reason });
        }
        Ok(())
    }
}

tercet_base::defaults! {
    /// Sizes of a [`BiaffineNetwork`](BiaffineNetwork). The default has 2.4 million learned values; the numbers of
    /// words, shapes, characters, tags and labels have to be set by the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct BiaffineShape {
        /// Sizes of the encoder: words, recurrent layers, tags.
        pub encoder: EncoderShape = EncoderShape::default(),
        /// Number of fine tags, predicted in addition to the tags; may be 0.
        pub fine_tags: usize = 49,
        /// Width of the vectors from which heads are scored.
        pub arc: usize = 64,
        /// Width of the vectors from which labels are scored.
        pub label: usize = 64,
        /// Number of labels.
        pub labels: usize = 51,
    }
}

impl BiaffineShape {
    /// Returns an error if a size is 0 or too large.
    pub fn check(&self) -> Result<()> {
        let most_kinds = usize::from(u16::MAX);
        self.encoder.check()?;
        check_positive("arc", self.arc, MAX_SIZE)?;
        check_positive("label", self.label, MAX_SIZE)?;
        check_size("fine_tags", self.fine_tags, most_kinds)?;
        check_positive("labels", self.labels, most_kinds)?;
        check_parameters(self.parameters())
    }

    /// Number of learned values.
    pub fn parameters(&self) -> u64 {
        let [fine, arc, label, labels] = [self.fine_tags, self.arc, self.label, self.labels].map(|size| size as u64);
        let d = self.encoder.width as u64;
        let fine_tags = if fine > 0 { Dense::count(d, fine) } else { 0 };
        let edges = Dense::count(d, 2 * arc + 2 * label) + Dense::count(arc, arc) + Dense::count(label, labels);
        [2 * d, fine_tags, edges].into_iter().fold(self.encoder.parameters(), u64::saturating_add)
    }
}

stored_shape!(BiaffineShape { fine_tags, arc, label, labels } in encoder);

impl BiaffineNetwork {
    /// Writes the network into a file; `prefix` is put before its keys and tensors. With `quantised`, tables and
    /// matrices are 8-bit integers with a scale per row.
    pub fn store(&self, prefix: &str, quantised: bool, file: &mut ModelFile) {
        self.shape.store(prefix, file);
        if quantised {
            file.add_quantised_parameters(prefix, &self.parameters, SMALL);
        } else {
            file.add_parameters(prefix, &self.parameters);
        }
    }

    /// Reads a network from a file, quantised or not, without dropout; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let shape = BiaffineShape::stored(prefix, file)?;
        let make = || BiaffineNetwork::new(shape, 0.0, 0);
        restored((prefix, file), shape.check(), || shape.parameters(), make, |network| &mut network.parameters)
    }
}

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

tercet_base::add_fields!(BiaffineLosses { arcs, labels, tags, fine_tags, items });

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

    crate::training::parameters_in!(parameters);

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

#[cfg(test)]
mod tests;

#[cfg(test)]
mod stored_tests {
    use super::*;
    use crate::networks::biaffine::tests::tiny;

    fn small() -> BiaffineShape {
        let shape = tiny(3, 0);
        BiaffineShape { encoder: EncoderShape { words: 600, ..shape.encoder }, ..shape }
    }

    #[test]
    fn a_network_comes_back_from_its_file_in_both_kinds_of_numbers() {
        let network = BiaffineNetwork::new(small(), 0.2, 4).unwrap();
        let mut file = ModelFile::new("model");
        network.store("net.", false, &mut file);
        let back = BiaffineNetwork::stored("net.", &file).unwrap();
        assert_eq!((back.shape(), back.parameters()), (network.shape(), network.parameters()));
        let mut file = ModelFile::new("model");
        network.store("net.", true, &mut file);
        let back = BiaffineNetwork::stored("net.", &file).unwrap();
        assert_ne!(back.parameters(), network.parameters());
        for (back, tensor) in back.parameters().tensors().iter().zip(network.parameters().tensors()) {
            let error = back.values.iter().zip(&tensor.values).map(|(b, w)| (b - w).abs()).fold(0.0, f32::max);
            assert!(error <= if tensor.values.len() > SMALL { 0.0014 } else { 0.0 }, "{}: {error}", tensor.name);
        }
    }

    #[test]
    fn sizes_that_no_network_has_or_that_the_file_has_not_are_refused() {
        let mut file = ModelFile::new("model");
        BiaffineNetwork::new(small(), 0.2, 4).unwrap().store("net.", true, &mut file);
        for (key, value, reason) in [
            ("words", "1000001", "(setting `words` cannot be 1000001: expected at most 1000000)"),
            ("tag_layer", "4", "(setting `tag_layer` cannot be 4: expected at most 3)"),
            ("characters", "257", "(setting `characters` cannot be 257: expected at most 256)"),
            ("width", "0", "(setting `width` cannot be 0: expected at least 1)"),
            ("arc", "1000000", "expected at most 2147483648 numbers to learn"),
            ("words", "700", "it is of a network with other sizes"),
            ("labels", "3", "it is of a network with other sizes"),
            ("arc", "x", "its entry `net.arc` is `x`, which is not a valid number"),
        ] {
            let mut file = file.clone();
            file.set(&format!("net.{key}"), value);
            let error = BiaffineNetwork::stored("net.", &file).unwrap_err().to_string();
            assert!(error.contains(reason), "{key}: {error}");
        }
        let error = BiaffineNetwork::stored("", &file).unwrap_err().to_string();
        assert!(error.contains("it has no entry `words`"), "{error}");
    }
}
