//! One row: its text as it was read, and its fields.

use super::fields::{Field, FieldKind, FieldSample};
use super::object::Object;
use crate::error::{Error, Result};
use crate::separated::Fields as Separated;
use serde_json::Value;
use std::borrow::Cow;
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
    Object(Object),
    Record(Arc<Columns>, Separated),
}

/// The columns of a table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Columns {
    pub names: Vec<String>,
    pub separator: u8,
    /// Whether a field that starts with a quotation mark is quoted; if not, the mark is part of its text.
    pub is_quoted: bool,
}

/// What a field has; a text of JSON is a `Text`, unless it is inside another value.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldContent<'r> {
    Text(&'r str),
    Json(&'r Value),
}

impl<'r> FieldContent<'r> {
    fn as_value(self) -> Cow<'r, Value> {
        match self {
            FieldContent::Text(text) => Cow::Owned(Value::from(text)),
            FieldContent::Json(value) => Cow::Borrowed(value),
        }
    }

    fn as_text(self) -> Cow<'r, str> {
        match self {
            FieldContent::Text(text) => text.into(),
            FieldContent::Json(Value::Null) => "".into(),
            FieldContent::Json(value) => value.to_string().into(),
        }
    }
}

impl Row {
    /// A row that was not read yet: of JSON, or of a table with these columns.
    pub(super) fn new(path: &Arc<Path>, columns: Option<&Arc<Columns>>) -> Row {
        let content = match columns {
            Some(columns) => Content::Record(columns.clone(), Separated::default()),
            None => Content::Object(Object::default()),
        };
        Row { path: path.clone(), line: 0, raw: String::new(), content }
    }

    /// The text of the row, to be replaced by that of another row of the file; then `read` finds its fields.
    pub(super) fn raw_mut(&mut self) -> &mut String {
        &mut self.raw
    }

    /// Finds the fields in the text of the row, which starts in this line.
    pub(super) fn read(&mut self, line: usize) -> Result<()> {
        self.line = line;
        let (path, raw) = (&*self.path, self.raw.as_str());
        let bad = |what: String| Error::bad_line(path, line, what);
        match &mut self.content {
            Content::Object(object) => object.read(raw).map_err(|error| not_an_object(path, line, raw, &error)),
            Content::Record(columns, fields) => {
                match columns.is_quoted {
                    true => fields.read(raw, columns.separator).map_err(|what| bad(what.to_owned()))?,
                    false => fields.read_plain(raw, columns.separator),
                }
                let (found, expected) = (fields.len(), columns.names.len());
                if found != expected {
                    return Err(bad(format!("expected {expected} fields as in the first line, found {found}")));
                }
                Ok(())
            }
        }
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
            Content::Object(object) => object.iter(&self.raw).map(|(name, _)| name).collect(),
            Content::Record(columns, _) => columns.names.iter().map(String::as_str).collect(),
        }
    }

    /// The fields as they are written in a table: texts as they are, everything else as JSON.
    pub(super) fn as_texts(&self) -> Vec<(&str, Cow<'_, str>)> {
        match &self.content {
            Content::Object(object) => {
                object.iter(&self.raw).map(|(name, content)| (name, content.as_text())).collect()
            }
            Content::Record(columns, fields) => {
                let field = |(i, name)| (String::as_str(name), Cow::Borrowed(fields.field(&self.raw, i)));
                columns.names.iter().enumerate().map(field).collect()
            }
        }
    }

    /// What a field has; `None` if the row does not have it.
    pub(super) fn get(&self, field: &Field) -> Option<FieldContent<'_>> {
        match &self.content {
            Content::Object(object) => object.find(&self.raw, field.name()),
            Content::Record(_, fields) => field.column().map(|i| FieldContent::Text(fields.field(&self.raw, i))),
        }
    }

    /// What a field has; a text of a table is a text of JSON.
    pub(crate) fn value(&self, field: &Field) -> Option<Value> {
        self.get(field).map(|content| content.as_value().into_owned())
    }

    /// What the field of this name has.
    pub(crate) fn get_value(&self, name: &str) -> Option<Cow<'_, Value>> {
        match &self.content {
            Content::Object(object) => object.find(&self.raw, name).map(FieldContent::as_value),
            Content::Record(columns, fields) => {
                let place = columns.names.iter().position(|column| column == name)?;
                Some(FieldContent::Text(fields.field(&self.raw, place)).as_value())
            }
        }
    }

    /// The text in a column of a table.
    pub(crate) fn column(&self, place: usize) -> Option<&str> {
        match &self.content {
            Content::Record(_, fields) if place < fields.len() => Some(fields.field(&self.raw, place)),
            _ => None,
        }
    }

    /// An error about the field of this name.
    pub(crate) fn bad(&self, name: &str, what: impl std::fmt::Display) -> Error {
        Error::bad_line(&self.path, self.line, format!("field `{name}`: {what}"))
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
            Content::Object(object) => {
                for (name, content) in object.iter(&self.raw) {
                    match content {
                        FieldContent::Text(_) => {
                            samples.push(FieldSample { name: name.to_owned(), kind: FieldKind::Text, column: None });
                        }
                        FieldContent::Json(value) => add_samples(name.to_owned(), value, &mut samples),
                    }
                }
            }
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

fn add_samples(name: String, value: &Value, samples: &mut Vec<FieldSample>) {
    match value {
        Value::Object(fields) => {
            for (inner, value) in fields {
                add_samples(format!("{name}.{inner}"), value, samples);
            }
        }
        _ => samples.push(FieldSample { name, kind: FieldKind::of_json(value), column: None }),
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
