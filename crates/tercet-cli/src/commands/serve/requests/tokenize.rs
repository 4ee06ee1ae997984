//! `/v1/tokenize`: what `tercet tokenize` prints, line by line.

use super::texts::{LinesJob, check_lines};
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::{self, at_most};
use crate::commands::serve::state::Server;
use tercet::metrics::TokenizeJob;
use tercet::progress::Progress;

/// The body of a request.
pub type Tokenize = LinesJob<TokenizeJob>;

impl Work for Tokenize {
    fn check(&mut self, _: &Server) -> Result<(), ErrorResponse> {
        at_most("lines", self.lines.len(), limits::SEGMENTS)?;
        check_lines(&self.lines)?;
        if self.job.model.is_some() {
            return Err(ErrorResponse::unusable("model: the server opens the models that it finds itself"));
        }
        let opened = self.job.open(Progress::none());
        opened.map(drop).map_err(|error| ErrorResponse::unusable(error.to_string()))
    }

    fn bytes(&self) -> usize {
        self.lines.iter().map(String::len).sum::<usize>() * limits::TOKEN_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        Ok(Answer::of_job(self.job.run(&self.lines, asked.progress)?, asked)?)
    }
}
