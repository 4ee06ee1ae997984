//! What recipes of both parsers have in common beside their `kind`: which words get a vector, and how long learning warms up.

use crate::recipe::Refusal;
use serde::Deserialize;

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

/// Refuses a learning rate that rises for more steps than there are.
pub(super) fn check_warm_up(table: &str, warm_up: u64, steps: u64) -> Result<(), Refusal> {
    if warm_up <= steps {
        return Ok(());
    }
    let what = format!("cannot be {warm_up}: there are {steps} steps ({steps} at most)");
    Err(Refusal::new(table, "warm_up", what))
}
