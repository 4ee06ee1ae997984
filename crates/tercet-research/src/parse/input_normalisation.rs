//! Input words in the spelling of treebanks. Trees keep the words as written; parsers look up the normalised ones:
//!
//! | written | looked up | found in |
//! |---|---|---|
//! | `THE CAT SAT` | `the cat sat` | headlines |
//! | `&quot;`, `&apos;`, `&amp;`, `&lt;`, `&gt;`, `&#91;` … | `"`, `'`, `&`, `<`, `>`, `[` … | XML, output of Moses |
//! | `@-@` | `-` | Moses with aggressive hyphens |
//! | `-LRB-`, `1\/2` … | `(`, `1/2` … | Penn Treebank ([`unescape`]) |
//!
//! A sentence is in capitals if, after unescaping, it has no lower-case letter and at least [`CAPITAL_WORDS`] words
//! with two capitals or more (a single `NATO` is a name). It is lowercased, because a tenth of the training sentences
//! is in lower case, but hardly any is in capitals.
//!
//! Training does not normalise. If the treebank itself has sentences in capitals or escapes, training records it in a
//! note of the model file ([`InputNormalisation::note`]), and the parser leaves such input as it is
//! ([`InputNormalisation::from_notes`]).

use super::bracketed::unescape;
use std::borrow::Cow;

/// How many words with two capitals a sentence in capitals has at least.
const CAPITAL_WORDS: usize = 2;

/// A treebank has sentences in capitals if at least one in this many is.
const ONE_IN: usize = 10;

// Key and values of the note.
const NOTE: &str = "written";
const CAPITALS: &str = "capitals";
const ESCAPES: &str = "escapes";

/// Escapes and their characters. The ampersand comes last, or `&amp;quot;` would become a quotation mark.
const ESCAPED: [(&str, &str); 11] = [
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

/// Which normalisations a parser applies to its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InputNormalisation {
    lowers_capitals: bool,
    undoes_escapes: bool,
}

impl InputNormalisation {
    pub const NONE: InputNormalisation = InputNormalisation { lowers_capitals: false, undoes_escapes: false };

    /// The note for a model trained on these sentences; `None` if they have neither capitals nor escapes.
    pub fn note<S, W>(sentences: impl Iterator<Item = S>) -> Option<(String, String)>
    where
        S: AsRef<[W]>,
        W: AsRef<str>,
    {
        let (mut all, mut in_capitals, mut escaped) = (0, 0, false);
        for sentence in sentences {
            let plain = without_escapes(sentence.as_ref());
            all += 1;
            in_capitals += usize::from(is_in_capitals(&plain));
            escaped |= plain.iter().any(|word| matches!(word, Cow::Owned(_)));
        }
        let found = [(CAPITALS, in_capitals * ONE_IN >= all && all > 0), (ESCAPES, escaped)];
        let found: Vec<&str> = found.into_iter().filter_map(|(name, is)| is.then_some(name)).collect();
        (!found.is_empty()).then(|| (NOTE.to_owned(), found.join(", ")))
    }

    /// The normalisation for a model with these notes.
    pub fn from_notes(notes: &[(String, String)]) -> Self {
        let note = notes.iter().find(|(key, _)| key == NOTE).map_or("", |(_, note)| note);
        let writes = |what| note.split(", ").any(|written| written == what);
        InputNormalisation { lowers_capitals: !writes(CAPITALS), undoes_escapes: !writes(ESCAPES) }
    }

    /// The normalised words of a sentence.
    pub fn apply<W: AsRef<str>>(self, words: &[W]) -> Vec<Cow<'_, str>> {
        let mut read = without_escapes(words);
        let lowers = self.lowers_capitals && is_in_capitals(&read);
        for (word, written) in read.iter_mut().zip(words) {
            if !self.undoes_escapes && matches!(word, Cow::Owned(_)) {
                *word = Cow::Borrowed(written.as_ref());
            } else if lowers && word != "I" {
                // The pronoun is written with a capital in lower-case text too.
                *word = Cow::Owned(word.to_lowercase());
            }
        }
        read
    }

    /// The name in signatures.
    pub fn name(self) -> &'static str {
        match (self.lowers_capitals, self.undoes_escapes) {
            (true, true) => "plain",
            (true, false) => "lower",
            (false, true) => "unescaped",
            (false, false) => "written",
        }
    }
}

/// Unescaped words; borrowed where nothing was escaped.
fn without_escapes<W: AsRef<str>>(words: &[W]) -> Vec<Cow<'_, str>> {
    words.iter().map(|word| plain(word.as_ref())).collect()
}

/// Whether an unescaped sentence is in capitals.
fn is_in_capitals(words: &[Cow<'_, str>]) -> bool {
    let mut capitals = 0;
    for word in words {
        if word.chars().any(is_small) {
            return false;
        }
        capitals += usize::from(word.chars().filter(|c| c.is_uppercase()).nth(1).is_some());
    }
    capitals >= CAPITAL_WORDS
}

/// Whether a letter is lower case and has an upper-case form; `º` has none.
fn is_small(c: char) -> bool {
    c.is_lowercase() && c.to_uppercase().next() != Some(c)
}

/// An unescaped word; borrowed if nothing was escaped.
fn plain(word: &str) -> Cow<'_, str> {
    if !may_be_escaped(word) {
        return Cow::Borrowed(word);
    }
    let mut plain = unescape(word);
    for (escape, character) in ESCAPED {
        if plain.contains(escape) {
            plain = plain.replace(escape, character);
        }
    }
    if plain == word { Cow::Borrowed(word) } else { Cow::Owned(plain) }
}

/// A fast check of the bytes that rules out nearly all words.
fn may_be_escaped(word: &str) -> bool {
    word.bytes().any(|byte| matches!(byte, b'&' | b'@' | b'\\')) || word.contains("B-")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: InputNormalisation = InputNormalisation { lowers_capitals: true, undoes_escapes: true };

    fn read(sentence: &str) -> String {
        PLAIN.apply(&sentence.split(' ').collect::<Vec<_>>()).join(" ")
    }

    #[test]
    fn a_sentence_in_capitals_is_lowercased_and_a_name_is_not() {
        assert_eq!(read("THE CAT SAT ."), "the cat sat .");
        assert_eq!(read("ÄRGER 42 - ÜBER Nº 5 I"), "ärger 42 - über nº 5 I");
        for sentence in ["NATO !", "A B C", "THE CAT sat", "猫 猫", ""] {
            assert_eq!(read(sentence), sentence);
        }
    }

    #[test]
    fn words_are_unescaped_before_capitals_are_looked_for() {
        assert_eq!(read("&quot; THE CAT SAT . &quot;"), "\" the cat sat . \"");
        assert_eq!(read("-LRB- NATO -RRB-"), "( NATO )");
        assert_eq!(read("&apos;s R&amp;D &#91; @-@ 1\\/2 &amp;quot;"), "'s R&D [ - 1/2 &quot;");
        assert_eq!(read("AT&T B-52 @you I said"), "AT&T B-52 @you I said");
        assert!(matches!(PLAIN.apply(&["cat"])[..], [Cow::Borrowed("cat")]));
    }

    #[test]
    fn spellings_of_the_treebank_are_not_normalised() {
        let of = |sentences: &[&str]| {
            let words = sentences.iter().map(|sentence| sentence.split(' ').collect::<Vec<_>>());
            let notes: Vec<(String, String)> = InputNormalisation::note(words).into_iter().collect();
            InputNormalisation::from_notes(&notes)
        };
        let few = [&["LOOK HERE"][..], &["a b"; 10]].concat();
        assert_eq!((of(&few), of(&[])), (PLAIN, PLAIN));
        let capitals = of(&["LOOK HERE", "a b"]);
        assert_eq!(capitals.apply(&["THE", "CAT", "-LRB-"]), ["THE", "CAT", "("]);
        let escapes = of(&["a -LRB- b"]);
        assert_eq!(escapes.apply(&["THE", "CAT", "&quot;"]), ["the", "cat", "&quot;"]);
        assert_eq!(escapes.apply(&["THE", "CAT", "-RRB-"]), ["the", "cat", "-RRB-"]);
        assert_eq!(of(&["LOOK -LRB- HERE"]), InputNormalisation::NONE);
        assert_eq!([PLAIN, capitals, escapes].map(InputNormalisation::name), ["plain", "unescaped", "lower"]);
    }
}
