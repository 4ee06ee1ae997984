//! `intl`: mteval-v14's international tokenization, by way of sacreBLEU 2.6.0.
//!
//! Three substitutions by Unicode category: punctuation after a character that is no number; punctuation before one;
//! every symbol. Each is one left-to-right pass without overlaps. A full stop after a number at the very end of the
//! line stays attached, as in the original.

use super::punctuation::collapse;
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

/// Writes the characters with spaces around what stands apart.
pub(super) fn separate(characters: impl Iterator<Item = char>, text: &mut Vec<u8>) {
    let classified: Vec<(char, Class)> = characters.map(|c| (c, class(c))).collect();
    let space = (' ', Class::Other);
    let after_no_number = rewrite_pairs(
        &classified,
        |a, b| a != Class::Number && b == Class::Punctuation,
        |a, b| [a, space, b, space],
    );
    let before_no_number = rewrite_pairs(
        &after_no_number,
        |a, b| a == Class::Punctuation && b != Class::Number,
        |a, b| [space, a, space, b],
    );
    text.clear();
    for (c, class) in before_no_number {
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

type Classified = (char, Class);

fn rewrite_pairs(
    text: &[Classified],
    hit: impl Fn(Class, Class) -> bool,
    replacement: impl Fn(Classified, Classified) -> [Classified; 4],
) -> Vec<Classified> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 4);
    let mut i = 0;
    while i + 1 < text.len() {
        let (a, b) = (text[i], text[i + 1]);
        if hit(a.1, b.1) {
            out.extend_from_slice(&replacement(a, b));
            i += 2;
        } else {
            out.push(a);
            i += 1;
        }
    }
    out.extend_from_slice(&text[i.min(text.len())..]);
    out
}
