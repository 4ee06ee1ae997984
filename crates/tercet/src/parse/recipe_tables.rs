//! What recipes of both parsers have in common beside their `kind`: which words get a vector, and how large sizes may be.

use serde::Deserialize;
use tercet_learn::networks::limits::{LONGEST_WINDOW, MOST_LAYERS};

/// `[vocabulary]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VocabularySize {
    /// At most.
    pub words: usize,
    /// Occurrences.
    pub least: u64,
}

impl Default for VocabularySize {
    fn default() -> Self {
        VocabularySize { words: 16_000, least: 2 }
    }
}

/// The most that sizes of a network may be: as the network itself says, or less where more cannot be meant.
pub(super) fn most_of(size: &str) -> f64 {
    match size {
        "layers" => MOST_LAYERS as f64,
        "window" => LONGEST_WINDOW as f64,
        _ => 10_000.0,
    }
}
