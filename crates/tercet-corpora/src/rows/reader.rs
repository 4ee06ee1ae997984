//! Gives the rows of a file one after another.

use super::fields::FieldSample;
use super::format::RowFormat;
use super::json_layout::JsonLayout;
use super::json_stream::JsonStream;
use super::opened_file::OpenedFile;
use super::row::{Columns, Row};
use crate::error::{Error, Result};
use crate::line_stream::LineStream;
use crate::separated::{Fields, Quotation, UNCLOSED, are_quoted};
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

/// The longest row, in MiB. Documents are far from it; a quotation mark that is never closed is not.
pub(super) const MAX_ROW_MIB: u64 = 64;

type Bytes = Box<dyn Read + Send>;

/// The rows of a file. One is held at a time.
pub struct RowReader {
    path: Arc<Path>,
    format: RowFormat,
    source: Source,
    /// The first row, if it was looked at and not given yet.
    first: Option<Row>,
    sample: Option<Vec<FieldSample>>,
    rows: usize,
}

enum Source {
    Lines(LineStream),
    Json(Box<JsonRows>),
    Table(LineStream, Arc<Columns>),
}

impl RowReader {
    /// Opens a file whose rows are recognised by their content or its name; `-` is standard input.
    pub fn open(path: &Path) -> Result<Self> {
        OpenedFile::open(path)?.into_rows()
    }

    pub(super) fn new(file: OpenedFile, format: RowFormat) -> Result<Self> {
        Error::check_encoding(file.path(), file.start())?;
        let path: Arc<Path> = file.path().into();
        let layout = JsonLayout::recognise(&path, file.start(), file.is_short());
        let lines = |file: OpenedFile| {
            LineStream::from_bytes(&path, file.into_bytes(), MAX_ROW_MIB, "expected one row per translation")
        };
        let source = match format {
            RowFormat::Json if layout != Some(JsonLayout::Lines) => {
                let stream = JsonStream::new(&path, BufReader::with_capacity(1 << 16, file.into_bytes()));
                Source::Json(Box::new(JsonRows::new(stream, layout)?))
            }
            RowFormat::Json | RowFormat::JsonLines => Source::Lines(lines(file)),
            RowFormat::Csv | RowFormat::Tsv => {
                let mut lines = lines(file);
                let columns = header(&path, &mut lines, format.separator().unwrap_or(b','))?;
                Source::Table(lines, Arc::new(columns))
            }
        };
        Ok(RowReader { path, format, source, first: None, sample: None, rows: 0 })
    }

    /// The same rows; if `lines`, their first ones or all, show that quotation marks of a table separated by tabs are
    /// part of its texts, they are read so.
    pub(crate) fn with_marks_as_in<'l>(mut self, lines: impl Iterator<Item = &'l str> + Clone) -> Self {
        let has_marks = || lines.clone().any(|line| line.contains('"'));
        if let Source::Table(_, columns) = &mut self.source
            && columns.separator == b'\t'
            && has_marks()
            && !are_quoted(lines)
        {
            let Columns { names, separator, .. } = &**columns;
            *columns = Arc::new(Columns { names: names.clone(), separator: *separator, is_quoted: false });
        }
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The format of the rows.
    pub fn format(&self) -> RowFormat {
        self.format
    }

    /// The number of rows that were given.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The names of the columns, if the rows are those of a table.
    pub fn columns(&self) -> Option<&[String]> {
        match &self.source {
            Source::Table(_, columns) => Some(&columns.names),
            _ => None,
        }
    }

    /// The fields of the first row, by which [`FieldNames`](super::FieldNames) finds the texts. A file without rows is
    /// an error.
    pub fn sample(&mut self) -> Result<&[FieldSample]> {
        if self.sample.is_none() {
            let mut first = self.unread_row();
            self.first = self.read(&mut first)?.then_some(first);
            self.sample = Some(match &self.first {
                Some(row) => row.sample(),
                None if self.columns().is_some() => FieldSample::of_columns(self.columns().unwrap_or_default()),
                None => return Err(Error::bad_file(&*self.path, "there is no row")),
            });
        }
        Ok(self.sample.as_deref().unwrap_or_default())
    }

    /// The next row; `None` at the end.
    pub fn next_row(&mut self) -> Result<Option<Row>> {
        let mut row = self.unread_row();
        Ok(self.read_row(&mut row)?.then_some(row))
    }

    /// A row that `read_row` can replace.
    pub(crate) fn unread_row(&self) -> Row {
        let columns = match &self.source {
            Source::Table(_, columns) => Some(columns),
            _ => None,
        };
        Row::new(&self.path, columns)
    }

    /// Replaces a row of this file by the next; false at the end. Its memory is used again.
    pub(crate) fn read_row(&mut self, row: &mut Row) -> Result<bool> {
        let is_read = match self.first.take() {
            Some(first) => {
                *row = first;
                true
            }
            None => self.read(row)?,
        };
        self.rows += usize::from(is_read);
        Ok(is_read)
    }

    fn read(&mut self, row: &mut Row) -> Result<bool> {
        match &mut self.source {
            Source::Lines(lines) => next_object(lines, row),
            Source::Json(json) => json.next(&self.path, row),
            Source::Table(lines, columns) => next_record(&self.path, lines, columns, row),
        }
    }
}

/// Reads the object of the next line that is not empty.
fn next_object(lines: &mut LineStream, row: &mut Row) -> Result<bool> {
    while lines.next_line(row.raw_mut())? {
        let length = row.raw().trim_ascii_end().len();
        if length > 0 {
            row.raw_mut().truncate(length);
            return row.read(lines.line_number()).map(|()| true);
        }
    }
    Ok(false)
}

/// The names of the columns in the first line.
fn header(path: &Arc<Path>, lines: &mut LineStream, separator: u8) -> Result<Columns> {
    let mut record = String::new();
    if !lines.next_line(&mut record)? {
        return Err(Error::bad_file(&**path, "the file is empty: expected a line that names the columns"));
    }
    let line = lines.line_number();
    complete(path, lines, separator, &mut record)?;
    let fields = Fields::parse(&record, separator).map_err(|what| Error::bad_line(path, line, what))?;
    let names = (0..fields.len()).map(|i| fields.field(&record, i).trim().to_owned()).collect();
    Ok(Columns { names, separator, is_quoted: true })
}

/// Reads the next record that is not empty.
fn next_record(path: &Arc<Path>, lines: &mut LineStream, columns: &Columns, row: &mut Row) -> Result<bool> {
    let mut empty = None;
    while lines.next_line(row.raw_mut())? {
        let line = lines.line_number();
        if !matches!(row.raw(), "\n" | "\r\n" | "\r") {
            if let Some(line) = empty.filter(|_| columns.names.len() == 1) {
                let what = "the line is empty: write \"\" for an empty text, or remove the line";
                return Err(Error::bad_line(path, line, what));
            }
            match columns.is_quoted {
                true => complete(path, lines, columns.separator, row.raw_mut())?,
                false => without_line_end(row.raw_mut()),
            }
            return row.read(line).map(|()| true);
        }
        empty = empty.or(Some(line));
    }
    Ok(false)
}

/// Adds the further lines of a record to its first, and removes the last line end.
fn complete(path: &Arc<Path>, lines: &mut LineStream, separator: u8, record: &mut String) -> Result<()> {
    let start = lines.line_number();
    let mut quotation = Quotation::default();
    let mut is_open = quotation.is_open_after(record, separator);
    let mut line = String::new();
    while is_open {
        if record.len() as u64 > MAX_ROW_MIB << 20 || !lines.next_line(&mut line)? {
            return Err(Error::bad_line(path, start, UNCLOSED));
        }
        record.push_str(&line);
        is_open = quotation.is_open_after(&line, separator);
    }
    without_line_end(record);
    Ok(())
}

fn without_line_end(record: &mut String) {
    if record.ends_with('\n') {
        record.pop();
    }
}

/// Objects that are not one per line.
struct JsonRows {
    stream: JsonStream<BufReader<Bytes>>,
    layout: JsonLayout,
    at: At,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Start,
    BetweenRows,
    End,
}

impl JsonRows {
    fn new(mut stream: JsonStream<BufReader<Bytes>>, layout: Option<JsonLayout>) -> Result<Self> {
        let layout = layout.unwrap_or(JsonLayout::Array);
        match layout {
            JsonLayout::Wrapped => drop(stream.find_rows(|_| true)?),
            JsonLayout::Array => stream.expect(b'[', "an array of rows")?,
            JsonLayout::Loose | JsonLayout::Lines => {}
        }
        Ok(JsonRows { stream, layout, at: At::Start })
    }

    fn next(&mut self, path: &Arc<Path>, row: &mut Row) -> Result<bool> {
        if self.at == At::End || self.is_at_end()? {
            self.at = At::End;
            return Ok(false);
        }
        self.at = At::BetweenRows;
        if self.stream.peek()? != Some(b'{') {
            self.stream.expect(b'{', "a row: an object of JSON")?;
        }
        let line = self.stream.line();
        let mut bytes = std::mem::take(row.raw_mut()).into_bytes();
        self.stream.read_value(&mut bytes)?;
        *row.raw_mut() = String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let lines = memchr::memchr_iter(b'\n', before).count();
            Error::bad_line(path, line + lines, "not valid UTF-8")
        })?;
        row.read(line).map(|()| true)
    }

    /// Passes over what is between rows; whether there are no more.
    fn is_at_end(&mut self) -> Result<bool> {
        if self.layout == JsonLayout::Loose {
            return Ok(self.stream.peek()?.is_none());
        }
        if self.stream.peek()? == Some(b']') {
            self.stream.pass();
            if self.layout == JsonLayout::Wrapped {
                self.stream.pass_rest_of_object()?;
            }
            return match self.stream.peek()? {
                None => Ok(true),
                Some(_) => Err(self.stream.bad("there is something behind the rows")),
            };
        }
        if self.at == At::BetweenRows {
            self.stream.expect(b',', "a comma or the end of the array")?;
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(name: &str, text: &str) -> Result<Vec<(usize, String)>> {
        let mut rows = OpenedFile::from_bytes(Path::new(name), text.as_bytes().to_vec())?.into_rows()?;
        let mut all = Vec::new();
        while let Some(row) = rows.next_row()? {
            let field = |(name, text): (&str, std::borrow::Cow<'_, str>)| format!("{name}={text}");
            all.push((row.line(), row.as_texts().into_iter().map(field).collect::<Vec<_>>().join("|")));
        }
        Ok(all)
    }

    fn row(line: usize, text: &str) -> (usize, String) {
        (line, text.to_owned())
    }

    #[test]
    fn rows_of_all_formats_are_read_with_their_lines() {
        let expected = [row(1, "a=x\ny|b=1"), row(2, "a=|b=[2]")];
        assert_eq!(rows("j", "{\"a\": \"x\\ny\", \"b\": 1}\n{\"a\": null, \"b\": [2]}\r\n\n").unwrap(), expected);
        assert_eq!(rows("j", "[{\"a\": \"x\\ny\", \"b\": 1},\n{\"a\": null, \"b\": [2]}]\n").unwrap(), expected);
        let wrapped =
            "{\"v\": [1, {\"a\": 2}], \"data\": [{\"a\": \"x\\ny\", \"b\": 1},\n{\"a\":\"\",\"b\":[2]}], \"n\": 2}";
        assert_eq!(rows("j", wrapped).unwrap(), expected);
        let loose = "{\n\"a\": \"}\\\"\"\n}\n{\n\"a\": \"\"}";
        assert_eq!(rows("j", loose).unwrap(), [row(1, "a=}\""), row(4, "a=")]);
        let csv = "\u{feff}a,\"b\"\r\n\"x\r\ny\",\"say \"\"no\"\"\"\r\n\r\n,z\r\n";
        assert_eq!(rows("t.csv", csv).unwrap(), [row(2, "a=x\r\ny|b=say \"no\""), row(5, "a=|b=z")]);
        assert_eq!(rows("t.tsv", "a\tb\n1,5\t\"t\tt\"").unwrap(), [row(2, "a=1,5|b=t\tt")]);
        assert_eq!(rows("t.csv", "a\n\"\"\nb\n\n").unwrap(), [row(2, "a="), row(3, "a=b")]);
    }

    #[test]
    fn errors_name_file_and_line() {
        for (name, text, expected) in [
            ("j", "{\"a\": 1}\n{\"a\": }\n", "j:2: not JSON: expected value at byte 7"),
            ("j", "{\"a\": 1}\nb\n", "j:2: expected an object of JSON, found \"b\""),
            ("j.jsonl", "b\n", "j.jsonl:1: expected an object of JSON, found \"b\""),
            ("j", "{\"a\": 1, \"a\": 2}\n{}", "j:1: the field `a` is there twice"),
            ("j", "[{\"a\": 1}\n{\"a\": 2}]", "j:2: expected a comma or the end of the array, found '{'"),
            ("j", "[{\"a\": 1},\n", "j:2: expected a row: an object of JSON, found the end of the file"),
            ("j", "[{\"a\": 1},\n{\"a", "j:2: the value that starts here is never closed"),
            ("j", "[{\"a\": 1}] x", "j:1: there is something behind the rows"),
            ("j.json", "x", "j.json:1: expected an array of rows, found 'x'"),
            ("j", "[{\"a\":\n 1, b}]", "j:2: not JSON: key must be a string at byte 5"),
            (
                "j",
                "{\"a\": [{\"x\": 1}],\n \"b\": [{\"x\": 1}]}",
                "j:2: `b` is a second array of rows: expected one (save it as a file)",
            ),
            ("t.csv", "", "t.csv: the file is empty: expected a line that names the columns"),
            ("t.csv", "a,b\n1\n", "t.csv:2: expected 2 fields as in the first line, found 1"),
            ("t.csv", "a,b\n1,\"2\n\n", "t.csv:2: a quoted field starts here and is never closed"),
            ("t.csv", "a\nb\n\nc\n", "t.csv:3: the line is empty: write \"\" for an empty text, or remove the line"),
        ] {
            assert_eq!(rows(name, text).unwrap_err().to_string(), expected, "{text:?}");
        }
        let bytes = b"[{\"a\":\n\"\xff\"}]".to_vec();
        let mut bad = OpenedFile::from_bytes(Path::new("j"), bytes).unwrap().into_rows().unwrap();
        assert_eq!(bad.next_row().unwrap_err().to_string(), "j:2: not valid UTF-8");
    }

    #[test]
    fn rows_over_the_parts_of_a_buffer_are_whole() {
        let object = format!("{{\"a\": \"{}\\\\\", \"b\": {{\"c\": [\"]\", 1.50]}}}}", "ü".repeat(40_000));
        let text = format!("[{}]", [object.as_str(); 5].join(",\n"));
        let mut reader = OpenedFile::from_bytes(Path::new("j"), text.into_bytes()).unwrap().into_rows().unwrap();
        for line in 1..=5 {
            let row = reader.next_row().unwrap().unwrap();
            assert_eq!((row.line(), row.raw()), (line, object.as_str()));
        }
        assert!(reader.next_row().unwrap().is_none());
    }
}
