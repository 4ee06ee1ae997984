//! What the target language decides about a metric, where the metric's text does not say it.
//!
//! | metric | zh | ja | ko | th, lo, km, my | others |
//! |---|---|---|---|---|---|
//! | `bleu` | `tok=zh` | `tok=ja-mecab` | `tok=ko-mecab` | | |
//! | `sentbleu`, `gleu`, `wer`, `mer`, `wil`, `wip`, `per`, `character`, `gtm`, `overlap`, `ribes`, `cider` | `tok=zh` | `tok=char` | | `tok=char` | |
//! | `eed` | | `lang=ja` | | | |
//! | `rouge` | `tok=zh` | `tok=char` | `tok=13a` | `tok=char` | `tok=13a`, except English |
//! | `nist` | `tok=mteval-intl+nonascii` | the same | | the same | |
//! | `meteor` | `lang=other` | `lang=other` | `lang=other` | `lang=other` | METEOR's language, or `lang=other` |
//!
//! # Choices
//! BLEU's tokenizer is that of sacreBLEU's `-l`. `ja-mecab` and `ko-mecab` need dictionaries; where they are not found,
//! characters take the place of words (`tok=char`), with a warning. TER stays as it is, since
//! sacreBLEU's `-l` does not change it. The other metrics would take a sentence without spaces for one word, and the
//! tools they equal say nothing about it; NIST gets what mteval has for such text. ROUGE's own words are of ASCII
//! letters, so other languages get BLEU's usual tokenizer.

use super::registry::METRIC;
use super::{MetricInfo, Registry, Spec};
use crate::error::Result;
use crate::text::{Language, Tokenizer};
use crate::warning::{LanguageName, LanguageProblem, Warning};

/// What the target language decides about a metric. Default: nothing.
#[derive(Clone, Copy, Debug)]
pub struct LanguageRules {
    /// The option that the language decides, where the text of the metric does not say it.
    pub option: fn(&Language) -> Option<(&'static str, &'static str)>,
    /// Why scores with a signature say little about text in a language, if they do. `unsegmented` says that nothing in
    /// the text sets its words apart.
    pub problem: fn(signature: &Spec, language: &Language, unsegmented: bool) -> Option<LanguageProblem>,
    /// The language that a signature is set to, if it is written in a script of its own.
    pub set_to: fn(signature: &Spec) -> Option<Language>,
}

impl LanguageRules {
    /// Nothing depends on the language.
    pub const NONE: LanguageRules = LanguageRules { option: |_| None, problem: |_, _, _| None, set_to: |_| None };

    /// Words are those of the option `tok`, by default what stands between spaces.
    pub const WORDS: LanguageRules = LanguageRules {
        option: |language| language.is_unsegmented().then(|| ("tok", characters(language).name())),
        problem: |signature, language, unsegmented| {
            let by_spaces = unsegmented && tokenizes_at_spaces(signature);
            by_spaces.then(|| no_spaces(Some(if language.code() == "zh" { "tok=zh" } else { "tok=char" })))
        },
        ..LanguageRules::NONE
    };
}

impl Registry {
    /// A metric with the options that the language decides; those that the text has stay as they are.
    ///
    /// ```
    /// use tercet_metrics::Registry;
    /// use tercet_text::Language;
    ///
    /// let registry = Registry::lexical();
    /// let chinese = Language::target("en-zh")?;
    /// assert_eq!(registry.for_language("bleu", &chinese)?.to_string(), "bleu:tok=zh");
    /// assert_eq!(registry.for_language("bleu:tok=char", &chinese)?.to_string(), "bleu:tok=char");
    /// # Ok::<(), tercet_base::Error>(())
    /// ```
    pub fn for_language(&self, text: &str, language: &Language) -> Result<Spec> {
        let spec = Spec::parse(METRIC, text)?;
        let (info, _) = self.resolve(&spec)?;
        let alias = info.aliases.iter().find(|(alias, _)| *alias == spec.name().to_lowercase());
        let meaning = alias.map(|(_, meaning)| Spec::parse(METRIC, meaning)).transpose()?;
        let Some((key, value)) = (info.language.option)(language) else {
            return Ok(spec);
        };
        let written = spec.option(key).is_some() || meaning.is_some_and(|meaning| meaning.option(key).is_some());
        Ok(if written { spec } else { spec.with_option(key, value) })
    }
}

impl MetricInfo {
    /// What is to be said about scores with a signature of this metric, for text in a language. `has_spaces` says that
    /// the words of the text are set apart although the language does not do so; `detected`, that the language was
    /// found in the text.
    pub fn language_warning(
        &self,
        signature: &Spec,
        language: &Language,
        has_spaces: bool,
        detected: bool,
    ) -> Option<Warning> {
        let problem = (self.language.problem)(signature, language, language.is_unsegmented() && !has_spaces)?;
        let solved_by_language = match &problem {
            LanguageProblem::NoSpaces { options } => options.is_some() && (self.language.option)(language).is_some(),
            LanguageProblem::UsualTokenizer { used, chosen, .. } => used != chosen,
            LanguageProblem::MeteorLanguage { .. } | LanguageProblem::AsciiWords { .. } => true,
            _ => false,
        };
        let (metric, language) = (signature.name().to_owned(), LanguageName::from(language));
        Some(Warning::MetricLanguage { metric, language, problem, detected, solved_by_language })
    }
}

/// A sentence without spaces counts as one word.
pub(crate) fn no_spaces(options: Option<&str>) -> LanguageProblem {
    LanguageProblem::NoSpaces { options: options.map(str::to_owned) }
}

/// Whether the tokenizer of a signature keeps letters together that no space separates.
pub(crate) fn tokenizes_at_spaces(signature: &Spec) -> bool {
    let tokenizer = signature.option("tok").unwrap_or_default();
    let splits = [Tokenizer::Zh, Tokenizer::Char, Tokenizer::MtevalIntlNonascii];
    !Tokenizer::needs_model(tokenizer) && splits.iter().all(|splitting| splitting.name() != tokenizer)
}

/// The tokenizer that splits text without spaces.
pub(crate) fn characters(language: &Language) -> Tokenizer {
    if language.code() == "zh" { Tokenizer::Zh } else { Tokenizer::Char }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(code: &str) -> Language {
        Language::target(code).unwrap()
    }

    fn metric(text: &str, code: &str) -> String {
        Registry::lexical().for_language(text, &language(code)).unwrap().to_string()
    }

    #[test]
    fn bleus_tokenizer_is_the_usual_one_if_its_dictionary_is_found() {
        for code in ["ja", "ko"] {
            let (language, usual) = (language(code), format!("{code}-mecab"));
            let expected = if Tokenizer::finds_model(&usual) { &usual } else { "char" };
            assert_eq!(Tokenizer::for_language(&language), expected);
            assert_eq!(metric("bleu", code), format!("bleu:tok={expected}"));
        }
    }

    fn warnings(text: &str, code: &str) -> Vec<String> {
        let metric = Registry::lexical().build(text).unwrap();
        metric
            .info()
            .language_warning(&metric.signature(), &language(code), false, false)
            .iter()
            .map(Warning::to_string)
            .collect()
    }

    #[test]
    fn the_language_decides_what_the_text_does_not_say() {
        let cases = [
            ("bleu", "zh", "bleu:tok=zh"),
            ("BLEU:lowercase=yes", "zh", "BLEU:lowercase=yes,tok=zh"),
            ("bleu", "de", "bleu"),
            ("bleu", "th", "bleu"),
            ("bleu:tok=13a", "zh", "bleu:tok=13a"),
            ("mteval-bleu", "zh", "mteval-bleu"),
            ("sentbleu", "zh", "sentbleu:tok=zh"),
            ("wer", "th", "wer:tok=char"),
            ("per", "ko", "per"),
            ("gtm-2", "zh", "gtm-2:tok=zh"),
            ("ol", "de", "ol"),
            ("rouge-1", "en", "rouge-1"),
            ("rouge-1", "ru", "rouge-1:tok=13a"),
            ("rouge-1", "ja", "rouge-1:tok=char"),
            ("rouge-1:tok=none", "zh", "rouge-1:tok=none"),
            ("nist", "ja", "nist:tok=mteval-intl+nonascii"),
            ("ter", "zh", "ter"),
            ("chrf++", "zh", "chrf++"),
            ("meteor", "ru", "meteor:lang=ru"),
            ("meteor", "cs", "meteor:lang=cz"),
            ("meteor", "sv", "meteor:lang=se"),
            ("meteor", "se", "meteor:lang=other"),
            ("meteor", "zh", "meteor:lang=other"),
            ("meteor:lang=de", "ru", "meteor:lang=de"),
            ("chrf|slope=0.1", "zh", "chrf|slope=0.1"),
        ];
        for (text, code, expected) in cases {
            assert_eq!(metric(text, code), expected, "{text} {code}");
        }
    }

    #[test]
    fn what_fits_the_language_gives_no_warning() {
        let fitting = [
            ("bleu", "de"),
            ("bleu:tok=zh", "zh"),
            ("bleu:tok=none", "ko"),
            ("chrf", "zh"),
            ("cer", "th"),
            ("ter:normalized=yes,asian_support=yes", "zh"),
            ("ter", "ko"),
            ("meteor:lang=ru", "ru"),
            ("meteor", "en"),
            ("nist:tok=mteval-intl+nonascii", "ja"),
            ("rouge", "en"),
            ("rouge:tok=13a", "de"),
            ("gtm:tok=char", "th"),
        ];
        for (text, code) in fitting {
            assert_eq!(warnings(text, code), [""; 0], "{text} {code}");
        }
        let bleu = Registry::lexical().build("bleu:tok=none").unwrap();
        assert_eq!(bleu.info().language_warning(&bleu.signature(), &language("zh"), true, false), None);
    }

    #[test]
    fn what_does_not_fit_is_said_with_the_option_that_helps() {
        let cases = [
            (
                "bleu",
                "zh",
                "bleu: Chinese has no spaces between words, so a whole sentence counts as one word (use bleu:tok=zh)",
            ),
            (
                "bleu",
                "th",
                "bleu: Thai has no spaces between words, so a whole sentence counts as one word (use bleu:tok=char)",
            ),
            (
                "ter",
                "zh",
                "ter: Chinese has no spaces between words, so a whole sentence counts as one word (use \
                 ter:normalized=yes,asian_support=yes)",
            ),
            (
                "ter",
                "th",
                "ter: Thai has no spaces between words, so a whole sentence counts as one word (split the text into \
                 words, or use cer or chrf)",
            ),
            (
                "rouge",
                "de",
                "rouge: tok=rouge keeps only letters from a to z and digits, and the text is German (use \
                 rouge:tok=13a)",
            ),
            (
                "overlap",
                "zh",
                "overlap: Chinese has no spaces between words, so a whole sentence counts as one word (use \
                 overlap:tok=zh)",
            ),
            ("meteor", "ru", "meteor: the text is Russian, not English (use meteor:lang=ru)"),
            ("meteor", "hi", "meteor: the text is Hindi, not English (use meteor:lang=other)"),
            ("meteor:lang=other", "de", "meteor: the text is German, which METEOR knows (use meteor:lang=de)"),
            (
                "meteor",
                "zh",
                "meteor: METEOR does not know Chinese, and its tokenizer for English counts every character as a word \
                 (split the text into words and use meteor:lang=other, or use cer or chrf)",
            ),
            (
                "meteor:norm=no",
                "zh",
                "meteor: Chinese has no spaces between words, so a whole sentence counts as one word (split the text \
                 into words, or use cer or chrf)",
            ),
            (
                "meteor:lang=other",
                "th",
                "meteor: Thai has no spaces between words, so a whole sentence counts as one word (split the text into \
                 words, or use cer or chrf)",
            ),
        ];
        for (text, code, expected) in cases {
            assert_eq!(warnings(text, code), [expected]);
        }
        for (text, code, part) in [
            ("bleu:tok=char", "ja", "cannot be compared with published ones, which use ja-mecab"),
            ("bleu", "ko", "cannot be compared with published ones, which use ko-mecab"),
            ("meteor:lang=other", "hi", "METEOR does not know Hindi"),
            ("meteor:lang=it", "it", "METEOR has no tokenizer for Italian"),
        ] {
            let found = warnings(text, code);
            assert!(found.len() == 1 && found[0].contains(part), "{found:?}");
        }
    }
}
