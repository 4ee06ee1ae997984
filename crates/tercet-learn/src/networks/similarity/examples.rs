//! What the network learns from.

use super::{Sentences, SimilarityShape};
use crate::error::{Error, Result};

/// A reference and a translation with the similarity that people gave them. Sentences are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredPair {
    /// The reference.
    pub reference: u32,
    /// The translation.
    pub translation: u32,
    /// The similarity, from 1 to K.
    pub score: f32,
}

/// A reference and two translations, of which people preferred one. Sentences are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedPair {
    /// The reference.
    pub reference: u32,
    /// The better translation.
    pub better: u32,
    /// The worse translation.
    pub worse: u32,
}

/// Sentences, and what people said about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimilarityExamples {
    /// The sentences.
    pub sentences: Sentences,
    /// Pairs with a similarity.
    pub scored: Vec<ScoredPair>,
    /// Pairs of translations in order.
    pub ranked: Vec<RankedPair>,
}

impl SimilarityExamples {
    /// Number of examples of both kinds.
    pub(super) fn count(&self) -> usize {
        self.scored.len() + self.ranked.len()
    }

    /// Returns an error if a sentence does not exist or has no tree where one is needed, a word is not in the vocabulary, or
    /// a score is out of range. Examples are counted from 0, ranked ones after the scored ones.
    pub(super) fn check(&self, shape: SimilarityShape, vocabulary: usize) -> Result<()> {
        self.sentences.check(shape.encoding, vocabulary)?;
        let bad = |example: usize, reason: String| Err(Error::BadExample { example, reason });
        let missing = |numbers: &[u32]| numbers.iter().copied().find(|n| *n as usize >= self.sentences.len());
        for (example, pair) in self.scored.iter().enumerate() {
            if !(1.0..=shape.classes as f32).contains(&pair.score) {
                return bad(example, format!("score {} is not between 1 and {}", pair.score, shape.classes));
            }
        }
        let scored = self.scored.iter().map(|pair| missing(&[pair.reference, pair.translation]));
        let ranked = self.ranked.iter().map(|pair| missing(&[pair.reference, pair.better, pair.worse]));
        match scored.chain(ranked).enumerate().find_map(|(example, number)| Some((example, number?))) {
            None => Ok(()),
            Some((example, number)) => {
                bad(example, format!("it has sentence {number} of {}", self.sentences.len()))
            }
        }
    }
}
