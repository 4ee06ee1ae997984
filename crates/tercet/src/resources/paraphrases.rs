//! METEOR's paraphrase tables: millions of pairs of short phrases.

use crate::error::Result;
use std::path::Path;

/// A table of paraphrases, by the first phrase of each pair.
pub struct Paraphrases {}

impl Paraphrases {
    /// Opens a table as METEOR ships it (`paraphrase-en.gz`: probability, phrase, phrase, on three lines).
    pub fn open(_path: &Path) -> Result<Self> {
        Ok(Paraphrases {})
    }

    /// The number of a word, if any phrase has it. Case counts.
    pub fn word(&self, _word: &str) -> Option<u32> {
        None
    }

    /// Calls back for every pair whose first phrase starts a sequence of words (`u32::MAX` for unknown ones): the length
    /// of that phrase and the words of the other; shorter first phrases first, pairs of the same in the order of the table.
    pub fn each_prefix<'a>(&'a self, _words: &[u32], _found: impl FnMut(usize, &'a [u32])) {}

    /// What the table was made from.
    pub fn hash(&self) -> &str {
        "00000000"
    }
}
