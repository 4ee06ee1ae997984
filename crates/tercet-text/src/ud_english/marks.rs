//! Punctuation: where a run of marks that is one word ends.

use super::piece::{Line, in_word, is_apostrophe};

/// Emoticons, longest first.
const EMOTICONS: [&str; 34] = [
    ">:(", ">:)", ":-)", ":-(", ";-)", ":-D", ":-P", ":-p", ":-/", ":-|", ":')", ":'(", "^_^", "^.^", "-_-", "T_T",
    ":)", ":(", ";)", ":D", ":P", ":p", ":/", ":|", "=)", "=(", "=D", "=P", "(:", ";P", ";D", "<3", ":]", ":o",
];

/// Words of text that was tokenized before.
const TOKENIZED: [&str; 13] = [
    "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "&quot;", "&amp;", "&apos;", "&lt;", "&gt;", "&#91;", "&#93;",
];

/// Whether this opens a quotation or a bracket, after which an address may begin.
pub(super) fn opens(line: &Line<'_>, at: usize) -> bool {
    line.char(at).is_some_and(|c| matches!(c, '(' | '[' | '{' | '<' | '"' | '\'' | '“' | '‘' | '*' | ':'))
}

/// The end of the mark that starts here.
pub(super) fn end(line: &mut Line<'_>, at: usize) -> usize {
    if let Some(known) = TOKENIZED.iter().find(|known| line.has(at, known)) {
        let end = at + known.len();
        // Moses leaves `&apos;s` in one piece.
        return if at == line.start && *known == "&apos;" { line.letters(end, 2) } else { end };
    }
    if line.has(at, "@-@") || line.has(at, "@/@") {
        return at + 3;
    }
    if let Some(end) = emoticon(line, at) {
        return end;
    }
    if at == line.start && is_drawing(line) {
        return line.end;
    }
    let Some(c) = line.char(at) else { return line.end };
    let next = at + c.len_utf8();
    match c {
        '.' | '!' | '?' | '…' => run(line, at, |c| matches!(c, '.' | '!' | '?' | '…')),
        '-' | '=' => arrow(line, run(line, at, |d| d == c)),
        '<' if line.has(next, "-") => next + 1,
        '<' | '>' if line.char(next) == Some(c) => run(line, at, |d| d == c),
        '*' | '_' | '+' | '~' | '#' | '|' | '^' | '–' | '—' | '•' | '$' => run(line, at, |d| d == c),
        _ if is_apostrophe(c) => quote(line, at, c),
        _ if c.is_ascii() => next,
        _ => sequence(line, at, c),
    }
}

fn run(line: &Line<'_>, at: usize, holds: impl Fn(char) -> bool) -> usize {
    let rest = &line.text[at..line.end];
    at + rest.find(|c| !holds(c)).unwrap_or(rest.len())
}

/// A repeated sign with its variation selectors; a zero-width joiner adds another sign.
fn sequence(line: &Line<'_>, at: usize, sign: char) -> usize {
    let mut end = at;
    let mut joined = true;
    while let Some(c) = line.char(end) {
        let changes = matches!(c, '\u{fe0f}' | '\u{200d}' | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}');
        if !joined && !changes && c != sign {
            break;
        }
        joined = c == '\u{200d}';
        end += c.len_utf8();
    }
    end
}

/// Two single quotes are a double one; a single one closes an open quotation.
fn quote(line: &mut Line<'_>, at: usize, c: char) -> usize {
    let next = at + c.len_utf8();
    match line.char(next) {
        Some(second) if is_apostrophe(second) => next + second.len_utf8(),
        _ => {
            let closing = line.char_before(at).is_some_and(in_word) || line.char(next).is_none();
            if closing && at > line.start {
                line.open_quote = false;
            }
            next
        }
    }
}

/// `->`, `==>` after the dashes.
fn arrow(line: &Line<'_>, end: usize) -> usize {
    if line.byte(end) == b'>' && line.byte(end + 1) != b'>' { end + 1 } else { end }
}

/// An emoticon: no letter or digit after it, nor before it if it could be part of a word.
fn emoticon(line: &Line<'_>, at: usize) -> Option<usize> {
    if !matches!(line.byte(at), b':' | b';' | b'=' | b'>' | b'^' | b'-' | b'(' | b'<') {
        return None;
    }
    let found = EMOTICONS.iter().find(|emoticon| line.has(at, emoticon))?;
    let end = at + found.len();
    let after_digit = line.char_before(at).is_some_and(|c| c.is_ascii_digit());
    let goes_on = line.char(end).is_some_and(|c| in_word(c) || c == '/');
    (!after_digit && !goes_on).then_some(end)
}

/// Whether the piece is a line drawn with punctuation.
fn is_drawing(line: &Line<'_>) -> bool {
    let piece = &line.bytes[line.start..line.end];
    piece.len() >= 8 && piece.iter().all(|byte| b"-=*_~+|<>{}#^".contains(byte))
}
