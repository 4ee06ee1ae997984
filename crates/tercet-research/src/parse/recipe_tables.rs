//! What the recipes of both parsers share.

use crate::recipe::{SettingError, range, settings};

settings! {
    /// `[vocabulary]` of a parser's recipe: which words get a vector.
    pub struct VocabularySize {
        /// The largest number of words that get a vector.
        words: usize = 16_000, range(0.0, 1e6);
        /// How often a word must occur in the training data to get a vector.
        least: u64 = 2;
    }
}

/// Returns an error of this table if there is no layer `tag_layer`.
pub(super) fn check_tag_layer(tag_layer: usize, layers: usize, table: &str) -> Result<(), SettingError> {
    range(1.0, layers as f64)(&tag_layer).map_err(|what| SettingError::new(table, "tag_layer", what))
}
