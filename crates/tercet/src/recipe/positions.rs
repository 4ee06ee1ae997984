//! Where the keys of a TOML text stand.

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

/// All keys and entries with the bytes of their names and values.
pub(super) struct Positions {
    all: Vec<(Vec<Step>, Range<usize>)>,
}

impl Positions {
    /// Those of a text.
    pub fn of(whole: &Spanned<DeTable<'_>>) -> Self {
        let mut positions = Positions { all: Vec::new() };
        positions.add_table(&mut Vec::new(), whole.get_ref());
        positions
    }

    fn add_table(&mut self, way: &mut Vec<Step>, table: &DeTable<'_>) {
        for (key, value) in table {
            way.push(Step::Key(key.get_ref().to_string()));
            self.all.push((way.clone(), key.span()));
            self.add_value(way, value);
            way.pop();
        }
    }

    fn add_value(&mut self, way: &mut Vec<Step>, value: &Spanned<DeValue<'_>>) {
        self.all.push((way.clone(), value.span()));
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
        let holds =
            |place: &&(Vec<Step>, Range<usize>)| place.1.start <= span.start && span.end <= place.1.end;
        let narrowest = self.all.iter().filter(holds).min_by_key(|(_, place)| place.len());
        narrowest.map(|(way, _)| way.clone()).unwrap_or_default()
    }

    /// The first byte of a key of a table (`a.b`), or of the table if it has no such key.
    pub fn of_key(&self, table: &str, key: &str) -> Option<usize> {
        let step = |name: &str| Step::Key(name.to_owned());
        let mut way: Vec<Step> = table.split('.').filter(|name| !name.is_empty()).map(step).collect();
        let start = |way: &[Step]| Some(self.all.iter().find(|(known, _)| known == way)?.1.start);
        let without = start(&way);
        way.push(step(key));
        start(&way).or(without)
    }
}
