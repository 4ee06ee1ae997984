//! `ud-en`: English text as the words of Universal Dependencies v2, as in the English Web Treebank.
//!
//! A line is split at white space; inside each piece, from left to right, either a word or a mark starts. Nothing is
//! changed, so that every word is a range of bytes of the line. The rules, one file each:
//!
//! | file | what it decides |
//! |---|---|
//! | `words` | marks inside words: `AT&T`, `3.5`, `10:30`, `O'Neill`, `U.S`; hyphens end words, except after prefixes |
//! | `numbers` | dates and telephone numbers are one word, ranges and units several (`5 - 10`, `7 pm`, `$ 3 M`) |
//! | `stops` | words that keep their full stop: initials, `U.S.`, a list; never the last stop of the line |
//! | `contractions` | tokens of several words: `don't` = `do n't`, `John's` = `John 's`, `dont` = `do nt` |
//! | `marks` | runs of punctuation: `...`, `?!`, `--`, emoticons, arrows, each one word |
//! | `web` | addresses of pages and people |
//!
//! # Choices
//! - The most frequent form in the training part of the treebank decides, so `long-term` is three words and
//!   `non-stop` one, `and/or` three, `9/11` one, `60's` one, `US$` one.
//! - Where only the meaning decides, a word stays whole: `its` (`it` + `s` one time in four), plural `60s`, `id`.
//! - Text that was tokenized before stays as it is: `n't`, `'s`, `` `` ``, `''`, `-LRB-`, `&quot;`, `@-@`.
//! - Time is linear in the line: no rule looks further than a fixed number of characters, except once per piece.
//!
//! # Agreement
//! Words F1 as in CoNLL 2018, from the `# text` lines: 99.40 on EWT's development part, 99.33 on its test part, 99.59
//! on GUM's test part (golden test `ud-english`). The rules were written with EWT's training and development parts and
//! GUM's development part. The remaining errors are mostly missing apostrophes (`its`, `friends` for `friend's`), words
//! without a space between them, and names of files.
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

/// A word of UD: its range of bytes in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UdWord {
    /// Offset of its first byte.
    pub start: usize,
    /// Offset of the byte after its last.
    pub end: usize,
    /// Whether it is part of the same token as the word before it: `n't` after `do`.
    pub continues: bool,
}

/// Splits a line of English into words, which replace the contents of `words`.
pub fn ud_english(text: &str, words: &mut Vec<UdWord>) {
    words.clear();
    let mut line = Line::new(text);
    for piece in split_at(text, &PYTHON) {
        let start = piece.as_ptr() as usize - text.as_ptr() as usize;
        line.enter(start, start + piece.len());
        if is_plain(piece.as_bytes()) {
            contractions::push(&line, start, start + piece.len(), words);
        } else {
            split_piece(&mut line, words);
        }
    }
}

/// Writes the words with a space between them.
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

/// Splits one piece between white space into words.
fn split_piece(line: &mut Line<'_>, words: &mut Vec<UdWord>) {
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
