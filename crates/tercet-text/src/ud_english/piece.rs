//! A line, the piece of it that is being split, and what the rules know of the whole line.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    /// The piece between white space.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Offset of the full stop that ends the line, ignoring closing quotes and brackets after it.
    pub(super) final_stop: Option<usize>,
    /// Whether a single quotation mark is open.
    pub(super) open_quote: bool,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let ended = text.trim_end_matches(|c: char| is_closing(c) || crate::is_whitespace(c));
        let final_stop = ended.ends_with('.').then(|| ended.len() - 1);
        Line { text, bytes: text.as_bytes(), start: 0, end: 0, final_stop, open_quote: false }
    }

    pub(super) fn enter(&mut self, start: usize, end: usize) {
        (self.start, self.end) = (start, end);
    }

    /// The byte here, 0 outside the piece.
    pub(super) fn byte(&self, at: usize) -> u8 {
        if (self.start..self.end).contains(&at) { self.bytes[at] } else { 0 }
    }

    /// The character here, if it is in the piece.
    pub(super) fn char(&self, at: usize) -> Option<char> {
        match self.bytes.get(at).filter(|_| at < self.end)? {
            byte if byte.is_ascii() => Some(*byte as char),
            _ => self.text[at..self.end].chars().next(),
        }
    }

    /// The character before, if the piece has one.
    pub(super) fn char_before(&self, at: usize) -> Option<char> {
        if at <= self.start {
            return None;
        }
        match self.bytes[at - 1] {
            byte if byte.is_ascii() => Some(byte as char),
            _ => self.text[self.start..at].chars().next_back(),
        }
    }

    /// The end of the run of ASCII letters from here, at most `most` long.
    pub(super) fn letters(&self, at: usize, most: usize) -> usize {
        self.run(at, most, u8::is_ascii_alphabetic)
    }

    /// The same for digits.
    pub(super) fn digits(&self, at: usize, most: usize) -> usize {
        self.run(at, most, u8::is_ascii_digit)
    }

    fn run(&self, at: usize, most: usize, holds: impl Fn(&u8) -> bool) -> usize {
        let end = self.end.min(at + most);
        at + self.bytes[at.min(end)..end].iter().take_while(|byte| holds(byte)).count()
    }

    /// Whether the piece continues with this text.
    pub(super) fn has(&self, at: usize, text: &str) -> bool {
        at <= self.end && self.bytes[at..self.end].starts_with(text.as_bytes())
    }
}

/// Letters, digits and combining characters: everything that is not a mark.
pub(super) fn in_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric()
        || !matches!(c.general_category_group(), GeneralCategoryGroup::Punctuation | GeneralCategoryGroup::Symbol)
}

/// Characters that are typed for an apostrophe.
pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '`' | '´' | 'ʼ' | '‘')
}

/// Quotes and brackets that may follow the last full stop.
pub(super) fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | '’' | '”' | '»' | ')' | ']' | '}')
}
