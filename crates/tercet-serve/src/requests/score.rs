//! `/v1/score`: what `tercet score` computes.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::limits::EXPLAINED_BYTES;
use crate::request::{Endpoint, check_conditions, check_resamples, find_metrics, number_of_metrics, score_bytes};
use crate::state::Server;
use crate::texts::Texts;
use tercet::corpora::rows::Need;
use tercet::report::{self, Contents};
use tercet::scoring::{ResampleBy, ScoreJob};

impl Endpoint for ScoreJob {
    const TEXTS: &'static [(&'static str, bool)] =
        &[("references", false), ("systems", true), ("sources", false), ("documents", false), ("align", false)];
    const ROWS: Option<Need> = Some(Need::Preferred);

    fn check(&mut self, texts: &Texts, server: &Server) -> Result<(), ErrorResponse> {
        texts.check_references()?;
        texts.check_segments()?;
        find_metrics(&mut self.metrics, server)?;
        check_resamples(self.resamples)?;
        check_conditions(&self.fail_if)?;
        texts.check_documents(self.level.has_documents() || self.resample_by == ResampleBy::Document)?;
        Ok(self.validate(&server.registry)?)
    }

    fn bytes(&self, texts: &Texts) -> usize {
        let components = self.components && self.level.has_segments();
        let explained = if self.explain { texts.bytes().saturating_mul(EXPLAINED_BYTES) } else { 0 };
        score_bytes(texts, number_of_metrics(&self.metrics), components).saturating_add(explained)
    }

    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer> {
        let aligned = texts.aligned()?;
        let corpus = texts.corpus_of(aligned.as_ref())?;
        let mut done = self.run(&corpus, &context.server.registry, context.progress)?;
        let columns = done.result.evaluation.columns.iter_mut();
        columns.for_each(|column| context.server.files.without_folder(&mut column.signature));
        let scored = &done.result;
        let contents = Contents { components: self.components, ..Contents::of_level(self.level) };
        let (evaluation, format) = (&scored.evaluation, context.format());
        Ok(Answer::new(match &scored.explained {
            Some(explained) => report::write_explanations(evaluation, &corpus, explained, format, contents),
            None => report::write_with_warnings(evaluation, &done.warnings, format, contents),
        }))
    }
}
