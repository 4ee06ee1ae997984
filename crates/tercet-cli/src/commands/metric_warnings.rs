//! Warnings about texts, and about metrics: those that do not fit the language of the text, and resources that are missing.

use crate::output;
use std::collections::BTreeSet;
use tercet::metrics::{LanguageWarning, Spec};
use tercet::scoring::{Corpus, Warning, check, check_metrics};
use tercet::text::{Language, Tokenizer};

/// Prints warnings about metrics, each of them once.
#[derive(Default)]
pub struct MetricWarnings {
    printed: BTreeSet<String>,
    /// Whether METEOR is set to another language than that of the last text: what else it lacks does not matter then.
    other_meteor: bool,
}

impl MetricWarnings {
    /// Warns of metrics, by their signatures, that do not fit the language of the references.
    pub fn of_language(
        &mut self,
        references: &[Vec<&str>],
        signatures: &[Spec],
        language: Option<&Language>,
    ) {
        if let Some(doubt) = language.and_then(Language::doubt) {
            self.print(doubt);
        }
        let warnings = check_metrics(references, signatures, language);
        self.other_meteor = warnings.iter().any(|warning| match warning {
            Warning::MeteorScript { .. } => true,
            Warning::Metric { warning, .. } => warning.is_of_meteor_for_another_language(),
            _ => false,
        });
        for warning in warnings {
            self.print(with_flag(&warning));
        }
    }

    /// Prints what metrics say about themselves.
    pub fn of_metrics(&mut self, warnings: impl IntoIterator<Item = String>) {
        for warning in warnings {
            if !(self.other_meteor && warning.starts_with("meteor: ")) {
                self.print(warning);
            }
        }
    }

    fn print(&mut self, warning: String) {
        if !self.printed.contains(&warning) {
            output::warn(&warning);
            self.printed.insert(warning);
        }
    }
}

/// Prints warnings about texts, with commands that help.
pub fn warn_of_texts(corpus: &Corpus<'_>) {
    for warning in check(corpus) {
        match warning {
            Warning::ByteOrderMark { .. } => {
                output::warn(format_args!("{warning} with sed '1s/^\\xEF\\xBB\\xBF//'"));
            }
            _ => output::warn(warning),
        }
    }
}

/// The warning, and the flag that names the language if that helps.
fn with_flag(warning: &Warning) -> String {
    let Some(language) = warning.is_solved_by_language() else { return warning.to_string() };
    let chosen = match warning {
        Warning::Metric { warning: LanguageWarning::UsualTokenizer { language, .. }, .. } => {
            format!("tok={}", Tokenizer::for_language(language))
        }
        _ => "it".to_owned(),
    };
    format!("{warning}; -l {} chooses {chosen}", language.map_or("LANG", Language::code))
}
