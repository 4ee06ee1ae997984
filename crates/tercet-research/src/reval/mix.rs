//! Which of two networks scores a translation: the paper's "mix" has one for sentences of up to 20 words, another for longer
//! ones. The paper does not say whose words it counts; [`CountedWords`] names both readings.

tercet_base::choices! {
    /// Whose words are counted.
    #[derive(Default)]
    pub enum CountedWords: "length" {
        /// Those of the reference: all translations of a segment are scored by one network. Default.
        #[default]
        Reference = "reference",
        /// Those of the translation.
        Translation = "translation",
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
