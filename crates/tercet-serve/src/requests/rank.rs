//! `/v1/rank`: what `tercet rank` computes: for `systems` with `references`, or for `candidates` with or without.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::limits::{self, at_most};
use crate::request::{Endpoint, check_conditions, check_resamples, find_metrics, score_bytes};
use crate::state::Server;
use crate::texts::{Texts, check_lines, trimmed};
use tercet::corpora::CandidateList;
use tercet::corpora::rows::Need;
use tercet::report::{CandidateContents, Terminal, write_ranking, write_reranked};
use tercet::scoring::{ComparedWith, RankJob, ResampleBy};

impl Endpoint for RankJob {
    const TEXTS: &'static [(&'static str, bool)] = &[
        ("references", false),
        ("systems", false),
        ("candidates", false),
        ("sources", false),
        ("documents", false),
        ("align", false),
    ];
    const ROWS: Option<Need> = Some(Need::Preferred);

    fn check(&mut self, texts: &Texts, server: &Server) -> Result<(), ErrorResponse> {
        find_metrics(&mut self.metrics, server)?;
        check_resamples(self.resamples)?;
        check_conditions(&self.fail_if)?;
        texts.check_documents(self.resample_by == ResampleBy::Document)?;
        self.validate(texts.candidates.is_some(), &server.registry)?;
        match &texts.candidates {
            Some(lists) => check_candidates(lists, texts),
            None => {
                texts.check_references()?;
                texts.check_segments()
            }
        }
    }

    fn bytes(&self, texts: &Texts) -> usize {
        let candidates = texts.candidates.iter().flatten().map(Vec::len).sum::<usize>();
        // Without references, the candidates of a segment are compared with each other, those of several at once.
        let is_compared = texts.references.is_empty() && texts.sources.is_none();
        let lists = texts.candidates.iter().flatten().filter(|_| is_compared);
        let bytes = lists.map(|list| list.iter().map(String::len).sum::<usize>());
        // Longer ones are refused, with another reason.
        let longest = bytes.filter(|bytes| *bytes <= limits::COMPARED_BYTES).max().unwrap_or_default();
        let vectors = longest.saturating_mul(limits::VECTOR_BYTES);
        let scores = score_bytes(texts, self.metrics.len().max(1), false);
        scores.saturating_add(candidates.saturating_mul(limits::SCORE_BYTES)).saturating_add(vectors)
    }

    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer> {
        let (registry, format, progress) = (&context.server.registry, context.format(), context.progress);
        let Some(lists) = &texts.candidates else {
            let aligned = texts.aligned()?;
            let mut done = self.run(&texts.corpus_of(aligned.as_ref())?, registry, progress)?;
            let columns = done.result.evaluation.columns.iter_mut();
            columns.for_each(|column| context.server.files.without_folder(&mut column.signature));
            let (evaluation, warnings) = (&done.result.evaluation, &done.warnings);
            return Ok(Answer::new(write_ranking(evaluation, warnings, format, None, Terminal::default())));
        };
        let numbered = lists.iter().enumerate();
        let lists: Vec<CandidateList<'_>> = numbered
            .map(|(i, candidates)| CandidateList { id: (i + 1).to_string(), candidates: trimmed(candidates) })
            .collect();
        let references = texts.trimmed_references();
        let sources = texts.sources.as_deref().map(trimmed);
        let others = ComparedWith {
            references: Some(&references[..]).filter(|references| !references.is_empty()),
            sources: sources.as_deref(),
        };
        let mut reranked = self.run_candidates(&lists, others, registry, progress)?.result;
        context.server.files.without_folder(&mut reranked.signature);
        let shown = CandidateContents { most: self.top, ..CandidateContents::default() };
        Ok(Answer::new(write_reranked(&reranked, format, shown)))
    }
}

fn check_candidates(lists: &[Vec<String>], texts: &Texts) -> Result<(), ErrorResponse> {
    if !texts.systems.is_empty() {
        return Err(ErrorResponse::unusable("candidates are ranked without systems: leave them out"));
    }
    if texts.align {
        return Err(ErrorResponse::unusable("candidates are not aligned: leave out align"));
    }
    at_most("lists of candidates", lists.len(), limits::SEGMENTS)?;
    for list in lists {
        at_most("candidates of a segment", list.len(), limits::CANDIDATES)?;
        check_lines(list)?;
        if texts.references.is_empty() {
            let bytes = list.iter().map(String::len).sum();
            at_most("bytes of the candidates of a segment without references", bytes, limits::COMPARED_BYTES)?;
        }
    }
    let (segments, references) = (lists.len(), texts.references.len());
    if references > 0 && references != segments {
        let message = format!("there are candidates for {segments} segments, but references for {references}");
        return Err(ErrorResponse::unusable(message));
    }
    match lists.iter().position(Vec::is_empty) {
        Some(empty) => Err(ErrorResponse::unusable(format!("segment {} has no candidate", empty + 1))),
        None if segments == 0 => Err(ErrorResponse::unusable("there is no list of candidates")),
        None => Ok(()),
    }
}
