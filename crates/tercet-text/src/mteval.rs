//! `mteval`, `mteval-intl`, `mteval-intl+nonascii`: the two tokenizers of NIST's mteval-v13a.pl, with its
//! normalisation.
//!
//! | here | mteval-v13a.pl |
//! |---|---|
//! | `mteval` | no flag: ASCII punctuation of Western text, see `punctuation` |
//! | `mteval-intl` | `--international-tokenization`: by Unicode category, see `intl` |
//! | `mteval-intl+nonascii` | the same with `-e`: every character outside ASCII becomes a token |
//!
//! mteval's default tokenizer ignores `-e`.
//!
//! # Choices
//! - A line is plain text; mteval reads it from SGML in which `&`, `<` and `>` were escaped. Decoding gives the line
//!   back, except that mteval decodes a literal `&lt;` or `&gt;` once more (`&apos;` too, in the international
//!   tokenizer), because it decodes `&amp;` first. That is all that remains of its normalisation: it decodes `&quot;`
//!   before `&amp;`, so `&quot;` stays; `<skipped>` is removed before it could be seen, and line ends become spaces
//!   before words broken at them could be joined.
//! - Case is ignored unless mteval is given `-c`, so lowercasing is a step of the tokenizer, after the entities. By
//!   default it concerns A to Z only; the international one lowercases every character by itself (no final sigma).
//! - White space is Perl's `\s`: Unicode's White_Space, without the ASCII separators that Python adds.
//!
//! # Agreement
//! Equal to mteval-v13a.pl under Perl 5.36, except for characters assigned after Unicode 14, which that Perl does not
//! know.

use super::intl;
use super::punctuation::{LineEnds, collapse, separate};
use super::tokenizer::{Case, Scratch};
use super::whitespace::UNICODE;
use std::borrow::Cow;

/// Entities in the order of decoding; the last by the international tokenizer only.
const ENTITIES: [(&str, &str); 3] = [("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'")];

/// mteval's default.
pub(super) fn tokenize(line: &str, case: Case, scratch: &mut Scratch, tokens: &mut String) {
    let mut line = decode(line, &ENTITIES[..2]);
    if case == Case::Lowered {
        line.to_mut().make_ascii_lowercase();
    }
    separate(&line, LineEnds::Spaces, &UNICODE, scratch, tokens);
}

/// mteval's `--international-tokenization`, with or without `-e`.
pub(super) fn tokenize_international(
    line: &str,
    case: Case,
    nonascii_apart: bool,
    scratch: &mut Scratch,
    tokens: &mut String,
) {
    let line = decode(line, &ENTITIES);
    let mut text = match case {
        Case::Kept => line,
        Case::Lowered if line.is_ascii() => Cow::Owned(line.to_ascii_lowercase()),
        Case::Lowered => Cow::Owned(line.chars().flat_map(char::to_lowercase).collect()),
    };
    if nonascii_apart && !text.is_ascii() {
        text = Cow::Owned(set_nonascii_apart(&text));
    }
    intl::separate(text.chars(), &mut scratch.first);
    collapse(&scratch.first, &UNICODE, tokens);
}

/// Replaces these entities, one after the other.
fn decode<'a>(line: &'a str, entities: &[(&str, &str)]) -> Cow<'a, str> {
    if !line.contains('&') {
        return Cow::Borrowed(line);
    }
    let decoded = entities.iter().fold(line.to_owned(), |line, (entity, character)| line.replace(entity, character));
    Cow::Owned(decoded)
}

fn set_nonascii_apart(text: &str) -> String {
    let mut apart = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        if c.is_ascii() {
            apart.push(c);
        } else {
            apart.extend([' ', c, ' ']);
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use crate::tokenizer::{Scratch, Tokenizer};

    const LINES: [&str; 5] = [
        "He said &quot;Yes&quot; &amp; &lt;b&gt; <skipped> it&apos;s",
        "&LT; A.B., 1,000.50 7-8 don't",
        "ΟΔΟΣ İ É’s 3.5€ ²¾",
        "a\u{1f}b c\u{85}d\u{a0}e\u{3000}f 我有3台。",
        "x...  (y) U.S.",
    ];

    /// Fails unless the lines are tokenized so; what is expected was printed by mteval-v13a.pl -d 3.
    fn assert_tokens(tokenizer: Tokenizer, lowercase: bool, expected: [&str; 5]) {
        let mut tokens = String::new();
        for (line, expected) in LINES.iter().zip(expected) {
            tokenizer.tokenize_segment(line, lowercase, &mut Scratch::default(), &mut tokens);
            assert_eq!(tokens, expected, "{line}");
        }
    }

    #[test]
    fn western_text_is_lowercased_in_ascii_only() {
        assert_tokens(
            Tokenizer::Mteval,
            true,
            [
                "he said & quot ; yes & quot ; & amp ; < b > < skipped > it & apos ; s",
                "& lt ; a . b . , 1,000.50 7 - 8 don't",
                "ΟΔΟΣ İ É’s 3.5€ ²¾",
                "a\u{1f}b c d e f 我有3台。",
                "x . . . ( y ) u . s .",
            ],
        );
    }

    #[test]
    fn international_text_is_lowercased_without_final_sigma() {
        assert_tokens(
            Tokenizer::MtevalIntl,
            true,
            [
                "he said & quot ; yes & quot ; & amp ; < b > < skipped > it ' s",
                "& lt ; a . b . , 1,000.50 7-8 don ' t",
                "οδοσ i\u{307} é ’ s 3.5 € ²¾",
                "a\u{1f}b c d e f 我有3台 。",
                "x . . . ( y ) u . s .",
            ],
        );
    }

    #[test]
    fn nonascii_characters_are_tokens_where_asked() {
        assert_tokens(
            Tokenizer::MtevalIntlNonascii,
            true,
            [
                "he said & quot ; yes & quot ; & amp ; < b > < skipped > it ' s",
                "& lt ; a . b . , 1,000.50 7-8 don ' t",
                "ο δ ο σ i \u{307} é ’ s 3.5 € ² ¾",
                "a\u{1f}b c d e f 我 有 3 台 。",
                "x . . . ( y ) u . s .",
            ],
        );
    }

    #[test]
    fn case_and_ascii_separators_are_kept() {
        assert_tokens(
            Tokenizer::MtevalIntl,
            false,
            [
                "He said & quot ; Yes & quot ; & amp ; < b > < skipped > it ' s",
                "& LT ; A . B . , 1,000.50 7-8 don ' t",
                "ΟΔΟΣ İ É ’ s 3.5 € ²¾",
                "a\u{1f}b c d e f 我有3台 。",
                "x . . . ( y ) U . S .",
            ],
        );
        assert_eq!(Tokenizer::Mteval.tokens("a\u{1f}b c").count(), 2);
    }
}
