//! `/v1/rank`: what `tercet rank` computes, for systems or for lists of candidates.

use super::resampling::{self, Correction, TestName, default_seed, resampling, seed};
use super::texts::{self, References, SystemLines, Texts, check_lines};
use super::{FoundMetric, build, found_metrics, language};
use crate::commands::default_metrics::{ShownWarnings, learned_metric_in_time};
use crate::commands::rank::{DEFAULT_METRIC, check_slopes};
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::{self, at_most};
use crate::commands::serve::state::Server;
use crate::registry;
use serde::Deserialize;
use tercet::corpora::CandidateList;
use tercet::metrics::NamedMetric;
use tercet::report::{CandidateContents, Format, Terminal, write_ranking, write_reranked};
use tercet::scoring::too_few;
use tercet::scoring::{self, EvaluateRequest, Paired, Pairs, distinct_lines, minimum_bayes_risk, rerank};
use tercet::text::Language;

/// The body of a request: `systems` with `references`, or `candidates` with or without.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rank {
    #[serde(default)]
    references: Vec<References>,
    #[serde(default)]
    systems: Vec<SystemLines>,
    candidates: Option<Vec<Vec<String>>>,
    #[serde(default)]
    metrics: Vec<String>,
    language: Option<String>,
    #[serde(default)]
    fast: bool,
    /// The most candidates of a list in the answer.
    top: Option<usize>,
    paired: Option<TestName>,
    correction: Option<Correction>,
    resamples: Option<usize>,
    #[serde(default = "default_seed", deserialize_with = "seed")]
    seed: Option<u64>,
    #[serde(skip)]
    found: Vec<FoundMetric>,
}

impl Work for Rank {
    fn check(&mut self, server: &Server) -> Result<(), ErrorResponse> {
        self.texts().check()?;
        resampling::check(self.resamples)?;
        match self.top {
            Some(0) => return Err(ErrorResponse::unusable("top cannot be 0")),
            Some(_) if self.candidates.is_none() => {
                return Err(ErrorResponse::unusable("top is for candidates: all systems are ranked"));
            }
            _ => {}
        }
        match &self.candidates {
            Some(lists) => self.check_candidates(lists)?,
            None if self.systems.len() < 2 => {
                let found = self.systems.len();
                return Err(ErrorResponse::unusable(format!(
                    "expected at least two systems to rank, found {found}"
                )));
            }
            None => self.texts().check_segments()?,
        }
        language(self.language.as_deref())?;
        check_slopes(&self.metrics).map_err(|misuse| ErrorResponse::unusable(misuse.0))?;
        self.found = found_metrics(&self.metrics, server)?;
        Ok(())
    }

    fn bytes(&self) -> usize {
        let candidates = self.candidates.iter().flatten().map(Vec::len).sum::<usize>();
        (candidates + self.texts().translations() * self.found.len().max(1)) * limits::SCORE_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        let language = self.language.as_deref().map(Language::target).transpose()?;
        match &self.candidates {
            Some(lists) => self.rank_candidates(lists, language.as_ref(), asked),
            None => self.rank_systems(language.as_ref(), asked),
        }
    }
}

impl Rank {
    fn texts(&self) -> Texts<'_> {
        Texts { systems: &self.systems, references: &self.references, sources: None }
    }

    fn check_candidates(&self, lists: &[Vec<String>]) -> Result<(), ErrorResponse> {
        let has_test = self.paired.is_some() || self.correction.is_some() || self.resamples.is_some();
        if has_test || !self.systems.is_empty() {
            let message = "candidates are ranked without systems and tests: leave out systems, paired, correction and resamples";
            return Err(ErrorResponse::unusable(message));
        }
        if self.metrics.len() > 1 {
            let found = self.metrics.len();
            return Err(ErrorResponse::unusable(format!(
                "candidates are ranked by one metric, found {found}"
            )));
        }
        at_most("lists of candidates", lists.len(), limits::SEGMENTS)?;
        for list in lists {
            at_most("candidates of a segment", list.len(), limits::CANDIDATES)?;
            check_lines(list)?;
            if self.references.is_empty() {
                let bytes = list.iter().map(String::len).sum();
                at_most(
                    "bytes of the candidates of a segment without references",
                    bytes,
                    limits::COMPARED_BYTES,
                )?;
            }
        }
        let (lists, references) = (lists.len(), self.references.len());
        if references > 0 && references != lists {
            let message =
                format!("there are candidates for {lists} segments, but references for {references}");
            return Err(ErrorResponse::unusable(message));
        }
        match self.candidates.iter().flatten().position(Vec::is_empty) {
            Some(empty) => Err(ErrorResponse::unusable(format!("segment {} has no candidate", empty + 1))),
            None if lists == 0 => Err(ErrorResponse::unusable("there is no list of candidates")),
            None => Ok(()),
        }
    }

    fn rank_systems(
        &self,
        language: Option<&Language>,
        asked: &RequestContext<'_>,
    ) -> anyhow::Result<Answer> {
        let corpus = self.texts().corpus()?;
        let metrics = self.metrics(corpus.references(), corpus.distinct_line_count(), language)?;
        let mut warnings = scoring::remarks(&corpus, &metrics, language);
        let (test, samples) = self.paired.unwrap_or(TestName::Bs).test();
        let paired = Paired {
            test,
            resampling: resampling(self.resamples, samples, self.seed),
            pairs: Pairs::All,
            holm: self.correction.is_some(),
        };
        let request = EvaluateRequest {
            confidence: Some(resampling(self.resamples, 1000, self.seed)),
            paired: Some(paired),
            wins: true,
            ..EvaluateRequest::default()
        };
        warnings.extend(too_few::segments(corpus.len(), corpus.systems().len(), &request));
        warnings.extend(too_few::resamples(corpus.systems().len(), &request));
        let evaluation = scoring::evaluate(&corpus, &metrics, &request, asked.progress)?;
        let text = write_ranking(&evaluation, format(asked), None, Terminal::default());
        Ok(Answer { text, warnings })
    }

    fn rank_candidates(
        &self,
        lists: &[Vec<String>],
        language: Option<&Language>,
        asked: &RequestContext<'_>,
    ) -> anyhow::Result<Answer> {
        let numbered = lists.iter().enumerate();
        let lists: Vec<CandidateList<'_>> = numbered
            .map(|(i, candidates)| CandidateList {
                id: (i + 1).to_string(),
                candidates: texts::lines(candidates),
            })
            .collect();
        let references: Vec<Vec<&str>> =
            self.references.iter().map(|References(all)| texts::lines(all)).collect();
        let first: Vec<Vec<&str>> = lists.iter().map(|list| list.candidates[..1].to_vec()).collect();
        let lines = if references.is_empty() { &first } else { &references };
        let count = lists.iter().map(|list| distinct_lines(list.candidates.iter().copied())).sum();
        let metrics = self.metrics(lines, count, language)?;
        let reranked = if references.is_empty() {
            minimum_bayes_risk(&lists, &metrics[0], asked.progress)?
        } else {
            rerank(&lists, &references, &metrics[0], asked.progress)?
        };
        let shown = CandidateContents { most: self.top, ..CandidateContents::default() };
        Ok(Answer { text: write_reranked(&reranked, format(asked), shown), warnings: Vec::new() })
    }

    /// The metrics that are asked for, or the one that `tercet rank` takes by default.
    fn metrics(
        &self,
        lines: &[Vec<&str>],
        count: usize,
        language: Option<&Language>,
    ) -> tercet::Result<Vec<NamedMetric>> {
        if !self.metrics.is_empty() {
            return build(&self.found, language);
        }
        let learned = || learned_metric_in_time(lines, count, language, &[], ShownWarnings::None);
        let name = if self.fast { None } else { learned() };
        Ok(vec![registry().named(name.unwrap_or(DEFAULT_METRIC), language)?])
    }
}

fn format(asked: &RequestContext<'_>) -> Format {
    if asked.lines { Format::Jsonl } else { Format::Json }
}
