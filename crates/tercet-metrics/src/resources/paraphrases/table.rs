//! METEOR's format of a table: three lines per pair, compressed or not.
//!
//! Read as Java reads it: UTF-8, its lines (see [`JavaLines`]), its words (see `lines`). The text is never held in
//! memory as a whole.

use super::tree::{ROOT, Tree, TreeBuilder};
use super::vocabulary::Vocabulary;
use crate::error::{Error, Result};
use crate::resources::lines::{BLANKS, words};
use crate::text::JavaLines;
use crate::unpack;
use std::io::{BufReader, Read};
use std::path::Path;

/// Words and pairs of a table, and the probabilities of the pairs in the order of the tree.
pub(super) struct Contents {
    pub(super) vocabulary: Vocabulary,
    pub(super) tree: Tree,
    pub(super) probabilities: Vec<f64>,
}

/// Reads a table.
pub(super) fn read(path: &Path) -> Result<Contents> {
    let mut lines = Lines::open(path)?;
    let mut table = Table::new();
    while let Some(text) = lines.next()? {
        let Ok(probability) = text.trim().parse::<f64>() else {
            let what = format!("expected the probability of a pair of phrases, found `{text}`");
            return Err(lines.error(what));
        };
        let first = table.first(lines.phrase("first")?);
        let second = table.phrase(lines.phrase("second")?);
        table.pair(first, second, probability, &lines)?;
    }
    if lines.number == 0 {
        let what = "no paraphrases in it: the file is empty".to_owned();
        return Err(Error::bad_file(path, what));
    }
    Ok(table.finish())
}

/// A table that is being read.
pub(super) struct Table {
    vocabulary: Vocabulary,
    pairs: TreeBuilder,
    probabilities: Vec<f64>,
    /// The first phrase of the previous pair, which is mostly that of the next too.
    last: (String, u32),
}

impl Table {
    pub(super) fn new() -> Self {
        Table {
            vocabulary: Vocabulary::default(),
            pairs: TreeBuilder::new(),
            probabilities: Vec::new(),
            last: (String::new(), ROOT),
        }
    }

    pub(super) fn pair(&mut self, first: u32, second: u32, probability: f64, lines: &Lines<'_>) -> Result<()> {
        self.pairs.pair(first, second);
        self.probabilities.push(probability);
        if self.pairs.is_full(lines.line.len() * 2) {
            return Err(lines.error("more pairs than a table can have (4 billion)".to_owned()));
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.probabilities.is_empty()
    }

    pub(super) fn finish(self) -> Contents {
        let (tree, order) = self.pairs.finish();
        let probabilities = order.iter().map(|&place| self.probabilities[place as usize]).collect();
        Contents { vocabulary: self.vocabulary, tree, probabilities }
    }

    pub(super) fn first(&mut self, text: &str) -> u32 {
        if self.last.0 != text {
            self.last.1 = self.phrase(text);
            self.last.0.clear();
            self.last.0.push_str(text);
        }
        self.last.1
    }

    pub(super) fn phrase(&mut self, text: &str) -> u32 {
        words(text).fold(ROOT, |phrase, word| {
            let word = self.vocabulary.number_or_new(word);
            self.pairs.child(phrase, word)
        })
    }
}

/// The lines of a file, one at a time.
pub(super) struct Lines<'a> {
    path: &'a Path,
    lines: JavaLines<BufReader<Box<dyn Read + Send>>>,
    line: Vec<u8>,
    number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self> {
        let bytes = unpack::open(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let reader = BufReader::with_capacity(1 << 16, bytes);
        Ok(Lines { path, lines: JavaLines::new(reader), line: Vec::new(), number: 0 })
    }

    /// The next line, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<&str>> {
        if self.advance()? { self.text().map(Some) } else { Ok(None) }
    }

    /// The next line, which must be a phrase.
    fn phrase(&mut self, which: &str) -> Result<&str> {
        let found = if !self.advance()? {
            self.number += 1;
            "the end of the file"
        } else if self.line.iter().all(|&byte| BLANKS.contains(&char::from(byte))) {
            "an empty line"
        } else {
            return self.text();
        };
        let what = format!(
            "expected the {which} phrase of a pair, found {found} (a pair is three lines: probability, phrase, phrase)"
        );
        Err(self.error(what))
    }

    /// The current line.
    fn text(&self) -> Result<&str> {
        std::str::from_utf8(&self.line).map_err(|error| Error::NotUtf8 {
            path: self.path.to_owned(),
            line: self.number,
            offset: self.lines.offset() + error.valid_up_to(),
            column: error.valid_up_to() + 1,
        })
    }

    /// Goes to the next line; returns false at the end.
    fn advance(&mut self) -> Result<bool> {
        let found = self.lines.next_into(&mut self.line);
        self.number = self.lines.number();
        found.map_err(|source| Error::Read { path: self.path.to_owned(), source })
    }

    pub(super) fn error(&self, what: String) -> Error {
        Error::BadLine { path: self.path.to_owned(), line: self.number, what }
    }
}
