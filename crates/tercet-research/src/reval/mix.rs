//! Which of two networks scores a translation: the paper's "mix" has one for sentences of up to 20 words, another for longer
//! ones. The paper does not say whose words it counts; [`CountedWords`] names both readings.

use crate::error::{Error, Result};
use std::str::FromStr;

/// Whose words are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CountedWords {
    /// Those of the reference: all translations of a segment are scored by one network. Default.
    #[default]
    Reference,
    /// Those of the translation.
    Translation,
}

impl CountedWords {
    /// Both.
    pub(super) const ALL: [CountedWords; 2] = [CountedWords::Reference, CountedWords::Translation];

    /// The name in recipes: `reference` or `translation`.
    pub const fn name(self) -> &'static str {
        match self {
            CountedWords::Reference => "reference",
            CountedWords::Translation => "translation",
        }
    }
}

impl FromStr for CountedWords {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = CountedWords::ALL.into_iter().find(|counted| counted.name() == text);
        known.ok_or_else(|| {
            Error::BadRequest(format!("words of the `{text}`: expected reference or translation"))
        })
    }
}

/// The rule by which a network is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MixRule {
    /// Sentences of more words are scored by the second network.
    pub words: usize,
    /// Whose words are counted.
    pub counted: CountedWords,
}

impl MixRule {
    /// Whether the second network scores a translation, by the numbers of words.
    pub fn is_long(self, reference: usize, translation: usize) -> bool {
        let words = match self.counted {
            CountedWords::Reference => reference,
            CountedWords::Translation => translation,
        };
        words > self.words
    }
}
