//! Tables and values of a TOML text, with their names and lines for messages.

use super::{KIND, Origin, Setting};
use crate::error::{Error, Result};
use tercet_base::choice::{Choice, UnknownChoice};
use tercet_base::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table: the whole text, `[a.b]`, or an entry of a list.
pub(crate) struct Table<'a> {
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

impl<'a> Table<'a> {
    /// The keys of a whole text.
    pub(super) fn whole(origin: &'a Origin, keys: &'a DeTable<'a>) -> Self {
        Table { origin, name: TableName { name: String::new(), is_entry: false }, offset: None, keys }
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

    /// Reads the key with one of these names, of which the first is documented. A missing key has the value `base`; it is an error if
    /// there is none. `rule` returns what is wrong with a value.
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
    pub fn value(&self, names: &[&str]) -> Result<Option<Value<'a>>> {
        let mut written = names.iter().filter_map(|name| self.keys.get_key_value(*name));
        let first = written.next().map(|(key, value)| self.value_of(key.get_ref(), key.span().start, value));
        if let (Some(first), Some((former, _))) = (&first, written.next()) {
            return Err(first.error(&format!("is given twice: `{}` is its former name", former.get_ref())));
        }
        Ok(first)
    }

    fn value_of(&self, key: &str, offset: usize, value: &'a Spanned<DeValue<'a>>) -> Value<'a> {
        let TableName { name: table, is_entry } = &self.name;
        let (name, inside) = match (is_entry, table.is_empty()) {
            (true, _) => (format!("{table}, {key}"), format!("{table}, {key}")),
            (false, true) => (key.to_owned(), key.to_owned()),
            (false, false) => (format!("[{table}] {key}"), format!("{table}.{key}")),
        };
        let table = TableName { name: inside, is_entry: *is_entry };
        Value { origin: self.origin, name, table, offset, value }
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
pub(crate) struct Value<'a> {
    origin: &'a Origin,
    /// `[training] steps`, `[data] train, entry 2`.
    name: String,
    /// The name of the value as a table.
    table: TableName,
    offset: usize,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Value<'a> {
    /// The parsed value.
    pub fn get(&self) -> &'a DeValue<'a> {
        self.value.get_ref()
    }

    /// The value as a table.
    pub fn table(&self, expected: &str) -> Result<Table<'a>> {
        let DeValue::Table(keys) = self.get() else { return Err(self.refuse(expected)) };
        Ok(Table { origin: self.origin, name: self.table.clone(), offset: Some(self.offset), keys })
    }

    /// The entries of the value as a list.
    pub fn entries(&self) -> Result<impl Iterator<Item = Value<'a>>> {
        let DeValue::Array(entries) = self.get() else { return Err(self.refuse("a list in [ ]")) };
        Ok(entries.iter().enumerate().map(|(index, value)| {
            let name = format!("{}, entry {}", self.name, index + 1);
            let table = TableName { name: name.clone(), is_entry: true };
            Value { origin: self.origin, name, table, offset: value.span().start, value }
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
