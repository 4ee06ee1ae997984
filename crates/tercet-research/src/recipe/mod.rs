//! Recipes: TOML files with the data and the settings of a training.
//!
//! A kind of recipe declares its tables with [`settings!`]: keys, types, defaults, allowed values, former names of keys. The macro
//! derives reading, checks and `Default`. Every error names file, line, table and key, what was found and what is expected:
//!
//! ```text
//! parser.toml:9: [training] steps cannot be "many": expected a whole number, 0 or more
//! ```
//!
//! Texts are parsed by the crate `toml`, and settings are read from its values with their positions, so that no message depends on
//! the wording of that crate, except the one for a text that is not TOML.

mod kind;
mod macros;
mod setting;
mod setting_error;
mod table;

pub use kind::{ModelOutput, Trained};
pub(crate) use kind::{Origin, RecipeKind, kind_in, parse, read};
pub(crate) use macros::settings;
pub(crate) use setting::{Setting, Settings};
pub(crate) use setting_error::{MAX_NUMBER, SettingError, WIDEST, named, one_of, range};
pub(crate) use table::{Table, Value};

use crate::error::{Error, Result};
use std::io;
use std::path::Path;
use tercet_base::files;
use toml::de::{DeTable, DeValue};

/// The key for the kind of a recipe.
const KIND: &str = "kind";

/// The text of a recipe, and its name in messages.
#[derive(Clone, Copy)]
pub(crate) struct RecipeText<'a> {
    name: &'a Path,
    text: &'a str,
}

impl<'a> RecipeText<'a> {
    /// `name` is the file or another name, for messages.
    pub fn new(name: &'a Path, text: &'a str) -> Self {
        RecipeText { name, text }
    }

    /// Reads the text of a file.
    pub fn read(path: &Path) -> Result<String> {
        if path.is_dir() {
            let path = path.display();
            return Err(Error::BadRequest(format!(
                "{path}: it is a folder, expected a recipe (name the file)"
            )));
        }
        let read = files::read(path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        read.map_err(|source| Error::Read { path: path.to_owned(), source })
    }

    /// Parses the text and calls `read` with its keys.
    pub fn with_keys<T>(self, read: impl FnOnce(&Table<'_>) -> Result<T>) -> Result<T> {
        let keys = DeTable::parse(self.text).map_err(|error| {
            let offset = error.span().map(|span| span.start);
            self.error_at(offset, &format!("this is not TOML: {}", error.message()))
        })?;
        read(&Table::whole(self, keys.get_ref()))
    }

    /// All texts in quotes, but those of the table `[model]`.
    pub fn texts(self) -> Vec<String> {
        fn collect(value: &DeValue<'_>, texts: &mut Vec<String>) {
            match value {
                DeValue::String(text) => texts.push(text.to_string()),
                DeValue::Array(values) => values.iter().for_each(|value| collect(value.get_ref(), texts)),
                DeValue::Table(keys) => keys.iter().for_each(|(_, value)| collect(value.get_ref(), texts)),
                _ => {}
            }
        }
        let mut texts = Vec::new();
        if let Ok(keys) = DeTable::parse(self.text) {
            let data = keys.get_ref().iter().filter(|(key, _)| key.get_ref() != "model");
            data.for_each(|(_, value)| collect(value.get_ref(), &mut texts));
        }
        texts
    }

    /// The error for a value, with the line of its key or else of its table.
    pub fn refuse(self, refusal: &SettingError) -> Error {
        let (offset, _) = self.find(&refusal.table, &refusal.key);
        self.error_at(offset, &refusal.to_string())
    }

    /// Whether the text sets a key of a table (`a.b`).
    pub fn has(self, table: &str, key: &str) -> bool {
        self.find(table, key).1
    }

    /// The offset of a key, or else of the innermost table around it in the text; and whether the text has the key.
    fn find(self, table: &str, key: &str) -> (Option<usize>, bool) {
        let Ok(whole) = DeTable::parse(self.text) else { return (None, false) };
        let (mut keys, mut offset) = (Some(whole.get_ref()), None);
        for name in table.split('.').chain([key]).filter(|name| !name.is_empty()) {
            let found = keys.and_then(|keys| keys.iter().find(|(key, _)| key.get_ref() == name));
            let Some((key, value)) = found else { return (offset, false) };
            offset = Some(key.span().start);
            keys = if let DeValue::Table(keys) = value.get_ref() { Some(keys) } else { None };
        }
        (offset, true)
    }

    /// An error at a place in the text.
    fn error_at(self, offset: Option<usize>, what: &str) -> Error {
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
