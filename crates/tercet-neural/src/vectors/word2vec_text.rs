//! word2vec's text (Mikolov et al., 2013; `-binary 0`), which is fastText's `.vec` too.
//!
//! ```text
//! 3000000 300
//! </s> 0.001129 -0.000896 …
//! in 0.070312 0.086914 …
//! ```
//!
//! A header, the number of words and the dimension; then rows as in GloVe's text, with a space after the last number.
//!
//! # Choices
//! The file must match its header: every row has its dimension, the file its number of rows. gensim and fastText read
//! as many rows as it says and ignore the rest; but a file of another length is probably damaged.

use super::format::{Keep, WordFilter};
use super::glove;
use super::numbers::{MAX_DIMENSIONS, shown};
use super::rows::{self, Block};
use super::source::Source;
use crate::error::{Error, Result};

/// Reads a file; returns its dimension.
pub(super) fn read(source: &mut Source<'_>, wanted: WordFilter<'_>, keep: Keep<'_>) -> Result<usize> {
    let (count, dimension) = read_header(source)?;
    let rows = rows::read(source, Block::default(), dimension, glove::cut, wanted, keep)?;
    if rows as u64 != count {
        let what = format!(
            "the header announces {count} words, but {rows} follow (is the file cut off, or two files joined?)"
        );
        return Err(Error::BadLine { path: source.path().to_owned(), line: 1, what });
    }
    Ok(dimension)
}

/// Reads the first line of both formats of word2vec: the number of words and the dimension.
pub(super) fn read_header(source: &mut Source<'_>) -> Result<(u64, usize)> {
    let mut line = Vec::new();
    source.line(&mut line)?;
    let bad = |what| Error::BadLine { path: source.path().to_owned(), line: 1, what };
    let Some((count, dimension)) = header(&line) else {
        let found = String::from_utf8_lossy(&line);
        return Err(bad(format!("expected word2vec's header, `count dimension`, found `{}`", shown(&found))));
    };
    if count == 0 {
        return Err(bad("the header announces no words".to_owned()));
    }
    match usize::try_from(dimension) {
        Ok(dimension @ 1..=MAX_DIMENSIONS) => Ok((count, dimension)),
        _ => Err(bad(format!("the header announces vectors of {dimension} numbers, expected 1 to {MAX_DIMENSIONS}"))),
    }
}

/// Two whole numbers with spaces between them.
pub(super) fn header(line: &[u8]) -> Option<(u64, u64)> {
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).map(|field| {
        let digits = field.iter().all(u8::is_ascii_digit).then_some(field)?;
        std::str::from_utf8(digits).ok()?.parse().ok()
    });
    let (count, dimension) = (fields.next()??, fields.next()??);
    fields.next().is_none().then_some((count, dimension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_two_whole_numbers() {
        assert_eq!(header(b"3000000 300"), Some((3_000_000, 300)));
        assert_eq!(header(b"3 2 \r"), Some((3, 2)));
        for line in [b"3".as_slice(), b"", b"3 2 1", b"the 2", b"3 0.5", b"-3 2", b"3 99999999999999999999"] {
            assert_eq!(header(line), None, "{}", String::from_utf8_lossy(line));
        }
    }
}
