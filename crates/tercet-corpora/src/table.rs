//! Tab-separated text: several systems, or systems with their reference and source, side by side.
//!
//! Every line has the same number of fields. Each column has a role: `src`, `ref`, `hyp`, `hyp=NAME`, `doc`, or `-` for
//! a column to ignore; without roles every column is a system. An optional header line names the systems. Trailing
//! white space of fields is removed, as with lines. Tables that programs wrote with quotation marks are read by the
//! standard.

use super::plain_text::Lines;
use crate::error::{Error, Result};
use crate::rows::usual_names;
use crate::separated;
use crate::text::trim_end;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use tercet_base::{FieldRole, LineContent, RowError};

/// The role of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The source.
    Source,
    /// A reference translation.
    Reference,
    /// The output of a system, with its name if one is given.
    System(Option<String>),
    /// The name of the document.
    Document,
    /// A column to ignore.
    Ignored,
}

impl Role {
    /// Parses a comma-separated list of roles.
    pub fn parse_list(text: &str) -> Result<Vec<Role>> {
        text.split(',').map(|role| Role::parse(role.trim())).collect()
    }

    fn parse(text: &str) -> Result<Role> {
        Ok(match text {
            "src" | "source" => Role::Source,
            "ref" | "reference" => Role::Reference,
            "hyp" | "mt" => Role::System(None),
            "doc" | "document" => Role::Document,
            "-" | "_" => Role::Ignored,
            other => match other.strip_prefix("hyp=") {
                Some(name) => Role::System(Some(name.to_owned())),
                None => {
                    return Err(Error::Unusable(format!(
                        "unknown column role `{other}`: expected src, ref, hyp, hyp=NAME, doc or -"
                    )));
                }
            },
        })
    }
}

/// Columns of a tab-separated text.
#[derive(Clone, Debug)]
pub struct TextTable {
    path: PathBuf,
    columns: Vec<Lines>,
    names: Option<Vec<String>>,
}

/// Reads a tab-separated text; `-` is standard input. With `header`, the first line names the columns.
pub fn read_table(path: &Path, header: bool) -> Result<TextTable> {
    TextTable::from_lines(&super::read_lines(path)?, header)
}

impl TextTable {
    /// Splits lines into columns. Fields are quoted if only that explains the quotation marks: then a text may have
    /// tabs and line ends.
    pub fn from_lines(lines: &Lines, header: bool) -> Result<Self> {
        let is_quoted = separated::are_quoted(lines.iter_untrimmed());
        Self::from_records(lines, header, is_quoted)
    }

    /// Splits lines into columns at each tab; quotation marks are characters of the texts.
    pub fn verbatim(lines: &Lines, header: bool) -> Result<Self> {
        Self::from_records(lines, header, false)
    }

    fn from_records(lines: &Lines, header: bool, is_quoted: bool) -> Result<Self> {
        let mut rest = lines.iter_untrimmed().enumerate();
        let mut width: Option<usize> = None;
        let mut names = None;
        let mut columns: Vec<Lines> = Vec::new();
        while let Some((i, line)) = rest.next() {
            let fields = match is_quoted {
                true => separated::record(line, b'\t', || rest.next().map(|(_, line)| line)),
                false => Ok(line.split('\t').map(Cow::Borrowed).collect()),
            };
            let fields = fields.map_err(|what| lines.bad(i + 1, what))?;
            let (found, expected) = (fields.len(), *width.get_or_insert(fields.len()));
            if found != expected {
                let what = format!("expected {expected} tab-separated fields as in the first line, found {found}");
                return Err(lines.bad(i + 1, what));
            }
            columns.resize_with(expected, || Lines::empty(lines.path()));
            if header && names.is_none() {
                names = Some(fields.iter().map(|name| name.trim().to_owned()).collect());
            } else {
                columns.iter_mut().zip(&fields).for_each(|(column, field)| column.push(field));
            }
        }
        Ok(TextTable { path: lines.path().to_owned(), columns, names })
    }

    /// Fails if the first line has names of columns where these roles expect texts: a usual name in each column of
    /// references and sources, and a word in each of systems.
    pub fn check_first_line(&self, roles: &[Role]) -> Result<()> {
        let is_name = |(role, column): (&Role, &Lines)| {
            let text = if column.is_empty() { "" } else { column.line(0).trim() };
            match role {
                Role::Source => usual_names::is_surely(text, FieldRole::Source),
                Role::Reference => usual_names::is_surely(text, FieldRole::Reference),
                Role::System(_) => !text.is_empty() && !text.contains(char::is_whitespace),
                Role::Document | Role::Ignored => true,
            }
        };
        let has_texts = roles.iter().any(|role| matches!(role, Role::Source | Role::Reference));
        if self.names.is_some() || !has_texts || !roles.iter().zip(&self.columns).all(is_name) {
            return Ok(());
        }
        let (path, role) = (self.path.clone(), FieldRole::Hypothesis);
        Err(RowError::NotLines { path, role, found: LineContent::Header }.into())
    }

    /// The columns with their roles. Without roles every column is a system. A system without a name is named after the
    /// header, or the file and the column's number, or the file alone if it is the only one.
    pub fn into_columns(self, roles: Option<&[Role]>) -> Result<Vec<(Role, Lines)>> {
        let all_systems = vec![Role::System(None); self.columns.len()];
        let roles = roles.unwrap_or(&all_systems);
        if roles.len() != self.columns.len() {
            return Err(Error::BadRequest(format!(
                "{} has {} tab-separated columns but {} roles were given",
                self.path.display(),
                self.columns.len(),
                roles.len()
            )));
        }
        let systems = roles.iter().filter(|role| matches!(role, Role::System(_))).count();
        let name = |column: usize| match &self.names {
            Some(names) => names[column].clone(),
            None if systems == 1 => self.path.display().to_string(),
            None => format!("{}:{}", self.path.display(), column + 1),
        };
        let named = roles.iter().enumerate().map(|(column, role)| match role {
            Role::System(None) => Role::System(Some(name(column))),
            other => other.clone(),
        });
        let named: Vec<Role> = named.collect();
        Ok(named.into_iter().zip(self.columns).collect())
    }
}

/// The references of each segment from a text that has them side by side, separated by tabs: exactly `count` per line,
/// or any number (at least one) if `count` is `None`.
pub fn split_references(lines: &Lines, count: Option<usize>) -> Result<Vec<Vec<&str>>> {
    let mut segments = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter_untrimmed().enumerate() {
        let references: Vec<&str> = line.split('\t').map(trim_end).collect();
        if let Some(expected) = count.filter(|&count| count != references.len()) {
            let found = references.len();
            return Err(lines.bad(
                i + 1,
                format!(
                    "expected {expected} tab-separated references, found {found} \
                     (allow a varying number of references, or fix the line)"
                ),
            ));
        }
        segments.push(references);
    }
    Ok(segments)
}

/// The references of each segment from a text that has them on consecutive lines, `count` per segment (METEOR's `-r`).
pub fn interleaved_references(lines: &Lines, count: usize) -> Result<Vec<Vec<&str>>> {
    let all: Vec<&str> = lines.iter().collect();
    if count == 0 || !all.len().is_multiple_of(count) {
        return Err(Error::Unusable(format!(
            "{} has {} lines, which is no multiple of {count}: every segment needs {count} references",
            lines.path().display(),
            all.len()
        )));
    }
    Ok(all.chunks(count).map(<[&str]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        Lines::from_bytes(Path::new("t.tsv"), text.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn columns_get_their_names_from_roles_header_or_file() {
        let table = TextTable::from_lines(&lines("a\tb\nc\td\n"), false).unwrap();
        let columns = table.clone().into_columns(None).unwrap();
        assert_eq!(columns[1].0, Role::System(Some("t.tsv:2".to_owned())));
        assert_eq!(columns[1].1.iter().collect::<Vec<_>>(), ["b", "d"]);
        let roles = Role::parse_list("ref,hyp=x").unwrap();
        let columns = table.into_columns(Some(&roles)).unwrap();
        assert_eq!((&columns[0].0, &columns[1].0), (&Role::Reference, &Role::System(Some("x".to_owned()))));
        let table = TextTable::from_lines(&lines("one\ttwo\nc\td\n"), true).unwrap();
        assert_eq!(table.into_columns(None).unwrap()[0].0, Role::System(Some("one".to_owned())));
    }

    #[test]
    fn quoted_fields_are_read_by_the_standard() {
        let text = "ref\thyp\na\t\"say \"\"no\"\"\"\n\"b\tc\"\t\"d\ne\"\n";
        let columns = |table: TextTable| {
            let texts = table.columns.iter().map(|column| column.iter().map(str::to_owned).collect());
            texts.collect::<Vec<Vec<String>>>()
        };
        let table = TextTable::from_lines(&lines(text), true).unwrap();
        assert_eq!(columns(table), [["a", "b\tc"], ["say \"no\"", "d\ne"]]);
        let one = lines("a\t\"say \"\"no\"\"\"\n");
        assert_eq!(columns(TextTable::verbatim(&one, false).unwrap())[1], ["\"say \"\"no\"\"\""]);
    }

    #[test]
    fn a_first_line_of_names_is_no_segment() {
        let check = |text: &str, roles: &str| {
            let table = TextTable::from_lines(&lines(text), false).unwrap();
            table.check_first_line(&Role::parse_list(roles).unwrap())
        };
        let error = check("Reference\tsystem-1\tid\na b\tc d\t1\n", "ref,hyp,-").unwrap_err();
        assert_eq!(error.to_string(), "t.tsv has names of columns in its first line, not texts");
        for (text, roles) in [("ref\tA dog.\n", "ref,hyp"), ("Yes\tNo\n", "ref,hyp"), ("ref\thyp\n", "hyp,hyp")] {
            assert!(check(text, roles).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_ragged_line_is_an_error_with_its_number() {
        let error = TextTable::from_lines(&lines("a\tb\nc\n"), false).unwrap_err();
        assert_eq!(error.to_string(), "t.tsv:2: expected 2 tab-separated fields as in the first line, found 1");
        let error = split_references(&lines("a\tb\nc\n"), Some(2)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.tsv:2: expected 2 tab-separated references, found 1 (allow a varying number of references, or fix the \
             line)"
        );
        assert!(TextTable::from_lines(&lines("a\tb\nc\t\n"), false).is_ok(), "an empty last field is a field");
        assert_eq!(split_references(&lines("a\tb\nc\n"), None).unwrap(), [vec!["a", "b"], vec!["c"]]);
    }

    #[test]
    fn interleaved_references_come_in_groups() {
        assert_eq!(interleaved_references(&lines("a\nb\nc\nd\n"), 2).unwrap(), [vec!["a", "b"], vec!["c", "d"]]);
        let error = interleaved_references(&lines("a\nb\nc\n"), 2).unwrap_err();
        assert!(error.to_string().starts_with("t.tsv has 3 lines, which is no multiple of 2"), "{error}");
    }

    #[test]
    fn an_unknown_role_names_the_known_ones() {
        let error = Role::parse_list("ref,hypothesis").unwrap_err();
        assert_eq!(error.to_string(), "unknown column role `hypothesis`: expected src, ref, hyp, hyp=NAME, doc or -");
    }
}
