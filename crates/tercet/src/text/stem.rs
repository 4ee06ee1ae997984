//! Snowball stemmers, as METEOR uses them.

/// The stemmer of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stemmer {}

impl Stemmer {
    /// The stemmer for METEOR's code of a language (en, de, es, fr, ru, …), if there is one.
    pub fn for_language(_code: &str) -> Option<Self> {
        None
    }

    /// Appends the stem of a word. Case counts, as in METEOR.
    pub fn stem(self, word: &str, stem: &mut String) {
        stem.push_str(word);
    }
}
