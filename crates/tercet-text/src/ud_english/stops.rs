//! Full stops that belong to a word.
//!
//! The last stop of a line is always a word of its own, also after `etc` and `U.S`, as in the treebank.

use super::piece::{Line, in_word};

/// Words that keep their full stop, sorted: those in the training part of the treebank and similar ones.
const ABBREVIATIONS: [&str; 118] = [
    "Adm", "Apr", "Attn", "Aug", "Ave", "Bldg", "Blvd", "Brig", "Bros", "Capt", "Cmdr", "Co", "Col", "Corp", "Cpl",
    "Dec", "Dept", "Det", "Dr", "Drs", "Esq", "Est", "Ext", "Feb", "Fig", "Fri", "Ft", "Gen", "Gov", "Hon", "Inc",
    "Jan", "Jr", "Jul", "Jun", "La", "Lt", "Ltd", "Maj", "Mar", "Messrs", "Mon", "Mr", "Mrs", "Ms", "Mt", "Nov", "Oct",
    "Pa", "Ph", "Pres", "Prof", "Pvt", "Rd", "Rep", "Reps", "Rev", "Sat", "Sec", "Sen", "Sens", "Sept", "Sgt", "Sr",
    "St", "Ste", "Sun", "Supt", "Thu", "Thur", "Thurs", "Tue", "Tues", "Univ", "Va", "Vol", "Wed", "al", "approx",
    "apt", "attn", "ave", "bldg", "ca", "cf", "co", "dept", "e.g", "eg", "esp", "est", "etc", "ext", "fig", "ft", "hr",
    "hrs", "i.e", "ie", "inc", "lb", "lbs", "lt", "max", "min", "mins", "misc", "mr", "mrs", "ms", "oz", "ps", "resp",
    "sec", "st", "viz", "vol", "vs",
];

/// Words that keep it before a number only.
const BEFORE_NUMBERS: [&str; 10] = ["Art", "No", "Nos", "Nr", "art", "no", "nos", "nr", "p", "pp"];

const MAX_LENGTH: usize = 6;

/// The end of the word with its full stop, if that belongs to it.
pub(super) fn attached(line: &Line<'_>, start: usize, end: usize) -> usize {
    let last_of_two = line.final_stop == Some(end + 1) && line.byte(end + 1) == b'.';
    let stop = line.byte(end) == b'.' && line.final_stop != Some(end);
    let alone = line.byte(end + 1) != b'.' || last_of_two;
    if stop && alone && keeps(line, start, end) { end + 1 } else { end }
}

fn keeps(line: &Line<'_>, start: usize, end: usize) -> bool {
    let word = &line.text[start..end];
    if is_initials(word) {
        return word.len() > 1 || is_initial(line, start, end);
    }
    if word.len() > MAX_LENGTH {
        return false;
    }
    is_abbreviation(word) || (BEFORE_NUMBERS.binary_search(&word).is_ok() && number_follows(line, end + 1))
}

/// Whether a word is listed, as it is or, if all in capitals, capitalised: `LTD`.
fn is_abbreviation(word: &str) -> bool {
    let known = |word: &str| ABBREVIATIONS.binary_search(&word).is_ok();
    let capitals = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    known(word) || (capitals && known(&format!("{}{}", &word[..1], word[1..].to_ascii_lowercase())))
}

/// A single capital, except the pronoun `I`.
fn is_initial(line: &Line<'_>, start: usize, end: usize) -> bool {
    let c = line.bytes[start];
    c.is_ascii_uppercase() && c != b'I' && line.char(end + 1).is_none_or(|c| !is_ending(c))
}

fn is_ending(c: char) -> bool {
    matches!(c, '!' | '?')
}

fn number_follows(line: &Line<'_>, at: usize) -> bool {
    line.bytes[at..].iter().find(|byte| **byte != b' ').is_some_and(u8::is_ascii_digit)
}

/// Single letters with stops between them: `U.S`, `a.k.a`.
fn is_initials(word: &str) -> bool {
    word.len() <= 15
        && word.len() % 2 == 1
        && word.bytes().enumerate().all(
            |(at, byte)| {
                if at % 2 == 0 { byte.is_ascii_alphabetic() } else { byte == b'.' }
            },
        )
}

/// Whether a full stop within a piece stands between single letters.
pub(super) fn inside(line: &Line<'_>, start: usize, at: usize) -> bool {
    let one = line.letters(at + 1, 2) == at + 2 && line.char(at + 2).is_none_or(|c| !in_word(c));
    one && is_initials(&line.text[start..at])
}
