//! Resource files as METEOR reads them: UTF-8 lines that end at `\n`, `\r\n` or `\r`, as in Java.

use crate::error::{Error, Result};
use crate::unpack;
use std::path::Path;

/// What separates words within a line: Java's `StringTokenizer`.
pub(super) const BLANKS: [char; 5] = [' ', '\t', '\n', '\r', '\x0c'];

/// The text of a file, compressed or not.
pub fn read(path: &Path) -> Result<String> {
    String::from_utf8(unpack::read(path)?).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..offset];
        let start = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
        // Everything before the bad byte is valid.
        let line = std::str::from_utf8(&before[..start]).map_or(0, |text| lines(text).count()) + 1;
        Error::NotUtf8 { path: path.to_owned(), line, offset, column: offset - start + 1 }
    })
}

/// The lines of a text; there is no empty line after the last line end.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (line, tail) = rest.split_at(end);
        rest = tail.strip_prefix("\r\n").unwrap_or_else(|| tail.get(1..).unwrap_or_default());
        Some(line)
    })
}

/// The words of a line.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(BLANKS).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_java() {
        let split = |text| lines(text).collect::<Vec<_>>();
        assert_eq!(split("a\nb\r\nc\rd"), ["a", "b", "c", "d"]);
        assert_eq!(split("a\n\n\r\rb\n"), ["a", "", "", "", "b"]);
        assert!(split("").is_empty());
        assert_eq!(split("\n"), [""]);
    }

    #[test]
    fn words_are_split_at_ascii_white_space_only() {
        assert_eq!(words(" a\tb\u{a0}c  d ").collect::<Vec<_>>(), ["a", "b\u{a0}c", "d"]);
    }

    #[test]
    fn the_error_for_a_bad_byte_has_line_and_column() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words");
        std::fs::write(&path, b"a\r\nb\rcd\xe9").unwrap();
        let Err(Error::NotUtf8 { line, offset, column, .. }) = read(&path) else { panic!("not refused") };
        assert_eq!((line, offset, column), (3, 7, 3));
        assert!(matches!(read(&folder.path().join("none")), Err(Error::Read { .. })));
    }
}
