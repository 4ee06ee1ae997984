//! What recipes of both parsers have in common: which words get a vector, and the sizes that networks can have.

use crate::recipe::{range, settings};

settings! {
    /// `[vocabulary]`.
    pub struct VocabularySize {
        /// The most words that get a vector.
        words: usize = 16_000, range(0.0, 1e6);
        /// How often a word must occur to get one.
        least: u64 = 2;
    }
}

/// The largest size of a layer.
pub(super) const WIDEST: f64 = 10_000.0;
