//! A siamese network: how well does a list of tokens fit another one, the reference?
//!
//! ```text
//! x₀ = norm(E_token + E_position),   xₗ = layerₗ(xₗ₋₁)                     the same encoder for every list
//! h  = √D · mean of the rows of x_L, scaled to length 1                     likewise r, of the reference
//! m  = (P, R, F) of W x_L, of a middle x_M, of x₀                           head.rs
//! s  = w · tanh(A (h, r, h ⊙ r, |h − r|) + B m + C t + b) + c               head.rs
//! ```
//!
//! The network exists already; this is its fine-tuning. The head is always learned. Of the encoder, nothing or the last
//! layers are learned, with W; or all of it. What is not learned is computed before: vectors of lists, or the rows
//! after the layers that stay as they are ([`Lines`]).
//!
//! # Losses
//! ```text
//! two lists, one better:   log(1 + e^(−(s(better) − s(worse)) / T)),         a list with a number y:   (s − y)² / 2
//! ```
//!
//! each with a weight. A step's gradient is that of the weighted mean of a batch. Examples with the same reference are
//! a [`SiameseGroup`]; a batch has whole groups, so that every list of a group is encoded once.

mod encoder;
mod head;
mod training;

pub use training::{SiameseSettings, SiameseTraining};

use crate::Matrix;
use crate::error::{Error, Result};
use crate::networks::data_digest::DataDigest;
use crate::parameters::{Gradients, Parameters};
use encoder::{EncoderWorkspace, SiameseEncoder};
use head::{Head, HeadWorkspace, Likeness, MATCHING, Matches, matches};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;
use tercet_transformer::Config;
use tercet_transformer::attention::RelativeBias;

/// The head, and what is learned of the encoder.
#[derive(Clone, Debug)]
pub struct SiameseNetwork {
    parameters: Parameters,
    head: Head,
    encoder: Option<SiameseEncoder>,
}

/// Results of the forward pass of a group that the backward pass needs.
#[derive(Debug, Default)]
pub(super) struct GroupWorkspace {
    encoder: EncoderWorkspace,
    /// For each line with which items are compared: items × 9, and items × the features of strings.
    likenesses: Vec<Likeness>,
    /// Of each item and each line with which it is compared, those of the learned layers.
    matches: Vec<Matches>,
    head: HeadWorkspace,
    scores: Vec<f32>,
}

impl SiameseNetwork {
    /// A network whose tensors have the values that `source` gives for a name and a shape. The encoder's names are
    /// those of its family; the others are `projection.weight`, those of the [`HeadBlock`], `head.bias` or
    /// `head.way.bias`, `head.output.weight` and `head.output.bias`. Weight decay pulls towards these values.
    pub fn new(shape: &SiameseShape, mut source: impl FnMut(&str, [usize; 2]) -> Result<Vec<f32>>) -> Result<Self> {
        let mut parameters = Parameters::default();
        let head = Head::new(&mut parameters, shape, &mut source)?;
        let learned = shape.learned.as_ref();
        let encoder = learned.map(|learned| SiameseEncoder::new(&mut parameters, &shape.encoder, learned, &mut source));
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
        space.matches.clear();
        space.likenesses.clear();
        for other in 0..self.head.strings_widths().len() {
            let mut likeness = Likeness::default();
            for item in &group.items {
                let compared = &item.compared[other];
                likeness.matching.extend_from_slice(&compared.matching);
                likeness.strings.extend_from_slice(&compared.strings);
                if let Some(encoder) = &self.encoder {
                    let features = likeness.matching.len() - MATCHING;
                    for slot in encoder.slots() {
                        let found = matches(&space.encoder.taps[slot], item.list, other);
                        let at = features + 3 * slot;
                        likeness.matching[at..at + 3].copy_from_slice(&found.values());
                        space.matches.push(found);
                    }
                }
            }
            space.likenesses.push(likeness);
        }
        let items = group.items.iter().map(|item| item.list);
        let GroupWorkspace { encoder, likenesses, head, scores, .. } = space;
        self.head.forward(&self.parameters, &encoder.vectors, items, likenesses, head, scores);
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
        let hidden = self.head.backward(&self.parameters, &space.likenesses, d_scores, &space.head, gradients);
        let Some(encoder) = &self.encoder else { return };
        space.encoder.start_gradients();
        let items = group.items.iter().map(|item| item.list);
        let EncoderWorkspace { vectors, d_vectors, .. } = &mut space.encoder;
        self.head.vector_gradients(&self.parameters, &hidden, vectors, items, d_vectors);
        let d_features = self.head.feature_gradients(&self.parameters, &hidden);
        let mut found = space.matches.iter();
        for (other, d_features) in d_features.iter().enumerate() {
            for (item, d_features) in group.items.iter().zip(d_features.chunks_exact(MATCHING)) {
                for slot in encoder.slots() {
                    let found = found.next().expect("every item has its matches");
                    let (tap, d_rows) = (&space.encoder.taps[slot], &mut space.encoder.d_taps[slot]);
                    found.backward(tap, [item.list, other], &d_features[3 * slot..3 * slot + 3], d_rows);
                }
            }
        }
        encoder.backward(&self.parameters, &group.lines, lines, &mut space.encoder, gradients);
    }
}

/// Sizes of a [`SiameseNetwork`](SiameseNetwork).
#[derive(Clone, Debug, PartialEq)]
pub struct SiameseShape {
    /// The encoder.
    pub encoder: Config,
    /// Units of the head.
    pub hidden: usize,
    /// The parts of the head that are learned, one for each line with which others are compared.
    pub blocks: Vec<HeadBlock>,
    /// The row of `head.way.bias`, if there is one for each way of comparing; else the bias is `head.bias`.
    pub way: Option<usize>,
    /// What is learned of the encoder; `None`: nothing.
    pub learned: Option<LearnedLayers>,
}

/// The matrices of a head for the line with which others are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadBlock {
    /// What their names begin with: `head`, `head.source`.
    pub prefix: &'static str,
    /// The number of features of strings.
    pub strings: usize,
}

impl Default for HeadBlock {
    fn default() -> Self {
        HeadBlock { prefix: "head", strings: 0 }
    }
}

impl HeadBlock {
    fn name(&self, matrix: &str) -> String {
        format!("{}.{matrix}.weight", self.prefix)
    }
}

/// The layers of the encoder that are learned: its last ones, and the tables before the first one if all are.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedLayers {
    /// How many.
    pub layers: usize,
    /// Numbers of a token when those of the last layer are matched.
    pub projected: usize,
    /// The layer in the middle whose rows are matched, counted from 1.
    pub middle: usize,
    /// A bias of attention, which is not learned.
    pub bias: Option<Arc<RelativeBias>>,
    /// The learning rate of the encoder, that of the head being 1.
    pub rate: f32,
}

#[cfg(test)]
mod tests;

/// Lists that are compared with the same one, or with the same two, and judgements of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiameseGroup {
    /// Numbers of lines. The first is the reference, or as many as the network has blocks.
    pub lines: Vec<u32>,
    /// What is compared with it.
    pub items: Vec<GroupItem>,
    /// Items of which one is better.
    pub ranked: Vec<RankedItems>,
    /// Items with a score.
    pub scored: Vec<ScoredItem>,
}

/// An item of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupItem {
    /// Its list, as an index of the group's lines.
    pub list: usize,
    /// What is known of it and each line with which it is compared.
    pub compared: Vec<Compared>,
}

/// What is known of an item and a line with which it is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Precision, recall and F of the last, a middle and the first layer. Those of learned layers do not matter.
    pub matching: [f32; 9],
    /// Features of the strings, as many as the head has.
    pub strings: Vec<f32>,
}

/// Two items of a group, as indices of its items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedItems {
    /// The better one.
    pub better: usize,
    /// The worse one.
    pub worse: usize,
    /// The weight of the example.
    pub weight: f32,
}

/// An item of a group with a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredItem {
    /// The item, as an index of the group's items.
    pub item: usize,
    /// The score that the network should give.
    pub target: f32,
    /// The weight of the example.
    pub weight: f32,
}

impl SiameseGroup {
    /// Number of examples.
    pub fn examples(&self) -> usize {
        self.ranked.len() + self.scored.len()
    }

    /// The sum of the weights of all examples.
    fn weight(&self) -> f32 {
        let ranked: f32 = self.ranked.iter().map(|one| one.weight).sum();
        ranked + self.scored.iter().map(|one| one.weight).sum::<f32>()
    }
}

/// The rows of lines after the layers that are not learned.
pub trait FrozenLayers: Sync {
    /// The rows of each of these lines.
    fn rows(&self, lines: &[u32]) -> Vec<Cow<'_, [f32]>>;
}

/// What is known of lines before anything is learned.
pub enum Lines<'a> {
    /// A vector per line, of the length √D: only the head is learned.
    Vectors(Matrix),
    /// Rows after the layers that are not learned.
    Rows(&'a dyn FrozenLayers),
    /// The numbers of tokens: all layers are learned.
    Tokens(Vec<Vec<u32>>),
}

impl Lines<'_> {
    /// The vectors of lines, one after the other.
    fn vectors(&self, lines: &[u32], vectors: &mut Vec<f32>) {
        let Lines::Vectors(table) = self else { unreachable!("without layers there are vectors") };
        vectors.clear();
        lines.iter().for_each(|line| vectors.extend_from_slice(table.row(*line as usize)));
    }
}

/// Returns an error if a group refers to what it does not have, has another number of features of strings, or a weight
/// or a score that is not a finite number, or a weight below 0.
fn check(groups: &[SiameseGroup], strings: &[usize]) -> Result<()> {
    let is_weight = |weight: f32| weight.is_finite() && weight >= 0.0;
    let is_good = |group: &SiameseGroup| {
        let items = group.items.len();
        let is_ranked = |one: &RankedItems| one.better < items && one.worse < items && is_weight(one.weight);
        let is_scored = |one: &ScoredItem| one.item < items && one.target.is_finite() && is_weight(one.weight);
        let is_item = |item: &GroupItem| {
            let widths = item.compared.iter().map(|compared| compared.strings.len());
            item.list < group.lines.len() && widths.eq(strings.iter().copied())
        };
        group.lines.len() >= strings.len()
            && group.items.iter().all(is_item)
            && group.ranked.iter().all(is_ranked)
            && group.scored.iter().all(is_scored)
    };
    match groups.iter().position(|group| !is_good(group)) {
        Some(example) => {
            let reason = "it has an index or a number that cannot be".to_owned();
            Err(Error::BadExample { example, reason })
        }
        None => Ok(()),
    }
}

/// Returns an error if there is nothing to learn.
fn check_not_empty(groups: &[SiameseGroup]) -> Result<()> {
    match groups.iter().all(|group| group.examples() == 0) {
        true => Err(Error::Empty { what: "the training set".to_owned() }),
        false => Ok(()),
    }
}

/// A hash of groups.
fn digest(groups: &[SiameseGroup]) -> String {
    let mut digest = DataDigest::default();
    for group in groups {
        let items = group.items.iter().flat_map(|item| {
            let features = item.compared.iter().flat_map(|compared| compared.matching.iter().chain(&compared.strings));
            std::iter::once(item.list as u32).chain(features.map(|number| number.to_bits()))
        });
        let ranked = group.ranked.iter().flat_map(|one| [one.better as u32, one.worse as u32, one.weight.to_bits()]);
        let scored = group.scored.iter().flat_map(|one| [one.item as u32, one.target.to_bits(), one.weight.to_bits()]);
        digest = digest
            .integers(&group.lines)
            .integers(&items.collect::<Vec<_>>())
            .integers(&ranked.collect::<Vec<_>>())
            .integers(&scored.collect::<Vec<_>>());
    }
    digest.finish()
}
