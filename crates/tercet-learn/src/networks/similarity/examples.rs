//! What the network learns from.

use super::{SimilarityShape, Trees};
use crate::error::{Error, Result};

/// A reference and an item with the similarity that people gave them. Trees are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredPair {
    /// The reference.
    pub reference: u32,
    /// The item.
    pub translation: u32,
    /// The similarity, from 1 to K.
    pub score: f32,
}

/// A reference and two items, of which people preferred one. Trees are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedPair {
    /// The reference.
    pub reference: u32,
    /// The better item.
    pub better: u32,
    /// The worse item.
    pub worse: u32,
}

/// Trees, and what people said about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimilarityExamples {
    /// The trees.
    pub trees: Trees,
    /// Pairs with a similarity.
    pub scored: Vec<ScoredPair>,
    /// Pairs of items in order.
    pub ranked: Vec<RankedPair>,
}

impl SimilarityExamples {
    /// Number of examples of both kinds.
    pub(super) fn count(&self) -> usize {
        self.scored.len() + self.ranked.len()
    }

    /// Returns an error if a tree does not exist or has no heads where they are needed, a word is not in the vocabulary, or
    /// a score is out of range. Examples are counted from 0, ranked ones after the scored ones.
    pub(super) fn check(&self, shape: SimilarityShape, vocabulary: usize) -> Result<()> {
        self.trees.check(shape.encoding, vocabulary)?;
        let bad = |example: usize, reason: String| Err(Error::BadExample { example, reason });
        let missing = |numbers: &[u32]| numbers.iter().copied().find(|n| *n as usize >= self.trees.len());
        for (example, pair) in self.scored.iter().enumerate() {
            if !(1.0..=shape.classes as f32).contains(&pair.score) {
                return bad(example, format!("score {} is not between 1 and {}", pair.score, shape.classes));
            }
        }
        let scored = self.scored.iter().map(|pair| missing(&[pair.reference, pair.translation]));
        let ranked = self.ranked.iter().map(|pair| missing(&[pair.reference, pair.better, pair.worse]));
        match scored.chain(ranked).enumerate().find_map(|(example, number)| Some((example, number?))) {
            None => Ok(()),
            Some((example, number)) => bad(example, format!("it has tree {number} of {}", self.trees.len())),
        }
    }
}
