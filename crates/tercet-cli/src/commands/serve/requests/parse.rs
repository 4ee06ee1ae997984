//! `/v1/parse`: what `tercet parse` prints.

use super::texts::check_lines;
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::{self, at_most};
use crate::commands::serve::state::Server;
use serde::Deserialize;
use tercet::parse::{ParseJob, TreeFormat};

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parse {
    lines: Vec<String>,
    #[serde(default)]
    format: TreeFormat,
    #[serde(default)]
    split: bool,
    tokenizer: Option<String>,
}

impl Parse {
    fn job(&self) -> ParseJob {
        let job = ParseJob { format: self.format, split: self.split, ..ParseJob::default() };
        match &self.tokenizer {
            Some(name) => ParseJob { tokenizer: name.clone(), ..job },
            None => job,
        }
    }
}

impl Work for Parse {
    fn check(&mut self, _: &Server) -> Result<(), ErrorResponse> {
        at_most("lines", self.lines.len(), limits::SEGMENTS)?;
        check_lines(&self.lines)?;
        let valid = self.job().validate().and_then(|()| ParseJob::check_lines(&self.lines));
        valid.map_err(|error| ErrorResponse::unusable(error.to_string()))
    }

    fn bytes(&self) -> usize {
        self.lines.iter().map(String::len).sum::<usize>() * limits::TREE_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        Ok(Answer::of_job(self.job().run(&self.lines, asked.progress)?, asked)?)
    }
}
