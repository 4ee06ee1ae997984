//! `/v1/tokenize`: what `tercet tokenize` prints, line by line.

use super::texts::check_lines;
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::{self, at_most};
use crate::commands::serve::state::Server;
use crate::registry;
use serde::Deserialize;
use tercet::metrics::TokenizeJob;
use tercet::progress::Progress;
use tercet::text::Language;

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokenize {
    lines: Vec<String>,
    tokenizer: Option<String>,
    language: Option<Language>,
    #[serde(default)]
    lowercase: bool,
}

impl Tokenize {
    fn job(&self) -> TokenizeJob {
        let (tokenizer, language) = (self.tokenizer.clone(), self.language.clone());
        TokenizeJob { tokenizer, language, lowercase: self.lowercase, model: None }
    }
}

impl Work for Tokenize {
    fn check(&mut self, _: &Server) -> Result<(), ErrorResponse> {
        at_most("lines", self.lines.len(), limits::SEGMENTS)?;
        check_lines(&self.lines)?;
        let opened = self.job().open(registry().context(), Progress::none());
        opened.map(drop).map_err(|error| ErrorResponse::unusable(error.to_string()))
    }

    fn bytes(&self) -> usize {
        self.lines.iter().map(String::len).sum::<usize>() * limits::TOKEN_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        Ok(Answer::of_job(self.job().run(&self.lines, registry().context(), asked.progress)?, asked)?)
    }
}
