//! Scores of systems.

use super::default_metrics::Lines;
use super::metric_request::MetricRequest;
use super::resampling::{self, Correction, RESAMPLES, Seed};
use super::{check_documents, check_results, check_sizes, check_words, warn_all};
use crate::corpora::ScoreColumn;
use crate::default_metrics::LEARNED;
use crate::error::{Error, Result};
use crate::evaluate::{EvaluateRequest, Paired, Pairs, Test};
use crate::explain::{Explained, explain_worst};
use crate::gate::GateRules;
use crate::metrics::{NamedMetric, Registry};
use crate::progress::{Event, Progress};
use crate::text::Language;
use crate::too_few::differences;
use crate::warning::{Done, Reported, Warning};
use crate::{
    Corpus, DEFAULT_METRICS, Evaluation, GateRequest, GateResult, ResampleBy, ScoreLevels, StreamScorer,
    StreamedSystem, embedded_metric, evaluate, evaluate_scores, remarks,
};
use serde::{Deserialize, Serialize};

tercet_base::defaults! {
    /// Scores of systems by metrics, with intervals and paired tests.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ScoreJob {
        /// The metrics; if there are none, [`DEFAULT_METRICS`] as they suit the language, and for English the learned
        /// one.
        pub metrics: Vec<MetricRequest> = Vec::new(),
        /// The target language; found in the text, as far as needed, if it is not given.
        pub language: Option<Language> = None,
        /// Whether the learned metric is its smaller model, by default; without that it is left out.
        pub fast: bool = false,
        /// Scores of systems, of documents, of segments, or of systems and segments.
        pub level: ScoreLevels = ScoreLevels::System,
        /// Whether results have the components of scores.
        pub components: bool = false,
        /// Whether to show which words of segments have no good partner.
        pub explain: bool = false,
        /// With `explain`: the number of segments of each system, those with the worst scores; all of them if it is not
        /// given.
        pub top: Option<usize> = None,
        /// Whether to compute bootstrap intervals.
        pub confidence: bool = false,
        /// What resamples draw, and trials exchange, as a whole.
        pub resample_by: ResampleBy = ResampleBy::Segment,
        /// The paired test.
        pub paired: Option<Test> = None,
        /// The system that others are tested against; the first if it is not given.
        pub baseline: Option<String> = None,
        /// Whether to test all pairs of systems.
        pub all_pairs: bool = false,
        /// How p-values are adjusted for the number of tests.
        pub correction: Option<Correction> = None,
        /// Resamples or trials; if not given, [`RESAMPLES`] or [`TRIALS`](super::TRIALS).
        #[serde(alias = "samples")]
        pub resamples: Option<usize> = None,
        /// Their seed.
        pub seed: Seed = Seed::default(),
        /// The gate: it fails where one of these [conditions](crate::Condition) holds.
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

/// Scores, and what they were computed by.
#[derive(Clone, Debug, Serialize)]
pub struct Scored {
    /// The scores.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// The metrics.
    #[serde(skip)]
    pub metrics: Vec<NamedMetric>,
    /// The words behind them, if asked for.
    #[serde(skip)]
    pub explained: Option<Explained>,
}

impl ScoreJob {
    /// Returns an error for settings that cannot be met or would have no effect.
    pub fn validate(&self, registry: &Registry) -> Result<()> {
        self.metrics.iter().try_for_each(|metric| metric.check(registry))?;
        resampling::check(self.resamples)?;
        let for_tests = [
            ("baseline", self.baseline.is_some()),
            ("all_pairs", self.all_pairs),
            ("correction", self.correction.is_some()),
        ];
        if let Some((setting, _)) = for_tests.into_iter().find(|(_, given)| *given && self.paired.is_none()) {
            return Err(Error::NoEffect { setting, needs: "a paired test (paired: bs or ar)" });
        }
        let has_test = self.gate()?.is_some_and(|gate| gate.has_test());
        if self.resamples.is_some() && self.paired.is_none() && !self.confidence && !has_test {
            return Err(Error::NoEffect { setting: "resamples", needs: "confidence or a paired test" });
        }
        if self.resample_by == ResampleBy::Document && self.paired.is_none() && !self.confidence && !has_test {
            return Err(Error::NoEffect { setting: "resample_by", needs: "confidence or a paired test" });
        }
        if self.baseline.is_some() && self.all_pairs {
            return Err(Error::NoEffect { setting: "baseline", needs: "a test against one system (no all_pairs)" });
        }
        if self.explain && self.level.has_documents() {
            return Err(Error::BadRequest("explain shows segments: leave out the level document".to_owned()));
        }
        if self.top.is_some() && !self.explain {
            return Err(Error::NoEffect { setting: "top", needs: "explain" });
        }
        Ok(())
    }

    /// The metrics that are named.
    pub fn build(&self, registry: &Registry, progress: Progress<'_>) -> Result<Vec<NamedMetric>> {
        MetricRequest::build_all(&self.metrics, self.language.as_ref(), registry, progress)
    }

    /// Scores a corpus.
    pub fn run(&self, corpus: &Corpus<'_>, registry: &Registry, progress: Progress<'_>) -> Result<Done<Scored>> {
        self.validate(registry)?;
        let built = Done::collect(progress, |progress| self.build(registry, progress))?;
        let mut done = self.run_with(built.result, corpus, registry, progress)?;
        done.warnings.splice(..0, built.warnings);
        self.judge_warnings(&mut done.result.evaluation, &done.warnings);
        Ok(done)
    }

    /// Scores a corpus by metrics that are built; by the default ones if there are none.
    pub fn run_with(
        &self,
        metrics: Vec<NamedMetric>,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<Scored>> {
        self.validate(registry)?;
        let reported = Reported::default();
        let callback = |event: &Event<'_>| reported.pass(event, progress);
        let progress = progress.with_callback(&callback);
        let metrics = match metrics.is_empty() {
            true => self.default_metrics(corpus, registry, progress)?,
            false => metrics,
        };
        let metrics = MetricRequest::suited(metrics, corpus, self.language.as_ref(), registry)?;
        if self.explain && metrics.iter().all(|named| named.metric.explainer().is_none()) {
            let titles: Vec<String> = metrics.iter().map(|named| named.metric.title()).collect();
            return Err(Error::NotExplained { metrics: titles.join(", ") });
        }
        check_words(corpus, self.explain || self.page)?;
        self.check_texts(corpus, &metrics, progress)?;
        let request = self.checked_request(corpus, progress)?;
        let evaluation = evaluate(corpus, &metrics, &request, progress)?;
        check_results(&evaluation, self.checks, progress)?;
        let explained = match self.explain {
            true => explain_worst(corpus, &evaluation, &metrics, self.top, progress)?,
            false => None,
        };
        let mut done = reported.with(Scored { evaluation, metrics, explained });
        self.judge_warnings(&mut done.result.evaluation, &done.warnings);
        Ok(done)
    }

    /// With `strict`, lets the gate fail because of these warnings.
    pub fn judge_warnings(&self, evaluation: &mut Evaluation, warnings: &[Warning]) {
        if self.strict {
            GateResult::set_warnings(&mut evaluation.gate, warnings);
        }
    }

    /// The metrics that are named, or the default ones for these texts.
    pub fn metrics_for(
        &self,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Vec<NamedMetric>> {
        match self.metrics.is_empty() {
            true => self.default_metrics(corpus, registry, progress),
            false => self.build(registry, progress),
        }
    }

    /// What is computed for a corpus; warns if it is too small for that.
    pub fn checked_request(&self, corpus: &Corpus<'_>, progress: Progress<'_>) -> Result<EvaluateRequest> {
        let systems: Vec<String> = corpus.systems().iter().map(|system| system.name.clone()).collect();
        let request = self.request(&systems)?;
        check_sizes(corpus.len(), systems.len(), &request, self.checks, progress)?;
        check_documents(corpus, self.resample_by, self.checks, progress)?;
        Ok(request)
    }

    /// The metrics that are named, or the default ones that need not know the texts.
    pub fn build_or_default(&self, registry: &Registry, progress: Progress<'_>) -> Result<Vec<NamedMetric>> {
        let of_default = |name: &str| registry.named(name, self.language.as_ref());
        match self.metrics.is_empty() {
            true => self.default_names().map(of_default).collect(),
            false => self.build(registry, progress),
        }
    }

    /// The metrics that are named, or the default one, as they score by the source alone.
    pub fn build_by_source(&self, registry: &Registry, progress: Progress<'_>) -> Result<Vec<NamedMetric>> {
        let named = match self.metrics.is_empty() {
            true => vec![registry.named(LEARNED, self.language.as_ref())?],
            false => self.build(registry, progress)?,
        };
        MetricRequest::by_source(named, self.language.as_ref(), registry)
    }

    /// Warns of suspicious texts and unsuitable metrics, unless that is not wanted.
    pub fn check_texts(&self, corpus: &Corpus<'_>, metrics: &[NamedMetric], progress: Progress<'_>) -> Result<()> {
        match self.checks {
            true => warn_all(remarks(corpus, metrics, self.language.as_ref()), progress),
            false => Ok(()),
        }
    }

    /// Evaluates systems from the sums of their parts.
    pub fn evaluate_stream(
        &self,
        scorer: &StreamScorer,
        systems: Vec<StreamedSystem>,
        progress: Progress<'_>,
    ) -> Result<Evaluation> {
        self.check_no_documents()?;
        let names: Vec<String> = systems.iter().map(|system| system.name.clone()).collect();
        let segments = systems.first().map_or(0, |system| system.sums.segments());
        let request = self.request(&names)?;
        let segments = usize::try_from(segments).unwrap_or(usize::MAX);
        check_sizes(segments, systems.len(), &request, self.checks, progress)?;
        let evaluation = scorer.evaluate(systems, &request, progress)?;
        check_results(&evaluation, self.checks, progress)?;
        Ok(evaluation)
    }

    /// [`DEFAULT_METRICS`]. TER counts edits of words, which some languages do not set apart: if one of these is given,
    /// it is of characters where it knows them, and else left out.
    fn default_names(&self) -> impl Iterator<Item = &'static str> {
        let unsegmented = self.language.as_ref().filter(|language| language.is_unsegmented());
        let characters = unsegmented.map(|language| matches!(language.code(), "zh" | "ja"));
        DEFAULT_METRICS.into_iter().filter_map(move |name| match (name, characters) {
            ("ter", Some(true)) => Some("ter:normalized=yes,asian_support=yes"),
            ("ter", Some(false)) => None,
            _ => Some(name),
        })
    }

    /// The metrics, if none are named.
    pub(super) fn default_metrics(
        &self,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Vec<NamedMetric>> {
        let language = self.language.as_ref();
        if !corpus.has_references() {
            return Ok(vec![registry.named(LEARNED, language)?]);
        }
        let lines = Lines {
            references: corpus.references(),
            count: &|| corpus.distinct_line_count(),
            language,
            fast: self.fast,
            checks: self.checks,
        };
        let learned = match self.explain && !self.fast {
            true => embedded_metric(registry),
            false => lines.learned_metric(&DEFAULT_METRICS, registry, progress)?,
        };
        self.default_names().chain(learned).map(|name| registry.named(name, language)).collect()
    }

    /// Evaluates systems by segment scores of another tool. Metrics whose names are `lower_is_better`, and tercet's own
    /// error rates, are better with lower scores.
    pub fn run_scores(
        &self,
        columns: &[ScoreColumn],
        lower_is_better: &dyn Fn(&str) -> bool,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<Evaluation>> {
        self.validate(registry)?;
        self.check_no_documents()?;
        let segments = columns.first().map_or(0, |column| column.scores.len());
        let of_first = columns.iter().filter(|column| column.metric == columns[0].metric);
        let systems: Vec<String> = of_first.map(|column| column.system.clone()).collect();
        let request = self.request(&systems)?;
        let mut done = Done::collect::<Error>(progress, |progress| {
            check_sizes(segments, systems.len(), &request, self.checks, progress)?;
            let evaluation = evaluate_scores(columns, lower_is_better, &request, registry, progress)?;
            if self.checks {
                warn_all(differences(&evaluation), progress)?;
            }
            Ok(evaluation)
        })?;
        self.judge_warnings(&mut done.result, &done.warnings);
        Ok(done)
    }

    /// Returns an error if documents are wanted, of which only texts in memory have names.
    fn check_no_documents(&self) -> Result<()> {
        match self.level.has_documents() || self.resample_by == ResampleBy::Document {
            true => Err(Error::NoDocuments),
            false => Ok(()),
        }
    }

    /// What is computed for these systems.
    pub fn request(&self, systems: &[String]) -> Result<EvaluateRequest> {
        let first = || systems.first().cloned().unwrap_or_default();
        let paired = self.paired.map(|test| Paired {
            test,
            resampling: self.seed.resampling(self.resamples, test.usual_resamples()),
            pairs: match &self.baseline {
                _ if self.all_pairs => Pairs::All,
                baseline => Pairs::Against(baseline.clone().unwrap_or_else(first)),
            },
            holm: self.correction == Some(Correction::Holm),
        });
        let request = EvaluateRequest {
            segments: self.level.has_segments() || self.explain,
            documents: self.level.has_documents(),
            components: self.components,
            confidence: self.confidence.then(|| self.seed.resampling(self.resamples, RESAMPLES)),
            paired,
            resample_by: self.resample_by,
            wins: false,
            gate: self.gate()?,
            language: self.language.clone(),
        };
        Ok(if self.page { request.for_page(self.seed.0, systems.len()) } else { request })
    }

    /// The gate, if there is one.
    fn gate(&self) -> Result<Option<GateRequest>> {
        let rules = GateRules {
            fail_if: &self.fail_if,
            no_worse_than: self.no_worse_than.as_deref(),
            margin: self.margin,
            test: self.paired.unwrap_or(Test::Bootstrap),
            resamples: self.resamples,
            seed: self.seed,
        };
        rules.request()
    }
}
