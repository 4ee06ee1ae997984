//! `zh`: every Chinese character a token, the rest as `13a` without its SGML part (Huang Shujian's script, as in
//! sacreBLEU 2.6.0).
//!
//! Two of the tool's ranges were meant for characters beyond U+FFFF but are written with four digits and one more, so
//! that they compare as strings of two characters: they match U+2001–U+2A6D and U+2F81–U+2FA1, which include general
//! punctuation, arrows and box drawing. This is kept.

use super::punctuation::{LineEnds, separate};
use super::tokenizer::Scratch;
use super::whitespace::{PYTHON, is_whitespace};

/// The tool's table.
const RANGES: &[(char, char)] = &[
    ('\u{2001}', '\u{2a6d}'),
    ('\u{2e80}', '\u{2eff}'),
    ('\u{2f00}', '\u{2fdf}'),
    ('\u{2ff0}', '\u{303f}'),
    ('\u{3100}', '\u{312f}'),
    ('\u{31a0}', '\u{31bf}'),
    ('\u{31c0}', '\u{31ef}'),
    ('\u{3200}', '\u{33ff}'),
    ('\u{3400}', '\u{4db5}'),
    ('\u{4e00}', '\u{9fbb}'),
    ('\u{f900}', '\u{fa2d}'),
    ('\u{fa30}', '\u{fa6a}'),
    ('\u{fa70}', '\u{fad9}'),
    ('\u{fe10}', '\u{fe1f}'),
    ('\u{fe30}', '\u{fe4f}'),
    ('\u{ff00}', '\u{ffef}'),
    // U+2600–U+27BF and U+2F81–U+2FA1 are inside ranges above.
];

fn is_chinese(c: char) -> bool {
    c >= '\u{2001}' && RANGES.iter().any(|(low, high)| (*low..=*high).contains(&c))
}

pub(super) fn tokenize(line: &str, scratch: &mut Scratch, tokens: &mut String) {
    let mut apart = String::with_capacity(line.len() * 2);
    for c in line.trim_matches(is_whitespace).chars() {
        if is_chinese(c) {
            apart.extend([' ', c, ' ']);
        } else {
            apart.push(c);
        }
    }
    separate(&apart, LineEnds::Nothing, &PYTHON, scratch, tokens);
}
