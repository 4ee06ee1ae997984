//! `/v1/check`: what `tercet check` computes, for `systems` with `references`, `sources`, both, or neither.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::request::{Endpoint, score_bytes};
use crate::state::Server;
use crate::texts::Texts;
use tercet::corpora::rows::Need;
use tercet::report::{Terminal, write_check};
use tercet::scoring::CheckJob;

impl Endpoint for CheckJob {
    const TEXTS: &'static [(&'static str, bool)] = &[("references", false), ("systems", true), ("sources", false)];
    const ROWS: Option<Need> = Some(Need::Optional);

    fn check(&mut self, texts: &Texts, _: &Server) -> Result<(), ErrorResponse> {
        texts.check_segments()?;
        Ok(self.validate()?)
    }

    fn bytes(&self, texts: &Texts) -> usize {
        score_bytes(texts, 1, false)
    }

    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer> {
        let checked = self.run(&texts.check_texts()?, context.progress)?.result;
        Ok(Answer::new(write_check(&checked, context.format(), self.summary, Terminal::default())))
    }
}
