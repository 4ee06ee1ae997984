//! `ud-en`: English text as the words of Universal Dependencies v2, the way the English Web Treebank cuts them.
//!
//! A line is cut at white space; inside each piece, from left to right, either a word or a mark starts. Nothing is
//! changed, so that every word is a range of bytes of the line. The rules, one file each:
//!
//! | file | what it decides |
//! |---|---|
//! | `words` | what holds a word together: `AT&T`, `3.5`, `10:30`, `O'Neill`, `U.S`; at hyphens a word ends, but not after prefixes (`non-`, `pre-`, `e-`) |
//! | `numbers` | dates and telephone numbers are whole (`11/28/2000`, `713-853-3989`), ranges and units apart (`5 - 10`, `7 pm`, `$ 3 M`) |
//! | `stops` | whose full stop belongs to it: initials, `U.S.`, a list; never the last stop of the line |
//! | `contractions` | tokens of several words: `don't` = `do n't`, `John's` = `John 's`, `cannot` = `can not`, `dont` = `do nt` |
//! | `marks` | runs of punctuation: `...`, `?!`, `--`, emoticons, arrows, each one word |
//! | `web` | addresses of pages and people |
//!
//! # Choices
//! - The treebank's own habit decides where it has one (its training part was counted), so `long-term` is three words and
//!   `non-stop` one, `and/or` three, `9/11` one, `60's` one, `US$` one.
//! - What is spelt alike but cut by meaning stays whole: `its` (it + s one time in four there), plural `60s`, `id`.
//! - Text that was cut before comes back as it is: `n't`, `'s`, `` `` ``, `''`, `-LRB-`, `&quot;`, `@-@`.
//! - Time is linear in the line: no rule looks further than a fixed number of characters, except once per piece.
//!
//! # Agreement
//! Words F1 as in CoNLL 2018, from the `# text` lines: 99.40 on EWT's development part, 99.33 on its test part, 99.59 on GUM's test
//! part (golden test `ud-english`). Rules were written with EWT's training and development parts and GUM's development part
//! in view. What is left is mostly apostrophes that writers dropped (`its`, `friends` for `friend's`), words run together, and
//! names of files.
//! # Speed
//! Above a million words per second of one core: `cargo xtask bench parse`.

mod contractions;
mod marks;
mod numbers;
mod piece;
mod sentences;
mod stops;
#[cfg(test)]
mod tests;
mod web;
mod words;

pub use sentences::ud_english_sentences;

use super::whitespace::{PYTHON, split_at};
use piece::Line;

/// A word of UD: its bytes in the line, and whether it stands in one token with the word before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UdWord {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// Whether it and the word before it make one token: `n't` after `do`.
    pub continues: bool,
}

/// Cuts a line of English into words, in place of what was in `words`.
pub fn ud_english(text: &str, words: &mut Vec<UdWord>) {
    words.clear();
    let mut line = Line::new(text);
    for piece in split_at(text, &PYTHON) {
        let start = piece.as_ptr() as usize - text.as_ptr() as usize;
        line.enter(start, start + piece.len());
        if is_plain(piece.as_bytes()) {
            contractions::push(&line, start, start + piece.len(), words);
        } else {
            cut(&mut line, words);
        }
    }
}

/// Words with a space between them.
pub(super) fn tokenize(text: &str, tokens: &mut String) {
    let mut words = Vec::new();
    ud_english(text, &mut words);
    tokens.reserve(text.len() + words.len());
    for word in words {
        if !tokens.is_empty() {
            tokens.push(' ');
        }
        tokens.push_str(&text[word.start..word.end]);
    }
}

fn is_plain(piece: &[u8]) -> bool {
    piece.iter().all(u8::is_ascii_alphabetic)
}

/// Cuts one piece between white space.
fn cut(line: &mut Line<'_>, words: &mut Vec<UdWord>) {
    let (mut at, end) = (line.start, line.end);
    let mut seek_address = true;
    while at < end {
        let opening = marks::opens(line, at);
        seek_address |= opening;
        if seek_address && !opening && line.byte(at) != b'-' {
            seek_address = false;
            if let Some(stop) = web::address(line, at) {
                words.push(UdWord { start: at, end: stop, continues: false });
                at = stop;
                continue;
            }
        }
        at = match words::end(line, at) {
            Some(stop) => {
                let stop = stops::attached(line, at, stop);
                contractions::push(line, at, stop, words)
            }
            None => {
                let stop = marks::end(line, at);
                words.push(UdWord { start: at, end: stop, continues: false });
                stop
            }
        };
    }
}
