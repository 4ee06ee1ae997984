//! `/v1/rank`: what `tercet rank` computes, for systems or for lists of candidates.

use super::texts::{self, References, SystemLines, Texts, check_lines};
use super::{check_job, find_metrics};
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::{self, at_most};
use crate::commands::serve::state::Server;
use crate::registry;
use serde::Deserialize;
use tercet::corpora::CandidateList;
use tercet::report::{CandidateContents, Terminal, write_ranking, write_reranked};
use tercet::scoring::RankJob;

/// The body of a request: `systems` with `references`, or `candidates` with or without.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rank {
    #[serde(default)]
    references: Vec<References>,
    #[serde(default)]
    systems: Vec<SystemLines>,
    candidates: Option<Vec<Vec<String>>>,
    #[serde(flatten)]
    job: RankJob,
}

impl Work for Rank {
    fn check(&mut self, server: &Server) -> Result<(), ErrorResponse> {
        self.texts().check()?;
        find_metrics(&mut self.job.metrics, server)?;
        check_job(self.job.resamples, self.job.validate(self.candidates.is_some(), registry()))?;
        match &self.candidates {
            Some(lists) => self.check_candidates(lists)?,
            None => self.texts().check_segments()?,
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        let candidates = self.candidates.iter().flatten().map(Vec::len).sum::<usize>();
        (candidates + self.texts().translations() * self.job.metrics.len().max(1)) * limits::SCORE_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        match &self.candidates {
            Some(lists) => self.rank_candidates(lists, asked),
            None => self.rank_systems(asked),
        }
    }
}

impl Rank {
    fn texts(&self) -> Texts<'_> {
        Texts { systems: &self.systems, references: &self.references, sources: None }
    }

    fn check_candidates(&self, lists: &[Vec<String>]) -> Result<(), ErrorResponse> {
        if !self.systems.is_empty() {
            return Err(ErrorResponse::unusable("candidates are ranked without systems: leave them out"));
        }
        at_most("lists of candidates", lists.len(), limits::SEGMENTS)?;
        for list in lists {
            at_most("candidates of a segment", list.len(), limits::CANDIDATES)?;
            check_lines(list)?;
            if self.references.is_empty() {
                let bytes = list.iter().map(String::len).sum();
                at_most("bytes of the candidates of a segment without references", bytes, limits::COMPARED_BYTES)?;
            }
        }
        let (lists, references) = (lists.len(), self.references.len());
        if references > 0 && references != lists {
            let message = format!("there are candidates for {lists} segments, but references for {references}");
            return Err(ErrorResponse::unusable(message));
        }
        match self.candidates.iter().flatten().position(Vec::is_empty) {
            Some(empty) => Err(ErrorResponse::unusable(format!("segment {} has no candidate", empty + 1))),
            None if lists == 0 => Err(ErrorResponse::unusable("there is no list of candidates")),
            None => Ok(()),
        }
    }

    fn rank_systems(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        let scored = self.job.run(&self.texts().corpus()?, registry(), asked.progress)?.result;
        Ok(Answer::new(write_ranking(&scored.evaluation, asked.format(), None, Terminal::default())))
    }

    fn rank_candidates(&self, lists: &[Vec<String>], asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        let numbered = lists.iter().enumerate();
        let lists: Vec<CandidateList<'_>> = numbered
            .map(|(i, candidates)| CandidateList { id: (i + 1).to_string(), candidates: texts::lines(candidates) })
            .collect();
        let references: Vec<Vec<&str>> = self.references.iter().map(|References(all)| texts::lines(all)).collect();
        let references = Some(&references[..]).filter(|references| !references.is_empty());
        let reranked = self.job.run_candidates(&lists, references, registry(), asked.progress)?.result;
        let shown = CandidateContents { most: self.job.top, ..CandidateContents::default() };
        Ok(Answer::new(write_reranked(&reranked, asked.format(), shown)))
    }
}
