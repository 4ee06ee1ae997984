//! Puts spaces around ASCII punctuation of Western text, as mteval-v13a's language-dependent part does.
//!
//! Four substitutions, each one left-to-right pass without overlaps (so `a..b` and `a...b` come out differently):
//! symbols always; full stop and comma unless a digit stands before; the same unless a digit follows; a dash after a
//! digit. Then white space collapses. All of it concerns ASCII only, so the passes run over bytes: a byte of a longer
//! character is never a digit, a stop or a dash.
//!
//! No substitution looks further than the next character, and white space is neither digit nor stop nor dash, so a
//! line can be processed word by word. A word without ASCII punctuation needs no work, and a single mark at its end,
//! except the dash, is always split off.

use super::tokenizer::Scratch;
use super::whitespace::{FirstBytes, split_at};

/// Bytes that are always tokens: `{-~ [-\` space-& (-+ :-@ /`.
const SYMBOL: [bool; 256] = {
    let mut symbol = [false; 256];
    let ranges = [(b'{', b'~'), (b'[', b'`'), (b' ', b'&'), (b'(', b'+'), (b':', b'@'), (b'/', b'/')];
    let mut i = 0;
    while i < ranges.len() {
        let mut byte = ranges[i].0;
        while byte <= ranges[i].1 {
            symbol[byte as usize] = true;
            byte += 1;
        }
        i += 1;
    }
    symbol
};

/// Bytes of words that need no work: all but ASCII symbols, stops and the dash.
const PLAIN: [bool; 256] = {
    let mut plain = [true; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = !(SYMBOL[byte] || byte == b'.' as usize || byte == b',' as usize || byte == b'-' as usize);
        byte += 1;
    }
    plain
};

/// Whether the ends of a line count as white space: mteval puts a space there first, other scripts do not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    Spaces,
    Nothing,
}

/// Appends the tokens of a line with one space between them.
pub(super) fn separate(
    line: &str,
    ends: LineEnds,
    space: &'static FirstBytes,
    scratch: &mut Scratch,
    tokens: &mut String,
) {
    let start = tokens.len();
    tokens.reserve(line.len() + line.len() / 2);
    for word in split_at(line, space) {
        if tokens.len() > start {
            tokens.push(' ');
        }
        let offset = word.as_ptr() as usize - line.as_ptr() as usize;
        let space_before = ends == LineEnds::Spaces || offset > 0;
        let space_after = ends == LineEnds::Spaces || offset + word.len() < line.len();
        match word.bytes().position(|byte| !PLAIN[byte as usize]) {
            None => tokens.push_str(word),
            Some(last) if last > 0 && last + 1 == word.len() && space_after && !word.ends_with('-') => {
                tokens.push_str(&word[..last]);
                tokens.push(' ');
                tokens.push_str(&word[last..]);
            }
            Some(_) => separate_word(word, [space_before, space_after], space, scratch, tokens),
        }
    }
}

fn separate_word(
    word: &str,
    [space_before, space_after]: [bool; 2],
    space: &'static FirstBytes,
    scratch: &mut Scratch,
    tokens: &mut String,
) {
    let Scratch { first, second, .. } = scratch;
    first.clear();
    first.extend_from_slice(if space_before { b" " } else { b"" });
    first.extend_from_slice(word.as_bytes());
    first.extend_from_slice(if space_after { b" " } else { b"" });
    set_symbols_apart(first, second);
    std::mem::swap(first, second);
    set_stops_and_dashes_apart(first, second);
    collapse(first, space, tokens);
}

/// Applies the last three substitutions to `text`; `spare` is a buffer.
pub(super) fn set_stops_and_dashes_apart(text: &mut Vec<u8>, spare: &mut Vec<u8>) {
    rewrite_pairs(text, spare, |a, b| !a.is_ascii_digit() && is_stop(b), |a, b| [a, b' ', b, b' ']);
    rewrite_pairs(spare, text, |a, b| is_stop(a) && !b.is_ascii_digit(), |a, b| [b' ', a, b' ', b]);
    rewrite_pairs(text, spare, |a, b| a.is_ascii_digit() && b == b'-', |a, b| [a, b' ', b, b' ']);
    std::mem::swap(text, spare);
}

pub(super) fn is_symbol(byte: u8) -> bool {
    SYMBOL[byte as usize]
}

pub(super) fn is_stop(byte: u8) -> bool {
    byte == b'.' || byte == b','
}

/// Puts a space before and after every symbol.
pub(super) fn set_symbols_apart(text: &[u8], out: &mut Vec<u8>) {
    out.clear();
    for &byte in text {
        if is_symbol(byte) {
            out.extend_from_slice(&[b' ', byte, b' ']);
        } else {
            out.push(byte);
        }
    }
}

/// Replaces every pair of neighbours that `hit` accepts, left to right, without overlaps.
pub(super) fn rewrite_pairs<T: Copy>(
    text: &[T],
    out: &mut Vec<T>,
    hit: impl Fn(T, T) -> bool,
    replacement: impl Fn(T, T) -> [T; 4],
) {
    out.clear();
    let mut i = 0;
    while i + 1 < text.len() {
        let (a, b) = (text[i], text[i + 1]);
        if hit(a, b) {
            out.extend_from_slice(&replacement(a, b));
            i += 2;
        } else {
            out.push(a);
            i += 1;
        }
    }
    out.extend_from_slice(&text[i.min(text.len())..]);
}

/// Appends the words of UTF-8 text with one space between them.
pub(super) fn collapse(text: &[u8], space: &'static FirstBytes, tokens: &mut String) {
    let text = std::str::from_utf8(text).expect("only whole characters and ASCII were written");
    let start = tokens.len();
    tokens.reserve(text.len());
    for word in split_at(text, space) {
        if tokens.len() > start {
            tokens.push(' ');
        }
        tokens.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whitespace::PYTHON;
    use proptest::prelude::*;

    /// All four substitutions over the whole line at once, as they are defined.
    fn whole_line(line: &str) -> String {
        let (mut text, mut spare, mut tokens) = (Vec::new(), Vec::new(), String::new());
        set_symbols_apart(line.as_bytes(), &mut text);
        set_stops_and_dashes_apart(&mut text, &mut spare);
        collapse(&text, &PYTHON, &mut tokens);
        tokens
    }

    proptest! {
        #[test]
        fn word_by_word_is_the_same_as_the_whole_line(line in "[a5.,' \\-\t\u{a0}ü&中]{0,24}") {
            for (ends, padded) in [(LineEnds::Spaces, format!(" {line} ")), (LineEnds::Nothing, line.clone())] {
                let mut tokens = String::new();
                separate(&line, ends, &PYTHON, &mut Scratch::default(), &mut tokens);
                prop_assert_eq!(tokens, whole_line(&padded));
            }
        }
    }
}
