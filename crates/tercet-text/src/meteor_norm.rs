//! METEOR's `-norm`: Moses' tokenizer of 2011 with changes that make more words match (Denkowski & Lavie, 2014).
//!
//! Quotes and dashes become ASCII, hyphens between words are removed (`well-known` is two words), abbreviations lose
//! their inner stops (`U.S.` is `US`), apostrophes split by language (`don 't`, `l' eau`, `geht ' s`), a stop at the
//! end of a word becomes a token unless the word is a known abbreviation or the next one starts in lower case.
//!
//! # Choices
//! METEOR writes each rule as a regular expression that is applied once, from left to right, without overlap, and
//! consumes the characters on both sides. So `a,b,c` becomes `a , b,c`. Here each rule is one pass over the text with
//! the same effect (`passes`). Letters are the Western and Cyrillic ones METEOR lists (`is_alpha`); every other
//! character is a token, Chinese and Greek ones too. Case is left as it is: METEOR lowercases afterwards, see
//! [`lowercase`].
//!
//! # Agreement
//! Equal to METEOR 1.5's jar, letter for letter, on 212,277 lines of real translations and 50,000 of random
//! characters, with METEOR's lists of abbreviations, for each of its six languages, with and without punctuation.
//! One exception: METEOR uses the words `DOT` and `DOTMULTI` internally for runs of stops, so it turns a literal
//! `DOTMULTI` into stops (57 of the random lines); here it is left alone.

#[cfg(test)]
mod tests;

use super::passes::{Text, not};

/// A list of abbreviations. `text` reads no files, so the caller brings it.
pub trait KeepsStop {
    /// Whether a word keeps its full stop: `Some(false)` always, `Some(true)` before a number only, `None` never.
    fn keeps_stop(&self, word: &str) -> Option<bool>;
}

/// A language whose text METEOR can normalise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormLanguage {
    /// Words are split before apostrophes.
    English,
    /// Words are split after apostrophes.
    French,
    /// Words are split on both sides of apostrophes: Czech, German, Spanish, Russian.
    Other,
}

/// The normalised line: tokens between single spaces, case as it was.
pub fn normalize(line: &str, language: NormLanguage, prefixes: &dyn KeepsStop, keep_punctuation: bool) -> String {
    let mut text = Text::with_capacity(line.len() * 5 / 4 + 2);
    set_symbols_apart(line, &mut text.now);
    if text.has(b',') {
        text.replace_between(b',', not(is_digit), not(is_digit), " , ");
        text.replace_between(b',', is_digit, not(is_digit), " , ");
        text.replace_between(b',', not(is_digit), is_digit, " , ");
    }
    if text.has(b'\'') {
        text.replace("''", " \" ");
    }
    if text.has(b'-') {
        text.replace("--", "-");
        text.replace_between(b'-', |c| c == '.' || is_alnum(c), is_alnum, " ");
    }
    if text.has(b'\'') {
        split_at_apostrophes(&mut text, language);
    }
    settle_stops(&text.now, prefixes, &mut text.next);
    let mut normalized = text.now;
    collapse(&text.next, keep_punctuation, &mut normalized);
    normalized
}

/// The line in lower case as METEOR has it after `-norm` and with `-lower`, in every locale but the Turkic ones.
///
/// Equal to Java 17 after `-norm`. On other text there are two differences: letters added in Unicode 14 or later,
/// which that Java does not know, and a Greek `Σ` beside punctuation inside a word, for which Java has its own rule of
/// what the last letter is.
pub fn lowercase(line: &str) -> String {
    line.to_lowercase()
}

/// Puts spaces around the line, around every character that is neither a letter, a digit nor part of words, and around
/// runs of stops. Quotes and dashes become ASCII.
fn set_symbols_apart(line: &str, out: &mut String) {
    out.push(' ');
    let mut copied = 0;
    let mut characters = line.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let plain = match c {
            '.' if matches!(characters.peek(), Some((_, '.'))) => {
                while characters.next_if(|(_, next)| *next == '.').is_some() {}
                let end = characters.peek().map_or(line.len(), |(end, _)| *end);
                out.push_str(&line[copied..at]);
                push_apart(&line[at..end], out);
                copied = end;
                continue;
            }
            '.' | '\'' | ',' | '-' | ' ' | '\t'..='\r' => continue,
            '`' | '‘' | '’' => {
                out.push_str(&line[copied..at]);
                out.push('\'');
                copied = at + c.len_utf8();
                continue;
            }
            '“' | '”' => "\"",
            '–' => "-",
            c if is_alnum(c) => continue,
            c => &line[at..at + c.len_utf8()],
        };
        out.push_str(&line[copied..at]);
        push_apart(plain, out);
        copied = at + c.len_utf8();
    }
    out.push_str(&line[copied..]);
    out.push(' ');
}

fn push_apart(token: &str, out: &mut String) {
    out.push(' ');
    out.push_str(token);
    out.push(' ');
}

fn split_at_apostrophes(text: &mut Text, language: NormLanguage) {
    const APART: &str = " ' ";
    match language {
        NormLanguage::English => {
            text.replace_between(b'\'', not(is_alpha), not(is_alpha), APART);
            text.replace_between(b'\'', |c| !is_alpha(c) && !is_digit(c), is_alpha, APART);
            text.replace_between(b'\'', is_alpha, not(is_alpha), APART);
            text.replace_between(b'\'', is_alpha, is_alpha, " '");
            text.replace_between(b'\'', is_digit, |c| c == 's', " '");
        }
        NormLanguage::French => {
            text.replace_between(b'\'', not(is_alpha), not(is_alpha), APART);
            text.replace_between(b'\'', not(is_alpha), is_alpha, APART);
            text.replace_between(b'\'', is_alpha, not(is_alpha), APART);
            text.replace_between(b'\'', is_alpha, is_alpha, "' ");
        }
        NormLanguage::Other => text.replace("'", APART),
    }
}

/// Splits into words as Java's `StringTokenizer` does and splits off the stop at the end of each, or keeps it.
fn settle_stops(text: &str, prefixes: &dyn KeepsStop, out: &mut String) {
    out.clear();
    let is_gap = |c| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c');
    let mut words = text.split(is_gap).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        match word.strip_suffix('.') {
            Some(front) if !front.is_empty() && !is_run_of_stops(front) => {
                let next = words.peek().and_then(|next| next.bytes().next());
                settle_stop(word, front, next, prefixes, out);
            }
            _ => out.push_str(word),
        }
        out.push(' ');
    }
}

/// A word of several stops is one token already.
fn is_run_of_stops(front: &str) -> bool {
    front.bytes().all(|byte| byte == b'.')
}

/// The word, the word without its last stop, the first byte of the next word.
fn settle_stop(word: &str, front: &str, next: Option<u8>, prefixes: &dyn KeepsStop, out: &mut String) {
    let next_is = |kind: fn(&u8) -> bool| next.is_some_and(|byte| kind(&byte));
    if front.contains('.') && front.contains(is_alpha) {
        out.extend(word.split('.'));
        return;
    }
    let keeps = next_is(u8::is_ascii_lowercase)
        || match prefixes.keeps_stop(front) {
            Some(before_number_only) => !before_number_only || next_is(u8::is_ascii_digit),
            None => false,
        };
    out.push_str(front);
    out.push_str(if keeps { "." } else { " ." });
}

/// Replaces every run of spaces, Unicode's too, by one space; removes punctuation first if asked; trims as Java does.
fn collapse(text: &str, keep_punctuation: bool, out: &mut String) {
    out.clear();
    let mut after_space = false;
    for c in text.chars() {
        let c = if is_space(c) || (!keep_punctuation && !is_alnum(c)) { ' ' } else { c };
        if c != ' ' || !after_space {
            out.push(c);
        }
        after_space = c == ' ';
    }
    let trimmed = out.trim_end_matches(|c| c <= ' ');
    out.truncate(trimmed.len());
    let start = out.len() - out.trim_start_matches(|c| c <= ' ').len();
    out.drain(..start);
}

/// The spaces METEOR collapses: neither tabs nor U+2028.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// METEOR's letters: ASCII, Latin-1 and Latin Extended-A up to `ž`, Cyrillic, phonetic extensions.
fn is_alpha(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    matches!(
        c,
        'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ž' | '\u{400}'..='\u{527}' | '\u{a640}'..='\u{a66e}' | '\u{a67e}'..='\u{a697}'
            | '\u{1d00}'..='\u{1d7f}'
    )
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn is_alnum(c: char) -> bool {
    is_digit(c) || is_alpha(c)
}
