//! Writes rows with further fields: numbers, such as scores.
//!
//! Fields are written as they were read: those of JSON with their order and the spelling of their numbers, those of a
//! table with their quotation marks, unless the format is another one. A table of JSON rows has the fields of the first
//! row as its columns; what is neither text nor null is written as JSON. Numbers have as many digits as it takes to
//! read the same number back; one that is not finite is null in JSON and empty in a table.

use super::format::RowFormat;
use super::row::Row;
use crate::error::{Error, Result};
use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use tercet_base::RowError;

/// Rows that are written one after another.
pub struct RowWriter<W: Write> {
    to: W,
    path: PathBuf,
    format: RowFormat,
    /// The names of the new fields, and the same in JSON.
    new: Vec<(String, String)>,
    /// The columns of a table, once a row was written.
    columns: Option<Vec<String>>,
    rows: usize,
    /// The row that is written.
    text: String,
}

impl<W: Write> RowWriter<W> {
    /// Writes rows with these new fields; `path` is for messages.
    pub fn new(to: W, path: &Path, format: RowFormat, new: &[String]) -> Self {
        let new = new.iter().map(|name| (name.clone(), in_json(name))).collect();
        RowWriter { to, path: path.to_owned(), format, new, columns: None, rows: 0, text: String::new() }
    }

    /// Writes a row with the numbers of the new fields. Returns an error if the row has a field of the same name, or
    /// one that is no column of the table.
    pub fn write(&mut self, row: &Row, numbers: &[f64]) -> Result<()> {
        self.text.clear();
        match self.format.separator() {
            Some(separator) => self.add_record(row, numbers, separator)?,
            None => self.add_object(row, numbers)?,
        }
        self.rows += 1;
        self.to.write_all(self.text.as_bytes()).map_err(|source| self.failed(source))
    }

    /// Writes the end, and returns what was written to.
    pub fn finish(mut self) -> Result<W> {
        let end = match (self.format, self.rows) {
            (RowFormat::Json, 0) => "[]\n",
            (RowFormat::Json, _) => "\n]\n",
            _ => "",
        };
        let written = self.to.write_all(end.as_bytes()).and_then(|()| self.to.flush());
        written.map_err(|source| self.failed(source))?;
        Ok(self.to)
    }

    fn failed(&self, source: std::io::Error) -> Error {
        Error::Write { path: self.path.clone(), source }
    }

    fn check_new(&self, row: &Row, is_taken: impl Fn(&str) -> bool) -> Result<()> {
        match self.new.iter().find(|(name, _)| is_taken(name)) {
            Some((name, _)) => Err(RowError::FieldTaken { path: row.path().to_owned(), name: name.clone() }.into()),
            None => Ok(()),
        }
    }

    fn add_object(&mut self, row: &Row, numbers: &[f64]) -> Result<()> {
        if self.format == RowFormat::Json {
            self.text.push_str(if self.rows == 0 { "[\n" } else { ",\n" });
        }
        let names = row.names();
        let has_fields = !names.is_empty();
        self.check_new(row, |name| names.contains(&name))?;
        if row.separator().is_none() {
            let raw = on_one_line(row.raw().trim());
            self.text.push_str(raw.strip_suffix('}').unwrap_or(&raw).trim_end());
        } else {
            let fields = row.as_texts().into_iter();
            let fields = fields.map(|(name, text)| format!("{}:{}", in_json(name), in_json(&text)));
            self.text.push('{');
            self.text.push_str(&fields.collect::<Vec<_>>().join(","));
        }
        for (i, ((_, name), number)) in self.new.iter().zip(numbers).enumerate() {
            self.text.push_str(if i > 0 || has_fields { "," } else { "" });
            self.text.push_str(name);
            self.text.push(':');
            self.text.push_str(&digits(*number).unwrap_or("null".into()));
        }
        self.text.push_str(if self.format == RowFormat::Json { "}" } else { "}\n" });
        Ok(())
    }

    fn add_record(&mut self, row: &Row, numbers: &[f64], separator: u8) -> Result<()> {
        if self.columns.is_none() {
            let columns: Vec<String> = row.names().into_iter().map(str::to_owned).collect();
            self.check_new(row, |name| columns.iter().any(|column| column == name))?;
            let names = columns.iter().chain(self.new.iter().map(|(name, _)| name));
            add_fields(names.map(String::as_str), separator, &mut self.text);
            self.text.push('\n');
            self.columns = Some(columns);
        }
        if row.separator() == Some(separator) {
            self.text.push_str(row.raw().strip_suffix('\r').unwrap_or(row.raw()));
        } else {
            let fields = in_columns(row, self.columns.as_deref().unwrap_or_default())?;
            add_fields(fields.iter().map(|field| &**field), separator, &mut self.text);
        }
        for number in numbers {
            self.text.push(char::from(separator));
            self.text.push_str(&digits(*number).unwrap_or_default());
        }
        self.text.push('\n');
        Ok(())
    }
}

/// The fields of a row in the order of the columns; those that are not there are empty.
fn in_columns<'r>(row: &'r Row, columns: &[String]) -> Result<Vec<Cow<'r, str>>> {
    let mut fields = vec![Cow::Borrowed(""); columns.len()];
    for (i, (name, text)) in row.as_texts().into_iter().enumerate() {
        let is_here = columns.get(i).is_some_and(|column| column == name);
        let place = if is_here { Some(i) } else { columns.iter().position(|column| column == name) };
        let Some(place) = place else {
            let (path, line, field) = (row.path().to_owned(), row.line(), name.to_owned());
            return Err(RowError::NoColumn { path, line, field }.into());
        };
        fields[place] = text;
    }
    Ok(fields)
}

fn add_fields<'f>(fields: impl Iterator<Item = &'f str>, separator: u8, text: &mut String) {
    for (i, field) in fields.enumerate() {
        if i > 0 {
            text.push(char::from(separator));
        }
        let is_special = |byte: u8| byte == separator || matches!(byte, b'"' | b'\n' | b'\r');
        // A record of one empty field would be an empty line.
        if field.is_empty() && i == 0 || field.bytes().any(is_special) {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(field);
        }
    }
}

/// An object without white space between its parts if it takes several lines.
fn on_one_line(raw: &str) -> Cow<'_, str> {
    if !raw.contains(['\n', '\r']) {
        return raw.into();
    }
    let (mut is_text, mut is_escaped) = (false, false);
    let kept = |character: &char| {
        let keep = is_text || !character.is_ascii_whitespace();
        let is_mark = *character == '"' && !is_escaped;
        is_escaped = is_text && *character == '\\' && !is_escaped;
        is_text ^= is_mark;
        keep
    };
    raw.chars().filter(kept).collect::<String>().into()
}

fn in_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A number with as many digits as it needs; `None` if it is not finite.
fn digits(number: f64) -> Option<String> {
    number.is_finite().then(|| format!("{number:?}"))
}

#[cfg(test)]
mod tests {
    use super::super::OpenedFile;
    use super::*;

    fn written(name: &str, text: &str, format: RowFormat) -> Result<String> {
        let mut rows = OpenedFile::from_bytes(Path::new(name), text.as_bytes().to_vec())?.into_rows()?;
        let new = ["bleu".to_owned(), "c,d".to_owned()];
        let mut writer = RowWriter::new(Vec::new(), Path::new("out"), format, &new);
        while let Some(row) = rows.next_row()? {
            writer.write(&row, &[100.0, f64::NAN])?;
        }
        Ok(String::from_utf8(writer.finish()?).unwrap())
    }

    #[test]
    fn fields_come_back_as_they_were_read() {
        let jsonl = "{\"b\": 1.10, \"a\": [\"x\", {}], \"n\": 12345678901234567890123}\n{}\n";
        assert_eq!(
            written("x.jsonl", jsonl, RowFormat::JsonLines).unwrap(),
            "{\"b\": 1.10, \"a\": [\"x\", {}], \"n\": 12345678901234567890123,\"bleu\":100.0,\"c,d\":null}\n\
             {\"bleu\":100.0,\"c,d\":null}\n"
        );
        let csv = "\u{feff}a, b\r\n\"x\",\"say \"\"no\"\"\r\n!\"\r\n-1,=2\r\n";
        let expected = "a,b,bleu,\"c,d\"\n\"x\",\"say \"\"no\"\"\r\n!\",100.0,\n-1,=2,100.0,\n";
        assert_eq!(written("x.csv", csv, RowFormat::Csv).unwrap(), expected);
    }

    #[test]
    fn rows_are_written_in_other_formats() {
        let json = "[\n {\n \"a\": \"x, \\\" \\\\\",\n \"b\": 1.10\n },\n{\"b\": null, \"a\": \"y\\tz\\n\"}]";
        assert_eq!(
            written("x", json, RowFormat::JsonLines).unwrap(),
            "{\"a\":\"x, \\\" \\\\\",\"b\":1.10,\"bleu\":100.0,\"c,d\":null}\n\
             {\"b\": null, \"a\": \"y\\tz\\n\",\"bleu\":100.0,\"c,d\":null}\n"
        );
        assert_eq!(
            written("x", json, RowFormat::Tsv).unwrap(),
            "a\tb\tbleu\tc,d\n\"x, \"\" \\\"\t1.1\t100.0\t\n\"y\tz\n\"\t\t100.0\t\n"
        );
        assert_eq!(
            written("x.tsv", "a\tb\n1,2\t\"\"\"\"\n", RowFormat::Json).unwrap(),
            "[\n{\"a\":\"1,2\",\"b\":\"\\\"\",\"bleu\":100.0,\"c,d\":null}\n]\n"
        );
        assert_eq!(
            written("x.tsv", "a\tb\n1,2\t\"\"\"\"\n", RowFormat::Csv).unwrap(),
            "a,b,bleu,\"c,d\"\n\"1,2\",\"\"\"\",100.0,\n"
        );
    }

    #[test]
    fn fields_are_neither_lost_nor_doubled() {
        let taken = written("x", "{\"bleu\": 1}\n{}", RowFormat::JsonLines).unwrap_err().to_string();
        assert_eq!(taken, "x already has a field `bleu`: rename or drop it first");
        let taken = written("x.csv", "a,bleu\n1,2\n", RowFormat::JsonLines).unwrap_err().to_string();
        assert_eq!(taken, "x.csv already has a field `bleu`: rename or drop it first");
        let other = written("x", "{\"a\": 1}\n{\"b\": 1}", RowFormat::Csv).unwrap_err().to_string();
        assert_eq!(
            other,
            "x:2: the field `b` is not in the first row, whose fields are the columns (write JSON lines)"
        );
    }
}
