//! Pairs as rows of a table of their own: those of lines, and those that are dropped.

use crate::output::Misuse;
use anyhow::Context;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tercet::corpora::rows::RowFormat;
use tercet::files::AtomicFile;
use tercet::scoring::Verdict;

/// A file of pairs that appears when it is complete: JSON lines, or values separated by commas or tabs.
pub struct PairTable {
    path: PathBuf,
    file: AtomicFile,
    to: BufWriter<File>,
    separator: Option<char>,
    /// Whether there are the line of the pair and the reason why it is dropped.
    has_reasons: bool,
    has_scores: bool,
}

impl PairTable {
    /// Returns an error if the name of a file does not say a format.
    pub fn check(path: &Path, flag: &str) -> Result<(), Misuse> {
        match RowFormat::of_name(path) {
            Some(RowFormat::JsonLines | RowFormat::Csv | RowFormat::Tsv) => Ok(()),
            _ => Err(Misuse(format!("{flag}: pairs are written as .jsonl, .csv or .tsv, found {}", path.display()))),
        }
    }

    /// Begins a file.
    pub fn create(path: &Path, has_reasons: bool, has_scores: bool) -> anyhow::Result<Self> {
        let context = || format!("cannot write {}", path.display());
        let mut file = AtomicFile::create(path).with_context(context)?;
        let to = BufWriter::new(file.file().try_clone().with_context(context)?);
        let separator = match RowFormat::of_name(path) {
            Some(RowFormat::Csv) => Some(','),
            Some(RowFormat::Tsv) => Some('\t'),
            _ => None,
        };
        let mut table = PairTable { path: path.to_owned(), file, to, separator, has_reasons, has_scores };
        if let Some(separator) = separator {
            let names: Vec<&str> = table.fields(0, None, "", "").into_iter().map(|(name, _)| name).collect();
            writeln!(table.to, "{}", names.join(&separator.to_string())).with_context(context)?;
        }
        Ok(table)
    }

    fn fields(&self, line: usize, verdict: Option<&Verdict>, source: &str, target: &str) -> Vec<(&'static str, Value)> {
        let mut fields = Vec::new();
        if self.has_reasons {
            fields.push(("line", line.into()));
            fields
                .push(("reason", verdict.and_then(|verdict| verdict.reason).map_or("", |reason| reason.name()).into()));
        }
        if self.has_scores {
            fields.push(("score", verdict.and_then(|verdict| verdict.score).map_or(Value::Null, Value::from)));
        }
        fields.extend([("source", source.into()), ("target", target.into())]);
        fields
    }

    /// Writes a pair.
    pub fn write(&mut self, line: usize, verdict: &Verdict, source: &str, target: &str) -> anyhow::Result<()> {
        let fields = self.fields(line, Some(verdict), source, target);
        let text = match self.separator {
            None => {
                let object: Map<String, Value> =
                    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                Value::Object(object).to_string()
            }
            Some(separator) => {
                let values: Vec<String> = fields.into_iter().map(|(_, value)| quoted(&value, separator)).collect();
                values.join(&separator.to_string())
            }
        };
        writeln!(self.to, "{text}").with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let done = self.to.flush().and_then(|()| self.file.finish());
        done.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// A value of a table.
fn quoted(value: &Value, separator: char) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) => text,
        other => return other.to_string(),
    };
    match text.contains([separator, '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    }
}
