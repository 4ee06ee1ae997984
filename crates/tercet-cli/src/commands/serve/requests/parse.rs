//! `/v1/parse`: what `tercet parse` prints.

use super::texts::{LinesJob, check_lines};
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::{self, at_most};
use crate::commands::serve::state::Server;
use tercet::parse::ParseJob;

/// The body of a request.
pub type Parse = LinesJob<ParseJob>;

impl Work for Parse {
    fn check(&mut self, _: &Server) -> Result<(), ErrorResponse> {
        at_most("lines", self.lines.len(), limits::SEGMENTS)?;
        check_lines(&self.lines)?;
        if self.job.model.is_some() {
            return Err(ErrorResponse::unusable("model: the server parses with its own models"));
        }
        let valid = self.job.validate().and_then(|()| ParseJob::check_lines(&self.lines));
        valid.map_err(|error| ErrorResponse::unusable(error.to_string()))
    }

    fn bytes(&self) -> usize {
        self.lines.iter().map(String::len).sum::<usize>() * limits::TREE_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        Ok(Answer::of_job(self.job.run(&self.lines, asked.progress)?, asked)?)
    }
}
