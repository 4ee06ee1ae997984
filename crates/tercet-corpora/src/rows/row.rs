//! One row: its text as it was read, and its fields.

use super::fields::{Field, FieldKind, FieldSample};
use crate::error::{Error, Result};
use crate::separated::Fields as Separated;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use tercet_base::FieldProblem;

/// A row of a file.
#[derive(Clone, Debug)]
pub struct Row {
    path: Arc<Path>,
    /// The line in which it starts, from 1.
    line: usize,
    /// The row as it was read, without the line end behind it.
    raw: String,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Object(Map<String, Value>),
    Record(Arc<Columns>, Separated),
}

/// The columns of a table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Columns {
    pub names: Vec<String>,
    pub separator: u8,
}

/// What a field has.
pub(super) enum FieldContent<'r> {
    Text(&'r str),
    Json(&'r Value),
}

impl Row {
    /// A row of JSON.
    pub(super) fn of_json(path: &Arc<Path>, line: usize, raw: String) -> Result<Row> {
        let object: Object = serde_json::from_str(&raw).map_err(|error| not_an_object(path, line, &raw, &error))?;
        Ok(Row { path: path.clone(), line, raw, content: Content::Object(object.0) })
    }

    /// A row of a table.
    pub(super) fn of_record(path: &Arc<Path>, line: usize, columns: &Arc<Columns>, raw: String) -> Result<Row> {
        let bad = |what: String| Error::bad_line(path, line, what);
        let fields = Separated::of(&raw, columns.separator).map_err(|what| bad(what.to_owned()))?;
        let (found, expected) = (fields.len(), columns.names.len());
        if found != expected {
            return Err(bad(format!("expected {expected} fields as in the first line, found {found}")));
        }
        Ok(Row { path: path.clone(), line, raw, content: Content::Record(columns.clone(), fields) })
    }

    /// The line of the file in which it starts, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The row as it was read.
    pub(super) fn raw(&self) -> &str {
        &self.raw
    }

    /// The object, if this is a row of JSON.
    pub(super) fn object(&self) -> Option<&Map<String, Value>> {
        match &self.content {
            Content::Object(object) => Some(object),
            Content::Record(..) => None,
        }
    }

    /// The separator of its fields, if it is a row of a table.
    pub(super) fn separator(&self) -> Option<u8> {
        match &self.content {
            Content::Object(_) => None,
            Content::Record(columns, _) => Some(columns.separator),
        }
    }

    /// The names of its fields, without those inside of others.
    pub(super) fn names(&self) -> Vec<&str> {
        match &self.content {
            Content::Object(object) => object.keys().map(String::as_str).collect(),
            Content::Record(columns, _) => columns.names.iter().map(String::as_str).collect(),
        }
    }

    /// The fields as they are written in a table: texts as they are, everything else as JSON.
    pub(super) fn as_texts(&self) -> Vec<(&str, Cow<'_, str>)> {
        let text = |value: &'_ Value| -> Cow<'_, str> {
            match value {
                Value::Null => "".into(),
                Value::String(_) => unreachable!("texts are borrowed"),
                other => other.to_string().into(),
            }
        };
        match &self.content {
            Content::Object(object) => object
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str().map_or_else(|| text(value), Cow::Borrowed)))
                .collect(),
            Content::Record(columns, fields) => {
                let field = |(i, name)| (String::as_str(name), Cow::Borrowed(fields.field(&self.raw, i)));
                columns.names.iter().enumerate().map(field).collect()
            }
        }
    }

    /// What a field has; `None` if the row does not have it.
    pub(super) fn get(&self, field: &Field) -> Option<FieldContent<'_>> {
        match &self.content {
            Content::Object(object) => find(object, field.name()).map(FieldContent::Json),
            Content::Record(_, fields) => field.column().map(|i| FieldContent::Text(fields.field(&self.raw, i))),
        }
    }

    /// An error about one of its fields.
    pub(super) fn bad_field(&self, field: &Field, problem: FieldProblem) -> Error {
        let (path, field) = (self.path.to_path_buf(), field.name().to_owned());
        tercet_base::RowError::BadField { path, line: self.line, field, problem }.into()
    }

    /// Its fields, and what is in them; for a table, all columns.
    pub(super) fn sample(&self) -> Vec<FieldSample> {
        let mut samples = Vec::new();
        match &self.content {
            Content::Object(object) => add_samples(object, "", &mut samples),
            Content::Record(columns, fields) => {
                let sample = |(i, name): (usize, &String)| {
                    let is_number = fields.field(&self.raw, i).trim().parse::<f64>().is_ok();
                    let kind = if is_number { FieldKind::NumberText } else { FieldKind::Text };
                    FieldSample { name: name.clone(), kind, column: Some(i) }
                };
                samples.extend(columns.names.iter().enumerate().map(sample));
            }
        }
        samples
    }
}

fn add_samples(object: &Map<String, Value>, inside: &str, samples: &mut Vec<FieldSample>) {
    for (name, value) in object {
        let name = format!("{inside}{name}");
        if let Value::Object(inner) = value {
            add_samples(inner, &format!("{name}."), samples);
        } else {
            samples.push(FieldSample { name, kind: FieldKind::of_json(value), column: None });
        }
    }
}

/// The value of a field by its name, or by names of fields and places in lists with dots between them.
fn find<'r>(object: &'r Map<String, Value>, name: &str) -> Option<&'r Value> {
    if let Some(value) = object.get(name) {
        return Some(value);
    }
    let dots = name.match_indices('.').map(|(dot, _)| dot);
    dots.into_iter().find_map(|dot| {
        let rest = &name[dot + 1..];
        match object.get(&name[..dot])? {
            Value::Object(inner) => find(inner, rest),
            Value::Array(items) => find_in_list(items, rest),
            _ => None,
        }
    })
}

fn find_in_list<'r>(items: &'r [Value], name: &str) -> Option<&'r Value> {
    let (place, rest) = name.split_once('.').map_or((name, None), |(place, rest)| (place, Some(rest)));
    let item = items.get(place.parse::<usize>().ok()?)?;
    match (item, rest) {
        (item, None) => Some(item),
        (Value::Object(inner), Some(rest)) => find(inner, rest),
        (Value::Array(inner), Some(rest)) => find_in_list(inner, rest),
        _ => None,
    }
}

/// An object whose fields have different names.
struct Object(Map<String, Value>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with named fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Object, A::Error> {
                let mut object = Map::new();
                while let Some((name, value)) = fields.next_entry::<String, Value>()? {
                    if object.contains_key(&name) {
                        return Err(A::Error::custom(format!("the field `{name}` is there twice")));
                    }
                    object.insert(name, value);
                }
                Ok(Object(object))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// What is wrong with a row, in the line of the file.
fn not_an_object(path: &Path, line: usize, raw: &str, error: &serde_json::Error) -> Error {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    let at = line + error.line().saturating_sub(1);
    let start: String = raw.trim_start().chars().take(20).collect();
    let what = match start.starts_with('{') {
        true if error.is_data() => what.to_owned(),
        true => format!("not JSON: {what} at byte {}", error.column()),
        false => format!("expected an object of JSON, found {start:?}"),
    };
    Error::bad_line(path, at, what)
}
