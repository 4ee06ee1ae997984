//! Substitutions of Moses' tokenizer and of METEOR's normaliser, each as one pass over the text.
//!
//! Both tools write a rule as a regular expression of a mark and the characters beside it, applied from left to right
//! without overlap. A character matched beside one mark is consumed: it cannot match beside the next one.

use memchr::{memchr, memchr_iter, memmem};

/// A text and the buffer for the output of the next pass.
pub(super) struct Text {
    pub(super) now: String,
    pub(super) next: String,
}

impl Text {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Text { now: String::with_capacity(capacity), next: String::new() }
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        memchr(byte, self.now.as_bytes()).is_some()
    }

    /// Replaces a mark between two characters of the given kinds.
    pub(super) fn replace_between(
        &mut self,
        mark: u8,
        before: impl Fn(char) -> bool,
        after: impl Fn(char) -> bool,
        replacement: &str,
    ) {
        self.substitute(mark, Some(&before), Some(&after), replacement);
    }

    /// Replaces a mark after a character of the given kind, whatever follows.
    pub(super) fn replace_after(&mut self, mark: u8, before: impl Fn(char) -> bool, replacement: &str) {
        self.substitute(mark, Some(&before), None, replacement);
    }

    /// Replaces a mark before a character of the given kind, whatever precedes.
    pub(super) fn replace_before(&mut self, mark: u8, after: impl Fn(char) -> bool, replacement: &str) {
        self.substitute(mark, None, Some(&after), replacement);
    }

    /// Replaces every occurrence of a string.
    pub(super) fn replace(&mut self, from: &str, to: &str) {
        self.next.clear();
        let mut copied = 0;
        for start in memmem::find_iter(self.now.as_bytes(), from) {
            self.next.push_str(&self.now[copied..start]);
            self.next.push_str(to);
            copied = start + from.len();
        }
        self.next.push_str(&self.now[copied..]);
        self.swap();
    }

    /// Makes the output of a pass the text of the next one.
    pub(super) fn swap(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
    }

    fn substitute(&mut self, mark: u8, before: Kind<'_>, after: Kind<'_>, replacement: &str) {
        self.next.clear();
        let text = &self.now;
        let (mut copied, mut spent) = (0, 0);
        for at in memchr_iter(mark, text.as_bytes()) {
            let left = text[spent.min(at)..at].chars().next_back();
            let right = text[at + 1..].chars().next();
            if at < spent || !fits(before, left) || !fits(after, right) {
                continue;
            }
            self.next.push_str(&text[copied..at]);
            self.next.push_str(replacement);
            copied = at + 1;
            spent = copied + after.and(right).map_or(0, char::len_utf8);
        }
        self.next.push_str(&text[copied..]);
        self.swap();
    }
}

/// The kind of character required beside a mark; `None` allows anything.
type Kind<'a> = Option<&'a dyn Fn(char) -> bool>;

fn fits(kind: Kind<'_>, side: Option<char>) -> bool {
    kind.is_none_or(|kind| side.is_some_and(kind))
}

/// Every character not of this kind.
pub(super) fn not(kind: impl Fn(char) -> bool) -> impl Fn(char) -> bool {
    move |c| !kind(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(text: &str, pass: impl Fn(&mut Text)) -> String {
        let mut text = Text { now: text.to_owned(), next: "left over".to_owned() };
        pass(&mut text);
        text.now
    }

    /// What is expected was printed by `perl -CS -pe` with the expression beside it.
    #[test]
    fn a_matched_character_is_consumed() {
        let no_digit = |c: char| !c.is_ascii_digit();
        // s/([^0-9]),([^0-9])/$1<>$2/g
        assert_eq!(
            passed("é,b,c,,,d,1,,", |text| text.replace_between(b',', no_digit, no_digit, "<>")),
            "é<>b,c<>,,d,1,,"
        );
        // s/([^0-9]),/$1<>/g
        assert_eq!(passed(",é,b,,,d,1,,", |text| text.replace_after(b',', no_digit, "<>")), ",é<>b<>,<>d<>1,<>");
        // s/,([^0-9])/<>$1/g
        assert_eq!(passed(",é,b,,,d,1,,", |text| text.replace_before(b',', no_digit, "<>")), "<>é<>b<>,<>d,1<>,");
        // s/''/"/g
        assert_eq!(passed("a''b'''", |text| text.replace("''", "\"")), "a\"b\"'");
    }
}
