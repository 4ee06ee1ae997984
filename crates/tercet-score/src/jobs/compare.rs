//! Which of two systems is better.

use super::default_metrics::Lines;
use super::metric_request::MetricRequest;
use super::resampling::{self, RESAMPLES, Seed, TRIALS};
use super::{check_documents, check_words, warn_all};
use crate::checks::{check, check_language, fitted_to_another_language, signature_differences, target};
use crate::compare::{CompareRequest, Side, SystemComparison, check_gate, compare, compare_by};
use crate::default_metrics::LEARNED;
use crate::error::{Error, Result};
use crate::evaluate::{EvaluateRequest, Test, evaluate_preferring};
use crate::gate::GateRules;
use crate::metrics::{NamedMetric, Preference, Registry};
use crate::progress::Progress;
use crate::text::Language;
use crate::warning::{Done, Warning};
use crate::{
    Corpus, DEFAULT_METRIC, DEFAULT_METRICS, Evaluation, GateRequest, GateResult, ResampleBy, detect_language,
    embedded_metric, too_few,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The metrics whose verdicts stand beside that of the learned metric, if no metric is named.
const OTHER_METRICS: [&str; 2] = ["bleu", "chrf"];

tercet_base::defaults! {
    /// Which of two systems is better, segment by segment and overall.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct CompareJob {
        /// The metric; if it is not given, the learned one for English, [`DEFAULT_METRIC`] for other languages.
        pub metric: Option<MetricRequest> = None,
        /// The target language; found in the text, as far as needed, if it is not given.
        pub language: Option<Language> = None,
        /// Whether the learned metric is its smaller model, by default; without that it is left out.
        pub fast: bool = false,
        /// Whether to show which words of segments have no good partner.
        pub explain: bool = false,
        /// With `explain`: the number of segments for each system, those where it is most clearly better; all if it is
        /// not given.
        pub top: Option<usize> = None,
        /// Resamples and trials; if not given, [`RESAMPLES`] and [`TRIALS`].
        #[serde(alias = "samples")]
        pub resamples: Option<usize> = None,
        /// Their seed.
        pub seed: Seed = Seed::default(),
        /// What resamples draw, and trials exchange, as a whole.
        pub resample_by: ResampleBy = ResampleBy::Segment,
        /// The gate: it fails where one of these [conditions](crate::Condition) about
        /// `probability` holds, the mean probability that people prefer a system.
        pub fail_if: Vec<String> = Vec::new(),
        /// The gate: it fails unless a test shows that all others are no worse than this system.
        pub no_worse_than: Option<String> = None,
        /// With `no_worse_than`: the largest loss that is accepted; [`usual_margin`](crate::usual_margin) if it is not
        /// given.
        pub margin: Option<f64> = None,
        /// The gate: it fails if there are warnings.
        pub strict: bool = false,
        /// Whether to warn of suspicious texts.
        pub checks: bool = true,
        /// Whether to compute everything that a page shows.
        #[serde(skip)]
        pub page: bool = false,
    }
}

/// A comparison.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compared {
    /// The comparison.
    pub comparison: SystemComparison,
    /// What a page shows beside it, if that is asked for: scores by the metric that compares and by lexical ones.
    pub page: Option<(Evaluation, Vec<NamedMetric>)>,
}

/// The metric that compares.
#[derive(Clone)]
pub struct Chosen {
    /// The preference.
    pub preference: Arc<dyn Preference>,
    metric: MetricRequest,
    /// Whether what other metrics say is told too.
    has_others: bool,
}

impl CompareJob {
    /// Returns an error for settings that cannot be met.
    pub fn validate(&self, registry: &Registry) -> Result<()> {
        if self.top.is_some() && !self.explain {
            return Err(Error::NoEffect { setting: "top", needs: "explain" });
        }
        resampling::check(self.resamples)?;
        self.gate()?;
        self.metric.as_ref().map_or(Ok(()), |metric| metric.check(registry))
    }

    /// Returns an error unless there are two systems.
    pub fn check_systems(found: usize) -> Result<()> {
        match found {
            2 => Ok(()),
            _ => Err(Error::SystemCount { expected: "two systems to compare", found }),
        }
    }

    /// The metric that is named, if one is.
    pub fn build(&self, registry: &Registry, progress: Progress<'_>) -> Result<Option<Chosen>> {
        self.metric.as_ref().map(|metric| self.chosen(metric.clone(), false, registry, progress)).transpose()
    }

    fn chosen(
        &self,
        metric: MetricRequest,
        has_others: bool,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Chosen> {
        let preference = metric.preference(self.language.as_ref(), registry, progress)?;
        Ok(Chosen { preference, metric, has_others })
    }

    /// The metric for these texts, if none is named.
    pub fn choose(&self, corpus: &Corpus<'_>, registry: &Registry, progress: Progress<'_>) -> Result<Chosen> {
        let lines = Lines {
            references: corpus.references(),
            count: &|| corpus.distinct_line_count(),
            language: self.language.as_ref(),
            fast: self.fast,
            checks: self.checks,
        };
        let learned = match self.explain && !self.fast {
            true => embedded_metric(registry),
            false => lines.learned_metric(&[], registry, progress)?,
        };
        self.chosen(learned.unwrap_or(DEFAULT_METRIC).into(), learned.is_some(), registry, progress)
    }

    /// The metric as it compares by the source alone: the one that is named, or the learned one.
    fn choose_by_source(
        &self,
        named: Option<Chosen>,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Chosen> {
        let named = named.map_or_else(|| LEARNED.into(), |chosen| chosen.metric);
        let language = self.language.clone().or_else(|| detect_language(&corpus.lines_in_target()));
        let metric = named.without_references(registry)?;
        let preference = metric.preference(language.as_ref(), registry, progress)?;
        Ok(Chosen { preference, metric, has_others: false })
    }

    /// Compares the two systems of a corpus.
    pub fn run(&self, corpus: &Corpus<'_>, registry: &Registry, progress: Progress<'_>) -> Result<Done<Compared>> {
        self.validate(registry)?;
        self.with_warnings(Done::collect(progress, |progress| {
            let chosen = self.build(registry, progress)?;
            self.compare(chosen, corpus, registry, progress)
        }))
    }

    /// The same by a metric that is built; by the default one if there is none.
    pub fn run_with(
        &self,
        chosen: Option<Chosen>,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<Compared>> {
        self.validate(registry)?;
        self.with_warnings(Done::collect(progress, |progress| self.compare(chosen, corpus, registry, progress)))
    }

    fn with_warnings(&self, done: Result<Done<Compared>>) -> Result<Done<Compared>> {
        let mut done = done?;
        let Done { result, warnings } = &mut done;
        self.judge_warnings(result, warnings);
        Ok(done)
    }

    /// Tells the comparison what its readers should know; with `strict`, lets the gate fail because of it.
    pub fn judge_warnings(&self, compared: &mut Compared, warnings: &[Warning]) {
        let Compared { comparison, page } = compared;
        comparison.warnings = warnings.to_vec();
        if self.strict {
            GateResult::set_warnings(&mut comparison.gate, warnings);
        }
        if let Some((evaluation, _)) = page {
            evaluation.gate.clone_from(&comparison.gate);
        }
    }

    fn compare(
        &self,
        chosen: Option<Chosen>,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Compared> {
        Self::check_systems(corpus.systems().len())?;
        let gate = self.gate()?;
        if let Some(gate) = &gate {
            check_gate(gate, corpus)?;
        }
        check_words(corpus, self.explain || self.page)?;
        let chosen = match chosen {
            named if !corpus.has_references() => self.choose_by_source(named, corpus, registry, progress)?,
            Some(chosen) => chosen,
            None => self.choose(corpus, registry, progress)?,
        };
        let preference = chosen.preference.as_ref();
        if self.explain && preference.metric().explainer().is_none() {
            return Err(Error::NotExplained { metrics: preference.metric().title() });
        }
        if self.checks {
            let own = preference.metric().warnings();
            warn_all(check(corpus), progress)?;
            let metrics = [(preference.metric().info(), preference.signature())];
            warn_all(check_language(&corpus.lines_in_target(), &metrics, own, self.language.as_ref()), progress)?;
        }
        warn_all(too_few::comparison(corpus.len()).filter(|_| self.checks), progress)?;
        check_documents(corpus, self.resample_by, self.checks, progress)?;
        let page = if self.page { Some(self.scores_for_page(&chosen, corpus, registry, progress)?) } else { None };
        let (page, known) = page.map_or((None, None), |(page, known)| (Some(page), known));
        let mut comparison = self.compare_by(&chosen, corpus, known, registry, progress)?;
        if let Some((evaluation, _)) = &page
            && let [a, b] = evaluation.columns[0].cells.as_slice()
        {
            comparison.scores = Some([a.score, b.score]);
        }
        comparison.add_people_agree(preference, target(corpus.references(), self.language.as_ref()));
        if let Some(gate) = gate {
            comparison.check_gate(gate, corpus, progress)?;
        }
        warn_all(too_few::differences_of_two(&comparison).filter(|_| self.checks), progress)?;
        warn_all(signature_differences(&chosen.metric.name, &comparison.signature), progress)?;
        Ok(Compared { comparison, page })
    }

    /// Compares by a metric; `known` are its probabilities, if they were computed before.
    pub fn compare_by(
        &self,
        chosen: &Chosen,
        corpus: &Corpus<'_>,
        known: Option<Vec<f64>>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<SystemComparison> {
        let (preference, language) = (chosen.preference.as_ref(), self.language.as_ref());
        let request = CompareRequest {
            interval: self.seed.resampling(self.resamples, RESAMPLES),
            test: self.seed.resampling(self.resamples, TRIALS),
            by: self.resample_by,
        };
        let mut compared = match known {
            Some(known) => compare_by(corpus, preference, known, &request, progress)?,
            None => compare(corpus, preference, &request, progress)?,
        };
        if let Some(explainer) = preference.metric().explainer().filter(|_| self.explain) {
            let segments = match self.top {
                Some(top) => [Side::A, Side::B].iter().flat_map(|side| compared.clearest(*side, top)).collect(),
                None => (0..corpus.len()).collect::<Vec<usize>>(),
            };
            compared.explain(corpus, explainer, &segments, progress)?;
        }
        let others = if chosen.has_others { &OTHER_METRICS[..] } else { &[] };
        for metric in others {
            let preference = MetricRequest::from(*metric).preference(language, registry, progress)?;
            let mut other = compare(corpus, preference.as_ref(), &request, progress)?;
            other.add_people_agree(preference.as_ref(), target(corpus.references(), language));
            compared.others.push(other);
        }
        let metric = (preference.metric().info(), &preference.signature());
        let has_references = corpus.has_references();
        let is_embedded = embedded_metric(registry) == Some(metric.0.name) && metric.1.option("model").is_none();
        compared.fitted_to_recent = has_references && is_embedded;
        compared.fitted_to_wmt = has_references && metric.0.has_fitted_slope(metric.1);
        compared.other_language = fitted_to_another_language(&corpus.lines_in_target(), metric, language);
        Ok(compared)
    }

    /// Scores by the metric that compares and by lexical ones, and the probabilities, if the scores give them.
    #[allow(clippy::type_complexity)]
    fn scores_for_page(
        &self,
        chosen: &Chosen,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<((Evaluation, Vec<NamedMetric>), Option<Vec<f64>>)> {
        let language = self.language.as_ref();
        // A slope is no part of the metric.
        let own = chosen.metric.spec()?.without_qualifiers().to_string();
        let own = registry.named(&own, language)?;
        let name = own.metric.signature().name().to_owned();
        let others = DEFAULT_METRICS.iter().filter(|other| **other != name);
        let others = others.map(|other| registry.named(other, language));
        let metrics = std::iter::once(Ok(own)).chain(others).collect::<Result<Vec<_>>>()?;
        let request = EvaluateRequest {
            resample_by: self.resample_by,
            language: self.language.clone(),
            ..EvaluateRequest::default()
        };
        let request = request.for_page(self.seed.0, 2);
        let preference = Some(chosen.preference.as_ref());
        let (evaluation, known) = evaluate_preferring(corpus, &metrics, preference, &request, progress)?;
        Ok(((evaluation, metrics), known))
    }

    /// The gate, if there is one.
    fn gate(&self) -> Result<Option<GateRequest>> {
        let rules = GateRules {
            fail_if: &self.fail_if,
            no_worse_than: self.no_worse_than.as_deref(),
            margin: self.margin,
            test: Test::Randomisation,
            resamples: self.resamples,
            seed: self.seed,
        };
        rules.request()
    }
}
