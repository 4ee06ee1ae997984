//! Why a segment has its score: which words of a translation and of its reference found a partner on the other side.

use super::Segment;
use crate::error::Result;
use std::ops::Range;

/// Explains the scores of segments by their words. See [`Metric::explainer`](super::Metric::explainer).
pub trait Explain: Send + Sync {
    /// The words of each segment and their partners. Segments that share their references should be adjacent.
    fn explain(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>>;

    /// Words whose highest similarity is below this have no good partner.
    fn threshold(&self) -> f64;
}

/// The words of a translation and of one of its references.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The number of the reference, from 0: the one that decides the score.
    pub reference: usize,
    /// The words of the translation.
    pub hypothesis_words: Vec<ExplainedWord>,
    /// The words of the reference.
    pub reference_words: Vec<ExplainedWord>,
    /// What differs although words may have a partner.
    pub differences: Vec<Difference>,
}

/// What to look at, though words are similar: similar words may say something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub kind: DifferenceKind,
    /// The words of the translation that the reference does not have.
    pub hypothesis: Vec<String>,
    /// The reverse.
    pub reference: Vec<String>,
}

tercet_base::choices! {
    /// What may differ between similar words.
    pub enum DifferenceKind: "kind of difference" {
        /// Numbers.
        Numbers = "numbers",
        /// Words with a capital inside a sentence.
        Names = "names",
        /// Words that negate.
        Negation = "negation",
        /// The same words in other letters.
        Case = "case",
        /// All words have a partner, and the score is low.
        Score = "score",
    }
}

/// A word and its best partner.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedWord {
    /// Its bytes in the line.
    pub bytes: Range<usize>,
    /// The most similar word of the other line, by its place among the words there; `None` if there are none.
    pub partner: Option<usize>,
    /// How similar the partner is, at most 1; 0 without a partner.
    pub similarity: f64,
    /// Whether the partner is similar enough.
    pub is_matched: bool,
}

/// The words of a line that have no good partner, as they stand in the line.
pub fn unmatched<'a>(line: &'a str, words: &'a [ExplainedWord]) -> impl Iterator<Item = &'a str> {
    words.iter().filter(|word| !word.is_matched).map(|word| &line[word.bytes.clone()])
}
