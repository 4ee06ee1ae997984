//! The fields that have the texts, and the texts of a row.

use super::row::{FieldContent, Row};
use crate::error::Result;
use crate::text::trim_end;
use serde_json::Value;
use std::borrow::Cow;
use tercet_base::{FieldProblem, FieldRole};

/// A field, by its name: of a column, of a field of an object, or of one inside another (`translation.en`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    name: String,
    column: Option<usize>,
}

impl Field {
    pub(super) fn new(sample: &FieldSample) -> Self {
        Field { name: sample.name.clone(), column: sample.column }
    }

    pub(super) fn named(name: &str) -> Self {
        Field { name: name.to_owned(), column: None }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The place of the column, from 0, if the rows are those of a table.
    pub fn column(&self) -> Option<usize> {
        self.column
    }
}

/// What a field of the first row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A text.
    Text,
    /// A text of a table that is a number.
    NumberText,
    /// A list of texts, or lists of them.
    Texts,
    /// A number.
    Number,
    /// Nothing: it is null.
    Null,
    /// Something else.
    Other,
}

impl FieldKind {
    pub(super) fn of_json(value: &Value) -> Self {
        let is_text = |kind| matches!(kind, FieldKind::Text | FieldKind::Texts | FieldKind::Null);
        match value {
            Value::String(_) => FieldKind::Text,
            Value::Number(_) => FieldKind::Number,
            Value::Null => FieldKind::Null,
            Value::Array(items) if items.iter().all(|item| is_text(FieldKind::of_json(item))) => FieldKind::Texts,
            _ => FieldKind::Other,
        }
    }

    /// Whether texts may be in it.
    pub(super) fn may_be_text(self) -> bool {
        !matches!(self, FieldKind::Number | FieldKind::Other)
    }

    /// Whether names and ids may be in it.
    pub(super) fn may_be_name(self) -> bool {
        !matches!(self, FieldKind::Texts | FieldKind::Other)
    }
}

/// A field of the first row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSample {
    /// Its name.
    pub name: String,
    /// What it has.
    pub kind: FieldKind,
    /// The place of its column, from 0, if the rows are those of a table.
    pub column: Option<usize>,
}

impl FieldSample {
    /// The columns of a table of which no row was read.
    pub(crate) fn of_columns(names: &[String]) -> Vec<FieldSample> {
        let sample =
            |(i, name): (usize, &String)| FieldSample { name: name.clone(), kind: FieldKind::Text, column: Some(i) };
        names.iter().enumerate().map(sample).collect()
    }
}

impl From<&FieldSample> for Field {
    fn from(sample: &FieldSample) -> Self {
        Field::new(sample)
    }
}

/// The fields with texts and names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// Translations, one system each.
    pub hypothesis: Vec<Field>,
    /// References.
    pub reference: Vec<Field>,
    /// Sources.
    pub source: Option<Field>,
    /// Names of systems.
    pub system: Option<Field>,
    /// Names of documents.
    pub document: Option<Field>,
    /// Names of segments.
    pub id: Option<Field>,
}

/// The texts of a row. Trailing white space is removed, as from lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentRow<'r> {
    /// The line in which the row starts, from 1.
    pub line: usize,
    /// Translations, one for each field.
    pub hypotheses: Vec<Cow<'r, str>>,
    /// References, at least one if there is a field of them.
    pub references: Vec<Cow<'r, str>>,
    /// The source.
    pub source: Option<Cow<'r, str>>,
    /// The system.
    pub system: Option<Cow<'r, str>>,
    /// The document.
    pub document: Option<Cow<'r, str>>,
    /// The id.
    pub id: Option<Cow<'r, str>>,
}

impl Fields {
    /// Every field that is used, with what it has.
    pub fn all(&self) -> impl Iterator<Item = (FieldRole, &Field)> {
        let of = |role: FieldRole| move |field| (role, field);
        let texts = self.hypothesis.iter().map(of(FieldRole::Hypothesis));
        let texts = texts.chain(self.reference.iter().map(of(FieldRole::Reference)));
        let texts = texts.chain(self.source.iter().map(of(FieldRole::Source)));
        let names = self.system.iter().map(of(FieldRole::System));
        let names = names.chain(self.document.iter().map(of(FieldRole::Document)));
        texts.chain(names).chain(self.id.iter().map(of(FieldRole::Id)))
    }

    /// The texts of a row. A row without one of the fields is an error.
    pub fn segment<'r>(&self, row: &'r Row) -> Result<SegmentRow<'r>> {
        let text = |field: &Field| row.text(field);
        let name = |field: &Option<Field>| field.as_ref().map(|field| row.name(field)).transpose();
        let mut references = Vec::new();
        for field in &self.reference {
            row.add_texts(field, &mut references)?;
        }
        Ok(SegmentRow {
            line: row.line(),
            hypotheses: self.hypothesis.iter().map(text).collect::<Result<_>>()?,
            references,
            source: self.source.as_ref().map(text).transpose()?,
            system: name(&self.system)?,
            document: name(&self.document)?,
            id: name(&self.id)?,
        })
    }
}

impl Row {
    /// The one text of a field.
    pub fn text(&self, field: &Field) -> Result<Cow<'_, str>> {
        let text = match self.get(field) {
            None => Err(FieldProblem::Missing),
            Some(FieldContent::Text(text)) => Ok(text),
            Some(FieldContent::Json(value)) => one_text(value),
        };
        text.map(|text| trim_end(text).into()).map_err(|problem| self.bad_field(field, problem))
    }

    /// The one text of a field; an empty one if it is null.
    pub fn text_or_null(&self, field: &Field) -> Result<Cow<'_, str>> {
        match self.get(field) {
            Some(FieldContent::Json(Value::Null)) => Ok("".into()),
            _ => self.text(field),
        }
    }

    /// All texts of a field: of a list, its items.
    pub fn texts(&self, field: &Field) -> Result<Vec<Cow<'_, str>>> {
        let mut texts = Vec::new();
        self.add_texts(field, &mut texts)?;
        Ok(texts)
    }

    fn add_texts<'r>(&'r self, field: &Field, texts: &mut Vec<Cow<'r, str>>) -> Result<()> {
        let mut add = |text: &'r str| texts.push(trim_end(text).into());
        let added = match self.get(field) {
            None => Err(FieldProblem::Missing),
            Some(FieldContent::Text(text)) => {
                add(text);
                Ok(())
            }
            Some(FieldContent::Json(value)) => all_texts(value, &mut add),
        };
        added.map_err(|problem| self.bad_field(field, problem))
    }

    /// A name, a number, or nothing if it is null.
    pub(crate) fn name_or_null(&self, field: &Field) -> Result<Option<Cow<'_, str>>> {
        match self.get(field) {
            Some(FieldContent::Json(Value::Null)) => Ok(None),
            _ => self.name(field).map(Some),
        }
    }

    /// A name: a text or a number.
    pub fn name(&self, field: &Field) -> Result<Cow<'_, str>> {
        let name = match self.get(field) {
            None => Err(FieldProblem::Missing),
            Some(FieldContent::Text(text)) => Ok(text.trim().into()),
            Some(FieldContent::Json(Value::Number(number))) => Ok(number.to_string().into()),
            Some(FieldContent::Json(value)) => one_text(value).map(|text| text.trim().into()),
        };
        name.map_err(|problem| self.bad_field(field, problem))
    }
}

/// The text that a value is, or the only one in a list.
fn one_text(value: &Value) -> Result<&str, FieldProblem> {
    match value {
        Value::String(text) => Ok(text),
        Value::Array(items) => match items.as_slice() {
            [] => Err(FieldProblem::EmptyList),
            [item] => one_text(item),
            items => Err(FieldProblem::SeveralTexts(items.len())),
        },
        other => Err(problem(other)),
    }
}

fn all_texts<'r>(value: &'r Value, add: &mut impl FnMut(&'r str)) -> Result<(), FieldProblem> {
    match value {
        Value::String(text) => add(text),
        Value::Array(items) if items.is_empty() => return Err(FieldProblem::EmptyList),
        Value::Array(items) => {
            for item in items {
                if item.is_null() {
                    return Err(FieldProblem::NullInList);
                }
                all_texts(item, add)?;
            }
        }
        other => return Err(problem(other)),
    }
    Ok(())
}

fn problem(value: &Value) -> FieldProblem {
    match value {
        Value::Null => FieldProblem::Null,
        Value::Bool(_) => FieldProblem::NotText("true or false"),
        Value::Number(_) => FieldProblem::NotText("a number"),
        _ => FieldProblem::NotText("an object"),
    }
}
