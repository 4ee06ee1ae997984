//! `/v1/score`: what `tercet score` computes.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::limits::{CONDITION_CHARACTERS, CONDITIONS, SCORE_BYTES, at_most};
use crate::request::{Endpoint, check_resamples, find_metrics, number_of_metrics};
use crate::state::Server;
use crate::texts::Texts;
use tercet::Error;
use tercet::report::{self, Contents};
use tercet::scoring::ScoreJob;

impl Endpoint for ScoreJob {
    const TEXTS: &'static [(&'static str, bool)] =
        &[("references", true), ("systems", true), ("sources", false), ("documents", false)];
    const TAKES_ROWS: bool = true;

    fn check(&mut self, texts: &Texts, server: &Server) -> Result<(), ErrorResponse> {
        texts.check_segments()?;
        find_metrics(&mut self.metrics, server)?;
        check_resamples(self.resamples)?;
        at_most("conditions", self.fail_if.len(), CONDITIONS)?;
        let longest = self.fail_if.iter().map(|condition| condition.chars().count()).max();
        at_most("characters of a condition", longest.unwrap_or_default(), CONDITION_CHARACTERS)?;
        if texts.documents.is_some() && !texts.has_rows && !self.level.has_documents() {
            return Err(Error::NoEffect { setting: "documents", needs: "the level document" }.into());
        }
        Ok(self.validate(&server.registry)?)
    }

    fn bytes(&self, texts: &Texts) -> usize {
        texts.translations() * number_of_metrics(&self.metrics) * SCORE_BYTES
    }

    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer> {
        let corpus = texts.corpus()?;
        let done = self.run(&corpus, &context.server.registry, context.progress)?;
        let scored = &done.result;
        let contents = Contents { components: self.components, ..Contents::of_level(self.level) };
        let (evaluation, format) = (&scored.evaluation, context.format());
        Ok(Answer::new(match &scored.explained {
            Some(explained) => report::write_explanations(evaluation, &corpus, explained, format, contents),
            None => report::write_with_warnings(evaluation, &done.warnings, format, contents),
        }))
    }
}
