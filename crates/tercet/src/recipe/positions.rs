//! Where the keys of a TOML text stand, and what their values look like.

use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Of a table.
    Key(String),
    /// Of a list, from 1.
    Entry(usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Key(key) => f.write_str(key),
            Step::Entry(number) => write!(f, "entry {number}"),
        }
    }
}

/// All keys and entries, each name and each value.
pub(super) struct Positions<'a> {
    text: &'a str,
    all: Vec<Spot>,
}

/// The name of a key, or a value.
struct Spot {
    way: Vec<Step>,
    bytes: Range<usize>,
    /// A value as it is told to people.
    shown: Option<String>,
}

impl<'a> Positions<'a> {
    /// Those of a text, which was read as `whole`.
    pub fn of(text: &'a str, whole: &Spanned<DeTable<'_>>) -> Self {
        let mut positions = Positions { text, all: Vec::new() };
        positions.add_table(&mut Vec::new(), whole.get_ref());
        positions
    }

    fn add_table(&mut self, way: &mut Vec<Step>, table: &DeTable<'_>) {
        for (key, value) in table {
            way.push(Step::Key(key.get_ref().to_string()));
            self.all.push(Spot { way: way.clone(), bytes: key.span(), shown: None });
            self.add_value(way, value);
            way.pop();
        }
    }

    fn add_value(&mut self, way: &mut Vec<Step>, value: &Spanned<DeValue<'_>>) {
        let shown = Some(self.shown(value));
        self.all.push(Spot { way: way.clone(), bytes: value.span(), shown });
        match value.get_ref() {
            DeValue::Table(table) => self.add_table(way, table),
            DeValue::Array(entries) => {
                for (number, entry) in entries.iter().enumerate() {
                    way.push(Step::Entry(number + 1));
                    self.add_value(way, entry);
                    way.pop();
                }
            }
            _ => {}
        }
    }

    /// The way to what stands at these bytes; nothing if that is the whole text.
    pub fn keys_at(&self, span: &Range<usize>) -> Vec<Step> {
        let holds = |spot: &&Spot| spot.bytes.start <= span.start && span.end <= spot.bytes.end;
        let narrowest = self.all.iter().filter(holds).min_by_key(|spot| spot.bytes.len());
        narrowest.map(|spot| spot.way.clone()).unwrap_or_default()
    }

    /// A value as it is told to people: `"many"`, `3`, `a list`.
    pub fn value_at(&self, way: &[Step]) -> Option<&str> {
        self.all.iter().filter(|spot| spot.way == way).find_map(|spot| spot.shown.as_deref())
    }

    /// The first byte of a key of a table (`a.b`), or of the table if it has no such key.
    pub fn of_key(&self, table: &str, key: &str) -> Option<usize> {
        let start = |way: &[Step]| Some(self.all.iter().find(|spot| spot.way == way)?.bytes.start);
        start(&way_to(table, key)).or_else(|| start(&way_to(table, "")))
    }

    /// Whether a table (`a.b`) has a key.
    pub fn has(&self, table: &str, key: &str) -> bool {
        let way = way_to(table, key);
        self.all.iter().any(|spot| spot.way == way)
    }

    fn shown(&self, value: &Spanned<DeValue<'_>>) -> String {
        let written = || self.text.get(value.span()).unwrap_or_default();
        match value.get_ref() {
            DeValue::String(text) => format!("{text:?}"),
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) => written().to_owned(),
            DeValue::Datetime(when) if when.date.is_some() => format!("the date {}", written()),
            DeValue::Datetime(_) => format!("the time {}", written()),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        }
    }
}

/// The way to a key of a table; without a key, to the table.
fn way_to(table: &str, key: &str) -> Vec<Step> {
    let names = table.split('.').chain([key]).filter(|name| !name.is_empty());
    names.map(|name| Step::Key(name.to_owned())).collect()
}
