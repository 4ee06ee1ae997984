//! Texts with one row per line: read in blocks of lines, whose numbers are parsed on all threads and returned in the
//! order of the file. The error is always about the first bad row, for any number of threads.

use super::format::{Keep, WordFilter};
use super::numbers::{parse_all, shown};
use super::source::{Source, utf8};
use crate::error::{Error, Result};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Splits a line into a word and the text of so many numbers, or returns an error message.
pub(super) type Cut = fn(&str, usize) -> Result<(&str, &str), String>;

/// Bytes of a block; a few blocks are in memory at a time.
const BLOCK: usize = 1 << 20;

/// Reads rows to the end of the file, after those already in `block`; returns their number.
pub(super) fn read(
    source: &mut Source<'_>,
    mut block: Block,
    dimension: usize,
    cut: Cut,
    wanted: WordFilter<'_>,
    keep: Keep<'_>,
) -> Result<usize> {
    let path = source.path().to_owned();
    let mut rows = 0;
    loop {
        let more = block.fill(source)?;
        let parsed: Vec<Result<Option<Row<'_>>>> = block
            .lines
            .par_iter()
            .map(|line| parse(&path, &block.bytes[line.bytes.clone()], line, dimension, cut, wanted))
            .collect();
        rows += parsed.len();
        for row in parsed {
            if let Some(row) = row? {
                keep(row.word, &row.vector)?;
            }
        }
        if !more {
            return Ok(rows);
        }
        block.clear();
    }
}

/// Lines that are parsed together.
#[derive(Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
    lines: Vec<Line>,
}

/// The range of a line in the block, its number and its offset in the file.
struct Line {
    bytes: Range<usize>,
    number: usize,
    offset: u64,
}

impl Block {
    /// Adds and returns one line of the file; `None` at the end.
    pub fn add(&mut self, source: &mut Source<'_>) -> Result<Option<&[u8]>> {
        let (from, offset) = (self.bytes.len(), source.offset());
        if !source.line(&mut self.bytes)? {
            return Ok(None);
        }
        let bytes = from..self.bytes.len();
        self.lines.push(Line { bytes: bytes.clone(), number: source.line_number(), offset });
        Ok(Some(&self.bytes[bytes]))
    }

    /// Adds lines until the block is full; returns false at the end of the file.
    fn fill(&mut self, source: &mut Source<'_>) -> Result<bool> {
        while self.bytes.len() < BLOCK {
            if self.add(source)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.lines.clear();
    }
}

struct Row<'a> {
    word: &'a str,
    vector: Vec<f32>,
}

fn parse<'a>(
    path: &Path,
    bytes: &'a [u8],
    line: &Line,
    dimension: usize,
    cut: Cut,
    wanted: WordFilter<'_>,
) -> Result<Option<Row<'a>>> {
    let bad = |what| Error::BadLine { path: path.to_owned(), line: line.number, what };
    let text = utf8(path, bytes, line.number, line.offset)?;
    let (word, numbers) = cut(without_end(text), dimension).map_err(bad)?;
    if !wanted(word) {
        return Ok(None);
    }
    let mut vector = Vec::with_capacity(dimension);
    parse_all(numbers, &mut vector).map_err(|what| bad(format!("the vector of `{}`: {what}", shown(word))))?;
    Ok(Some(Row { word, vector }))
}

/// The error for the first line of a file.
pub(super) fn bad_first_line(path: &Path, what: String) -> Error {
    Error::BadLine { path: path.to_owned(), line: 1, what }
}

/// A line without trailing spaces, tabs and carriage returns: word2vec writes a space after each number.
pub(super) fn without_end(line: &str) -> &str {
    line.trim_end_matches([' ', '\t', '\r'])
}

/// The error message for a row of the wrong length.
pub(super) fn wrong_length(dimension: usize, found: usize) -> String {
    format!(
        "expected a word and {dimension} numbers, as the first line says, found {found} (is the file cut off, or its \
         first line wrong?)"
    )
}
