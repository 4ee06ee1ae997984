//! Sets ASCII punctuation of Western text apart, as mteval-v13a's language-dependent part does.
//!
//! Four substitutions, each one left-to-right pass without overlaps (so `a..b` and `a...b` come out differently):
//! symbols always; full stop and comma unless a digit stands before; the same unless a digit follows; a dash after a
//! digit. Then white space collapses. All of it concerns ASCII only, so the passes run over bytes: a byte of a longer
//! character is never a digit, a stop or a dash.

use super::tokenizer::Scratch;
use super::whitespace::is_whitespace;

/// Bytes that stand alone whatever surrounds them: `{-~ [-\` space-& (-+ :-@ /`.
const SYMBOL: [bool; 256] = {
    let mut symbol = [false; 256];
    let ranges = [
        (b'{', b'~'),
        (b'[', b'`'),
        (b' ', b'&'),
        (b'(', b'+'),
        (b':', b'@'),
        (b'/', b'/'),
    ];
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

/// Appends the separated form of what `scratch.first` holds.
pub(super) fn separate(scratch: &mut Scratch, tokens: &mut String) {
    let Scratch { first, second } = scratch;
    set_symbols_apart(first, second);
    std::mem::swap(first, second);
    set_stops_and_dashes_apart(first, second);
    collapse(first, tokens);
}

/// Rewrites `text` by the last three of the substitutions; `spare` is only a buffer.
pub(super) fn set_stops_and_dashes_apart(text: &mut Vec<u8>, spare: &mut Vec<u8>) {
    rewrite_pairs(
        text,
        spare,
        |a, b| !a.is_ascii_digit() && is_stop(b),
        |a, b| [a, b' ', b, b' '],
    );
    rewrite_pairs(
        spare,
        text,
        |a, b| is_stop(a) && !b.is_ascii_digit(),
        |a, b| [b' ', a, b' ', b],
    );
    rewrite_pairs(
        text,
        spare,
        |a, b| a.is_ascii_digit() && b == b'-',
        |a, b| [a, b' ', b, b' '],
    );
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

/// Replaces every pair of neighbouring bytes that `hit` accepts, left to right, without overlaps.
pub(super) fn rewrite_pairs(
    text: &[u8],
    out: &mut Vec<u8>,
    hit: impl Fn(u8, u8) -> bool,
    replacement: impl Fn(u8, u8) -> [u8; 4],
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
pub(super) fn collapse(text: &[u8], tokens: &mut String) {
    let text = std::str::from_utf8(text).expect("only whole characters and ASCII were written");
    let start = tokens.len();
    tokens.reserve(text.len());
    for word in text.split(is_whitespace).filter(|word| !word.is_empty()) {
        if tokens.len() > start {
            tokens.push(' ');
        }
        tokens.push_str(word);
    }
}
