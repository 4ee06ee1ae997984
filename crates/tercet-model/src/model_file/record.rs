//! What a model says of itself: the hash of its file, and notes on its origin.

use super::{ModelFile, Notes};
use crate::error::Result;
use std::path::Path;
use tercet_base::files;

/// The hash and the notes of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelRecord {
    /// The first eight hexadecimal digits of the SHA-256 of the model file; empty before it is written.
    pub hash: String,
    /// Training data, seed, scores, recipe.
    pub notes: Notes,
}

impl ModelRecord {
    /// The note of a key.
    pub fn note(&self, key: &str) -> Option<&str> {
        self.notes.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Sets a note, which is stored in the model file.
    pub fn set_note(&mut self, key: &str, value: impl ToString) {
        self.notes.retain(|(known, _)| known != key);
        self.notes.push((key.to_owned(), value.to_string()));
    }

    /// Sets several notes.
    pub fn set_notes<'k>(&mut self, notes: impl IntoIterator<Item = (&'k str, String)>) {
        notes.into_iter().for_each(|(key, value)| self.set_note(key, value));
    }
}

impl ModelFile {
    /// The hash and the notes of a file that was read.
    pub fn record(&self) -> ModelRecord {
        ModelRecord { hash: self.hash().to_owned(), notes: self.notes() }
    }

    /// Writes the file atomically, with the notes of `record`, which gets the hash of the file.
    pub fn write_with(mut self, record: &mut ModelRecord, path: &Path) -> Result<()> {
        self.add_notes(&record.notes);
        let bytes = self.to_bytes()?;
        record.hash = files::short_hash(&bytes);
        Ok(files::write(path, &bytes)?)
    }
}
