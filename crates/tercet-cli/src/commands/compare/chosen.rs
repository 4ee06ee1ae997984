//! The metric that compares two systems, and what is told of its verdict.

use crate::commands::default_metrics::{ShownWarnings, learned_metric_in_time};
use crate::commands::explain;
use crate::habits;
use crate::registry;
use std::sync::Arc;
use tercet::metrics::{NamedMetric, Preference, Spec};
use tercet::progress::Progress;
use tercet::report::verdict;
use tercet::scoring::{self, CompareRequest, Corpus, SystemComparison};
use tercet::text::Language;

/// The metric, if none is given and the learned one does not suit the texts.
const DEFAULT_METRIC: &str = "chrf";

/// What is told beside the learned metric, if none is given.
const OTHER_METRICS: [&str; 2] = ["bleu", "chrf"];

/// Decimals of probabilities, if no number is given.
pub const DECIMALS: usize = 2;

/// How to compare.
#[derive(Clone, Copy)]
pub struct Choices<'a> {
    /// The metric; `None` for the default one.
    pub metric: Option<&'a str>,
    /// The target language.
    pub language: Option<&'a Language>,
    /// Whether to do without the learned metric by default.
    pub fast: bool,
    /// Whether to mark words.
    pub explain: bool,
    /// The warnings that are printed.
    pub warnings: ShownWarnings,
    /// Decimals of probabilities in remarks.
    pub decimals: usize,
}

/// The metric.
pub struct Chosen {
    pub preference: Arc<dyn Preference>,
    pub metric: String,
    is_given: bool,
}

impl Choices<'_> {
    /// The metric that is given, if any.
    pub fn given(&self) -> anyhow::Result<Option<Chosen>> {
        let built = |metric: &str| {
            let preference = self.preference(metric)?;
            Ok(Chosen { preference, metric: metric.to_owned(), is_given: true })
        };
        self.metric.map(built).transpose()
    }

    /// The metric for these texts, if none is given.
    pub fn default(&self, corpus: &Corpus<'_>) -> anyhow::Result<Chosen> {
        let learned = match (self.fast, self.explain) {
            (true, _) => None,
            (false, true) => scoring::embedded_metric(registry()),
            (false, false) => learned_metric_in_time(
                corpus.references(),
                corpus.distinct_line_count(),
                self.language,
                &[],
                self.warnings,
            ),
        };
        let metric = learned.unwrap_or(DEFAULT_METRIC);
        Ok(Chosen { preference: self.preference(metric)?, metric: metric.to_owned(), is_given: false })
    }

    /// The metric behind a preference; its slope is no part of it.
    pub fn metric_of_preference(&self, metric: &str) -> anyhow::Result<NamedMetric> {
        let spec = habits::metrics::of_sacrebleu(metric, self.warnings == ShownWarnings::None)?;
        let without_slope = Spec::parse("metric", &spec)?.without_qualifiers().to_string();
        Ok(registry().named(&without_slope, self.language)?)
    }

    /// The preference of a metric, for the target language if it is given.
    fn preference(&self, metric: &str) -> anyhow::Result<Arc<dyn Preference>> {
        let spec = habits::metrics::of_sacrebleu(metric, self.warnings == ShownWarnings::None)?;
        let built = registry().preference(&spec, self.language);
        built.map_err(|error| habits::metrics::explain(metric, error))
    }
}

impl Chosen {
    /// Compares, with remarks; `known` are the probabilities, if they were computed before, `explained` the segments whose words are marked.
    pub fn compare(
        &self,
        corpus: &Corpus<'_>,
        choices: &Choices<'_>,
        request: &CompareRequest,
        known: Option<Vec<f64>>,
        explained: impl FnOnce(&SystemComparison) -> Vec<usize>,
        progress: Progress<'_>,
    ) -> anyhow::Result<SystemComparison> {
        let preference = self.preference.as_ref();
        let mut compared = match known {
            Some(known) => scoring::compare_by(corpus, preference, known, request, progress)?,
            None => scoring::compare(corpus, preference, request, progress)?,
        };
        if let Some(explainer) = self.preference.explainer().filter(|_| choices.explain) {
            let segments = explained(&compared);
            compared.explain(corpus, explainer, &segments, progress)?;
            compared.remarks.push(explain::note(explainer));
        }
        if !self.is_given && self.metric != DEFAULT_METRIC {
            for metric in OTHER_METRICS {
                let preference = choices.preference(metric)?;
                let other = scoring::compare(corpus, preference.as_ref(), request, progress)?;
                compared.remarks.push(verdict(&other, choices.decimals));
            }
        }
        let signature = self.preference.signature();
        compared.remarks.extend(scoring::fitted_to_another_language(
            corpus.references(),
            &signature,
            choices.language,
        ));
        Ok(compared)
    }
}
