//! Which format a file has, told by its first bytes.

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

/// Words that are to be kept.
pub(super) type Wanted<'a> = &'a (dyn Fn(&str) -> bool + Sync);

/// What is done with a word that is kept and its vector, in the order of the file.
pub(super) type Keep<'a> = &'a mut dyn FnMut(&str, &[f32]) -> Result<()>;

impl Format {
    /// All of them.
    pub const ALL: [Format; 4] =
        [Format::Glove, Format::Composes, Format::Word2VecText, Format::Word2VecBinary];

    /// The format of a file that starts so, unpacked.
    ///
    /// A first line of two whole numbers is a header, so a file of GloVe's with one number a word must not start with a
    /// word in digits. After a header it is text if the first row is free of control characters and ends in as
    /// many numbers as the header says.
    pub fn of(start: &[u8]) -> Self {
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

    /// Reads a file of this format; its dimension.
    pub(super) fn read(self, source: &mut Source<'_>, wanted: Wanted<'_>, keep: Keep<'_>) -> Result<usize> {
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

    /// The number it has in files.
    pub(super) fn code(self) -> u64 {
        Self::ALL.iter().zip(0..).find(|(format, _)| **format == self).map_or(0, |(_, code)| code)
    }
}

pub(super) fn empty(path: &Path) -> Error {
    Error::Unusable(format!("{}: no word vectors in it: the file is empty", path.display()))
}

/// Whether bytes after a header start with a row of text: no control characters, and as many numbers at its end as the
/// header says, or all that can be seen of a row that is cut. Nothing at all is text too.
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
    let is_number =
        |field: &&[u8]| std::str::from_utf8(field).is_ok_and(|field| field.parse::<f32>().is_ok());
    let as_announced = fields.len() > numbers && fields[fields.len() - numbers..].iter().all(is_number);
    // A word and numbers, though not as many: text that is wrong, which its own reader will say.
    as_announced || (is_printable(bytes) && fields.len() > 1 && fields[1..].iter().all(is_number))
}

/// Whether there are no control characters but those that end lines and fields, and nothing that is not UTF-8, but
/// perhaps a character cut at the end.
fn is_printable(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true);
    text && bytes.iter().all(|&byte| byte >= b' ' || matches!(byte, b'\t' | b'\r' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_first_bytes() {
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
            assert_eq!(Format::of(start), format, "{}", String::from_utf8_lossy(start));
        }
    }

    #[test]
    fn a_first_row_longer_than_what_is_seen_is_still_told() {
        let row = format!("9 9999\nthe{}", " 0.123".repeat(9999));
        assert_eq!(Format::of(&row.as_bytes()[..1 << 15]), Format::Word2VecText);
        let mut bytes = b"9 9999\nthe ".to_vec();
        bytes.extend((0..9999).flat_map(|number| (number as f32 / 7.0).to_le_bytes()));
        assert_eq!(Format::of(&bytes[..1 << 15]), Format::Word2VecBinary);
    }
}
