//! What the target language decides about a metric, where the metric's text does not say it.
//!
//! | metric | zh | ja | ko | th, lo, km, my | others |
//! |---|---|---|---|---|---|
//! | `bleu` | `tok=zh` | `tok=ja-mecab` | `tok=ko-mecab` | | |
//! | `sentbleu`, `wer`, `per`, `character`, `gtm`, `overlap` | `tok=zh` | `tok=char` | | `tok=char` | |
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

use super::registry::{METRIC, lexical};
use super::{Registry, Spec, meteor, rouge};
use crate::error::Result;
use crate::text::{Language, Tokenizer};
use crate::warning::{LanguageName, LanguageProblem, Warning};

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
        let Some((key, value)) = (info.language)(language) else {
            return Ok(spec);
        };
        let written = spec.option(key).is_some() || meaning.is_some_and(|meaning| meaning.option(key).is_some());
        Ok(if written { spec } else { spec.with_option(key, value) })
    }
}

/// Whether a metric has an option `tok` and takes a line without spaces for one word by default.
fn splits_at_spaces(metric: &str) -> bool {
    matches!(metric, "sentbleu" | "wer" | "per" | "character" | "gtm" | "overlap")
}

/// What is to be said about the scores of a metric, by its signature, for text in a language. `has_spaces` says that
/// the words of the text are set apart although the language does not do so; `detected`, that the language was found in
/// the text.
pub fn language_warning(signature: &Spec, language: &Language, has_spaces: bool, detected: bool) -> Option<Warning> {
    let problem = problem(signature, language, language.is_unsegmented() && !has_spaces)?;
    let metric = signature.name().to_owned();
    let solved_by_language = match &problem {
        LanguageProblem::NoSpaces { options } => {
            options.is_some() && lexical(&metric).is_some_and(|info| (info.language)(language).is_some())
        }
        LanguageProblem::UsualTokenizer { used, chosen, .. } => used != chosen,
        LanguageProblem::MeteorLanguage { .. } | LanguageProblem::AsciiWords { .. } => true,
        _ => false,
    };
    let language = LanguageName::from(language);
    Some(Warning::MetricLanguage { metric, language, problem, detected, solved_by_language })
}

fn problem(signature: &Spec, language: &Language, unsegmented: bool) -> Option<LanguageProblem> {
    let is_yes = |key: &str| signature.option(key) == Some("yes");
    let is_english = language.code() == "en";
    let by_spaces = unsegmented && tokenizes_at_spaces(signature.option("tok").unwrap_or_default());
    let by_tokenizer = || no_spaces(Some(if language.code() == "zh" { "tok=zh" } else { "tok=char" }));
    match signature.name() {
        "meteor" => meteor_problem(signature, language, unsegmented),
        // TER splits Chinese characters and kana only.
        "ter"
            if unsegmented
                && !(is_yes("normalized") && is_yes("asian_support") && is_chinese_or_japanese(language)) =>
        {
            no_spaces(is_chinese_or_japanese(language).then_some("normalized=yes,asian_support=yes"))
        }
        "bleu" if by_spaces => by_tokenizer(),
        "bleu" => usual_tokenizer(signature, language),
        "reval" if !is_english => Some(LanguageProblem::EnglishOnly),
        "siamese" if !is_english && signature.option("model").is_none() => Some(LanguageProblem::EnglishOnly),
        "terp" if unsegmented => no_spaces(None),
        "terp" if !is_english && (is_yes("stems") || is_yes("synonyms")) => Some(LanguageProblem::EnglishOnly),
        "nist" if by_spaces => no_spaces(Some("tok=mteval-intl+nonascii")),
        "rouge" if signature.option("tok") == Some(Tokenizer::Rouge.name()) && !is_english => {
            Some(LanguageProblem::AsciiWords { tokenizer: rouge::tokenizer_of(language).name().to_owned() })
        }
        name if (splits_at_spaces(name) || name == "rouge") && by_spaces => by_tokenizer(),
        _ => None,
    }
}

fn no_spaces(options: Option<&str>) -> Option<LanguageProblem> {
    Some(LanguageProblem::NoSpaces { options: options.map(str::to_owned) })
}

/// BLEU of Japanese and Korean with another tokenizer than sacreBLEU's.
fn usual_tokenizer(signature: &Spec, language: &Language) -> Option<LanguageProblem> {
    let usual = Tokenizer::usual(language)?;
    // Without a tokenizer the text may have been tokenized before, by the usual one too. Those with a model are known
    // too.
    let is_other = |used: &&str| *used != Tokenizer::None.name() && !Tokenizer::needs_model(used);
    Some(LanguageProblem::UsualTokenizer {
        used: signature.option("tok").filter(is_other)?.to_owned(),
        usual: usual.to_owned(),
        dictionary: Tokenizer::advice(usual).unwrap_or_default(),
        chosen: Tokenizer::for_language(language).to_owned(),
    })
}

fn meteor_problem(signature: &Spec, language: &Language, unsegmented: bool) -> Option<LanguageProblem> {
    let used = signature.option("lang").unwrap_or_default();
    let lang = meteor::language_option(language.code());
    let name = || (used != "other").then(|| meteor::language_name(used));
    if unsegmented && lang.is_none() {
        // Its tokenizer sets every character apart that is no Western or Cyrillic letter.
        return match name().filter(|_| signature.option("norm") == Some("yes")) {
            Some(used) => Some(LanguageProblem::CharactersByMeteor { used }),
            None => no_spaces(None),
        };
    }
    let other = |lang: &str| Some(LanguageProblem::MeteorLanguage { used: name(), lang: lang.to_owned() });
    match lang {
        Some(lang) if used != lang => other(lang),
        None if used != "other" => other("other"),
        None => Some(LanguageProblem::UnknownToMeteor),
        Some(lang) if !meteor::normalizes(lang) => Some(LanguageProblem::UntokenizedByMeteor),
        Some(_) => None,
    }
}

fn is_chinese_or_japanese(language: &Language) -> bool {
    matches!(language.code(), "zh" | "ja")
}

/// Whether a tokenizer keeps letters together that no space separates.
fn tokenizes_at_spaces(tokenizer: &str) -> bool {
    let splits = [Tokenizer::Zh, Tokenizer::Char, Tokenizer::MtevalIntlNonascii];
    !Tokenizer::needs_model(tokenizer) && splits.iter().all(|splitting| splitting.name() != tokenizer)
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
        let signature = Registry::lexical().build(text).unwrap().signature();
        language_warning(&signature, &language(code), false, false).iter().map(Warning::to_string).collect()
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
    fn a_metric_for_english_only_is_told_of_other_languages() {
        let of = |code: &str| {
            let warning = language_warning(&Spec::new("reval"), &language(code), false, false);
            warning.iter().map(Warning::to_string).collect::<Vec<_>>()
        };
        assert_eq!(of("en"), [""; 0]);
        let expected = "reval: the text is German, and reval is for English: its words and its parser are";
        assert_eq!(of("de"), [expected]);
        let siamese = |spec: Spec| language_warning(&spec, &language("de"), false, false);
        let warnings = siamese(Spec::new("siamese"));
        let expected = "siamese: the text is German, and siamese is for English: it has learned no other language";
        assert_eq!(warnings.iter().map(Warning::to_string).collect::<Vec<_>>(), [expected]);
        assert_eq!(siamese(Spec::new("siamese").with_option("model", "own.safetensors")), None);
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
        let signature = Registry::lexical().build("bleu:tok=none").unwrap().signature();
        assert_eq!(language_warning(&signature, &language("zh"), true, false), None);
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
                "ter: Chinese has no spaces between words, so a whole sentence counts as one word (use ter:normalized=yes,asian_support=yes)",
            ),
            (
                "ter",
                "th",
                "ter: Thai has no spaces between words, so a whole sentence counts as one word (split the text into words, or use cer or chrf)",
            ),
            (
                "rouge",
                "de",
                "rouge: tok=rouge keeps only letters from a to z and digits, and the text is German (use rouge:tok=13a)",
            ),
            (
                "overlap",
                "zh",
                "overlap: Chinese has no spaces between words, so a whole sentence counts as one word (use overlap:tok=zh)",
            ),
            ("meteor", "ru", "meteor: the text is Russian, not English (use meteor:lang=ru)"),
            ("meteor", "hi", "meteor: the text is Hindi, not English (use meteor:lang=other)"),
            ("meteor:lang=other", "de", "meteor: the text is German, which METEOR knows (use meteor:lang=de)"),
            (
                "meteor",
                "zh",
                "meteor: METEOR does not know Chinese, and its tokenizer for English counts every character as a word (split the \
                 text into words and use meteor:lang=other, or use cer or chrf)",
            ),
            (
                "meteor:norm=no",
                "zh",
                "meteor: Chinese has no spaces between words, so a whole sentence counts as one word (split the text into words, or use cer or chrf)",
            ),
            (
                "meteor:lang=other",
                "th",
                "meteor: Thai has no spaces between words, so a whole sentence counts as one word (split the text into words, or use cer or chrf)",
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
