//! `/v1/parse`: what `tercet parse` prints.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::request::Endpoint;
use crate::state::Server;
use crate::texts::Texts;
use tercet::parse::ParseJob;

/// Bytes of trees, in all their copies until they are sent, for a byte of text.
const TREE_BYTES: usize = 16;

impl Endpoint for ParseJob {
    const TEXTS: &'static [(&'static str, bool)] = &[("lines", true)];
    const NOT_SET: &'static [&'static str] = &["model", "keep_lemmas"];

    fn check(&mut self, texts: &Texts, _: &Server) -> Result<(), ErrorResponse> {
        self.validate()?;
        Ok(ParseJob::check_lines(&texts.lines)?)
    }

    fn bytes(&self, texts: &Texts) -> usize {
        texts.line_bytes() * TREE_BYTES
    }

    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer> {
        Ok(context.object(&self.run(&texts.lines, context.progress)?.result))
    }
}
