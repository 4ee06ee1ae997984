//! Records whose fields are separated by commas or tabs and quoted as in RFC 4180, read as Python's `csv` does.
//!
//! A field that starts with `"` runs to the next `"` that is not doubled, over separators and line ends; `""` inside it
//! is one `"`. In a field that does not start with `"` the mark is a character like any other. `\r` before the end of a
//! record is removed. Stricter than Python in two places: a quoted field that is never closed, and text between a
//! closing mark and the separator, are errors.

use memchr::{memchr, memchr_iter};
use std::borrow::Cow;

/// What is wrong with a record whose quoted field does not end.
pub(super) const UNCLOSED: &str = "a quoted field starts here and is never closed";

/// Text behind a closing mark.
const AFTER_QUOTE: &str = "expected a separator after the closing quotation mark";

/// Where the fields of a record are in its text, or in its text without quotation: they are one byte apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    /// The fields without quotation, if any are quoted.
    pub unquoted: Option<String>,
    /// The end of each field.
    pub ends: Vec<usize>,
}

impl Fields {
    /// The fields of a complete record.
    pub fn of(record: &str, separator: u8) -> Result<Fields, &'static str> {
        let whole = record.strip_suffix('\r').unwrap_or(record);
        if memchr(b'"', whole.as_bytes()).is_some() {
            return unquoted(whole, separator);
        }
        let ends = memchr_iter(separator, whole.as_bytes()).chain([whole.len()]).collect();
        Ok(Fields { unquoted: None, ends })
    }

    /// The number of fields.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field of this record.
    pub fn field<'r>(&'r self, record: &'r str, index: usize) -> &'r str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] + 1 };
        &self.unquoted.as_deref().unwrap_or(record)[start..self.ends[index]]
    }
}

fn unquoted(record: &str, separator: u8) -> Result<Fields, &'static str> {
    let mut text = String::with_capacity(record.len());
    let mut ends = Vec::new();
    let mut rest = record;
    loop {
        rest = match rest.strip_prefix('"') {
            Some(quoted) => after_quoted(quoted, &mut text)?,
            None => {
                let end = memchr(separator, rest.as_bytes()).unwrap_or(rest.len());
                text.push_str(&rest[..end]);
                &rest[end..]
            }
        };
        ends.push(text.len());
        match rest.as_bytes().first() {
            None => return Ok(Fields { unquoted: Some(text), ends }),
            Some(&byte) if byte == separator => text.push(char::from(separator)),
            Some(_) => return Err(AFTER_QUOTE),
        }
        rest = &rest[1..];
    }
}

/// Appends the content of a quoted field, and returns what follows its closing mark.
fn after_quoted<'r>(mut rest: &'r str, text: &mut String) -> Result<&'r str, &'static str> {
    loop {
        let mark = memchr(b'"', rest.as_bytes()).ok_or(UNCLOSED)?;
        text.push_str(&rest[..mark]);
        rest = &rest[mark + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                text.push('"');
                rest = more;
            }
            None => return Ok(rest),
        }
    }
}

/// Whether a record that is read line by line ends inside a quoted field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quotation(At);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    FieldStart,
    Plain,
    Quoted,
    /// Behind a mark inside a quoted field, which closes it unless another follows.
    Mark,
}

impl Quotation {
    /// Goes on with a further part of the record; returns whether the record goes on after it.
    pub fn is_open_after(&mut self, part: &str, separator: u8) -> bool {
        if self.0 == At::FieldStart && memchr(b'"', part.as_bytes()).is_none() {
            return false;
        }
        for &byte in part.as_bytes() {
            self.0 = match (self.0, byte) {
                (At::FieldStart | At::Mark, b'"') => At::Quoted,
                (At::Quoted, b'"') => At::Mark,
                (At::Quoted, _) => At::Quoted,
                (_, byte) if byte == separator => At::FieldStart,
                _ => At::Plain,
            };
        }
        self.0 == At::Quoted
    }
}

/// The fields of the record that starts with this line; a quoted field may take more lines.
pub(super) fn record<'a>(
    line: &'a str,
    separator: u8,
    mut more: impl FnMut() -> Option<&'a str>,
) -> Result<Vec<Cow<'a, str>>, &'static str> {
    let mut quotation = Quotation::default();
    let mut is_open = quotation.is_open_after(line, separator);
    if !is_open && memchr(b'"', line.as_bytes()).is_none() {
        return Ok(plain_fields(line.strip_suffix('\r').unwrap_or(line), separator).map(Cow::Borrowed).collect());
    }
    let mut record = line.to_owned();
    while is_open {
        let next = more().ok_or(UNCLOSED)?;
        record.push('\n');
        record.push_str(next);
        is_open = quotation.is_open_after("\n", separator) && quotation.is_open_after(next, separator);
    }
    let fields = Fields::of(&record, separator)?;
    Ok((0..fields.len()).map(|i| Cow::Owned(fields.field(&record, i).to_owned())).collect())
}

fn plain_fields(line: &str, separator: u8) -> impl Iterator<Item = &str> {
    line.split(char::from(separator))
}

/// Whether these lines of tab-separated text are quoted, as programs write them that follow the standard. Marks of
/// texts that are not quoted are kept as they are.
///
/// If every line has the same number of fields, they are quoted if all fields that start with a mark are closed in
/// their line, and one of them has a doubled mark inside, or no field is without. Else they are quoted if the standard
/// finds the same number of fields in every record.
pub(super) fn are_quoted<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> bool {
    if !lines.clone().any(|line| memchr(b'"', line.as_bytes()).is_some()) {
        return false;
    }
    let width = |line: &str| plain_fields(line, b'\t').count();
    match is_constant(lines.clone().map(width)) {
        true => are_quoted_one_by_one(lines),
        false => are_quoted_over_lines(lines),
    }
}

fn is_constant(mut widths: impl Iterator<Item = usize>) -> bool {
    let first = widths.next();
    widths.all(|width| Some(width) == first)
}

fn are_quoted_one_by_one<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let (mut has_doubled, mut all_quoted) = (false, true);
    for line in lines {
        let line = line.strip_suffix('\r').unwrap_or(line);
        for field in plain_fields(line, b'\t') {
            match field.strip_prefix('"').map(|quoted| quoted.strip_suffix('"')) {
                None => all_quoted = false,
                Some(None) => return false,
                Some(Some(inside)) => {
                    let without = inside.replace("\"\"", "");
                    if without.contains('"') {
                        return false;
                    }
                    has_doubled |= without.len() != inside.len();
                }
            }
        }
    }
    has_doubled || all_quoted
}

fn are_quoted_over_lines<'a>(mut lines: impl Iterator<Item = &'a str>) -> bool {
    let mut width = None;
    while let Some(line) = lines.next() {
        match record(line, b'\t', || lines.next()) {
            Ok(fields) if *width.get_or_insert(fields.len()) == fields.len() => {}
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Result<Vec<String>, &'static str> {
        let mut lines = text.split('\n');
        let first = lines.next().unwrap();
        Ok(record(first, b',', || lines.next())?.into_iter().map(Cow::into_owned).collect())
    }

    #[test]
    fn quoted_fields_may_contain_commas_quotation_marks_and_line_ends() {
        assert_eq!(fields("a,,b\r").unwrap(), ["a", "", "b"]);
        assert_eq!(fields("\"a,b\",\"say \"\"no\"\"\",\"\",c\r").unwrap(), ["a,b", "say \"no\"", "", "c"]);
        assert_eq!(fields("a,\"b\nc\n\",\"d\"\r\nnext").unwrap(), ["a", "b\nc\n", "d"]);
        assert_eq!(fields("\"\n\"\"\n\",x").unwrap(), ["\n\"\n", "x"]);
        assert_eq!(fields("5\" disk,b\"").unwrap(), ["5\" disk", "b\""]);
        assert_eq!(fields("").unwrap(), [""]);
    }

    #[test]
    fn records_that_python_would_guess_at_are_refused() {
        assert_eq!(fields("a,\"b\nc").unwrap_err(), UNCLOSED);
        assert_eq!(fields("\"a\"b,c").unwrap_err(), AFTER_QUOTE);
        assert_eq!(fields("\"a\n\"b,c").unwrap_err(), AFTER_QUOTE);
    }

    #[test]
    fn tab_separated_text_is_quoted_only_where_nothing_else_explains_the_marks() {
        let are = |text: &str| are_quoted(text.lines());
        for quoted in [
            "ref\thyp\na\t\"say \"\"no\"\"\"\n",
            "\"a\"\t\"b\"\n\"c\"\t\"d\"\n",
            "a\t\"b\nc\"\n",
            "a\t\"b\tc\"\nd\te\n",
        ] {
            assert!(are(quoted), "{quoted:?}");
        }
        for plain in [
            "a\tb\n",
            "a\t\"b\"\n",
            "\"a\"\tb\n\"c\td\n",
            "\"So it began.\tA\nAnd ended.\"\tB\n",
            "\"a \"\"b\"\"\"\tc\n\"d\te\n",
        ] {
            assert!(!are(plain), "{plain:?}");
        }
    }
}
