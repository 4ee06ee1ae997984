//! Records whose fields are separated by commas or tabs and quoted as in RFC 4180, read as Python's `csv` does.
//!
//! A field that starts with `"` runs to the next `"` that is not doubled, over separators and line ends; `""` inside it
//! is one `"`. In a field that does not start with `"` the mark is a character like any other. `\r` before the end of a
//! record is removed. Stricter than Python in two places: a quoted field that is never closed, and text between a
//! closing mark and the separator, are errors.

use crate::spans::Span;
use memchr::memchr;
use std::borrow::Cow;

/// What is wrong with a record whose quoted field does not end.
pub(super) const UNCLOSED: &str = "a quoted field starts here and is never closed";

/// Text behind a closing mark.
const AFTER_QUOTE: &str = "expected a separator after the closing quotation mark";

/// The fields of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields {
    spans: Vec<Span>,
    /// Fields in which marks are doubled, with one of each two.
    unescaped: String,
}

impl Fields {
    /// The fields of a complete record.
    pub fn parse(record: &str, separator: u8) -> Result<Fields, &'static str> {
        let mut fields = Fields::default();
        fields.read(record, separator)?;
        Ok(fields)
    }

    /// Replaces the fields by those of another complete record.
    pub fn read(&mut self, record: &str, separator: u8) -> Result<(), &'static str> {
        self.spans.clear();
        self.unescaped.clear();
        let bytes = record.strip_suffix('\r').unwrap_or(record).as_bytes();
        let mut start = 0;
        loop {
            let (span, end) = if bytes.get(start) == Some(&b'"') {
                self.quoted(&record[..bytes.len()], start + 1)?
            } else {
                let end = memchr(separator, &bytes[start..]).map_or(bytes.len(), |length| start + length);
                (Span::in_row(start, end), end)
            };
            self.spans.push(span);
            match bytes.get(end) {
                None => return Ok(()),
                Some(&byte) if byte == separator => start = end + 1,
                Some(_) => return Err(AFTER_QUOTE),
            }
        }
    }

    /// The same for a record whose quotation marks are part of its texts.
    pub fn read_plain(&mut self, record: &str, separator: u8) {
        self.spans.clear();
        self.unescaped.clear();
        let mut start = 0;
        for field in plain_fields(record.strip_suffix('\r').unwrap_or(record), separator) {
            self.spans.push(Span::in_row(start, start + field.len()));
            start += field.len() + 1;
        }
    }

    /// Reads a quoted field behind its opening mark, and returns it with the place behind its closing mark.
    fn quoted(&mut self, record: &str, start: usize) -> Result<(Span, usize), &'static str> {
        let bytes = record.as_bytes();
        let mark_from = |from: usize| memchr(b'"', &bytes[from..]).map(|length| from + length).ok_or(UNCLOSED);
        let is_doubled = |mark: usize| bytes.get(mark + 1) == Some(&b'"');
        let mut mark = mark_from(start)?;
        if !is_doubled(mark) {
            return Ok((Span::in_row(start, mark), mark + 1));
        }
        let (mut from, before) = (start, self.unescaped.len());
        while is_doubled(mark) {
            self.unescaped.push_str(&record[from..=mark]);
            from = mark + 2;
            mark = mark_from(from)?;
        }
        self.unescaped.push_str(&record[from..mark]);
        Ok((Span::unescaped_from(before, &self.unescaped), mark + 1))
    }

    /// The number of fields.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// A field of this record.
    pub fn field<'r>(&'r self, record: &'r str, index: usize) -> &'r str {
        self.spans[index].text(record, &self.unescaped)
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
        let bytes = part.as_bytes();
        let mut next = 0;
        while next < bytes.len() {
            let rest = &bytes[next..];
            let passed = match self.0 {
                At::Quoted => memchr(b'"', rest),
                At::Plain => memchr(separator, rest),
                At::FieldStart | At::Mark => Some(0),
            };
            let Some(passed) = passed else { break };
            self.0 = match (self.0, rest[passed]) {
                (At::FieldStart | At::Mark, b'"') => At::Quoted,
                (At::Quoted, _) => At::Mark,
                (_, byte) if byte == separator => At::FieldStart,
                _ => At::Plain,
            };
            next += passed + 1;
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
    let fields = Fields::parse(&record, separator)?;
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
