//! Reads a text of any length line by line, without keeping it in memory.
//!
//! Lines as in `plain_text`: UTF-8, ended by `\n` alone. Compressed or not; see `unpack`. The longest line is limited,
//! because who reads line by line keeps a hundred times its size in memory for its words.

use crate::error::{Error, Result};
use crate::unpack;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The longest line, in MiB. Sentences are far from it.
const MAX_LINE_MIB: u64 = 4;

/// A text that is read line by line.
pub struct LineStream {
    path: PathBuf,
    bytes: BufReader<Box<dyn Read + Send>>,
    /// The number of lines read, and of the bytes before the last of them.
    lines: usize,
    offset: usize,
    /// The length of the last line.
    length: usize,
    /// The longest line in MiB, and what to expect of a file with a longer one.
    longest: (u64, &'static str),
}

impl LineStream {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path) -> Result<Self> {
        let at_path = |source| Error::Read { path: path.to_owned(), source };
        let bytes = unpack::open(path).map_err(at_path)?;
        Ok(LineStream::from_bytes(path, bytes, MAX_LINE_MIB, "expected a sentence per line"))
    }

    /// Reads from decompressed bytes, whose lines have at most so many MiB; longer ones are refused with `expected`.
    pub(crate) fn from_bytes(path: &Path, bytes: Box<dyn Read + Send>, max_mib: u64, expected: &'static str) -> Self {
        let bytes = BufReader::with_capacity(1 << 16, bytes);
        LineStream { path: path.to_owned(), bytes, lines: 0, offset: 0, length: 0, longest: (max_mib, expected) }
    }

    /// Replaces the contents of `line` by the next line with its end; returns false at the end of the text.
    pub fn next_line(&mut self, line: &mut String) -> Result<bool> {
        let mut bytes = std::mem::take(line).into_bytes();
        bytes.clear();
        let (max_mib, expected) = self.longest;
        let longest = max_mib << 20;
        let read = self.bytes.by_ref().take(longest + 1).read_until(b'\n', &mut bytes);
        read.map_err(|source| Error::Read { path: self.path.clone(), source })?;
        if bytes.is_empty() {
            return Ok(false);
        }
        self.lines += 1;
        if bytes.len() as u64 > longest {
            let what = format!("the line has more than {max_mib} MiB: {expected}");
            return Err(Error::bad_line(&self.path, self.lines, what));
        }
        self.offset += std::mem::replace(&mut self.length, bytes.len());
        if self.lines == 1 {
            Error::check_encoding(&self.path, &bytes)?;
        }
        *line = String::from_utf8(bytes).map_err(|error| self.not_utf8(error.utf8_error().valid_up_to()))?;
        Ok(true)
    }

    fn not_utf8(&self, before: usize) -> Error {
        let (path, offset) = (self.path.clone(), self.offset + before);
        Error::NotUtf8 { path, line: self.lines, offset, column: before + 1 }
    }

    /// The number of the line read last, from 1; 0 before the first.
    pub fn line_number(&self) -> usize {
        self.lines
    }

    /// The path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn stream(bytes: &[u8]) -> (tempfile::NamedTempFile, LineStream) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let lines = LineStream::open(file.path()).unwrap();
        (file, lines)
    }

    fn all(lines: &mut LineStream) -> Result<Vec<String>> {
        let (mut all, mut line) = (Vec::new(), String::from("left over"));
        while lines.next_line(&mut line)? {
            all.push(line.clone());
        }
        Ok(all)
    }

    #[test]
    fn lines_are_read_from_plain_and_compressed_files() {
        let text = "one\n\n\u{2028}two\r\nthree";
        let mut packed = Vec::new();
        for part in [&text[..3], &text[3..]] {
            let mut encoder = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
            encoder.write_all(part.as_bytes()).unwrap();
            encoder.finish().unwrap();
        }
        // Two frames of `zstd`, raw blocks.
        let frame = |text: &[u8]| {
            let length = text.len() as u8;
            [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, length, (length << 3) | 1, 0, 0], text].concat()
        };
        let zstd = [frame(&text.as_bytes()[..3]), frame(&text.as_bytes()[3..])].concat();
        for bytes in [text.as_bytes().to_vec(), packed, zstd] {
            let (_file, mut lines) = stream(&bytes);
            assert_eq!(all(&mut lines).unwrap(), ["one\n", "\n", "\u{2028}two\r\n", "three"]);
            assert_eq!(lines.line_number(), 4);
        }
        assert!(all(&mut stream(b"").1).unwrap().is_empty());
    }

    #[test]
    fn a_line_of_megabytes_is_refused() {
        let longest = "x".repeat((MAX_LINE_MIB << 20) as usize - 1);
        let (_file, mut lines) = stream(format!("{longest}\n{longest}\nxx{longest}\n").as_bytes());
        let mut line = String::new();
        assert!(lines.next_line(&mut line).unwrap() && lines.next_line(&mut line).unwrap());
        let error = lines.next_line(&mut line).unwrap_err().to_string();
        assert!(error.ends_with(":3: the line has more than 4 MiB: expected a sentence per line"), "{error}");
    }

    #[test]
    fn bad_bytes_are_named_by_line_and_column() {
        let (file, mut lines) = stream(b"ok\nab\xff\n");
        let error = all(&mut lines).unwrap_err();
        let whole = crate::read_lines(file.path()).unwrap_err();
        assert_eq!(error.to_string(), whole.to_string());
    }

    #[test]
    fn damaged_archives_and_folders_are_errors() {
        let (_file, mut lines) = stream(&[0x1f, 0x8b, 8, 0, 0]);
        let error = all(&mut lines).unwrap_err();
        assert!(std::error::Error::source(&error).unwrap().to_string().contains("the gzip data is damaged"));
        assert!(LineStream::open(&std::env::temp_dir()).is_err());
        assert!(LineStream::open(Path::new("nowhere/at/all")).is_err());
    }
}
