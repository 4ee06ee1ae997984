//! What the recipes of both parsers share.
//!
//! Which documents of a treebank are in which part (train, dev, test): a list of documents under headings, as in GUM's
//! `splits.md`.
//!
//! ```text
//! ## train
//!   * GUM_academic_art
//! ```
//!
//! A document that is in no part of the list is an error, because it may belong to the test set. Documents can also be
//! selected by the parts of their names between `_`: `essay` selects `GUM_essay_evolved`.

use crate::corpora::read_bytes;
use crate::error::{Error, Result};
use crate::recipe::{SettingError, range, settings};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// The documents of one part, and those of all others.
pub(super) struct DocumentSplit {
    path: PathBuf,
    chosen: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl DocumentSplit {
    /// Reads the part that a recipe names for a treebank (`split` and `part`, both or neither); relative paths are in
    /// `folder`.
    pub fn named(folder: &Path, split: Option<&Path>, part: Option<&str>, treebank: &Path) -> Result<Option<Self>> {
        match (split, part) {
            (Some(split), Some(part)) => DocumentSplit::read(&folder.join(split), part).map(Some),
            (None, None) => Ok(None),
            _ => {
                let what = "split says where the list of parts is and part which of them: give both or neither";
                Err(Error::BadRequest(format!("{}: {what}", treebank.display())))
            }
        }
    }

    fn read(path: &Path, part: &str) -> Result<Self> {
        let bytes = read_bytes(path)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| Error::not_utf8(path, &bytes, error.valid_up_to()))?;
        let mut split = DocumentSplit { path: path.to_owned(), chosen: BTreeSet::new(), others: BTreeSet::new() };
        let (mut heading, mut headings) = ("", Vec::new());
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix("## ") {
                heading = name.trim();
                headings.push(heading);
            } else if let Some(document) = line.strip_prefix("* ") {
                let documents = if heading == part { &mut split.chosen } else { &mut split.others };
                documents.insert(document.trim().to_owned());
            }
        }
        if split.chosen.is_empty() {
            let what = format!("no document is in the part `{part}` (parts: {})", headings.join(", "));
            return Err(Error::bad_file(path, what));
        }
        Ok(split)
    }

    /// Whether a document is in the part; an error if it is in no part.
    pub fn has(&self, document: &str) -> Result<bool> {
        if self.chosen.contains(document) {
            return Ok(true);
        }
        if self.others.contains(document) {
            return Ok(false);
        }
        let what = format!("the document {document} is in no part (add it, or leave it out with `without`)");
        Err(Error::bad_file(&self.path, what))
    }
}

/// Whether a document's name has one of these parts.
pub(super) fn has_part(document: &str, parts: &[String]) -> bool {
    parts.iter().any(|part| document.split('_').any(|word| word == part))
}

/// How notes and progress name the documents of a treebank: where they are, in which part, with and without which words
/// in their names.
pub(super) fn entry_name(place: &str, part: Option<&str>, chosen: &[(&str, &Vec<String>)]) -> String {
    let part = part.map_or(String::new(), |part| format!(" {part}"));
    let chosen = chosen.iter().filter(|(_, names)| !names.is_empty());
    let chosen = chosen.map(|(word, names)| format!(" {word} {}", names.join(", ")));
    format!("{place}{part}{}", chosen.collect::<String>())
}
