//! Tables and values of a TOML text, with their names and lines for messages. [`Origin`] is where a recipe comes
//! from: its text, with the places of its keys.

use super::{KIND, Setting, SettingError};
use crate::error::{Error, Result};
use std::io;
use std::path::{Path, PathBuf};
use tercet_base::choice::{Choice, UnknownChoice};
use tercet_base::{files, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table: the whole text, `[a.b]`, or an entry of a list.
pub(crate) struct RecipeTable<'a> {
    origin: &'a Origin,
    name: TableName,
    offset: Option<usize>,
    keys: &'a DeTable<'a>,
}

/// The name of a table in messages.
#[derive(Clone)]
struct TableName {
    /// `a.b` of `[a.b]`; of an entry, `[data] train, entry 2`; empty for the whole text.
    name: String,
    is_entry: bool,
}

impl<'a> RecipeTable<'a> {
    /// The keys of a whole text.
    pub(super) fn whole(origin: &'a Origin, keys: &'a DeTable<'a>) -> Self {
        RecipeTable { origin, name: TableName { name: String::new(), is_entry: false }, offset: None, keys }
    }

    /// The origin of a whole recipe.
    pub(super) fn origin(&self) -> Origin {
        self.origin.with_places(self.keys)
    }

    /// The place of the recipe's kind among the `known` ones; `None` if it has no key `kind`.
    pub fn kind(&self, known: &[&'static str]) -> Result<Option<usize>> {
        let Some(value) = self.value(&[KIND])? else { return Ok(None) };
        let kind = String::read(String::new(), &value)?;
        let place = known.iter().position(|name| *name == kind);
        let unknown = UnknownChoice { what: KIND, name: kind, known: known.to_vec() };
        place.map(Some).ok_or_else(|| value.refuse(&unknown.expected()))
    }

    /// Reads the key with one of these names, of which the first is documented. A missing key has the value `base`; it
    /// is an error if there is none. `rule` returns what is wrong with a value.
    pub fn setting<T: Setting>(
        &self,
        names: &[&str],
        base: Option<T>,
        rule: impl Fn(&T) -> Result<(), String>,
    ) -> Result<T> {
        match (self.value(names)?, base) {
            (Some(value), base) => {
                let read = T::read(base.unwrap_or_default(), &value)?;
                rule(&read).map_err(|what| value.error(&what))?;
                Ok(read)
            }
            (None, Some(base)) => Ok(base),
            (None, None) => Err(self.missing(names[0])),
        }
    }

    /// The value of the key with these names.
    pub fn value(&self, names: &[&str]) -> Result<Option<RecipeValue<'a>>> {
        let mut written = names.iter().filter_map(|name| self.keys.get_key_value(*name));
        let first = written.next().map(|(key, value)| self.value_of(key.get_ref(), key.span().start, value));
        if let (Some(first), Some((former, _))) = (&first, written.next()) {
            return Err(first.error(&format!("is given twice: `{}` is its former name", former.get_ref())));
        }
        Ok(first)
    }

    fn value_of(&self, key: &str, offset: usize, value: &'a Spanned<DeValue<'a>>) -> RecipeValue<'a> {
        let TableName { name: table, is_entry } = &self.name;
        let (name, inside) = match (is_entry, table.is_empty()) {
            (true, _) => (format!("{table}, {key}"), format!("{table}, {key}")),
            (false, true) => (key.to_owned(), key.to_owned()),
            (false, false) => (format!("[{table}] {key}"), format!("{table}.{key}")),
        };
        let table = TableName { name: inside, is_entry: *is_entry };
        RecipeValue { origin: self.origin, name, table, offset, value }
    }

    /// The error for a missing key.
    pub fn missing(&self, key: &str) -> Error {
        let TableName { name, is_entry } = &self.name;
        let what = match (is_entry, name.is_empty()) {
            (true, _) => format!("{name}: {key} is missing"),
            (false, true) if key == KIND => format!("{key} is missing"),
            (false, true) => format!("[{key}] is missing"),
            (false, false) => format!("[{name}] {key} is missing"),
        };
        self.error_at(self.offset, &what)
    }

    /// Returns an error for a key that is not among these, which are given with all their names.
    pub fn check_keys(&self, known: &[&[&str]]) -> Result<()> {
        let TableName { name, is_entry } = &self.name;
        let kind: &[&[&str]] = if name.is_empty() { &[&[KIND]] } else { &[] };
        let known = || kind.iter().chain(known);
        let is_known = |key: &str| known().any(|names| names.contains(&key));
        let Some((key, _)) = self.keys.iter().find(|(key, _)| !is_known(key.get_ref())) else {
            return Ok(());
        };
        let whose = match (is_entry, name.is_empty()) {
            (true, _) => name.clone(),
            (false, true) => "a recipe of this kind".to_owned(),
            (false, false) => format!("[{name}]"),
        };
        let documented: Vec<&str> = known().map(|names| names[0]).collect();
        let near = nearest(key.get_ref(), documented.iter().copied());
        let near = near.map_or(String::new(), |near| format!(", did you mean `{near}`?"));
        let what = format!("{whose} has no key `{}`{near} (known: {})", key.get_ref(), documented.join(", "));
        Err(self.error_at(Some(key.span().start), &what))
    }

    fn error_at(&self, offset: Option<usize>, what: &str) -> Error {
        self.origin.error_at(offset.map(|offset| line_of(&self.origin.text, offset)), what)
    }
}

/// The line of an offset, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    memchr::memchr_iter(b'\n', &text.as_bytes()[..offset.min(text.len())]).count() + 1
}

/// A value with its name in messages.
pub(crate) struct RecipeValue<'a> {
    origin: &'a Origin,
    /// `[training] steps`, `[data] train, entry 2`.
    name: String,
    /// The name of the value as a table.
    table: TableName,
    offset: usize,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> RecipeValue<'a> {
    /// The parsed value.
    pub fn get(&self) -> &'a DeValue<'a> {
        self.value.get_ref()
    }

    /// The value as a table.
    pub fn table(&self, expected: &str) -> Result<RecipeTable<'a>> {
        let DeValue::Table(keys) = self.get() else { return Err(self.refuse(expected)) };
        Ok(RecipeTable { origin: self.origin, name: self.table.clone(), offset: Some(self.offset), keys })
    }

    /// The entries of the value as a list.
    pub fn entries(&self) -> Result<impl Iterator<Item = RecipeValue<'a>>> {
        let DeValue::Array(entries) = self.get() else { return Err(self.refuse("a list in [ ]")) };
        Ok(entries.iter().enumerate().map(|(index, value)| {
            let name = format!("{}, entry {}", self.name, index + 1);
            let table = TableName { name: name.clone(), is_entry: true };
            RecipeValue { origin: self.origin, name, table, offset: value.span().start, value }
        }))
    }

    /// The error `[table] key cannot be …: expected …`.
    pub fn refuse(&self, expected: &str) -> Error {
        self.error(&format!("cannot be {}: expected {expected}", self.shown()))
    }

    /// An error: the name followed by `what`.
    pub fn error(&self, what: &str) -> Error {
        let line = line_of(&self.origin.text, self.offset);
        self.origin.error_at(Some(line), &format!("{} {what}", self.name))
    }

    /// The value of this name.
    pub fn chosen<T: Choice>(&self) -> Result<T> {
        let name = String::read(String::new(), self)?;
        T::from_name(&name).map_err(|unknown| self.refuse(&unknown.expected()))
    }

    fn shown(&self) -> String {
        let written = self.origin.text.get(self.value.span()).unwrap_or_default();
        match self.get() {
            DeValue::String(text) => format!("{text:?}"),
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) => written.to_owned(),
            DeValue::Datetime(when) if when.date.is_some() => format!("the date {written}"),
            DeValue::Datetime(_) => format!("the time {written}"),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        }
    }
}

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
    pub fn with_keys<T>(&self, read: impl FnOnce(&RecipeTable<'_>) -> Result<T>) -> Result<T> {
        let keys = DeTable::parse(&self.text).map_err(|error| {
            let line = error.span().map(|span| line_of(&self.text, span.start));
            self.error_at(line, &format!("this is not TOML: {}", error.message()))
        })?;
        read(&RecipeTable::whole(self, keys.get_ref()))
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

    /// Whether the text says what it trains.
    pub fn has_kind(&self) -> bool {
        self.line(KIND).is_some()
    }

    /// The line of a table or key (`a.b.c`) that the text has.
    fn line(&self, name: &str) -> Option<usize> {
        self.keys.iter().find(|(known, _)| known == name).map(|(_, line)| *line)
    }

    /// Whether the text sets a key of a table (`a.b`).
    pub fn has(&self, table: &str, key: &str) -> bool {
        self.line(format!("{table}.{key}").trim_start_matches('.')).is_some()
    }

    /// Everything in the text that may be a path: the texts in quotes, and the files in `average:file=…`. Not the
    /// model.
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
