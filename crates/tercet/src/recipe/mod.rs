//! What recipes have in common: a TOML file that says what a model is made of, and refusals that name file, line and key.
//!
//! ```text
//! parser.toml:9: [training] steps cannot be "many": expected a whole number, 0 or more
//! ```
//!
//! The tables of a recipe are the matter of those who train by it. They say what they cannot take ([`Tables::checked`], with
//! [`in_range`]); [`read`] and [`parse`] do the rest, and say where the key stands, as does [`Origin::refuse`] of what was changed
//! since. A key that is not known is an error. What serde says of wrong types is put into plain words in `plain_words.rs`.

mod entry;
mod origin;
mod place;
mod plain_words;
mod positions;
mod refusal;

pub(crate) use entry::entries;
pub use origin::Origin;
pub(crate) use origin::{Tables, parse, read};
pub use place::Place;
pub(crate) use refusal::{LARGEST, Refusal, in_range};

use crate::error::{Error, Result};
use plain_words::Complaint;
use positions::Positions;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;
use toml::de::DeTable;

/// The text of a recipe, and what it is called in messages.
#[derive(Clone, Copy)]
pub(crate) struct RecipeText<'a> {
    name: &'a Path,
    text: &'a str,
}

impl<'a> RecipeText<'a> {
    /// A text that was read from a file.
    pub fn new(name: &'a Path, text: &'a str) -> Self {
        RecipeText { name, text }
    }

    /// The text of a file.
    pub fn read(path: &Path) -> Result<String> {
        if path.is_dir() {
            let path = path.display();
            return Err(Error::BadRequest(format!(
                "{path}: it is a folder, expected a recipe (name the file)"
            )));
        }
        fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })
    }

    /// All tables and keys, as someone understands them.
    pub fn settings<T: DeserializeOwned>(&self) -> Result<T> {
        let whole = DeTable::parse(self.text).map_err(|error| {
            let offset = error.span().map(|span| span.start);
            self.at(offset, &format!("this is not TOML: {}", error.message()))
        })?;
        toml::from_str(self.text).map_err(|error| {
            // What is wrong with the whole has no place.
            let span = error.span().filter(|span| !span.is_empty());
            let positions = Positions::of(self.text, &whole);
            let keys = span.as_ref().map(|span| positions.keys_at(span)).unwrap_or_default();
            let offset = span.filter(|_| !keys.is_empty()).map(|span| span.start);
            let found = positions.value_at(&keys);
            self.at(offset, &Complaint { keys: &keys, found, message: error.message() }.to_string())
        })
    }

    /// The error that a value makes, with the line of its key, or that of its table.
    pub fn refuse(&self, refusal: &Refusal) -> Error {
        let whole = DeTable::parse(self.text).ok();
        let offset =
            whole.and_then(|whole| Positions::of(self.text, &whole).of_key(&refusal.table, &refusal.key));
        self.at(offset, &refusal.to_string())
    }

    /// Whether a key of a table (`a.b`) is written.
    pub fn says(&self, table: &str, key: &str) -> bool {
        DeTable::parse(self.text).is_ok_and(|whole| Positions::of(self.text, &whole).has(table, key))
    }

    /// An error at a place in the text.
    fn at(&self, offset: Option<usize>, what: &str) -> Error {
        let name = self.name.display();
        Error::BadRequest(match offset {
            Some(offset) => {
                let before = &self.text.as_bytes()[..offset.min(self.text.len())];
                format!("{name}:{}: {what}", memchr::memchr_iter(b'\n', before).count() + 1)
            }
            None => format!("{name}: {what}"),
        })
    }
}

#[cfg(test)]
mod tests;
