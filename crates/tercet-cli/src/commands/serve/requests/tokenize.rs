//! `/v1/tokenize`: what `tercet tokenize` prints, line by line.

use super::language;
use super::texts::check_lines;
use crate::commands::serve::handler::{Answer, Asked, Work};
use crate::commands::serve::limits::{self, at_most};
use crate::commands::serve::refusal::Refusal;
use crate::commands::serve::state::Server;
use serde::Deserialize;
use serde_json::json;
use tercet::text::{Language, Scratch, Tokenizer};

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokenize {
    lines: Vec<String>,
    tokenizer: Option<String>,
    language: Option<String>,
    #[serde(default)]
    lowercase: bool,
}

impl Work for Tokenize {
    fn check(&mut self, _: &Server) -> Result<(), Refusal> {
        at_most("lines", self.lines.len(), limits::SEGMENTS)?;
        check_lines(&self.lines)?;
        if self.tokenizer.is_some() && self.language.is_some() {
            return Err(Refusal::unusable("tokenizer and language are alternatives: leave out one of them"));
        }
        language(self.language.as_deref())?;
        self.tokenizer().map_err(|error| Refusal::unusable(error.to_string()))?;
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.lines.iter().map(String::len).sum::<usize>() * limits::TOKEN_BYTES
    }

    fn run(&self, asked: &Asked<'_>) -> anyhow::Result<Answer> {
        let tokenizer = self.tokenizer()?;
        let (mut scratch, mut tokens, mut lines) = (Scratch::default(), String::new(), Vec::new());
        for line in &self.lines {
            tokenizer.tokenize_segment(line, self.lowercase, &mut scratch, &mut tokens);
            lines.push(tokens.clone());
            asked.progress.advance(1)?;
        }
        let object = json!({"tokenizer": self.name()?, "lines": lines});
        let text = if asked.lines { format!("{object}\n") } else { format!("{object:#}\n") };
        Ok(Answer { text, warnings: Vec::new() })
    }
}

impl Tokenize {
    fn tokenizer(&self) -> tercet::Result<Tokenizer> {
        Tokenizer::open(self.name()?, None)
    }

    fn name(&self) -> tercet::Result<&str> {
        match &self.language {
            Some(language) => Ok(Tokenizer::for_language(&Language::target(language)?)),
            None => Ok(self.tokenizer.as_deref().unwrap_or("13a")),
        }
    }
}
