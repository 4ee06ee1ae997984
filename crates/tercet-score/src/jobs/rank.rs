//! Systems, or candidates of segments, from the best to the worst.

use super::default_metrics::Lines;
use super::metric_request::MetricRequest;
use super::resampling::{self, Correction, RESAMPLES, Seed};
use super::score::Scored;
use super::{check_documents, check_results, check_sizes, warn_all};
use crate::corpora::CandidateList;
use crate::default_metrics::LEARNED;
use crate::error::{Error, Result};
use crate::evaluate::{EvaluateRequest, Paired, Pairs, Test};
use crate::gate::GateRules;
use crate::metrics::{NamedMetric, Registry};
use crate::progress::Progress;
use crate::remarks;
use crate::text::Language;
use crate::warning::{Done, Warning};
use crate::{
    ComparedWith, Corpus, DEFAULT_METRIC, Evaluation, GateRequest, GateResult, Reranked, ResampleBy, check_metrics_for,
    detect_language, distinct_lines, evaluate, minimum_bayes_risk, rerank, signature_differences,
};
use serde::{Deserialize, Serialize};

tercet_base::defaults! {
    /// Systems in order by metrics, in groups that do not differ significantly; or candidates of segments.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct RankJob {
        /// The metrics, one for candidates; if there are none, the learned one for English, [`DEFAULT_METRIC`] for
        /// other languages.
        pub metrics: Vec<MetricRequest> = Vec::new(),
        /// The target language; found in the text, as far as needed, if it is not given.
        pub language: Option<Language> = None,
        /// Whether the learned metric is its smaller model, by default; without that it is left out.
        pub fast: bool = false,
        /// For candidates: how many of each segment are shown; all of them if it is not given.
        pub top: Option<usize> = None,
        /// What resamples draw, and trials exchange, as a whole.
        pub resample_by: ResampleBy = ResampleBy::Segment,
        /// The test of all pairs of systems; the paired bootstrap if it is not given.
        pub paired: Option<Test> = None,
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

impl RankJob {
    /// Returns an error for settings that cannot be met; `candidates` says that those of segments are put in order, and
    /// not systems.
    pub fn validate(&self, candidates: bool, registry: &Registry) -> Result<()> {
        self.metrics.iter().try_for_each(|metric| metric.check(registry))?;
        resampling::check(self.resamples)?;
        self.gate()?;
        if !candidates {
            return match self.top {
                Some(_) => Err(Error::NoEffect { setting: "top", needs: "candidates: all systems are ranked" }),
                None => Ok(()),
            };
        }
        if self.metrics.len() > 1 {
            let found = self.metrics.len();
            return Err(Error::BadRequest(format!("candidates are ranked by one metric, found {found}")));
        }
        if self.top == Some(0) {
            return Err(Error::out_of_range("top", "a whole number from 1", 0));
        }
        let for_tests = [
            ("paired", self.paired.is_some()),
            ("correction", self.correction.is_some()),
            ("resamples", self.resamples.is_some()),
            ("resample_by", self.resample_by == ResampleBy::Document),
            ("fail_if", !self.fail_if.is_empty()),
            ("no_worse_than", self.no_worse_than.is_some()),
            ("strict", self.strict),
        ];
        match for_tests.into_iter().find(|(_, given)| *given) {
            Some((setting, _)) => Err(Error::NoEffect { setting, needs: "systems: candidates are not tested" }),
            None => Ok(()),
        }
    }

    /// The metrics that are named.
    pub fn build(&self, registry: &Registry, progress: Progress<'_>) -> Result<Vec<NamedMetric>> {
        MetricRequest::build_all(&self.metrics, self.language.as_ref(), registry, progress)
    }

    /// Puts the systems of a corpus in order.
    pub fn run(&self, corpus: &Corpus<'_>, registry: &Registry, progress: Progress<'_>) -> Result<Done<Scored>> {
        self.validate(false, registry)?;
        self.judged(Done::collect(progress, |progress| {
            let metrics = self.build(registry, progress)?;
            self.rank(metrics, corpus, registry, progress)
        })?)
    }

    /// The same by metrics that are built; by the default one if there are none.
    pub fn run_with(
        &self,
        metrics: Vec<NamedMetric>,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<Scored>> {
        self.validate(false, registry)?;
        self.judged(Done::collect(progress, |progress| self.rank(metrics, corpus, registry, progress))?)
    }

    fn judged(&self, mut done: Done<Scored>) -> Result<Done<Scored>> {
        self.judge_warnings(&mut done.result.evaluation, &done.warnings);
        Ok(done)
    }

    /// With `strict`, lets the gate fail because of these warnings.
    pub fn judge_warnings(&self, evaluation: &mut Evaluation, warnings: &[Warning]) {
        if self.strict {
            GateResult::set_warnings(&mut evaluation.gate, warnings);
        }
    }

    fn rank(
        &self,
        metrics: Vec<NamedMetric>,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Scored> {
        let systems = corpus.systems().len();
        if systems < 2 {
            return Err(Error::SystemCount { expected: "at least two systems to rank", found: systems });
        }
        let count = || corpus.distinct_line_count();
        let metrics = match metrics.is_empty() && !corpus.has_references() {
            true => vec![registry.named(LEARNED, self.language.as_ref())?],
            false => self.or_default(metrics, corpus.references(), &count, registry, progress)?,
        };
        let metrics = MetricRequest::suited(metrics, corpus, self.language.as_ref(), registry)?;
        if self.checks {
            warn_all(remarks(corpus, &metrics, self.language.as_ref()), progress)?;
        }
        let request = self.request(systems)?;
        check_sizes(corpus.len(), systems, &request, self.checks, progress)?;
        check_documents(corpus, self.resample_by, self.checks, progress)?;
        let evaluation = evaluate(corpus, &metrics, &request, progress)?;
        check_results(&evaluation, self.checks, progress)?;
        Ok(Scored { evaluation, metrics, explained: None })
    }

    /// Puts the candidates of segments in order, by their scores with references, or without these with each other.
    pub fn run_candidates<'a>(
        &self,
        lists: &[CandidateList<'a>],
        others: ComparedWith<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<Reranked<'a>>> {
        self.validate(true, registry)?;
        Done::collect(progress, |progress| {
            let metrics = self.build(registry, progress)?;
            Ok(self.run_candidates_with(metrics, lists, others, registry, progress)?.result)
        })
    }

    /// The same by a metric that is built; by the default one if there is none.
    pub fn run_candidates_with<'a>(
        &self,
        metrics: Vec<NamedMetric>,
        lists: &[CandidateList<'a>],
        others: ComparedWith<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<Reranked<'a>>> {
        self.validate(true, registry)?;
        Done::collect(progress, |progress| {
            let first: Vec<Vec<&str>> = match others.references {
                Some(_) => Vec::new(),
                None => lists.iter().map(|list| list.candidates.iter().take(1).copied().collect()).collect(),
            };
            let lines = others.references.unwrap_or(&first);
            let by_source = others.references.is_none() && others.sources.is_some();
            let count = || lists.iter().map(|list| distinct_lines(list.candidates.iter().copied())).sum();
            let metrics = match metrics.is_empty() && by_source {
                true => vec![registry.named(LEARNED, self.language.as_ref())?],
                false => self.or_default(metrics, lines, &count, registry, progress)?,
            };
            let metrics = match by_source {
                true => {
                    let language = self.language.clone().or_else(|| detect_language(lines));
                    MetricRequest::by_source(metrics, language.as_ref(), registry)?
                }
                false => metrics,
            };
            if self.checks {
                warn_all(check_metrics_for(lines, &metrics, self.language.as_ref()), progress)?;
            }
            let reranked = match others.is_empty() {
                true => minimum_bayes_risk(lists, &metrics[0], progress)?,
                false => rerank(lists, others, &metrics[0], progress)?,
            };
            warn_all(signature_differences(&reranked.metric, &reranked.signature), progress)?;
            Ok(reranked)
        })
    }

    fn or_default(
        &self,
        metrics: Vec<NamedMetric>,
        references: &[Vec<&str>],
        count: &dyn Fn() -> usize,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Vec<NamedMetric>> {
        // Probabilities are computed with the fitted slopes.
        let has_slope = |named: &&NamedMetric| {
            let request = MetricRequest::from(named.name.as_str());
            request.spec().is_ok_and(|spec| spec.qualifier("slope").is_some())
        };
        if let Some(NamedMetric { name, .. }) = metrics.iter().find(has_slope) {
            return Err(Error::BadRequest(format!(
                "{name}: a slope of your own is for comparisons of two systems, rankings take none"
            )));
        }
        if !metrics.is_empty() {
            return Ok(metrics);
        }
        let language = self.language.as_ref();
        let lines = Lines { references, count, language, fast: self.fast, checks: self.checks };
        let learned = lines.learned_metric(&[], registry, progress)?;
        Ok(vec![registry.named(learned.unwrap_or(DEFAULT_METRIC), language)?])
    }

    fn request(&self, systems: usize) -> Result<EvaluateRequest> {
        let test = self.paired.unwrap_or(Test::Bootstrap);
        let paired = Paired {
            test,
            resampling: self.seed.resampling(self.resamples, test.usual_resamples()),
            pairs: Pairs::All,
            holm: self.correction == Some(Correction::Holm),
        };
        let request = EvaluateRequest {
            confidence: Some(self.seed.resampling(self.resamples, RESAMPLES)),
            paired: Some(paired),
            resample_by: self.resample_by,
            wins: true,
            gate: self.gate()?,
            language: self.language.clone(),
            ..EvaluateRequest::default()
        };
        Ok(if self.page { request.for_page(self.seed.0, systems) } else { request })
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
