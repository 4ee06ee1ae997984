//! Names and texts of others as part of our own output: one line, nothing hidden.

use std::borrow::Cow;

/// The text on one line, without characters that move the cursor, colour a terminal, reverse the order of what is
/// around them or are not allowed in XML: white space that ends lines or columns becomes a space, the others U+FFFD.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| shown(c) == c) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(shown).collect())
}

/// The start of a text, with `…` where more than so many characters were cut to that.
pub fn shortened(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

fn shown(c: char) -> char {
    match c {
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
        // Embeddings, overrides and isolates reverse what follows. The marks U+200E, U+200F and U+061C, which are part
        // of normal Arabic and Hebrew, do not.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_or_ends_lines_is_replaced() {
        for (text, expected) in [
            ("newstest.de_en", "newstest.de_en"),
            ("a\tb\r\nc\u{2028}d", "a b  c d"),
            ("\u{1b}[31mred\u{7}\u{9b}", "\u{fffd}[31mred\u{fffd}\u{fffd}"),
            ("a\u{202e}b\u{2066}c\u{200f}", "a\u{fffd}b\u{fffd}c\u{200f}"),
            ("\0\u{ffff}", "\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }
}
