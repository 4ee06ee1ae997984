//! METEOR's form of a table: three lines a pair, packed with gzip or not.
//!
//! Read as Java reads it: UTF-8, lines ended by `\n`, `\r` or both together, words parted by space, tab, carriage return
//! and form feed. The text is streamed, never held.

use super::tree::{Growing, ROOT, Tree};
use super::vocabulary::Vocabulary;
use crate::error::{Error, Result};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

const GZIP: &[u8] = &[0x1f, 0x8b];

/// Java's white space, where it cuts a line into words.
const SPACES: [char; 5] = [' ', '\t', '\n', '\r', '\x0c'];

/// Words and pairs of a table.
pub(super) fn read(path: &Path) -> Result<(Vocabulary, Tree)> {
    let mut lines = Lines::open(path)?;
    let mut table = Table::new();
    while let Some(probability) = lines.next()? {
        if probability.trim().parse::<f64>().is_err() {
            let what = format!("expected the probability of a pair of phrases, found `{probability}`");
            return Err(lines.error(what));
        }
        let first = table.first(lines.phrase("first")?);
        let second = table.phrase(lines.phrase("second")?);
        table.pairs.pair(first, second);
        if table.pairs.is_full(lines.line.len() * 2) {
            return Err(lines.error("more pairs than a table can have (4 billion)".to_owned()));
        }
    }
    Ok((table.vocabulary, table.pairs.finish()))
}

/// A table in the making.
struct Table {
    vocabulary: Vocabulary,
    pairs: Growing,
    /// The first phrase of the pair before, which is mostly that of the next.
    last: (String, u32),
}

impl Table {
    fn new() -> Self {
        Table { vocabulary: Vocabulary::default(), pairs: Growing::new(), last: (String::new(), ROOT) }
    }

    fn first(&mut self, text: &str) -> u32 {
        if self.last.0 != text {
            self.last.1 = self.phrase(text);
            self.last.0.clear();
            self.last.0.push_str(text);
        }
        self.last.1
    }

    fn phrase(&mut self, text: &str) -> u32 {
        words(text).fold(ROOT, |phrase, word| {
            let word = self.vocabulary.number_or_new(word);
            self.pairs.child(phrase, word)
        })
    }
}

/// The words of a line.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(SPACES).filter(|word| !word.is_empty())
}

/// The lines of a file, one at a time.
struct Lines<'a> {
    path: &'a Path,
    reader: Box<dyn BufRead>,
    line: Vec<u8>,
    /// How many lines were read.
    number: usize,
    /// How many bytes came before this line.
    offset: usize,
    /// How many bytes were read.
    read: usize,
    after_return: bool,
}

impl<'a> Lines<'a> {
    fn open(path: &'a Path) -> Result<Self> {
        let reader = unpacked(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Ok(Lines { path, reader, line: Vec::new(), number: 0, offset: 0, read: 0, after_return: false })
    }

    /// The next line, if there is one.
    fn next(&mut self) -> Result<Option<&str>> {
        if self.advance()? { self.text().map(Some) } else { Ok(None) }
    }

    /// The next line, which must be a phrase.
    fn phrase(&mut self, which: &str) -> Result<&str> {
        let found = if !self.advance()? {
            self.number += 1;
            "the end of the file"
        } else if self.line.iter().all(|&byte| SPACES.contains(&char::from(byte))) {
            "an empty line"
        } else {
            return self.text();
        };
        let what = format!(
            "expected the {which} phrase of a pair, found {found} (a pair is three lines: probability, phrase, phrase)"
        );
        Err(self.error(what))
    }

    /// This line.
    fn text(&self) -> Result<&str> {
        std::str::from_utf8(&self.line).map_err(|error| Error::NotUtf8 {
            path: self.path.to_owned(),
            line: self.number,
            offset: self.offset + error.valid_up_to(),
            column: error.valid_up_to() + 1,
        })
    }

    /// Goes to the next line; false at the end.
    fn advance(&mut self) -> Result<bool> {
        self.try_advance().map_err(|source| Error::Read { path: self.path.to_owned(), source })
    }

    fn try_advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.offset = self.read;
        let mut found = false;
        loop {
            let bytes = self.reader.fill_buf()?;
            if bytes.is_empty() {
                self.number += usize::from(found);
                return Ok(found);
            }
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                self.consume(1);
                self.offset += 1;
                continue;
            }
            found = true;
            let end = memchr::memchr2(b'\n', b'\r', bytes);
            self.line.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            self.after_return = end.is_some_and(|end| bytes[end] == b'\r');
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.consume(used);
            if end.is_some() {
                self.number += 1;
                return Ok(true);
            }
        }
    }

    fn consume(&mut self, bytes: usize) {
        self.reader.consume(bytes);
        self.read += bytes;
    }

    fn error(&self, what: String) -> Error {
        Error::BadLine { path: self.path.to_owned(), line: self.number, what }
    }
}

/// The bytes of a file, unpacked if need be.
fn unpacked(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut raw = BufReader::with_capacity(1 << 16, File::open(path)?);
    if raw.fill_buf()?.starts_with(GZIP) {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(raw))));
    }
    Ok(Box::new(raw))
}
