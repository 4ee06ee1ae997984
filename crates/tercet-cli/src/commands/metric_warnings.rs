//! Warnings about metrics that are printed once although several sets of texts have them.

use crate::output;
use tercet::metrics::{MetricInfo, Spec};
use tercet::scoring::check_language;
use tercet::text::Language;
use tercet::warning::Warning;

/// The warnings that were printed.
#[derive(Default)]
pub struct MetricWarnings(Vec<Warning>);

impl MetricWarnings {
    /// Warns of metrics that do not fit the language of the references, and of what they lack.
    pub fn of_language(
        &mut self,
        references: &[Vec<&str>],
        metrics: &[(&MetricInfo, Spec)],
        own: impl IntoIterator<Item = Warning>,
        language: Option<&Language>,
    ) {
        self.print(check_language(references, metrics, own, language));
    }

    /// Prints those that were not printed before.
    pub fn print(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        for warning in warnings {
            if !self.0.contains(&warning) {
                output::warn_of(&warning);
                self.0.push(warning);
            }
        }
    }
}
