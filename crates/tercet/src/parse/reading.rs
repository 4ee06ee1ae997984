//! What parsers read in place of words as they are written.
//!
//! Parsers know words as treebanks write them. Some text writes the same words otherwise; trees keep the words as written,
//! and parsers look up these:
//!
//! | written | read | whose |
//! |---|---|---|
//! | `THE CAT SAT` | `the cat sat` | headlines, shouting |
//! | `&quot;`, `&apos;`, `&amp;`, `&lt;`, `&gt;`, `&#91;` … | `"`, `'`, `&`, `<`, `>`, `[` … | XML; Moses escapes so |
//! | `@-@` | `-` | Moses with aggressive hyphens |
//! | `-LRB-`, `1\/2` … | `(`, `1/2` … | Penn Treebank ([`unescape`]) |
//!
//! A sentence is shouted if no letter of it is in lower case and [`SHOUTED_WORDS`] of its words have two capitals or more:
//! a single `NATO` is a name. Both parsers have seen a tenth of their training in lower case, so that they know words
//! without capitals; capitals alone they have hardly seen.

use super::bracketed::unescape;
use std::borrow::Cow;

/// Words of two capitals that make a sentence without lower case a shouted one.
const SHOUTED_WORDS: usize = 2;

/// Escapes and what they stand for; the ampersand comes last, or `&amp;quot;` would become a quotation mark.
const ESCAPES: [(&str, &str); 11] = [
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&#39;", "'"),
    ("&#34;", "\""),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&#91;", "["),
    ("&#93;", "]"),
    ("&#124;", "|"),
    ("@-@", "-"),
    ("&amp;", "&"),
];

/// Whether a sentence is in capitals throughout.
pub(super) fn is_shouted<W: AsRef<str>>(words: &[W]) -> bool {
    let mut capitals = 0;
    for word in words {
        if word.as_ref().chars().any(char::is_lowercase) {
            return false;
        }
        capitals += usize::from(word.as_ref().chars().filter(|c| c.is_uppercase()).nth(1).is_some());
    }
    capitals >= SHOUTED_WORDS
}

/// What is read of a word in a sentence that is shouted or not.
pub(super) fn as_read(word: &str, shouted: bool) -> Cow<'_, str> {
    let plain = if may_be_escaped(word) { Cow::Owned(plain(word)) } else { Cow::Borrowed(word) };
    // The pronoun is the one word that is a capital in lower case too.
    if shouted && plain != "I" { Cow::Owned(plain.to_lowercase()) } else { plain }
}

/// Nearly all words are not, and one look at their bytes tells.
fn may_be_escaped(word: &str) -> bool {
    word.bytes().any(|byte| matches!(byte, b'&' | b'@' | b'\\')) || word.contains("B-")
}

fn plain(word: &str) -> String {
    let mut plain = unescape(word);
    for (escape, character) in ESCAPES {
        if plain.contains(escape) {
            plain = plain.replace(escape, character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_in_capitals_is_shouted_and_a_name_is_not() {
        for shouted in [&["THE", "CAT", "SAT", "."][..], &["ÄRGER", "42", "-", "ÜBER", "I"]] {
            assert!(is_shouted(shouted), "{shouted:?}");
        }
        for said in [&["NATO", "!"][..], &["A", "B", "C"], &["THE", "CAT", "sat"], &["猫", "猫"], &[]] {
            assert!(!is_shouted(said), "{said:?}");
        }
    }

    #[test]
    fn words_are_read_without_escapes_and_capitals() {
        let read = |word| as_read(word, false).into_owned();
        assert_eq!(["&quot;", "&apos;s", "R&amp;D", "&#91;", "@-@"].map(read), ["\"", "'s", "R&D", "[", "-"]);
        assert_eq!(["-LRB-", "-RCB-", "1\\/2", "&amp;quot;"].map(read), ["(", "}", "1/2", "&quot;"]);
        assert_eq!(["NATO", "AT&T", "B-52", "@you", "I"].map(read), ["NATO", "AT&T", "B-52", "@you", "I"]);
        let shouted = |word| as_read(word, true).into_owned();
        assert_eq!(
            ["THE", "I", "&QUOT;", "-LRB-", "ÄRGER"].map(shouted),
            ["the", "I", "&quot;", "(", "ärger"]
        );
        assert!(matches!(as_read("cat", false), Cow::Borrowed("cat")));
    }
}
