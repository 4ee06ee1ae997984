//! COMPOSES' text (Baroni, Dinu & Kruszewski, 2014, "Don't count, predict!"):
//! `EN-wform.w.5.cbow.neg10.400.subsmpl.txt`.
//!
//! ```text
//! the→-0.030467→0.123…→…
//! ```
//!
//! No header. One word per line, then its numbers, a tab (→) before each: the dense matrices of the DISSECT toolkit.
//! The predicted vectors have 400 numbers per word, the count-based ones (`EN-wform.w.2.ppmi.svd.500.txt`) 500.
//!
//! # Choices
//! - The word is everything before the first tab, spaces included; every row has as many tabs as the first.
//! - The file must be UTF-8. The published file is not and has to be converted first; the error message says how.
//! - A copy with spaces in place of tabs is read as GloVe's text.

use super::format::{Keep, WordFilter};
use super::numbers::check_dimension;
use super::rows::{self, Block, bad_first_line, without_end, wrong_length};
use super::source::{Source, utf8};
use crate::error::Result;

/// Reads a file; returns its dimension.
pub(super) fn read(source: &mut Source<'_>, wanted: WordFilter<'_>, keep: Keep<'_>) -> Result<usize> {
    let mut block = Block::default();
    let first = block.add(source)?.unwrap_or_default();
    let dimension = tabs(without_end(utf8(source.path(), first, 1, 0)?)).max(1);
    check_dimension(dimension).map_err(|what| bad_first_line(source.path(), what))?;
    rows::read(source, block, dimension, cut, wanted, keep)?;
    Ok(dimension)
}

fn tabs(line: &str) -> usize {
    memchr::memchr_iter(b'\t', line.as_bytes()).count()
}

/// The word before the first tab, and the numbers.
fn cut(line: &str, dimension: usize) -> Result<(&str, &str), String> {
    let (word, numbers) = line.split_once('\t').unwrap_or((line, ""));
    let found = if numbers.is_empty() { 0 } else { tabs(numbers) + 1 };
    if word.is_empty() || found != dimension {
        return Err(wrong_length(dimension, found));
    }
    if numbers.split('\t').any(|field| field.is_empty() || field.contains(' ')) {
        return Err("expected one number between two tabs".to_owned());
    }
    Ok((word, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_before_the_first_tab() {
        assert_eq!(cut("new york\t1\t2", 2).unwrap(), ("new york", "1\t2"));
    }

    #[test]
    fn rows_of_another_length_are_refused() {
        for (line, found) in [("the\t1", 1), ("the", 0), ("", 0), ("the\t1\t2\t3", 3), ("\t1\t2", 2)] {
            let what = cut(line, 2).unwrap_err();
            assert!(what.contains(&format!("found {found} ")), "{line}: {what}");
        }
        assert_eq!(cut("the\t\t2", 2).unwrap_err(), "expected one number between two tabs");
        assert_eq!(cut("the\t1 1\t2", 2).unwrap_err(), "expected one number between two tabs");
    }
}
