//! Tables and values of a TOML text, with the names and lines they have in messages.

use super::{KIND, RecipeText, Setting};
use crate::error::{Error, Result};
use crate::text::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table: the whole text, `[a.b]`, or an entry of a list.
pub(crate) struct Table<'a> {
    text: RecipeText<'a>,
    name: TableName,
    offset: Option<usize>,
    keys: &'a DeTable<'a>,
}

/// The name of a table in messages.
enum TableName {
    /// `a.b` of `[a.b]`; nothing for the whole text.
    Header(String),
    /// `[data] train, entry 2`.
    Entry(String),
}

impl<'a> Table<'a> {
    /// The keys of a whole text.
    pub fn whole(text: RecipeText<'a>, keys: &'a DeTable<'a>) -> Self {
        Table { text, name: TableName::Header(String::new()), offset: None, keys }
    }

    /// Reads the key with these names, of which the first is documented. Without the key it is `base`; without a base the key must be
    /// written. `rule` says what is wrong with a value.
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

    fn value_of(&self, key: &str, key_offset: usize, value: &'a Spanned<DeValue<'a>>) -> Value<'a> {
        let (name, table) = match &self.name {
            TableName::Entry(entry) => {
                (format!("{entry}, {key}"), TableName::Entry(format!("{entry}, {key}")))
            }
            TableName::Header(header) if header.is_empty() => {
                (key.to_owned(), TableName::Header(key.to_owned()))
            }
            TableName::Header(header) => {
                (format!("[{header}] {key}"), TableName::Header(format!("{header}.{key}")))
            }
        };
        Value { text: self.text, name, table, offset: key_offset, value }
    }

    /// The error for a key that is not written.
    pub fn missing(&self, key: &str) -> Error {
        let what = match &self.name {
            TableName::Header(header) if !header.is_empty() => format!("[{header}] {key} is missing"),
            TableName::Header(_) if key == KIND => format!("{key} is missing"),
            TableName::Header(_) => format!("[{key}] is missing"),
            TableName::Entry(entry) => format!("{entry}: {key} is missing"),
        };
        self.text.error_at(self.offset, &what)
    }

    /// Refuses keys that are none of these, given with all their names.
    pub fn check_keys(&self, known: &[&[&str]]) -> Result<()> {
        let is_whole = matches!(&self.name, TableName::Header(header) if header.is_empty());
        let is_known = |key: &str| known.iter().any(|names| names.contains(&key)) || is_whole && key == KIND;
        let Some((key, _)) = self.keys.iter().find(|(key, _)| !is_known(key.get_ref())) else {
            return Ok(());
        };
        let documented = known.iter().map(|names| names[0]);
        let listed: Vec<&str> = is_whole.then_some(KIND).into_iter().chain(documented).collect();
        let whose = match &self.name {
            _ if is_whole => "a recipe of this kind".to_owned(),
            TableName::Header(header) => format!("[{header}]"),
            TableName::Entry(entry) => entry.clone(),
        };
        let near = nearest(key.get_ref(), listed.iter().copied());
        let near = near.map_or(String::new(), |near| format!(", did you mean `{near}`?"));
        let what = format!("{whose} has no key `{}`{near} (known: {})", key.get_ref(), listed.join(", "));
        Err(self.text.error_at(Some(key.span().start), &what))
    }
}

/// A value with its name.
pub(crate) struct Value<'a> {
    text: RecipeText<'a>,
    /// `[training] steps`, `[data] train, entry 2`.
    name: String,
    /// Its name if it is a table.
    table: TableName,
    offset: usize,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Value<'a> {
    /// What is written.
    pub fn get(&self) -> &'a DeValue<'a> {
        self.value.get_ref()
    }

    /// The value as a table.
    pub fn table(self: &Value<'a>, expected: &str) -> Result<Table<'a>> {
        let DeValue::Table(keys) = self.get() else { return Err(self.refuse(expected)) };
        let name = match &self.table {
            TableName::Header(header) => TableName::Header(header.clone()),
            TableName::Entry(entry) => TableName::Entry(entry.clone()),
        };
        Ok(Table { text: self.text, name, offset: Some(self.offset), keys })
    }

    /// The entries of the value as a list.
    pub fn entries(&self) -> Result<impl Iterator<Item = Value<'a>>> {
        let DeValue::Array(entries) = self.get() else { return Err(self.refuse("a list in [ ]")) };
        Ok(entries.iter().enumerate().map(|(index, value)| {
            let name = format!("{}, entry {}", self.name, index + 1);
            let table = TableName::Entry(name.clone());
            Value { text: self.text, name, table, offset: value.span().start, value }
        }))
    }

    /// The error `[table] key cannot be …: expected …`.
    pub fn refuse(&self, expected: &str) -> Error {
        self.error(&format!("cannot be {}: expected {expected}", self.shown()))
    }

    /// An error of which `what` goes on after the name.
    pub fn error(&self, what: &str) -> Error {
        self.text.error_at(Some(self.offset), &format!("{} {what}", self.name))
    }

    fn shown(&self) -> String {
        let written = self.text.text.get(self.value.span()).unwrap_or_default();
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
