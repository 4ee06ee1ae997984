//! Words that keep their full stop: what METEOR's `-norm` needs to tell the end of a sentence from an abbreviation.

use super::hash::hash;
use super::lines;
use crate::error::Result;
use rustc_hash::FxHashMap;
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
pub struct Prefixes {
    words: FxHashMap<String, Prefix>,
    hash: String,
}

impl Prefixes {
    /// The list inside the binary for a language METEOR normalises (en, cz, fr, es, de, ru), if there is one.
    pub fn embedded(_language: &str) -> Option<&'static Prefixes> {
        None
    }

    /// A list in the form METEOR and Moses share: one per line, `#NUMERIC_ONLY#` after some; lines that start with `#`
    /// are remarks.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Prefixes::new(&lines::read(path)?))
    }

    /// What is known of a word.
    pub fn get(&self, word: &str) -> Option<Prefix> {
        self.words.get(word).copied()
    }

    /// What the list was made from.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    fn new(text: &str) -> Self {
        Prefixes { words: lines::lines(text).filter_map(entry).collect(), hash: hash(text.as_bytes()) }
    }
}

/// A line's word and kind, unless it is empty or a remark.
fn entry(line: &str) -> Option<(String, Prefix)> {
    let mut words = lines::words(line);
    let word = words.next().filter(|word| !word.starts_with('#'))?;
    let kind = match words.next() {
        Some("#NUMERIC_ONLY#") => Prefix::KeepsBeforeNumber,
        _ => Prefix::Keeps,
    };
    Some((word.to_owned(), kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_remarks_and_kinds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("english.prefixes");
        std::fs::write(&path, "# remark\n\nMr\n  Dr  # doctor\nNo #NUMERIC_ONLY#\n#x\n").unwrap();
        let list = Prefixes::read(&path).unwrap();
        let kinds = ["Mr", "Dr", "No", "x", "mr", "#"].map(|word| list.get(word));
        let (keeps, number) = (Some(Prefix::Keeps), Some(Prefix::KeepsBeforeNumber));
        assert_eq!(kinds, [keeps, keeps, number, None, None, None]);
    }
}
