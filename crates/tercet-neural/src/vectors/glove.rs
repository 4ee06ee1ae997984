//! GloVe's text (Pennington et al., 2014): `glove.6B.300d.txt`, `glove.840B.300d.txt`.
//!
//! ```text
//! the 0.418 0.24968 -0.41242 …
//! of 0.70853 0.57088 -0.4716 …
//! ```
//!
//! No header. UTF-8, one word per line, then its numbers, separated by spaces (or tabs). Lines end at `\n` only.
//!
//! # Choices
//! - The dimension is that of the first line: the numbers at its end, at most all fields except the first.
//! - Only U+0020 and tabs separate. The files made from Common Crawl have words with U+00A0 and U+0085 in them
//!   (`.\u{a0}.\u{a0}.`), at which Python's `split()` splits; here they are letters. Copies in which they have become
//!   spaces are read too: the last D fields are the vector, everything before is the word, with its spaces.
//! - If everything after the first field of such a word is a number, the row is too long, which is an error: otherwise
//!   a first line that lacks a number would turn every other row into a word with a number in it.

use super::format::{Keep, WordFilter};
use super::numbers::{check_dimension, fields};
use super::rows::{self, Block, bad_first_line, without_end, wrong_length};
use super::source::{Source, utf8};
use crate::error::Result;

/// Reads a file; returns its dimension.
pub(super) fn read(source: &mut Source<'_>, wanted: WordFilter<'_>, keep: Keep<'_>) -> Result<usize> {
    let mut block = Block::default();
    let first = block.add(source)?.unwrap_or_default();
    let dimension = dimension(utf8(source.path(), first, 1, 0)?);
    if dimension == 0 {
        let what = "expected a word and its numbers, with blanks between them, or a header `count dimension`";
        return Err(bad_first_line(source.path(), what.to_owned()));
    }
    check_dimension(dimension).map_err(|what| bad_first_line(source.path(), what))?;
    rows::read(source, block, dimension, cut, wanted, keep)?;
    Ok(dimension)
}

fn dimension(line: &str) -> usize {
    let line = without_end(line);
    let numbers = fields(line).rev().take_while(|field| field.parse::<f32>().is_ok()).count();
    numbers.min(fields(line).count().saturating_sub(1))
}

/// The word and the last `dimension` fields.
pub(super) fn cut(line: &str, dimension: usize) -> Result<(&str, &str), String> {
    let mut end = line.len();
    let mut found = 0;
    for blank in memchr::memchr2_iter(b' ', b'\t', line.as_bytes()).rev() {
        found += usize::from(blank + 1 < end);
        end = blank;
        if found == dimension {
            break;
        }
    }
    let word = line[..end].trim_matches([' ', '\t']);
    if found < dimension || word.is_empty() {
        return Err(wrong_length(dimension, fields(line).count().saturating_sub(1)));
    }
    let rest = || fields(word).skip(1);
    if rest().next().is_some() && rest().all(|field| field.parse::<f32>().is_ok()) {
        return Err(wrong_length(dimension, dimension + rest().count()));
    }
    Ok((word, &line[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_fields_are_the_vector() {
        assert_eq!(cut("the 1 2", 2).unwrap(), ("the", " 1 2"));
        assert_eq!(cut("the\t1  2", 2).unwrap(), ("the", "\t1  2"));
        assert_eq!(cut(". . . 1 2", 2).unwrap(), (". . .", " 1 2"));
        assert_eq!(cut("2012 1 2", 2).unwrap(), ("2012", " 1 2"));
        assert_eq!(cut(".\u{a0}. 1 2", 2).unwrap(), (".\u{a0}.", " 1 2"));
    }

    #[test]
    fn rows_of_another_length_are_refused() {
        for (line, found) in [("the 1", 1), ("the", 0), ("", 0), (" 1 2", 1), ("the 0.5 1 2", 3)] {
            let what = cut(line, 2).unwrap_err();
            assert!(what.starts_with("expected a word and 2 numbers"), "{what}");
            assert!(what.contains(&format!("found {found} ")), "{line}: {what}");
        }
    }

    #[test]
    fn the_dimension_is_that_of_the_first_line() {
        assert_eq!(dimension("the 1 2 3 \r"), 3);
        assert_eq!(dimension(". . . 1 2"), 2);
        assert_eq!(dimension("7 1 2"), 2);
        assert_eq!(dimension("the"), 0);
        assert_eq!(dimension("1"), 0);
        assert_eq!(dimension(""), 0);
    }
}
