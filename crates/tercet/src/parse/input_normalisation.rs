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
//! A sentence is shouted if, escapes undone, no letter of it is in lower case and [`SHOUTED_WORDS`] of its words have two
//! capitals or more: a single `NATO` is a name. Our parsers have seen a tenth of their training in lower case, so that they
//! know words without capitals; capitals alone they have hardly seen.
//!
//! Training takes words as they are written. So a parser whose own treebank writes like that knows words like that, and reads
//! them so: training notes it ([`InputNormalisation::note`]), the model file keeps the note, and [`InputNormalisation::from_notes`] heeds it.

use super::bracketed::unescape;
use std::borrow::Cow;

/// Words of two capitals that make a sentence without lower case a shouted one.
const SHOUTED_WORDS: usize = 2;

/// A treebank is in capitals if one sentence in so many is shouted, or more.
const ONE_IN: usize = 10;

/// The key of the note, and its words.
const NOTE: &str = "written";
const CAPITALS: &str = "capitals";
const ESCAPES: &str = "escapes";

/// Escapes and what they stand for; the ampersand comes last, or `&amp;quot;` would become a quotation mark.
const STAND_FOR: [(&str, &str); 11] = [
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

/// How a parser reads words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InputNormalisation {
    lowers_capitals: bool,
    undoes_escapes: bool,
}

impl InputNormalisation {
    /// As they are.
    pub const NONE: InputNormalisation = InputNormalisation { lowers_capitals: false, undoes_escapes: false };

    /// What is worth noting of a treebank: that it writes capitals or escapes itself.
    pub fn note<S, W>(sentences: impl Iterator<Item = S>) -> Option<(String, String)>
    where
        S: AsRef<[W]>,
        W: AsRef<str>,
    {
        let (mut all, mut shouted, mut escaped) = (0, 0, false);
        for sentence in sentences {
            let plain = without_escapes(sentence.as_ref());
            all += 1;
            shouted += usize::from(is_shouted(&plain));
            escaped |= plain.iter().any(|word| matches!(word, Cow::Owned(_)));
        }
        let found = [(CAPITALS, shouted * ONE_IN >= all && all > 0), (ESCAPES, escaped)];
        let found: Vec<&str> = found.into_iter().filter_map(|(name, is)| is.then_some(name)).collect();
        (!found.is_empty()).then(|| (NOTE.to_owned(), found.join(", ")))
    }

    /// How a parser with these notes reads.
    pub fn from_notes(notes: &[(String, String)]) -> Self {
        let note = notes.iter().find(|(key, _)| key == NOTE).map_or("", |(_, note)| note);
        let writes = |what| note.split(", ").any(|written| written == what);
        InputNormalisation { lowers_capitals: !writes(CAPITALS), undoes_escapes: !writes(ESCAPES) }
    }

    /// What is read of a sentence's words.
    pub fn apply<W: AsRef<str>>(self, words: &[W]) -> Vec<Cow<'_, str>> {
        let mut read = without_escapes(words);
        let lowers = self.lowers_capitals && is_shouted(&read);
        for (word, written) in read.iter_mut().zip(words) {
            if !self.undoes_escapes && matches!(word, Cow::Owned(_)) {
                *word = Cow::Borrowed(written.as_ref());
            } else if lowers && word != "I" {
                // The pronoun is the one word that is a capital in lower case too.
                *word = Cow::Owned(word.to_lowercase());
            }
        }
        read
    }

    /// What signatures say of it.
    pub fn name(self) -> &'static str {
        match (self.lowers_capitals, self.undoes_escapes) {
            (true, true) => "plain",
            (true, false) => "lower",
            (false, true) => "unescaped",
            (false, false) => "written",
        }
    }
}

/// Words with their escapes undone; borrowed where there are none.
fn without_escapes<W: AsRef<str>>(words: &[W]) -> Vec<Cow<'_, str>> {
    words.iter().map(|word| plain(word.as_ref())).collect()
}

/// Whether a sentence is in capitals throughout, its escapes undone.
fn is_shouted(words: &[Cow<'_, str>]) -> bool {
    let mut capitals = 0;
    for word in words {
        if word.chars().any(is_small) {
            return false;
        }
        capitals += usize::from(word.chars().filter(|c| c.is_uppercase()).nth(1).is_some());
    }
    capitals >= SHOUTED_WORDS
}

/// Whether a letter has a capital that it is not; `º` has none.
fn is_small(c: char) -> bool {
    c.is_lowercase() && c.to_uppercase().next() != Some(c)
}

/// A word without escapes; borrowed if it has none.
fn plain(word: &str) -> Cow<'_, str> {
    if !may_be_escaped(word) {
        return Cow::Borrowed(word);
    }
    let mut plain = unescape(word);
    for (escape, character) in STAND_FOR {
        if plain.contains(escape) {
            plain = plain.replace(escape, character);
        }
    }
    if plain == word { Cow::Borrowed(word) } else { Cow::Owned(plain) }
}

/// Nearly all words are not, and one look at their bytes tells.
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
    fn a_sentence_in_capitals_is_read_in_lower_case_and_a_name_is_not() {
        assert_eq!(read("THE CAT SAT ."), "the cat sat .");
        assert_eq!(read("ÄRGER 42 - ÜBER Nº 5 I"), "ärger 42 - über nº 5 I");
        for said in ["NATO !", "A B C", "THE CAT sat", "猫 猫", ""] {
            assert_eq!(read(said), said);
        }
    }

    #[test]
    fn escapes_are_undone_before_it_is_asked_whether_all_is_in_capitals() {
        assert_eq!(read("&quot; THE CAT SAT . &quot;"), "\" the cat sat . \"");
        assert_eq!(read("-LRB- NATO -RRB-"), "( NATO )");
        assert_eq!(read("&apos;s R&amp;D &#91; @-@ 1\\/2 &amp;quot;"), "'s R&D [ - 1/2 &quot;");
        assert_eq!(read("AT&T B-52 @you I said"), "AT&T B-52 @you I said");
        assert!(matches!(PLAIN.apply(&["cat"])[..], [Cow::Borrowed("cat")]));
    }

    #[test]
    fn a_parser_reads_as_its_treebank_writes() {
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
