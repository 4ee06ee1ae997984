//! Where a recipe comes from: its text, with the places of its keys.

use super::SettingError;
use super::table::{Table, line_of};
use crate::error::{Error, Result};
use std::io;
use std::path::{Path, PathBuf};
use tercet_base::files;
use toml::de::{DeTable, DeValue};

/// The text of a recipe, and the folders of the files that it names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// The path, or the name in error messages.
    pub name: PathBuf,
    /// The folder of the data files that it names.
    pub folder: PathBuf,
    /// The folder of the model.
    pub beside: PathBuf,
    /// The text as written, for the notes of the model.
    pub text: String,
    /// Tables and keys that the text has, `a.b.c`, with their lines.
    keys: Vec<(String, usize)>,
    /// Texts in quotes, but those of the table `[model]`.
    quoted: Vec<String>,
}

impl Origin {
    /// A text. The files it names are in `folder`.
    pub fn new(text: &str, folder: &Path) -> Self {
        let (folder, beside) = (folder.to_owned(), folder.to_owned());
        Origin { name: "recipe".into(), folder, beside, text: text.to_owned(), ..Origin::default() }
    }

    /// Reads a file. The files it names are in the folder `data`, or beside it.
    pub fn read(path: &Path, data: Option<&Path>) -> Result<Self> {
        if path.is_dir() {
            let path = path.display();
            let what = "it is a folder, expected a recipe (name the file)";
            return Err(Error::BadRequest(format!("{path}: {what}")));
        }
        let text = files::read(path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        let text = text.map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        let folder = data.map_or_else(|| beside.clone(), Path::to_owned);
        Ok(Origin { name: path.to_owned(), folder, beside, text, ..Origin::default() })
    }

    /// Parses the text and calls `read` with its keys.
    pub fn with_keys<T>(&self, read: impl FnOnce(&Table<'_>) -> Result<T>) -> Result<T> {
        let keys = DeTable::parse(&self.text).map_err(|error| {
            let line = error.span().map(|span| line_of(&self.text, span.start));
            self.error_at(line, &format!("this is not TOML: {}", error.message()))
        })?;
        read(&Table::whole(self, keys.get_ref()))
    }

    /// The same origin with the keys of its text.
    pub(super) fn with_places(&self, keys: &DeTable<'_>) -> Self {
        let mut found = Origin { keys: Vec::new(), quoted: Vec::new(), ..self.clone() };
        found.add_table(keys, "");
        found
    }

    fn add_table(&mut self, keys: &DeTable<'_>, table: &str) {
        for (key, value) in keys {
            let name = format!("{table}{}", key.get_ref());
            self.keys.push((name.clone(), line_of(&self.text, key.span().start)));
            self.add_value(value.get_ref(), &name);
        }
    }

    fn add_value(&mut self, value: &DeValue<'_>, name: &str) {
        match value {
            DeValue::String(text) if name.split('.').next() != Some("model") => {
                self.quoted.push(text.to_string());
            }
            DeValue::Array(values) => {
                // Entries of a list have no name of their own: what is in them cannot be looked up.
                let known = self.keys.len();
                values.iter().for_each(|value| self.add_value(value.get_ref(), name));
                self.keys.truncate(known);
            }
            DeValue::Table(keys) => self.add_table(keys, &format!("{name}.")),
            _ => {}
        }
    }

    /// The line of a table or key (`a.b.c`) that the text has.
    fn line(&self, name: &str) -> Option<usize> {
        self.keys.iter().find(|(known, _)| known == name).map(|(_, line)| *line)
    }

    /// Whether the text sets a key of a table (`a.b`).
    pub fn has(&self, table: &str, key: &str) -> bool {
        self.line(format!("{table}.{key}").trim_start_matches('.')).is_some()
    }

    /// Everything in the text that may be a path: the texts in quotes, and the files in `average:file=…`. Not the model.
    pub fn named_paths(&self) -> Vec<PathBuf> {
        let path = |text: &String| {
            let file = text.split_once("file=").map_or(text.as_str(), |(_, file)| file);
            self.folder.join(file.split(',').next().unwrap_or(file))
        };
        self.quoted.iter().flat_map(|text| [self.folder.join(text), path(text)]).collect()
    }

    /// A path of the recipe; relative paths are in the folder of its data files.
    pub fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }

    /// The error for a value, with the line of its key, or else of the innermost table around it that the text has.
    pub fn refuse(&self, refusal: &SettingError) -> Error {
        if self.name.as_os_str().is_empty() {
            return Error::BadRequest(refusal.to_string());
        }
        let whole = format!("{}.{}", refusal.table, refusal.key);
        let mut name = whole.trim_matches('.');
        let mut line = self.line(name);
        while let (None, Some((outer, _))) = (line, name.rsplit_once('.')) {
            (name, line) = (outer, self.line(outer));
        }
        self.error_at(line, &refusal.to_string())
    }

    /// An error at a line of the text.
    pub(super) fn error_at(&self, line: Option<usize>, what: &str) -> Error {
        let name = self.name.display();
        Error::BadRequest(match line {
            Some(line) => format!("{name}:{line}: {what}"),
            None => format!("{name}: {what}"),
        })
    }
}
