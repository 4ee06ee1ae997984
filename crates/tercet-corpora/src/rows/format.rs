//! Which format the rows of a file have: by its first bytes, then by its name.

use super::json_layout::JsonLayout;
use super::usual_names;
use crate::compressed::unpacked_name;
use std::path::Path;

/// A format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// An object of JSON per line.
    JsonLines,
    /// Objects of JSON in an array, or one after another.
    Json,
    /// Separated by commas, with a line that names the columns.
    Csv,
    /// Separated by tabs, with a line that names the columns.
    Tsv,
}

impl RowFormat {
    /// The format that the name of a file promises, compressed or not.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let ending = unpacked_name(&name).rsplit_once('.')?.1.to_owned();
        Some(match ending.as_str() {
            "jsonl" | "ndjson" | "jsonlines" => RowFormat::JsonLines,
            "json" => RowFormat::Json,
            "csv" => RowFormat::Csv,
            "tsv" | "tab" => RowFormat::Tsv,
            _ => return None,
        })
    }

    /// The format of a file, if it has rows; `start` is its first bytes, decompressed, and all of them if `is_all`.
    /// What a file contains decides before its name: JSON is JSON, and a line with the usual names of columns is the
    /// header of a table.
    pub fn recognise(path: &Path, start: &[u8], is_all: bool) -> Option<Self> {
        if let Some(layout) = JsonLayout::recognise(path, start, is_all) {
            return Some(if layout == JsonLayout::Lines { RowFormat::JsonLines } else { RowFormat::Json });
        }
        RowFormat::of_name(path).or_else(|| RowFormat::of_header(start))
    }

    /// By a first line that names at least two kinds of texts, such as `src,mt,ref`.
    fn of_header(start: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(start.split(|&byte| byte == b'\n').next().unwrap_or_default());
        let line = line.trim_start_matches('\u{feff}').trim_end();
        [RowFormat::Tsv, RowFormat::Csv].into_iter().find(|format| {
            let separator = char::from(format.separator().unwrap_or_default());
            let names: Vec<&str> = line.split(separator).map(|name| name.trim().trim_matches('"')).collect();
            names.len() > 1 && usual_names::are_of_texts(&names)
        })
    }

    /// What separates the fields of a table.
    pub(super) fn separator(self) -> Option<u8> {
        match self {
            RowFormat::Csv => Some(b','),
            RowFormat::Tsv => Some(b'\t'),
            RowFormat::JsonLines | RowFormat::Json => None,
        }
    }

    /// The ending of the names of its files.
    pub fn ending(self) -> &'static str {
        match self {
            RowFormat::JsonLines => "jsonl",
            RowFormat::Json => "json",
            RowFormat::Csv => "csv",
            RowFormat::Tsv => "tsv",
        }
    }

    /// The name of the format in messages.
    pub fn name(self) -> &'static str {
        match self {
            RowFormat::JsonLines => "JSON lines",
            RowFormat::Json => "JSON",
            RowFormat::Csv => "CSV",
            RowFormat::Tsv => "TSV",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str, text: &str) -> Option<RowFormat> {
        RowFormat::recognise(Path::new(name), text.as_bytes(), true)
    }

    #[test]
    fn formats_are_recognised_by_content_and_name() {
        for (name, text, expected) in [
            ("x", "{\"mt\": \"a\"}\n{\"mt\": \"b\"}\n", Some(RowFormat::JsonLines)),
            ("x", "\u{feff}\n{\"mt\": \"a\"}", Some(RowFormat::JsonLines)),
            ("x.csv", "[\n {\"mt\": \"a\"}]", Some(RowFormat::Json)),
            ("x", "{\"data\": [{\"mt\": \"a\"}]}", Some(RowFormat::Json)),
            ("x", "{\n  \"mt\": \"a\"\n}\n", Some(RowFormat::Json)),
            ("x", "{\"errors\": [{\"a\": 1}], \"mt\": \"a\"}\n{}\n", Some(RowFormat::JsonLines)),
            ("x", "src\tmt\tref\n", Some(RowFormat::Tsv)),
            ("x", "\"Source\",\"Hypothesis\"\r\n", Some(RowFormat::Csv)),
            ("x.csv.gz", "a,b\n", Some(RowFormat::Csv)),
            ("x.TSV", "a\tb\n", Some(RowFormat::Tsv)),
            ("x.jsonl", "a\n", Some(RowFormat::JsonLines)),
            ("x", "{name}, you have won\n", None),
            ("x", "{}\n", None),
            ("x", "[1, 2]\n", None),
            ("x", "[noise] Hello.\n", None),
            ("x", "A source, a reference\n", None),
            ("x", "a\tb\n", None),
            ("x", "", None),
        ] {
            assert_eq!(format(name, text), expected, "{name} {text:?}");
        }
    }
}
