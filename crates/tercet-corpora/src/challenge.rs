//! Challenge sets: pairs of a good and a damaged translation, which a metric should tell apart.
//!
//! Rows with named fields in any format of `rows`; or a folder of such files. The names of ACES and DEMETR are known,
//! as are usual ones; others can be given:
//!
//! | | own | ACES (`challenge_set.tsv`, JSON lines) | DEMETR (a JSON array for each kind) |
//! |---|---|---|---|
//! | the good translation | `good` | `good-translation` | `mt_sent` |
//! | the damaged one | `damaged`, `bad` | `incorrect-translation` | `pert_sent` |
//! | reference | `reference`, `ref` | `reference` | `eng_sent` |
//! | source | `source`, `src` | `source` | `src_sent` |
//! | kind of damage | `kind`, `category` | `phenomena` | `pert_name` |
//! | severity | `severity` | | `severity` |
//! | language pair | `lp`, `pair` | `langpair` | (`lang_tag` names the source alone) |
//!
//! Every row needs the first three; a damaged translation may be empty. Quotation marks in tab-separated files are part
//! of the texts, unless the whole file is quoted.

use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::language_pair;
use crate::plain_text::{Lines, read_lines};
use crate::rows::{Field, FieldNames, FieldSample, OpenedFile, Row, RowFormat};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// A good and a damaged translation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChallengeItem {
    /// The language pair, such as `de-en`; empty if the file does not say.
    pub pair: String,
    /// What is damaged; empty if the file does not say.
    pub kind: String,
    /// How bad that is; empty if the file does not say.
    pub severity: String,
    /// The source, if the file has it.
    pub source: Option<String>,
    /// The reference.
    pub reference: String,
    /// The good translation.
    pub good: String,
    /// The damaged one.
    pub damaged: String,
}

/// Names of the fields of a challenge set. Those that are not given are looked for by the names that are usual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChallengeFields {
    /// The good translation.
    pub good: Option<String>,
    /// The damaged translation.
    pub damaged: Option<String>,
    /// The reference.
    pub reference: Option<String>,
    /// The source.
    pub source: Option<String>,
    /// What is damaged.
    pub kind: Option<String>,
    /// How bad that is.
    pub severity: Option<String>,
    /// The language pair.
    pub pair: Option<String>,
}

impl ChallengeFields {
    /// The names that can be given.
    pub const NAMES: [&str; 7] = ["good", "damaged", "reference", "source", "kind", "severity", "pair"];

    /// Names a field: `good`, `original`. False if the first is none of [`ChallengeFields::NAMES`].
    pub fn set(&mut self, name: &str, field: String) -> bool {
        let place = match name {
            "good" => &mut self.good,
            "damaged" => &mut self.damaged,
            "reference" => &mut self.reference,
            "source" => &mut self.source,
            "kind" => &mut self.kind,
            "severity" => &mut self.severity,
            "pair" => &mut self.pair,
            _ => return false,
        };
        *place = Some(field);
        true
    }
}

const GOOD: &[&str] = &["good", "good-translation", "good_translation", "mt_sent"];
const DAMAGED: &[&str] = &["damaged", "bad", "incorrect-translation", "incorrect_translation", "pert_sent"];
const REFERENCES: &[&str] = &["reference", "ref", "eng_sent"];
const SOURCES: &[&str] = &["source", "src", "src_sent"];
const KINDS: &[&str] = &["kind", "phenomena", "phenomenon", "pert_name", "category"];
const SEVERITIES: &[&str] = &["severity"];
const PAIRS: &[&str] = &["lp", "langpair", "lang_pair", "language_pair", "pair"];

/// Reads a challenge set: a file, or the files of a folder one after another by name; `-` is standard input.
pub fn read_challenge(path: &Path, fields: &ChallengeFields) -> Result<Vec<ChallengeItem>> {
    if !path.is_dir() {
        return parse_challenge(&read_lines(path)?, fields);
    }
    let mut items = Vec::new();
    for (_, file) in Folder::read(path)?.files().filter(|(_, file)| RowFormat::of_name(file).is_some()) {
        items.extend(parse_challenge(&read_lines(file)?, fields)?);
    }
    match items.is_empty() {
        true => Err(Error::bad_file(path, "there is no file of rows in it: .jsonl, .json, .csv or .tsv")),
        false => Ok(items),
    }
}

/// Reads the rows of a challenge set.
pub fn parse_challenge(lines: &Lines, fields: &ChallengeFields) -> Result<Vec<ChallengeItem>> {
    let path = lines.path();
    let rows = OpenedFile::from_bytes(path, lines.text().as_bytes().to_vec())?.into_rows()?;
    let mut rows = rows.with_marks_as_in(lines.iter_untrimmed());
    let found = Found::new(rows.sample()?, fields, path)?;
    let mut items = Vec::new();
    let mut row = rows.unread_row();
    while rows.read_row(&mut row)? {
        items.push(found.item(&row)?);
    }
    match items.is_empty() {
        true => Err(Error::bad_file(path, "there is no row")),
        false => Ok(items),
    }
}

/// Which fields have what.
struct Found {
    good: Field,
    damaged: Field,
    reference: Field,
    source: Option<Field>,
    kind: Option<Field>,
    severity: Option<Field>,
    pair: Option<Field>,
}

impl Found {
    fn new(sample: &[FieldSample], fields: &ChallengeFields, path: &Path) -> Result<Found> {
        let find = |name: &Option<String>, usual: &[&str]| match name {
            Some(name) => FieldNames::named_field(sample, name, path).map(Some),
            None => Ok(crate::rated::find_field(sample, usual)),
        };
        let known = || sample.iter().map(|field| field.name.clone()).collect::<Vec<_>>().join(", ");
        let needed = |what: &str, name: &str, found: Option<Field>| {
            let message = || format!("which field has the {what}? there are: {} (name it: {name}=FIELD)", known());
            found.ok_or_else(|| Error::bad_file(path, message()))
        };
        Ok(Found {
            good: needed("good translations", "good", find(&fields.good, GOOD)?)?,
            damaged: needed("damaged translations", "damaged", find(&fields.damaged, DAMAGED)?)?,
            reference: needed("references", "reference", find(&fields.reference, REFERENCES)?)?,
            source: find(&fields.source, SOURCES)?,
            kind: find(&fields.kind, KINDS)?,
            severity: find(&fields.severity, SEVERITIES)?,
            pair: find(&fields.pair, PAIRS)?,
        })
    }

    fn item(&self, row: &Row) -> Result<ChallengeItem> {
        let optional = |field: &Option<Field>| match field {
            Some(field) => text(row, field).map(Some),
            None => Ok(None),
        };
        let filled = |field: &Field| match text(row, field)? {
            empty if empty.trim().is_empty() => Err(row.bad(field.name(), "expected a text, found nothing")),
            text => Ok(text),
        };
        let pair = optional(&self.pair)?.unwrap_or_default();
        Ok(ChallengeItem {
            pair: language_pair::written(&pair).unwrap_or(pair),
            kind: optional(&self.kind)?.unwrap_or_default(),
            severity: optional(&self.severity)?.unwrap_or_default(),
            source: optional(&self.source)?,
            reference: filled(&self.reference)?,
            good: filled(&self.good)?,
            damaged: text(row, &self.damaged)?,
        })
    }
}

fn text(row: &Row, field: &Field) -> Result<String> {
    match row.value(field) {
        Some(Value::String(text)) => Ok(text),
        Some(Value::Null) | None => Ok(String::new()),
        Some(other @ (Value::Number(_) | Value::Bool(_))) => Ok(other.to_string()),
        Some(_) => Err(row.bad(field.name(), "expected a text")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Vec<ChallengeItem>> {
        let lines = Lines::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap();
        parse_challenge(&lines, &ChallengeFields::default())
    }

    #[test]
    fn fields_can_be_named() {
        let fields = ChallengeFields { good: Some("original".to_owned()), ..ChallengeFields::default() };
        let lines = Lines::from_bytes(Path::new("x.csv"), b"original,bad,ref\na,b,c\n".to_vec()).unwrap();
        let items = parse_challenge(&lines, &fields).unwrap();
        assert_eq!((items[0].good.as_str(), items[0].damaged.as_str(), items[0].kind.as_str()), ("a", "b", ""));
        let mut fields = ChallengeFields::default();
        assert!(fields.set("kind", "x".to_owned()) && !fields.set("other", "x".to_owned()));
    }

    #[test]
    fn errors_name_file_line_and_field() {
        let message = |name: &str, text: &str| read(name, text).unwrap_err().to_string();
        assert_eq!(
            message("x.csv", "good,ref\na,b\n"),
            "x.csv: which field has the damaged translations? there are: good, ref (name it: damaged=FIELD)"
        );
        let rows =
            "{\"good\": \"a\", \"bad\": \"\", \"ref\": \"c\"}\n{\"good\": \"\", \"bad\": \"b\", \"ref\": \"c\"}\n";
        assert_eq!(message("x.jsonl", rows), "x.jsonl:2: field `good`: expected a text, found nothing");
        let rows = "{\"good\": \"a\", \"bad\": [1], \"ref\": \"c\"}\n{}\n";
        assert_eq!(message("x.jsonl", rows), "x.jsonl:1: field `bad`: expected a text");
    }
}
