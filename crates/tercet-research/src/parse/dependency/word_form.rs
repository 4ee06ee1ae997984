//! The features of a word: its normal form, its shape, its characters.
//!
//! | part | of `Co-Op2026s` | |
//! |---|---|---|
//! | normal form | `co-op0000s` | lower case, every digit `0`; looked up among the words of the training data |
//! | shape | `Xx-Xxdddx` | `X` capital, `x` other letter, `d` digit, anything else itself; runs cut at 3, at most 12 long; CRC-32 of its UTF-8, modulo 512 |
//! | characters | `^Co-Op2026s$` | of more than 12, the first and the last 6; ASCII by its code, others 128 + code point modulo 64 |
//!
//! The last two are for unknown words: names, numbers, misspellings, untranslated words. Hashes need no table; shapes
//! with the same hash share a row in training too.
//!
//! # Choices
//! Letters and digits are Unicode's (`char::is_alphabetic`, `is_numeric`), lower case is its full mapping, so `İ`
//! becomes two characters. The empty form has the characters `^$`.

use flate2::Crc;

/// Number of rows for shapes.
pub const SHAPES: usize = 512;

/// Number of rows for characters.
pub const CHARACTERS: usize = 192;

/// Characters kept of a form, half of them from each end.
const MAX_CHARACTERS: usize = 12;

/// Longest run of one symbol in a shape.
const RUN: usize = 3;

// Before the first and after the last character. Neither byte occurs in text; 0 is not used.
const START: u8 = 1;
const END: u8 = 2;

/// Lower case, digits `0`.
pub fn normal_form(form: &str) -> String {
    if form.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return form.to_owned();
    }
    form.chars().flat_map(char::to_lowercase).map(|c| if c.is_numeric() { '0' } else { c }).collect()
}

/// The row of a form's shape.
pub fn shape_row(form: &str) -> u32 {
    let mut crc = Crc::new();
    crc.update(shape(form).as_bytes());
    crc.sum() % SHAPES as u32
}

fn shape(form: &str) -> String {
    let mut shape = String::new();
    let (mut last, mut run, mut length) = (None, 0, 0);
    for class in form.chars().map(class) {
        run = if last == Some(class) { run + 1 } else { 1 };
        last = Some(class);
        if run <= RUN {
            shape.push(class);
            length += 1;
        }
        if length == MAX_CHARACTERS {
            break;
        }
    }
    shape
}

fn class(character: char) -> char {
    match character {
        c if c.is_uppercase() => 'X',
        c if c.is_alphabetic() => 'x',
        c if c.is_numeric() => 'd',
        c => c,
    }
}

/// Adds the characters of a form to a list.
pub fn push_characters(form: &str, characters: &mut Vec<u8>) {
    characters.push(START);
    let is_short = form.len() <= MAX_CHARACTERS || form.chars().nth(MAX_CHARACTERS).is_none();
    if is_short {
        characters.extend(form.chars().map(row));
    } else {
        characters.extend(form.chars().take(MAX_CHARACTERS / 2).map(row));
        let end = characters.len();
        characters.extend(form.chars().rev().take(MAX_CHARACTERS / 2).map(row));
        characters[end..].reverse();
    }
    characters.push(END);
}

fn row(character: char) -> u8 {
    match u8::try_from(character) {
        Ok(ascii @ 0..128) => ascii,
        _ => 128 + (u32::from(character) % 64) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn characters(form: &str) -> Vec<u8> {
        let mut characters = Vec::new();
        push_characters(form, &mut characters);
        characters
    }

    #[test]
    fn normal_forms_have_no_case_and_no_digits() {
        for (form, normal) in
            [("the", "the"), ("Co-Op2026s", "co-op0000s"), ("ÉTÉ", "été"), ("٣", "0"), ("", ""), ("U.S.", "u.s.")]
        {
            assert_eq!(normal_form(form), normal);
        }
    }

    #[test]
    fn shapes_keep_capitals_digits_and_punctuation() {
        for (form, expected) in [
            ("Co-Op2026s", "Xx-Xxdddx"),
            ("internationally", "xxx"),
            ("McDonald", "XxXxxx"),
            ("...!!", "...!!"),
            ("aBcDeFgHiJkLmN", "xXxXxXxXxXxX"),
            ("", ""),
            ("中文", "xx"),
        ] {
            assert_eq!(shape(form), expected);
        }
    }

    /// `python3 -c "import zlib; print([zlib.crc32(s.encode()) % 512 for s in ('', 'xxx', 'Xxxx', 'ddd', '—')])"`
    #[test]
    fn rows_of_shapes_are_those_of_zlib() {
        let rows: Vec<u32> = ["", "internationally", "Mary", "2026", "—"].map(shape_row).to_vec();
        assert_eq!(rows, [0, 10, 329, 268, 202]);
    }

    #[test]
    fn long_forms_keep_both_ends() {
        assert_eq!(characters("ab"), [1, b'a', b'b', 2]);
        assert_eq!(characters(""), [1, 2]);
        assert_eq!(characters("abcdefghijkl").len(), 14);
        assert_eq!(characters("abcdefwxyzghijkl"), [b"\x01abcdefghijkl".as_slice(), &[2]].concat());
        assert_eq!(characters("é"), [1, 128 + (0xe9 % 64), 2]);
        // Twelve characters of two bytes each are not many.
        assert_eq!(characters(&"é".repeat(12)).len(), 14);
        assert!(characters("\u{10ffff}").iter().all(|&id| usize::from(id) < CHARACTERS));
    }
}
