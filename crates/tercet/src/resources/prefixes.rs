//! Words that keep their full stop: what METEOR's `-norm` needs to tell the end of a sentence from an abbreviation.

use crate::error::Result;
use std::path::Path;

/// What becomes of a full stop after a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// It stays.
    Keeps,
    /// It stays before a number.
    KeepsBeforeNumber,
}

/// Abbreviations of one language.
pub struct Prefixes {}

impl Prefixes {
    /// The list inside the binary for a language METEOR normalises (en, cz, fr, es, de, ru), if there is one.
    pub fn embedded(_language: &str) -> Option<&'static Prefixes> {
        None
    }

    /// A list in the form METEOR and Moses share: one per line, `#NUMERIC_ONLY#` after some.
    pub fn read(_path: &Path) -> Result<Self> {
        Ok(Prefixes {})
    }

    /// What is known of a word.
    pub fn get(&self, _word: &str) -> Option<Prefix> {
        None
    }

    /// What the list was made from.
    pub fn hash(&self) -> &str {
        "00000000"
    }
}
