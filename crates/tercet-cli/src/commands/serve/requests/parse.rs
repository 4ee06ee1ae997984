//! `/v1/parse`: what `tercet parse` prints.

use super::texts::check_lines;
use crate::args::TreeFormat;
use crate::commands::parse::parse_lines;
use crate::commands::serve::handler::{Answer, Asked, Work};
use crate::commands::serve::limits::{self, at_most};
use crate::commands::serve::refusal::Refusal;
use crate::commands::serve::state::Server;
use serde::Deserialize;
use serde_json::json;
use tercet::text::Tokenizer;

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parse {
    lines: Vec<String>,
    #[serde(default)]
    format: FormatName,
    #[serde(default)]
    split: bool,
    tokenizer: Option<String>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FormatName {
    #[default]
    Conllu,
    Tree,
    Brackets,
}

impl Work for Parse {
    fn check(&mut self, _: &Server) -> Result<(), Refusal> {
        at_most("lines", self.lines.len(), limits::SEGMENTS)?;
        check_lines(&self.lines)?;
        if let Some(line) = self.lines.iter().position(|line| line.contains(['\n', '\r'])) {
            let line = line + 1;
            return Err(Refusal::unusable(format!(
                "line {line} has a line end in it: a line is one sentence"
            )));
        }
        Tokenizer::from_name(self.tokenizer()).map_err(|error| Refusal::unusable(error.to_string()))?;
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.lines.iter().map(String::len).sum::<usize>() * limits::TREE_BYTES
    }

    fn run(&self, asked: &Asked<'_>) -> anyhow::Result<Answer> {
        let (format, name) = match self.format {
            FormatName::Conllu => (TreeFormat::Conllu, "conllu"),
            FormatName::Tree => (TreeFormat::Tree, "tree"),
            FormatName::Brackets => (TreeFormat::Brackets, "brackets"),
        };
        let text = parse_lines(&self.lines, format, self.tokenizer(), self.split, asked.progress)?;
        let object = json!({"format": name, "text": text});
        let text = if asked.lines { format!("{object}\n") } else { format!("{object:#}\n") };
        Ok(Answer { text, warnings: Vec::new() })
    }
}

impl Parse {
    fn tokenizer(&self) -> &str {
        self.tokenizer.as_deref().unwrap_or("ud-en")
    }
}
