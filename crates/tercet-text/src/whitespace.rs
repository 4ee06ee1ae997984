//! White space as in Python's `str.split` and `str.rstrip`, since most of the tools we reproduce are written in Python:
//! Unicode's White_Space and the four ASCII separators U+001C to U+001F, which Rust does not count.

/// Whether a character is white space by Python's `str.isspace`.
pub fn is_whitespace(c: char) -> bool {
    matches!(c, '\u{1c}'..='\u{1f}') || c.is_whitespace()
}

/// Whether some tools end a line at this character: Python's `str.splitlines`, Java at a carriage return.
pub fn is_line_separator(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The line without trailing white space: Python's `line.rstrip()`.
pub fn trim_end(line: &str) -> &str {
    line.trim_end_matches(is_whitespace)
}

/// The words of a line: Python's `line.split()`.
pub fn split(line: &str) -> impl Iterator<Item = &str> {
    split_at(line, &PYTHON)
}

/// The words of a line, with the white space of this table.
pub(super) fn split_at<'a>(line: &'a str, table: &'static FirstBytes) -> impl Iterator<Item = &'a str> {
    let bytes = line.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && table[bytes[at] as usize] != NO {
            match whitespace_length(table, &bytes[at..]) {
                0 => break,
                length => at += length,
            }
        }
        let start = at;
        while at < bytes.len() {
            let first = table[bytes[at] as usize];
            if first != NO && whitespace_length(table, &bytes[at..]) > 0 {
                break;
            }
            at += 1;
        }
        (start < at).then(|| &line[start..at])
    })
}

/// For each byte, whether white space starts with it. UTF-8 need not be decoded: white space is ASCII or starts with
/// one of four bytes, none of which occurs inside another character.
pub(super) type FirstBytes = [u8; 256];

const NO: u8 = 0;
const ALONE: u8 = 1;
const PERHAPS: u8 = 2;

/// Python's white space.
pub(super) static PYTHON: FirstBytes = first_bytes(true);

/// Unicode's, which is also Perl's.
pub(super) static UNICODE: FirstBytes = first_bytes(false);

const fn first_bytes(with_separators: bool) -> FirstBytes {
    let mut table = [NO; 256];
    let mut byte = b'\t';
    while byte <= b' ' {
        if byte <= b'\r' || byte == b' ' || (with_separators && byte >= 0x1c) {
            table[byte as usize] = ALONE;
        }
        byte += 1;
    }
    table[0xc2] = PERHAPS;
    table[0xe1] = PERHAPS;
    table[0xe2] = PERHAPS;
    table[0xe3] = PERHAPS;
    table
}

/// The length in bytes of the white space that starts here, 0 if none does.
fn whitespace_length(table: &FirstBytes, bytes: &[u8]) -> usize {
    match bytes {
        [first, ..] if table[*first as usize] == ALONE => 1,
        [0xc2, 0x85 | 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..] | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..] => 3,
        [0xe2, 0x81, 0x9f, ..] | [0xe3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// The words of a line as jiwer splits them: at a space, or at two or more white-space characters of any kind.
/// A single tab or no-break space between letters is part of the word.
pub fn split_at_spaces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line.trim_matches(is_whitespace);
    std::iter::from_fn(move || {
        let (end, next) = match first_gap(rest) {
            Some(gap) => gap,
            None if rest.is_empty() => return None,
            None => (rest.len(), rest.len()),
        };
        let word = &rest[..end];
        rest = &rest[next..];
        Some(word)
    })
}

/// The first white space that separates words.
fn first_gap(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    loop {
        let start = from + text[from..].find(is_whitespace)?;
        let run = &text[start..];
        let run = &run[..run.find(|c| !is_whitespace(c)).unwrap_or(run.len())];
        if run == " " || run.chars().nth(1).is_some() {
            return Some((start, start + run.len()));
        }
        from = start + run.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_jiwer_a_single_tab_is_a_letter_and_two_separate_words() {
        let words: Vec<&str> = split_at_spaces("\ta\tb \tc\t\td e\u{a0}f  g\u{2028} \u{1f}").collect();
        assert_eq!(words, ["a\tb", "c", "d", "e\u{a0}f", "g"]);
        assert_eq!(split_at_spaces(" \t ").count(), 0);
    }

    #[test]
    fn separators_and_no_break_spaces_split_zero_width_ones_do_not() {
        let words: Vec<&str> = split(" a\u{1f}b\u{a0}c\u{3000}d\u{200b}e\u{2028}f\u{85}g ").collect();
        assert_eq!(words, ["a", "b", "c", "d\u{200b}e", "f", "g"]);
        assert_eq!(trim_end("a b \u{2029}\r\n"), "a b");
    }

    #[test]
    fn bytes_and_characters_agree_on_what_white_space_is() {
        for c in ('\0'..=char::MAX).filter(|c| !c.is_ascii_alphanumeric()) {
            let text = format!("a{c}b");
            assert_eq!(split(&text).count(), if is_whitespace(c) { 2 } else { 1 }, "{c:?}");
            assert_eq!(split_at(&text, &UNICODE).count(), if c.is_whitespace() { 2 } else { 1 }, "{c:?}");
        }
    }
}
