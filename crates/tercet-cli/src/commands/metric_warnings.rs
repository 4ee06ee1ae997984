//! Warnings about metrics: those that do not fit the language of the text, and resources that are missing.

use crate::output;
use std::collections::BTreeSet;
use tercet::metrics::Spec;
use tercet::scoring::{Warning, check_metrics};
use tercet::text::Language;

/// Prints warnings about metrics, each of them once.
#[derive(Default)]
pub struct MetricWarnings {
    printed: BTreeSet<String>,
}

impl MetricWarnings {
    /// Warns of metrics, by their signatures, that do not fit the language of the references.
    pub fn of_language(
        &mut self,
        references: &[Vec<&str>],
        signatures: &[Spec],
        language: Option<&Language>,
    ) {
        for warning in check_metrics(references, signatures, language) {
            self.print(with_flag(&warning));
        }
    }

    /// Prints what metrics say about themselves.
    pub fn of_metrics(&mut self, warnings: impl IntoIterator<Item = String>) {
        warnings.into_iter().for_each(|warning| self.print(warning));
    }

    fn print(&mut self, warning: String) {
        if !self.printed.contains(&warning) {
            output::warn(&warning);
            self.printed.insert(warning);
        }
    }
}

/// The warning, and the flag that names the language if that helps.
fn with_flag(warning: &Warning) -> String {
    match warning.is_solved_by_language() {
        Some(language) => format!("{warning}; -l {} chooses it", language.map_or("LANG", Language::code)),
        None => warning.to_string(),
    }
}
