//! What the recipes of both parsers share.

use crate::recipe::{range, settings};

settings! {
    /// `[vocabulary]` of a parser's recipe: which words get a vector.
    pub struct VocabularySize {
        /// The largest number of words that get a vector.
        words: usize = 16_000, range(0.0, 1e6);
        /// How often a word must occur in the training data to get a vector.
        least: u64 = 2;
    }
}

pub(super) use crate::recipe::WIDEST;
