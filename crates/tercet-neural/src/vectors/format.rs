//! The format of a file of word vectors, recognised by its first bytes.

use super::source::Source;
use super::word2vec_text::header;
use super::{composes, glove, word2vec_binary, word2vec_text};
use crate::error::{Error, Result};
use std::path::Path;

/// A format of files of word vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// GloVe's text: `word v1 … vD`.
    Glove,
    /// COMPOSES' text: the same with tabs.
    Composes,
    /// word2vec's text: `count dimension`, then rows as GloVe's.
    Word2VecText,
    /// word2vec's binary: `count dimension`, then words and bytes.
    Word2VecBinary,
}

/// Whether a word is kept.
pub(super) type WordFilter<'a> = &'a (dyn Fn(&str) -> bool + Sync);

/// Called with each kept word and its vector, in the order of the file.
pub(super) type Keep<'a> = &'a mut dyn FnMut(&str, &[f32]) -> Result<()>;

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::Glove, Format::Composes, Format::Word2VecText, Format::Word2VecBinary];

    /// The format of a file that starts with these bytes, decompressed.
    ///
    /// A first line of two whole numbers is a header, so a GloVe file with one number per word must not start with a
    /// word of digits. After a header it is text if the first row has no control characters and ends in as many numbers
    /// as the header says.
    pub fn detect(start: &[u8]) -> Self {
        let end = memchr::memchr(b'\n', start).unwrap_or(start.len());
        let (first, rest) = (&start[..end], start.get(end + 1..).unwrap_or_default());
        if let Some((_, dimension)) = header(first) {
            return if is_text_row(rest, usize::try_from(dimension).unwrap_or(usize::MAX)) {
                Format::Word2VecText
            } else {
                Format::Word2VecBinary
            };
        }
        match memchr::memchr(b'\t', first) {
            Some(tab) if memchr::memchr(b' ', &first[tab..]).is_none() => Format::Composes,
            _ => Format::Glove,
        }
    }

    /// Reads a file of this format; returns its dimension.
    pub(super) fn read(self, source: &mut Source<'_>, wanted: WordFilter<'_>, keep: Keep<'_>) -> Result<usize> {
        if source.start().is_empty() {
            return Err(empty(source.path()));
        }
        match self {
            Format::Glove => glove::read(source, wanted, keep),
            Format::Composes => composes::read(source, wanted, keep),
            Format::Word2VecText => word2vec_text::read(source, wanted, keep),
            Format::Word2VecBinary => word2vec_binary::read(source, wanted, keep),
        }
    }

    /// The number of the format in compact files.
    pub(super) fn code(self) -> u64 {
        Self::ALL.iter().zip(0..).find(|(format, _)| **format == self).map_or(0, |(_, code)| code)
    }
}

pub(super) fn empty(path: &Path) -> Error {
    Error::bad_file(path, "no word vectors in it: the file is empty")
}

/// Whether bytes after a header start with a row of text: no control characters, and as many numbers at its end as the
/// header says, or numbers only as far as a truncated row goes. Zero bytes are text too.
fn is_text_row(bytes: &[u8], dimension: usize) -> bool {
    let (row, whole) = match memchr::memchr(b'\n', bytes) {
        Some(end) => (&bytes[..end], true),
        None => (bytes, (bytes.len() as u64) < 4096),
    };
    if row.iter().any(|&byte| byte < b' ' && byte != b'\t' && byte != b'\r') {
        return false;
    }
    let mut fields: Vec<&[u8]> =
        row.split(|byte| byte.is_ascii_whitespace()).filter(|field| !field.is_empty()).collect();
    if fields.is_empty() {
        return true;
    }
    let numbers = if whole { dimension } else { fields.len().saturating_sub(2).min(8) };
    if !whole {
        fields.pop();
    }
    let is_number = |field: &&[u8]| std::str::from_utf8(field).is_ok_and(|field| field.parse::<f32>().is_ok());
    let as_announced = fields.len() > numbers && fields[fields.len() - numbers..].iter().all(is_number);
    // A word and another number of numbers is malformed text: the text reader reports it.
    as_announced || (is_printable(bytes) && fields.len() > 1 && fields[1..].iter().all(is_number))
}

/// Whether bytes are UTF-8 without control characters other than tabs and line ends; the last character may be
/// truncated.
fn is_printable(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true);
    text && bytes.iter().all(|&byte| byte >= b' ' || matches!(byte, b'\t' | b'\r' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_their_first_bytes() {
        let binary = [b"2 2\na ".as_slice(), &0.5f32.to_le_bytes(), &0.1f32.to_le_bytes(), b"\n"].concat();
        for (start, format) in [
            (b"the 0.1 -0.2\n".as_slice(), Format::Glove),
            (b"the\t0.1\t-0.2\n", Format::Composes),
            (b"new york\t0.1\t-0.2\n", Format::Composes),
            (b"the\t0.1 -0.2\n", Format::Glove),
            (b"2 2\nthe 0.1 -0.2 \n", Format::Word2VecText),
            (b"2 2\r\nthe 0.1 -0.2\r\n", Format::Word2VecText),
            (b"2 2\n. . . 0.1 -0.2", Format::Word2VecText),
            (b"2 2\n", Format::Word2VecText),
            (&binary, Format::Word2VecBinary),
            (b"1 2\na abc 12 4\n", Format::Word2VecText),
            (b"1 2\na abcdef 4\n", Format::Word2VecBinary),
            (b"", Format::Glove),
        ] {
            assert_eq!(Format::detect(start), format, "{}", String::from_utf8_lossy(start));
        }
    }

    #[test]
    fn the_format_is_recognised_if_the_first_row_is_truncated() {
        let row = format!("9 9999\nthe{}", " 0.123".repeat(9999));
        assert_eq!(Format::detect(&row.as_bytes()[..1 << 15]), Format::Word2VecText);
        let mut bytes = b"9 9999\nthe ".to_vec();
        bytes.extend((0..9999).flat_map(|number| (number as f32 / 7.0).to_le_bytes()));
        assert_eq!(Format::detect(&bytes[..1 << 15]), Format::Word2VecBinary);
    }
}
