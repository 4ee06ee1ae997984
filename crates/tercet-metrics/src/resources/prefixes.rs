//! Lists of abbreviations with their hash: the embedded ones ([`Abbreviations`]), and METEOR's own from its folder
//! `nonbreaking`.

use super::hash::hash;
use super::lines;
use crate::error::Result;
use crate::text::Abbreviations;
use crate::text::Prefix;
use std::path::Path;
use std::sync::OnceLock;

const TEXTS: [(&str, &str); 6] = Abbreviations::TEXTS;

/// Abbreviations of one language.
pub struct Prefixes {
    words: Abbreviations,
    hash: String,
}

impl Prefixes {
    /// The list inside the binary for a language METEOR normalises (en, cz, fr, es, de, ru), if there is one.
    pub fn embedded(language: &str) -> Option<&'static Prefixes> {
        static EMBEDDED: [OnceLock<Prefixes>; TEXTS.len()] = [const { OnceLock::new() }; TEXTS.len()];
        let number = TEXTS.iter().position(|(name, _)| *name == language)?;
        Some(EMBEDDED[number].get_or_init(|| Prefixes::new(TEXTS[number].1)))
    }

    /// A list in the form METEOR and Moses share.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Prefixes::new(&lines::read(path)?))
    }

    /// What happens to the full stop after a word, if it is in the list.
    pub fn get(&self, word: &str) -> Option<Prefix> {
        self.words.get(word)
    }

    /// The hash of the text of the list.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    fn new(text: &str) -> Self {
        Prefixes { words: Abbreviations::parse(text), hash: hash(text.as_bytes()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_its_words_and_a_hash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("english.prefixes");
        std::fs::write(&path, "Mr\nNo #NUMERIC_ONLY#\n").unwrap();
        let list = Prefixes::read(&path).unwrap();
        let kinds = ["Mr", "No", "Dr"].map(|word| list.get(word));
        assert_eq!(kinds, [Some(Prefix::Keeps), Some(Prefix::KeepsBeforeNumber), None]);
        let embedded = Prefixes::embedded("en").unwrap();
        assert_eq!(embedded.get("Dr"), Some(Prefix::Keeps));
        assert_ne!(list.hash(), embedded.hash());
        assert!(Prefixes::embedded("zh").is_none());
    }
}
