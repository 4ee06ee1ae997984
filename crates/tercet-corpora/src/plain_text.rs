//! Plain text: one segment per line.
//!
//! UTF-8, lines ended by `\n` alone (so `\r`, U+2028 and form feeds stay inside their line), a last line without its
//! `\n` counted like any other. Trailing white space of a line is removed, as in sacreBLEU's command. Compressed or
//! not; see `unpack`.

use crate::error::{Error, Result, shown};
use crate::text::{is_line_separator, trim_end};
use crate::unpack;
use std::path::{Path, PathBuf};

/// The lines of one text, in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    path: PathBuf,
    text: String,
    /// Where each line ends, before its `\n`. Nothing more is kept, because a small compressed file can have a hundred
    /// million empty lines.
    ends: Vec<usize>,
}

/// Reads a text; `-` is standard input.
pub fn read_lines(path: &Path) -> Result<Lines> {
    Lines::from_bytes(path, unpack::read(path)?)
}

impl Lines {
    /// The lines of bytes that were read from `path`.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self> {
        let text = String::from_utf8(bytes)
            .map_err(|error| Error::not_utf8(path, error.as_bytes(), error.utf8_error().valid_up_to()))?;
        Error::check_encoding(path, text.as_bytes())?;
        Ok(Self::from_text(path, text))
    }

    /// The lines of a text whose encoding is known.
    pub(super) fn from_text(path: &Path, text: String) -> Self {
        let last = (!text.is_empty() && !text.ends_with('\n')).then_some(text.len());
        let newlines = || memchr::memchr_iter(b'\n', text.as_bytes());
        let mut ends = Vec::with_capacity(newlines().count() + 1);
        ends.extend(newlines().chain(last));
        Lines { path: path.to_owned(), text, ends }
    }

    /// No text yet.
    pub(super) fn empty(path: &Path) -> Self {
        Lines { path: path.to_owned(), text: String::new(), ends: Vec::new() }
    }

    /// Adds a text as one line; it may have line ends inside.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.text.push('\n');
    }

    /// The path of the text, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An error about a line, from 1.
    pub fn bad(&self, line: usize, what: impl Into<String>) -> Error {
        Error::bad_line(&self.path, line, what)
    }

    /// The error that there is nothing in the text.
    pub(super) fn is_empty_error(&self, expected: &'static str) -> Error {
        Error::EmptyFile { path: self.path.clone(), expected }
    }

    /// The whole text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The line with this index, from 0, without trailing white space.
    pub fn line(&self, index: usize) -> &str {
        let line = self.untrimmed(index);
        &line[..trimmed_length(line)]
    }

    /// All lines, without trailing white space.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|index| self.line(index))
    }

    /// All lines with their trailing white space.
    pub fn iter_untrimmed(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|index| self.untrimmed(index))
    }

    /// The line with this index, with its trailing white space.
    fn untrimmed(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] + 1 };
        &self.text[start..self.ends[index]]
    }

    /// Fails unless `other` has as many lines; the message suggests a reason.
    pub fn check_length_of(&self, other: &Lines) -> Result<()> {
        if self.len() == other.len() {
            return Ok(());
        }
        Err(Error::LineCount {
            path: other.path.clone(),
            found: other.len(),
            other: self.path.clone(),
            expected: self.len(),
            hint: why_lengths_differ(self, other),
        })
    }

    /// The number of characters inside lines that other tools treat as line ends.
    fn separators(&self) -> usize {
        self.iter_untrimmed()
            .map(|line| line.trim_end_matches('\r').chars().filter(|c| is_line_separator(*c)).count())
            .sum()
    }
}

fn why_lengths_differ(a: &Lines, b: &Lines) -> Option<String> {
    let (shorter, longer) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if shorter.is_empty() {
        return Some(format!("{} is empty", shown(&shorter.path)));
    }
    if shorter.len() + shorter.separators() == longer.len() {
        return Some(format!(
            "{} contains {} line separators other than \\n, such as U+2028, where the other file may have been split",
            shown(&shorter.path),
            shorter.separators()
        ));
    }
    (longer.len() % shorter.len() == 0 && longer.len() / shorter.len() <= 10).then(|| {
        let times = longer.len() / shorter.len();
        format!(
            "{times} lines for one: several references go into files of their own, or side by side into {times} \
            columns of one file"
        )
    })
}

/// Python's `rstrip`, with the common case first.
fn trimmed_length(line: &str) -> usize {
    match line.as_bytes().last() {
        Some(b'!'..=b'~') | None => line.len(),
        _ => trim_end(line).len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        Lines::from_bytes(Path::new("x"), bytes.to_vec()).unwrap().iter().map(str::to_owned).collect()
    }

    #[test]
    fn only_newline_ends_a_line_and_trailing_space_is_removed() {
        assert_eq!(lines("a\r\n b\u{2028}c \t\n\nd".as_bytes()), ["a", " b\u{2028}c", "", "d"]);
        assert_eq!(lines(b""), Vec::<String>::new());
        assert_eq!(lines(b"\n"), [""]);
    }

    #[test]
    fn texts_of_rows_keep_their_line_ends() {
        let mut lines = Lines::empty(Path::new("x"));
        ["a\nb", "", "c "].into_iter().for_each(|text| lines.push(text));
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["a\nb", "", "c"]);
    }

    #[test]
    fn the_error_for_a_bad_byte_has_line_and_offset() {
        let error = Lines::from_bytes(Path::new("ref.txt"), b"good\nbad \xff\n".to_vec()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "ref.txt:2: not valid UTF-8 at byte 5 of the line, byte 10 of the file \
             (convert it first, for example with iconv -f latin1 -t utf-8)"
        );
    }
}
