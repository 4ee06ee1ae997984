//! `/v1/tokenize`: what `tercet tokenize` prints, line by line.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::limits::TOKEN_BYTES;
use crate::request::Endpoint;
use crate::state::Server;
use crate::texts::Texts;
use tercet::metrics::TokenizeJob;
use tercet::progress::Progress;

impl Endpoint for TokenizeJob {
    const TEXTS: &'static [(&'static str, bool)] = &[("lines", true)];
    const NOT_SET: &'static [&'static str] = &["model", "tok_model"];

    fn check(&mut self, _: &Texts, server: &Server) -> Result<(), ErrorResponse> {
        Ok(self.open(server.registry.context(), Progress::none()).map(drop)?)
    }

    fn bytes(&self, texts: &Texts) -> usize {
        texts.line_bytes() * TOKEN_BYTES
    }

    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer> {
        Ok(context.object(&self.run(&texts.lines, context.server.registry.context(), context.progress)?.result))
    }
}
