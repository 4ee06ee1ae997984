//! How the authors' program prepares a line.

use crate::text::{is_whitespace, trim_end};
use unicode_normalization::UnicodeNormalization;

/// Titles after which a space and the next character become a full stop.
const TITLES: [&str; 9] = ["Dr ", "Jr ", "Prof ", "Rev ", "Gen ", "Mr ", "Mt ", "Mrs ", "Ms "];

/// Abbreviations that punctuation set apart.
const ABBREVIATIONS: [(&str, &str); 3] = [("e . g .", "e.g."), ("i . e .", "i.e."), ("U . S .", "U.S.")];

/// The characters of an English line: punctuation set apart, numbers and abbreviations joined, spaces at both ends.
pub(super) fn prepare_english(line: &str) -> Vec<char> {
    let mut apart = String::with_capacity(line.len() + 16);
    for c in trim_end(line).chars() {
        if matches!(c, '.' | '!' | '?' | ',') {
            apart.push(' ');
        }
        apart.push(c);
    }
    let mut line = with_titles(&with_joined_numbers(&with_single_spaces(&apart)));
    for (apart, together) in ABBREVIATIONS {
        if line.contains(apart) {
            line = line.replace(apart, together);
        }
    }
    [' '].into_iter().chain(line.chars()).chain([' ']).collect()
}

/// The characters of a Japanese line, in normalization form KC.
pub(super) fn prepare_japanese(line: &str) -> Vec<char> {
    trim_end(line).nfkc().collect()
}

/// Each run of white space as one space.
fn with_single_spaces(line: &str) -> String {
    let mut single = String::with_capacity(line.len());
    let mut after_space = false;
    for c in line.chars() {
        let is_space = is_whitespace(c);
        if !is_space {
            single.push(c);
        } else if !after_space {
            single.push(' ');
        }
        after_space = is_space;
    }
    single
}

/// `3 . 5` as `3.5`.
fn with_joined_numbers(line: &str) -> String {
    let characters: Vec<char> = line.chars().collect();
    let mut joined = String::with_capacity(line.len());
    let mut i = 0;
    while i < characters.len() {
        match characters[i..] {
            [first, ' ', sign @ ('.' | ','), ' ', last, ..] if is_digit(first) && is_digit(last) => {
                joined.extend([first, sign, last]);
                i += 5;
            }
            [c, ..] => {
                joined.push(c);
                i += 1;
            }
            [] => break,
        }
    }
    joined
}

/// `Mr Smith` as `Mr.mith`, as the program has it.
fn with_titles(line: &str) -> String {
    let mut rest = line;
    let mut replaced = String::with_capacity(line.len());
    while let Some(next) = rest.chars().next() {
        let title = TITLES.iter().find(|title| rest.starts_with(**title));
        let taken = title.and_then(|title| Some((title, rest[title.len()..].chars().next()?)));
        if let Some((title, after)) = taken {
            replaced.push_str(title.trim_end());
            replaced.push('.');
            rest = &rest[title.len() + after.len_utf8()..];
        } else {
            replaced.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    replaced
}

/// The zeros of the scripts of Unicode's first plane that have decimal digits; nine more digits follow each.
const ZEROS: [u32; 37] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// Whether a character is a decimal digit.
fn is_digit(c: char) -> bool {
    let after_zero = |zero: &u32| (c as u32).checked_sub(*zero).is_some_and(|value| value < 10);
    if c.is_ascii() { c.is_ascii_digit() } else { ZEROS.iter().any(after_zero) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(line: &str) -> String {
        prepare_english(line).into_iter().collect()
    }

    #[test]
    fn punctuation_is_set_apart_and_white_space_is_one_space() {
        assert_eq!(english("Yes,\u{a0} no!\t "), " Yes , no ! ");
        assert_eq!(english(""), "  ");
        assert_eq!(english("  a"), "  a ");
    }

    #[test]
    fn numbers_and_abbreviations_are_joined() {
        assert_eq!(english("3 . 5 and 1 , 2 , 3 and 3.5"), " 3.5 and 1,2 , 3 and 3 .5 ");
        assert_eq!(english("e . g . U . S . i . e ."), " e.g. U.S. i.e. ");
        assert_eq!(english("Mr. Smith and Mrs Jones, Dr"), " Mr. Smith and Mrs.ones , Dr ");
        assert_eq!(english("٣ . ٥"), " ٣.٥ ");
    }

    #[test]
    fn japanese_characters_that_look_the_same_are_the_same() {
        assert_eq!(prepare_japanese("ＡＢ１ ").into_iter().collect::<String>(), "AB1");
    }
}
