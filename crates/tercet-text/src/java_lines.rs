//! Lines as Java's readers split them: ended by `\n`, `\r` or `\r\n`; the last line may have no end.

use std::io::{self, BufRead};

/// Reads a stream line by line; each line is available as soon as its end is read.
pub struct JavaLines<R> {
    reader: R,
    number: usize,
    offset: usize,
    read: usize,
    after_return: bool,
}

impl<R: BufRead> JavaLines<R> {
    /// Starts before the first line.
    pub fn new(reader: R) -> Self {
        JavaLines { reader, number: 0, offset: 0, read: 0, after_return: false }
    }

    /// The number of the line read last, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// How many bytes came before the line read last.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Replaces the contents of `line` by the next line, without its end. Returns false at the end of the stream.
    pub fn next_into(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        self.offset = self.read;
        let mut found = false;
        loop {
            let bytes = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
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
            line.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// Lines with their offsets, read through a buffer of so many bytes.
    fn cut(text: &str, buffer: usize) -> Vec<(usize, String)> {
        let mut lines = JavaLines::new(BufReader::with_capacity(buffer, text.as_bytes()));
        let (mut all, mut line) = (Vec::new(), Vec::new());
        while lines.next_into(&mut line).unwrap() {
            all.push((lines.offset(), String::from_utf8(line.clone()).unwrap()));
        }
        assert_eq!(lines.number(), all.len());
        all
    }

    #[test]
    fn lines_end_at_newline_carriage_return_or_both_together() {
        let expected = [(0, "ab"), (4, ""), (5, "c"), (7, ""), (8, "d")].map(|(at, line)| (at, line.to_owned()));
        for buffer in [1, 2, 3, 64] {
            assert_eq!(cut("ab\r\n\rc\n\nd", buffer), expected);
        }
        assert_eq!(cut("", 8), []);
        assert_eq!(cut("\r\n", 8).len(), 1);
    }
}
