//! What is learned from: groups of lists with the same reference.

use crate::Matrix;
use crate::error::{Error, Result};
use crate::networks::data_digest::DataDigest;
use std::borrow::Cow;

/// Lists that are compared with the same one, and judgements of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiameseGroup {
    /// Numbers of lines. The first is the reference.
    pub lines: Vec<u32>,
    /// What is compared with the reference.
    pub items: Vec<GroupItem>,
    /// Items of which one is better.
    pub ranked: Vec<RankedItems>,
    /// Items with a score.
    pub scored: Vec<ScoredItem>,
}

/// An item of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupItem {
    /// Its list, as an index of the group's lines.
    pub list: usize,
    /// Precision, recall and F of the last, a middle and the first layer. Those of learned layers do not matter.
    pub matching: [f32; 9],
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
    pub(super) fn weight(&self) -> f32 {
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
    pub(super) fn vectors(&self, lines: &[u32], vectors: &mut Vec<f32>) {
        let Lines::Vectors(table) = self else { unreachable!("without layers there are vectors") };
        vectors.clear();
        lines.iter().for_each(|line| vectors.extend_from_slice(table.row(*line as usize)));
    }
}

/// Returns an error if a group refers to what it does not have, or has a weight or a score that is not a finite number, or a weight below 0.
pub(super) fn check(groups: &[SiameseGroup]) -> Result<()> {
    let is_weight = |weight: f32| weight.is_finite() && weight >= 0.0;
    let is_good = |group: &SiameseGroup| {
        let items = group.items.len();
        let is_ranked = |one: &RankedItems| one.better < items && one.worse < items && is_weight(one.weight);
        let is_scored = |one: &ScoredItem| one.item < items && one.target.is_finite() && is_weight(one.weight);
        !group.lines.is_empty()
            && group.items.iter().all(|item| item.list < group.lines.len())
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
pub(super) fn check_not_empty(groups: &[SiameseGroup]) -> Result<()> {
    match groups.iter().all(|group| group.examples() == 0) {
        true => Err(Error::Empty { what: "the training set".to_owned() }),
        false => Ok(()),
    }
}

/// A hash of groups.
pub(super) fn digest(groups: &[SiameseGroup]) -> String {
    let mut digest = DataDigest::default();
    for group in groups {
        let items = group.items.iter().flat_map(|item| {
            std::iter::once(item.list as u32).chain(item.matching.iter().map(|number| number.to_bits()))
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
