//! A metric that does not fit the language of a text.

use super::language::option;
use crate::text::{Language, Tokenizer};
use std::fmt;

/// Why the scores of a metric say little about text in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LanguageWarning {
    /// The language has no spaces between words, and the metric looks for them.
    NoSpaces {
        /// The metric.
        metric: String,
        /// The language.
        language: Language,
        /// The options that help, if there are any.
        options: Option<&'static str>,
    },
    /// Published scores of the language are computed with another tokenizer.
    UsualTokenizer {
        /// The metric.
        metric: String,
        /// The language.
        language: Language,
        /// The tokenizer in use.
        used: String,
        /// The one of published scores.
        usual: &'static str,
    },
    /// METEOR's tokenizer of another language sets every character apart.
    CharactersByMeteor {
        /// METEOR's language in use.
        used: String,
        /// The language.
        language: Language,
    },
    /// METEOR for another language.
    MeteorLanguage {
        /// METEOR's language in use, or `None` if it is set to languages that it does not know.
        used: Option<String>,
        /// The language.
        language: Language,
        /// The value of `lang` for it.
        lang: &'static str,
    },
    /// METEOR has nothing for the language.
    UnknownToMeteor {
        /// The language.
        language: Language,
    },
    /// METEOR cannot tokenize the language.
    UntokenizedByMeteor {
        /// The language.
        language: Language,
    },
    /// The tokenizer of the metric keeps ASCII letters only.
    AsciiWords {
        /// The metric.
        metric: String,
        /// The language.
        language: Language,
        /// The tokenizer for it.
        tokenizer: &'static str,
    },
    /// The metric is for English: its words and its parser are.
    EnglishOnly {
        /// The metric.
        metric: String,
        /// The language.
        language: Language,
    },
}

impl LanguageWarning {
    /// The language.
    pub fn language(&self) -> &Language {
        match self {
            LanguageWarning::NoSpaces { language, .. }
            | LanguageWarning::UsualTokenizer { language, .. }
            | LanguageWarning::EnglishOnly { language, .. }
            | LanguageWarning::AsciiWords { language, .. }
            | LanguageWarning::CharactersByMeteor { language, .. }
            | LanguageWarning::MeteorLanguage { language, .. }
            | LanguageWarning::UnknownToMeteor { language }
            | LanguageWarning::UntokenizedByMeteor { language } => language,
        }
    }

    /// Whether [`for_language`](super::for_language) changes the metric, unless its text forbids it.
    pub fn is_solved_by_language(&self) -> bool {
        match self {
            LanguageWarning::NoSpaces { metric, language, options } => {
                options.is_some() && option(metric, language, Tokenizer::for_language).is_some()
            }
            LanguageWarning::UsualTokenizer { language, used, .. } => {
                used != Tokenizer::for_language(language)
            }
            LanguageWarning::MeteorLanguage { .. } | LanguageWarning::AsciiWords { .. } => true,
            LanguageWarning::CharactersByMeteor { .. }
            | LanguageWarning::UnknownToMeteor { .. }
            | LanguageWarning::UntokenizedByMeteor { .. }
            | LanguageWarning::EnglishOnly { .. } => false,
        }
    }

    /// Whether METEOR is set to another language than that of the text, or takes its words apart or together.
    pub fn is_of_meteor_for_another_language(&self) -> bool {
        match self {
            LanguageWarning::NoSpaces { metric, .. } => metric == "meteor",
            LanguageWarning::CharactersByMeteor { .. } | LanguageWarning::MeteorLanguage { .. } => true,
            _ => false,
        }
    }
}

impl fmt::Display for LanguageWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LanguageWarning::NoSpaces { metric, language, options } => {
                let name = language.name();
                write!(
                    f,
                    "{metric}: {name} has no spaces between words, so a whole sentence counts as one word"
                )?;
                match options {
                    Some(options) => write!(f, " (use {metric}:{options})"),
                    None => write!(f, " (split the text into words, or use cer or chrf)"),
                }
            }
            LanguageWarning::UsualTokenizer { metric, language, used, usual } => write!(
                f,
                "{metric}: tok={used} for {}: scores cannot be compared with published ones, which use {usual} (its dictionary: \
                 {})",
                language.name(),
                Tokenizer::advice(usual).unwrap_or_default()
            ),
            LanguageWarning::MeteorLanguage { used, language, lang } => {
                let name = language.name();
                match used {
                    Some(used) => write!(f, "meteor: the text is {name}, not {used}"),
                    None => write!(f, "meteor: the text is {name}, which METEOR knows"),
                }?;
                write!(f, " (use meteor:lang={lang})")
            }
            LanguageWarning::CharactersByMeteor { used, language } => write!(
                f,
                "meteor: METEOR does not know {}, and its tokenizer for {used} counts every character as a word (split the \
                 text into words and use meteor:lang=other, or use cer or chrf)",
                language.name()
            ),
            LanguageWarning::UnknownToMeteor { language } => write!(
                f,
                "meteor: METEOR does not know {}: only equal words match, and punctuation is not split from words \
                 (tokenize the text before)",
                language.name()
            ),
            LanguageWarning::AsciiWords { metric, language, tokenizer } => write!(
                f,
                "{metric}: tok=rouge keeps only letters from a to z and digits, and the text is {} (use {metric}:tok={tokenizer})",
                language.name()
            ),
            LanguageWarning::EnglishOnly { metric, language } => {
                let what = match metric.as_str() {
                    "terp" => "its stems and synonyms are (use terp:stems=no,synonyms=no)",
                    "siamese" => "it has learned no other language",
                    _ => "its words and its parser are",
                };
                write!(f, "{metric}: the text is {}, and {metric} is for English: {what}", language.name())
            }
            LanguageWarning::UntokenizedByMeteor { language } => write!(
                f,
                "meteor: METEOR has no tokenizer for {}: punctuation is not split from words (tokenize the text before)",
                language.name()
            ),
        }
    }
}
