//! `intl`: mteval-v14's international tokenization, as in sacreBLEU 2.6.0.
//!
//! Three substitutions by Unicode category: punctuation after a character that is not a number; punctuation before one;
//! every symbol. Each is one left-to-right pass without overlaps. A full stop after a number at the very end of the
//! line stays attached, as in the original.

use super::punctuation::{collapse, rewrite_pairs};
use super::tokenizer::Scratch;
use super::whitespace::PYTHON;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Number,
    Punctuation,
    Symbol,
    Other,
}

fn class(c: char) -> Class {
    if c.is_ascii_alphabetic() || c == ' ' {
        return Class::Other;
    }
    match c.general_category_group() {
        GeneralCategoryGroup::Number => Class::Number,
        GeneralCategoryGroup::Punctuation => Class::Punctuation,
        GeneralCategoryGroup::Symbol => Class::Symbol,
        _ => Class::Other,
    }
}

pub(super) fn tokenize(line: &str, scratch: &mut Scratch, tokens: &mut String) {
    separate(line.chars(), &mut scratch.first);
    collapse(&scratch.first, &PYTHON, tokens);
}

/// Writes the characters with spaces around punctuation and symbols.
pub(super) fn separate(characters: impl Iterator<Item = char>, text: &mut Vec<u8>) {
    let mut classified: Vec<(char, Class)> = characters.map(|c| (c, class(c))).collect();
    let mut rewritten = Vec::with_capacity(classified.len() + classified.len() / 4);
    let space = (' ', Class::Other);
    let after_no_number = |(_, a), (_, b)| a != Class::Number && b == Class::Punctuation;
    rewrite_pairs(&classified, &mut rewritten, after_no_number, |a, b| [a, space, b, space]);
    let before_no_number = |(_, a), (_, b)| a == Class::Punctuation && b != Class::Number;
    rewrite_pairs(&rewritten, &mut classified, before_no_number, |a, b| [space, a, space, b]);
    text.clear();
    for (c, class) in classified {
        let mut bytes = [0; 4];
        let bytes = c.encode_utf8(&mut bytes).as_bytes();
        if class == Class::Symbol {
            text.push(b' ');
            text.extend_from_slice(bytes);
            text.push(b' ');
        } else {
            text.extend_from_slice(bytes);
        }
    }
}
