//! METEOR's tuned parameters, module weights and modules, by language and task.
//!
//! The numbers are those of METEOR 1.5 (Denkowski & Lavie 2014, tables 2 and 3, and its distribution). Tasks: `rank`
//! (WMT rankings), `adq` (adequacy), `hter` (post-editing), `util` (usefulness to translators), `li` (independent of
//! language), `tune` (balanced, for tuning systems), `universal` (any language with a paraphrase table).

/// A source of matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Module {
    /// The same word.
    Exact,
    /// Words of the same stem.
    Stem,
    /// Words with a set of synonyms in common.
    Synonym,
    /// Phrases that a table lists as paraphrases.
    Paraphrase,
}

impl Module {
    /// All modules, in METEOR's order.
    pub const ALL: [Module; 4] = [Module::Exact, Module::Stem, Module::Synonym, Module::Paraphrase];

    /// Its name in `modules=`.
    pub fn name(self) -> &'static str {
        match self {
            Module::Exact => "exact",
            Module::Stem => "stem",
            Module::Synonym => "synonym",
            Module::Paraphrase => "paraphrase",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Module::ALL.into_iter().find(|module| module.name() == name)
    }
}

/// A language METEOR knows by name.
#[derive(Debug)]
pub(super) struct Language {
    /// METEOR's code, which signatures use.
    pub(super) code: &'static str,
    /// The name in its files.
    pub(super) name: &'static str,
    /// Other codes of the language.
    also: &'static [&'static str],
}

static LANGUAGES: &[Language] = &[
    Language { code: "en", name: "english", also: &[] },
    Language { code: "cz", name: "czech", also: &["cs"] },
    Language { code: "fr", name: "french", also: &[] },
    Language { code: "es", name: "spanish", also: &[] },
    Language { code: "de", name: "german", also: &[] },
    Language { code: "ar-bw-red", name: "arabic-buckwalter-reduced", also: &["ar"] },
    Language { code: "pt", name: "portuguese", also: &[] },
    Language { code: "ru", name: "russian", also: &[] },
    Language { code: "da", name: "danish", also: &[] },
    Language { code: "ro", name: "romanian", also: &[] },
    Language { code: "hu", name: "hungarian", also: &[] },
    Language { code: "tr", name: "turkish", also: &[] },
    Language { code: "fi", name: "finnish", also: &[] },
    Language { code: "nl", name: "dutch", also: &[] },
    Language { code: "it", name: "italian", also: &[] },
    Language { code: "no", name: "norwegian", also: &[] },
    Language { code: "se", name: "swedish", also: &["sv"] },
    Language { code: "other", name: "other", also: &["xx"] },
];

/// The values of `lang=`: METEOR's codes, its names, and the codes of ISO 639 where they differ.
#[rustfmt::skip]
pub(super) const LANGUAGE_NAMES: &[&str] = &[
    "en", "cz", "fr", "es", "de", "ar-bw-red", "pt", "ru", "da", "ro", "hu", "tr", "fi", "nl", "it", "no", "se",
    "other", "cs", "ar", "sv", "xx", "english", "czech", "french", "spanish", "german", "arabic-buckwalter-reduced",
    "portuguese", "russian", "danish", "romanian", "hungarian", "turkish", "finnish",
    "dutch", "italian", "norwegian", "swedish",
];

/// The values of `task=`.
pub(super) const TASKS: &[&str] = &["rank", "adq", "hter", "util", "li", "tune", "universal"];

impl Language {
    pub(super) fn from_name(name: &str) -> Option<&'static Self> {
        LANGUAGES
            .iter()
            .find(|language| language.code == name || language.name == name || language.also.contains(&name))
    }

    /// Whether METEOR was tuned to it and can normalise it.
    pub(super) fn is_tuned(&self) -> bool {
        matches!(self.code, "en" | "cz" | "fr" | "es" | "de" | "ru")
    }

    /// The default task.
    pub(super) fn default_task(&self) -> &'static str {
        if self.is_tuned() { "rank" } else { "li" }
    }

    /// METEOR's default modules.
    pub(super) fn default_modules(&self, task: &str) -> &'static [Module] {
        use Module::{Exact, Paraphrase, Stem, Synonym};
        match self.code {
            _ if task == "universal" => &[Exact, Paraphrase],
            "en" => &[Exact, Stem, Synonym, Paraphrase],
            "fr" | "es" | "de" | "ru" => &[Exact, Stem, Paraphrase],
            "cz" => &[Exact, Paraphrase],
            "other" => &[Exact],
            _ => &[Exact, Stem],
        }
    }
}

/// The parameters of the score.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Weight of recall against precision.
    pub alpha: f64,
    /// How fast the penalty grows with fragmentation.
    pub beta: f64,
    /// The largest penalty.
    pub gamma: f64,
    /// Weight of content words against function words.
    pub delta: f64,
    /// The weight of a match by each module, in the order of the modules.
    pub weights: Vec<f64>,
}

impl Parameters {
    /// METEOR's parameters for a language and task; `None` where it was not tuned (its tables have zeros there, and
    /// every score would be 0). Weights go by position: the first belongs to the first module, whichever it is, and
    /// modules beyond the default ones of the language have weight 0.
    pub(super) fn tuned(language: &Language, task: &str, modules: usize) -> Option<Self> {
        let ([alpha, beta, gamma, delta], weights) = match (task, language.code) {
            ("universal", _) => ([0.7, 1.4, 0.3, 0.7], [1.0, 0.6, 0.0, 0.0]),
            ("li", _) | (_, "other") => ([0.75, 1.4, 0.7, 0.5], [1.0, 0.5, 0.5, 0.5]),
            ("tune", _) => ([0.5, 1.0, 0.5, 0.5], [1.0, 0.5, 0.5, 0.5]),
            ("rank", "en") => ([0.85, 0.2, 0.6, 0.75], [1.0, 0.6, 0.8, 0.6]),
            ("rank", "cz") => ([0.95, 0.2, 0.6, 0.8], [1.0, 0.4, 0.0, 0.0]),
            ("rank", "fr") => ([0.9, 1.4, 0.6, 0.65], [1.0, 0.2, 0.4, 0.0]),
            ("rank", "es") => ([0.65, 1.3, 0.5, 0.8], [1.0, 0.8, 0.6, 0.0]),
            ("rank", "de") => ([0.95, 1.0, 0.55, 0.55], [1.0, 0.8, 0.2, 0.0]),
            ("rank", "ru") => ([0.75, 1.4, 0.7, 0.5], [1.0, 0.5, 0.5, 0.0]),
            ("adq", "en") => ([0.75, 1.4, 0.45, 0.7], [1.0, 1.0, 0.6, 0.8]),
            ("hter", "en") => ([0.4, 1.5, 0.35, 0.55], [1.0, 0.2, 0.6, 0.8]),
            ("util", "en") => ([0.65, 0.1, 0.55, 0.65], [1.0, 0.0, 0.0, 0.8]),
            _ => return None,
        };
        let mut weights = weights[..language.default_modules(task).len()].to_vec();
        weights.resize(modules, 0.0);
        Some(Parameters { alpha, beta, gamma, delta, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(name: &str) -> &'static Language {
        Language::from_name(name).unwrap()
    }

    #[test]
    fn every_name_that_is_offered_is_a_language() {
        for name in LANGUAGE_NAMES {
            assert!(Language::from_name(name).is_some(), "{name}");
        }
        assert_eq!(language("cs").code, "cz");
        assert_eq!(language("ar").code, "ar-bw-red");
    }

    #[test]
    fn weights_go_by_position_and_stop_at_the_default_modules() {
        assert_eq!(Parameters::tuned(language("en"), "rank", 3).unwrap().weights, [1.0, 0.6, 0.8]);
        assert_eq!(Parameters::tuned(language("cz"), "rank", 3).unwrap().weights, [1.0, 0.4, 0.0]);
        assert_eq!(Parameters::tuned(language("other"), "li", 2).unwrap().weights, [1.0, 0.0]);
        assert_eq!(Parameters::tuned(language("pt"), "tune", 2).unwrap().weights, [1.0, 0.5]);
    }

    #[test]
    fn only_what_was_tuned_has_parameters() {
        assert_eq!(Parameters::tuned(language("de"), "adq", 2), None);
        assert_eq!(Parameters::tuned(language("pt"), "rank", 2), None);
        assert!(Parameters::tuned(language("other"), "adq", 1).is_some());
    }
}
