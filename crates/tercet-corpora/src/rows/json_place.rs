//! Reads the parts of an object of JSON: marks, texts and values. `None` is anything else, right or wrong.

use super::json_stream::value_length;
use crate::spans::Span;
use memchr::{memchr, memchr2};
use serde_json::Value;

/// A place in a row.
pub(super) struct Place<'r> {
    row: &'r str,
    next: usize,
}

impl<'r> Place<'r> {
    /// The start.
    pub fn new(row: &'r str) -> Self {
        Place { row, next: 0 }
    }

    /// The next byte that is not white space.
    pub fn peek(&mut self) -> Option<u8> {
        let bytes = self.row.as_bytes();
        while let b' ' | b'\n' | b'\r' | b'\t' = bytes.get(self.next)? {
            self.next += 1;
        }
        Some(bytes[self.next])
    }

    /// Passes over the byte that `peek` returned.
    pub fn pass(&mut self) {
        self.next += 1;
    }

    /// Passes over this byte, which must be the next that is not white space.
    pub fn expect(&mut self, byte: u8) -> Option<()> {
        let is_next = self.peek()? == byte;
        self.next += 1;
        is_next.then_some(())
    }

    /// Whether nothing but white space follows.
    pub fn is_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Reads a text; what has escapes is added to `unescaped`.
    pub fn text(&mut self, unescaped: &mut String) -> Option<Span> {
        self.expect(b'"')?;
        let bytes = self.row.as_bytes();
        let start = self.next;
        let mut end = start + memchr2(b'"', b'\\', &bytes[start..])?;
        let has_escapes = bytes[end] == b'\\';
        while bytes[end] == b'\\' {
            end += 2;
            end += memchr2(b'"', b'\\', bytes.get(end..)?)?;
        }
        self.next = end + 1;
        // Every byte is looked at, which compilers turn into instructions for many bytes at once.
        let has_control = bytes[start..end].iter().fold(false, |has, &byte| has | (byte < b' '));
        if has_control {
            return None;
        }
        if has_escapes {
            let before = unescaped.len();
            unescape(&self.row[start..end], unescaped)?;
            return Some(Span::unescaped_from(before, unescaped));
        }
        Some(Span::in_row(start, end))
    }

    /// Reads a value.
    pub fn value(&mut self) -> Option<Value> {
        let length = value_length(&self.row.as_bytes()[self.next..])?;
        let start = self.next;
        self.next += length;
        serde_json::from_str(&self.row[start..self.next]).ok()
    }
}

/// Adds a text with escapes to another; `None` if one is not an escape of JSON.
fn unescape(mut text: &str, to: &mut String) -> Option<()> {
    while let Some(slash) = memchr(b'\\', text.as_bytes()) {
        to.push_str(&text[..slash]);
        let escape = *text.as_bytes().get(slash + 1)?;
        let (character, length) = match escape {
            b'"' | b'\\' | b'/' => (char::from(escape), 2),
            b'b' => ('\u{8}', 2),
            b'f' => ('\u{c}', 2),
            b'n' => ('\n', 2),
            b'r' => ('\r', 2),
            b't' => ('\t', 2),
            b'u' => of_units(&text[slash..])?,
            _ => return None,
        };
        to.push(character);
        text = &text[slash + length..];
    }
    to.push_str(text);
    Some(())
}

/// The character of one unit of UTF-16, or two, at the start of a text, and the length of its escapes.
fn of_units(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| is_number)
    };
    let first = unit(0)?;
    match char::from_u32(first.into()) {
        Some(character) => Some((character, 6)),
        None => char::decode_utf16([first, unit(6)?]).next()?.ok().map(|character| (character, 12)),
    }
}
