//! Where a word ends.

use super::numbers;
use super::piece::{Line, in_word, is_apostrophe};
use super::stops;
use super::web;

/// Prefixes before a hyphen, which the treebank does not split off.
const PREFIXES: [&str; 56] = [
    "anti", "arch", "ante", "bi", "bio", "co", "counter", "cross", "cyber", "de", "e", "eco", "ex", "extra", "geo",
    "hyper", "infra", "inter", "intra", "macro", "mega", "meta", "micro", "mid", "mini", "multi", "neo", "neuro",
    "non", "over", "pan", "para", "poly", "post", "pre", "pro", "proto", "pseudo", "psycho", "quasi", "re", "retro",
    "semi", "socio", "sub", "super", "supra", "tele", "trans", "tri", "ultra", "un", "under", "uni", "uh", "mm",
];

/// Suffixes after a hyphen, which it does not split off either.
const SUFFIXES: [&str; 10] = ["esque", "ette", "fest", "fold", "ish", "itis", "less", "most", "wise", "ever"];

const MAX_AFFIX_LENGTH: usize = 8;

/// The end of the word that starts here; `None` if a mark does.
pub(super) fn end(line: &mut Line<'_>, start: usize) -> Option<usize> {
    let mut at = begin(line, start)?;
    if let Some(end) = numbers::whole(line, start) {
        return Some(end);
    }
    while let Some(c) = line.char(at) {
        if in_word(c) {
            if line.byte(at - usize::from(at > start)) == b'$' {
                break;
            }
            if c.is_ascii_alphabetic() && numbers::ends_before_unit(line, start, at) {
                break;
            }
            at += c.len_utf8();
        } else if let Some(next) = joined(line, start, at, c) {
            at = next;
        } else {
            break;
        }
    }
    Some(with_elision(line, start, at))
}

/// The end of a word with the apostrophe of `cookin'`, if it has one.
fn with_elision(line: &Line<'_>, start: usize, end: usize) -> usize {
    let Some(c) = line.char(end).filter(|c| matches!(c, '\'' | '’')) else { return end };
    let word = &line.text[start..end];
    let gerund = word.len() > 4 && word.ends_with("in") && !line.open_quote;
    let short = ["ol", "an", "lil", "'n", "’n"].iter().any(|known| known.eq_ignore_ascii_case(word));
    let next = end + c.len_utf8();
    let alone = line.char(next).is_none_or(|c| !in_word(c) && !is_apostrophe(c));
    if (gerund || short) && alone { next } else { end }
}

/// Marks allowed before the first letter: the apostrophe of `'em` and `'72`, the signs of `+44`, `#tag` and `@name`,
/// the stop of `.04`.
fn begin(line: &mut Line<'_>, start: usize) -> Option<usize> {
    let c = line.char(start)?;
    if in_word(c) {
        return Some(start);
    }
    let next = start + c.len_utf8();
    if is_apostrophe(c) {
        let elided = elision(line, next);
        let double = line.char(next).is_some_and(is_apostrophe);
        line.open_quote |= elided.is_none() && !double && !closes(line, start) && c != '`';
        return elided;
    }
    let digits = line.digits(next, 4) - next;
    let number = match c {
        '.' => digits > 0 && line.char_before(start).is_none_or(|c| !in_word(c) && c != '.'),
        '@' => line.byte(next).is_ascii_alphabetic() && start == line.start,
        '#' => line.byte(next).is_ascii_alphabetic(),
        '+' => (1..=3).contains(&digits) && start == line.start,
        _ => false,
    };
    number.then_some(next)
}

/// Whether a single quote here ends a quotation: something precedes it.
fn closes(line: &Line<'_>, at: usize) -> bool {
    line.char_before(at).is_some_and(|c| !matches!(c, '(' | '[' | '{' | '"' | '“' | '-' | '–' | '—' | '/'))
}

/// The end of the first letters of a word that starts with an apostrophe: short forms, years, and clitics that another
/// tokenizer split off.
fn elision(line: &Line<'_>, at: usize) -> Option<usize> {
    let digits = line.digits(at, 3);
    if digits == at + 2 {
        return Some(digits);
    }
    let end = line.letters(at, 8);
    let enclosed = line.text[at..end].eq_ignore_ascii_case("n");
    let alone = line.char(end).is_none_or(|c| !in_word(c) && (enclosed || !is_apostrophe(c)));
    let whole_piece = at == line.start + line.char(line.start)?.len_utf8() && end == line.end;
    let short = ["em", "n", "til", "till", "cause", "cuz", "tis", "twas", "bout", "round", "ol"];
    let clitic = ["s", "m", "re", "ve", "ll", "d", "t"];
    let is = |list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(&line.text[at..end]));
    (alone && (is(&short) || (whole_piece && is(&clitic)))).then_some(end)
}

/// Where a word continues after a character that is neither letter nor digit, if it does.
fn joined(line: &Line<'_>, start: usize, at: usize, c: char) -> Option<usize> {
    let next = at + c.len_utf8();
    let after = line.char(next);
    let before = line.char_before(at).filter(|_| at > start)?;
    if c == '$' {
        return is_country(&line.text[start..at]).then_some(next);
    }
    if c == '/' && line.text[start..at].eq_ignore_ascii_case("w") {
        return Some(next).filter(|_| without(line, next) || !after.is_some_and(in_word));
    }
    if c == '*' {
        return censored(line, at);
    }
    let after = after.filter(|&c| in_word(c))?;
    let digits = before.is_ascii_digit() && after.is_ascii_digit();
    let letters = before.is_alphabetic() && after.is_alphabetic();
    let joins = match c {
        '_' | '@' => true,
        '\'' | '’' | '`' | '´' | 'ʼ' => after.is_alphabetic(),
        ',' | ':' => digits,
        '.' => digits || stops::inside(line, start, at) || web::ends_with_domain(line, next),
        '&' => return ampersand(line, start, at),
        '-' => hyphen(line, start, at),
        '/' => letters && numbers::single_letters(line, start, at),
        '·' | '‧' => letters,
        _ => false,
    };
    joins.then_some(next)
}

/// `w/o`, `w/out`.
fn without(line: &Line<'_>, at: usize) -> bool {
    let end = line.letters(at, 4);
    ["o", "out"].iter().any(|rest| rest.eq_ignore_ascii_case(&line.text[at..end]))
}

/// Whether this is a country before a dollar sign: `US$`.
fn is_country(word: &str) -> bool {
    matches!(word, "US" | "U" | "C" | "A" | "HK" | "NZ")
}

/// `f*ed`: asterisks with letters on both sides.
fn censored(line: &Line<'_>, at: usize) -> Option<usize> {
    let stars = (at..line.end.min(at + 8)).take_while(|&at| line.byte(at) == b'*').count();
    line.byte(at + stars).is_ascii_alphabetic().then_some(at + stars)
}

/// `AT&T`, also where `&` is written `&amp;`: short parts on both sides.
fn ampersand(line: &Line<'_>, start: usize, at: usize) -> Option<usize> {
    let next = if line.has(at, "&amp;") { at + 5 } else { at + 1 };
    let end = line.letters(next, 5);
    let short = (1..=3).contains(&(at - start)) && (1..=3).contains(&(end - next));
    (short && line.bytes[start..at].iter().all(u8::is_ascii_alphabetic)).then_some(next)
}

/// Whether the hyphen here belongs to the word.
fn hyphen(line: &Line<'_>, start: usize, at: usize) -> bool {
    let is_one = |list: &[&str], word: &str| list.iter().any(|affix| affix.eq_ignore_ascii_case(word));
    let before = &line.text[start..at];
    if before.len() <= MAX_AFFIX_LENGTH && is_one(&PREFIXES, before) {
        return true;
    }
    let end = line.letters(at + 1, MAX_AFFIX_LENGTH);
    is_one(&SUFFIXES, &line.text[at + 1..end]) && line.char(end).is_none_or(|c| !in_word(c))
}
