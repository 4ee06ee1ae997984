//! Tables whose first line names the columns, as judgements are published.
//!
//! Columns are found by name, ignoring case, so that files of different years can have their columns in any order; a
//! missing column is an error that shows the header. Three separators:
//!
//! - tabs: every row has as many fields as the header; trailing white space of a field is removed, as with lines;
//!   quotation marks are part of the texts unless the whole file is quoted, see `separated::are_quoted`;
//! - white space: any run of it; a row may have more fields than the header names (WMT20's `DArr-seglevel.csv`); empty
//!   lines are ignored;
//! - commas: see `separated`; every row has as many fields as the header; empty lines are ignored.
//!
//! A byte order mark before the first name is removed.

use std::borrow::Cow;
use std::path::Path;

use crate::error::{Error, Result};
use crate::text::trim_end;

use super::compressed::first_line;
use super::plain_text::Lines;
use super::separated;

/// Larger scores could overflow when they are added up.
const MAX_SCORE: f64 = 1e200;

/// Separator of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Tab,
    Space,
    Comma,
}

/// A table and the names of its columns.
#[derive(Clone, Debug)]
pub(super) struct Records<'a> {
    lines: &'a Lines,
    separator: Separator,
    /// What separates fields that may be quoted.
    quoted: Option<u8>,
    header: Header,
}

#[derive(Clone, Debug)]
pub(super) struct Record<'a> {
    path: &'a Path,
    line: usize,
    fields: Vec<Cow<'a, str>>,
}

impl<'a> Records<'a> {
    pub(super) fn new(lines: &'a Lines, separator: Separator) -> Result<Self> {
        if lines.is_empty() {
            return Err(lines.is_empty_error("expected a line that names its columns"));
        }
        let quoted = match separator {
            Separator::Comma => Some(b','),
            Separator::Tab => separated::are_quoted(lines.iter_untrimmed()).then_some(b'\t'),
            Separator::Space => None,
        };
        Ok(Records { lines, separator, quoted, header: Header::new(lines.line(0), separator) })
    }

    pub(super) fn path(&self) -> &'a Path {
        self.lines.path()
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// The names of the columns.
    pub(super) fn names(&self) -> &[String] {
        &self.header.0
    }

    /// The column with one of these names, if there is one.
    pub(super) fn find(&self, spellings: &[&str]) -> Option<usize> {
        self.header.find(spellings)
    }

    /// The column with one of these names.
    pub(super) fn column(&self, spellings: &[&str]) -> Result<usize> {
        self.find(spellings).ok_or_else(|| {
            Error::bad_line(
                self.path(),
                1,
                format!(
                    "expected a column `{}`, found the header {:?}",
                    spellings.join("` or `"),
                    self.names().join(" ")
                ),
            )
        })
    }

    /// The rows below the header.
    pub(super) fn rows(&self) -> impl Iterator<Item = Result<Record<'a>>> + use<'a, '_> {
        let mut lines = self.lines.iter_untrimmed().enumerate().skip(1);
        std::iter::from_fn(move || {
            loop {
                let (at, line) = lines.next()?;
                if self.separator != Separator::Tab && trim_end(line).is_empty() {
                    continue;
                }
                let fields = match self.quoted {
                    Some(separator) => separated::record(line, separator, || lines.next().map(|(_, line)| line)),
                    None if self.separator == Separator::Space => {
                        Ok(line.split_whitespace().map(Cow::Borrowed).collect())
                    }
                    None => Ok(line.split('\t').map(|field| trim_end(field).into()).collect()),
                };
                return Some(self.record(at + 1, fields));
            }
        })
    }

    fn record(&self, line: usize, fields: Result<Vec<Cow<'a, str>>, &'static str>) -> Result<Record<'a>> {
        let mut record = Record { path: self.path(), line, fields: Vec::new() };
        record.fields = fields.map_err(|what| record.bad(what))?;
        let (found, expected) = (record.fields.len(), self.names().len());
        let (fits, separated) = match self.separator {
            Separator::Tab => (found == expected, "tab-separated"),
            Separator::Space => (found >= expected, "space-separated"),
            Separator::Comma => (found == expected, "comma-separated"),
        };
        if !fits {
            return Err(
                record.bad(format!("expected {expected} {separated} fields as in the first line, found {found}"))
            );
        }
        Ok(record)
    }
}

/// The names of columns.
#[derive(Clone, Debug)]
pub(super) struct Header(Vec<String>);

impl Header {
    /// The names in a header line.
    pub(super) fn new(line: &str, separator: Separator) -> Header {
        let line = line.trim_start_matches('\u{feff}');
        let name = |name: &str| name.trim().trim_matches('"').to_owned();
        Header(match separator {
            Separator::Tab => line.split('\t').map(name).collect(),
            Separator::Space => line.split_whitespace().map(name).collect(),
            Separator::Comma => line.split(',').map(name).collect(),
        })
    }

    /// The names in the first line of a file.
    pub(super) fn read(path: &Path, separator: Separator) -> Result<Header> {
        Ok(Header::new(&first_line(path)?, separator))
    }

    /// The column with one of these names, if there is one.
    pub(super) fn find(&self, spellings: &[&str]) -> Option<usize> {
        spellings.iter().find_map(|spelling| self.0.iter().position(|name| name.eq_ignore_ascii_case(spelling)))
    }

    /// Whether there are columns of all these names, each in one of its spellings.
    pub(super) fn has(&self, columns: &[&[&str]]) -> bool {
        columns.iter().all(|spellings| self.find(spellings).is_some())
    }
}

impl<'a> Record<'a> {
    pub(super) fn text(&self, column: usize) -> &str {
        &self.fields[column]
    }

    /// A score; `None` for `NA`, `NaN`, `None`, which R and Python write for missing values.
    pub(super) fn score(&self, column: usize) -> Result<Option<f64>> {
        score(self.text(column)).map_err(|what| self.bad(what))
    }

    /// An error about this row.
    pub(super) fn bad(&self, what: impl Into<String>) -> Error {
        Error::bad_line(self.path, self.line, what)
    }
}

/// A score as it is written in a file, or an error message.
pub(super) fn score(text: &str) -> Result<Option<f64>, String> {
    let text = text.trim();
    if ["na", "nan", "none"].iter().any(|missing| text.eq_ignore_ascii_case(missing)) {
        return Ok(None);
    }
    match text.parse::<f64>() {
        Ok(number) if number.abs() <= MAX_SCORE => Ok(Some(number)),
        _ => Err(format!("expected a number, or NA for none, found {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        Lines::from_bytes(Path::new("t"), text.as_bytes().to_vec()).unwrap()
    }

    fn rows(text: &str, separator: Separator) -> Result<Vec<Vec<String>>> {
        let lines = lines(text);
        let records = Records::new(&lines, separator)?;
        let rows = records.rows().map(|row| Ok(row?.fields.iter().map(|field| field.to_string()).collect()));
        rows.collect()
    }

    #[test]
    fn columns_are_found_by_name() {
        let lines = lines("\u{feff}LP \"SID\" Z.SCR \n");
        let records = Records::new(&lines, Separator::Space).unwrap();
        assert_eq!(records.column(&["lp"]).unwrap(), 0);
        assert_eq!(records.column(&["SEGID", "SID"]).unwrap(), 1);
        assert_eq!(
            records.column(&["HUMAN", "Z"]).unwrap_err().to_string(),
            "t:1: expected a column `HUMAN` or `Z`, found the header \"LP SID Z.SCR\""
        );
    }

    #[test]
    fn rows_are_split_at_each_separator() {
        assert_eq!(rows("a\tb\n \"x\u{feff}\t\n", Separator::Tab).unwrap(), [[" \"x\u{feff}", ""]]);
        assert_eq!(rows("a\tb\n\"say \"\"no\"\"\"\t1\n", Separator::Tab).unwrap(), [["say \"no\"", "1"]]);
        assert_eq!(rows("a\tb\n\"no\"\t\"\n", Separator::Tab).unwrap(), [["\"no\"", "\""]]);
        assert_eq!(rows("a b\n1  2 3\n\n4 5\n", Separator::Space).unwrap()[1], ["4", "5"]);
        assert_eq!(rows("a,b\n\"1\n\",2\n3,4", Separator::Comma).unwrap(), [["1\n", "2"], ["3", "4"]]);
    }

    #[test]
    fn errors_name_file_and_line() {
        let error = |text, separator| rows(text, separator).unwrap_err().to_string();
        let what = "fields as in the first line, found";
        assert_eq!(error("a\tb\n1\t2\n3\n", Separator::Tab), format!("t:3: expected 2 tab-separated {what} 1"));
        assert_eq!(error("a b\n1\n", Separator::Space), format!("t:2: expected 2 space-separated {what} 1"));
        assert_eq!(error("a,b\n1,2,3\n", Separator::Comma), format!("t:2: expected 2 comma-separated {what} 3"));
        assert_eq!(error("a,b\n1,2\n\"3\n4", Separator::Comma), "t:3: a quoted field starts here and is never closed");
        assert_eq!(error("", Separator::Tab), "t is empty: expected a line that names its columns");
    }

    #[test]
    fn scores_are_numbers_or_missing() {
        assert_eq!(score(" -1e-3 "), Ok(Some(-1e-3)));
        assert_eq!((score("NA"), score("NaN")), (Ok(None), Ok(None)));
        assert!(score("1e300").unwrap_err().contains("found \"1e300\"") && score("").is_err() && score("inf").is_err());
    }
}
