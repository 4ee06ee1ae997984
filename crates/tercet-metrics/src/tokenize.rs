//! Tokens of lines as metrics use them, as a use case.

use super::{Spec, bleu};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::text::{Language, Scratch, Tokenizer};
use crate::warning::Done;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Cuts lines into tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TokenizeJob {
    /// The tokenizer. Default: 13a, or BLEU's for the language.
    #[serde(alias = "tok")]
    pub tokenizer: Option<String>,
    /// The dictionary or model of a tokenizer that has one. Default: it is looked for.
    #[serde(alias = "tok_model")]
    pub model: Option<PathBuf>,
    /// A language: BLEU's tokenizer for it.
    #[serde(alias = "lang")]
    pub language: Option<Language>,
    /// Whether to lowercase, before or after tokenization as in the original tool.
    pub lowercase: bool,
}

/// The tokens of lines.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Tokenized {
    /// The tokenizer.
    pub tokenizer: String,
    /// The tokens of each line, separated by spaces.
    pub lines: Vec<String>,
}

impl TokenizeJob {
    /// The name of the tokenizer.
    pub fn name(&self) -> &str {
        match &self.language {
            Some(language) => Tokenizer::for_language(language),
            None => self.tokenizer.as_deref().unwrap_or("13a"),
        }
    }

    /// Returns an error for settings that cannot be met.
    pub fn validate(&self) -> Result<()> {
        if self.tokenizer.is_some() && self.language.is_some() {
            return Err(Error::Alternatives { one: "tokenizer", other: "language" });
        }
        if self.model.is_some() && self.tokenizer.is_none() {
            return Err(Error::Needs { what: "a model of a tokenizer".to_owned(), needs: "its name: tokenizer" });
        }
        Ok(())
    }

    /// Opens the tokenizer; warns if words of the language are not what they should be.
    pub fn open(&self, context: &Context, progress: Progress<'_>) -> Result<LineTokenizer> {
        self.validate()?;
        let tokenizer = Tokenizer::open(self.name(), self.model.as_deref(), context)?;
        if let Some(language) = &self.language {
            let bleu = Spec::new(bleu::INFO.name).with_option("tok", self.name());
            let warning = bleu::INFO.language_warning(&bleu, language, false, false);
            language.doubt().iter().chain(&warning).try_for_each(|warning| progress.warn(warning))?;
        }
        let (scratch, tokens) = (Scratch::default(), String::new());
        Ok(LineTokenizer { tokenizer, lowercase: self.lowercase, scratch, tokens })
    }

    /// The tokens of lines.
    pub fn run<L: AsRef<str>>(
        &self,
        lines: &[L],
        context: &Context,
        progress: Progress<'_>,
    ) -> Result<Done<Tokenized>> {
        Done::collect(progress, |progress| {
            let mut opened = self.open(context, progress)?;
            let tokens = |line: &L| {
                progress.advance(1)?;
                Ok(opened.line(line.as_ref()).to_owned())
            };
            let lines = lines.iter().map(tokens).collect::<Result<_>>()?;
            Ok(Tokenized { tokenizer: self.name().to_owned(), lines })
        })
    }
}

/// An open tokenizer.
pub struct LineTokenizer {
    tokenizer: Tokenizer,
    lowercase: bool,
    scratch: Scratch,
    tokens: String,
}

impl LineTokenizer {
    /// The tokens of a line, separated by spaces.
    pub fn line(&mut self, line: &str) -> &str {
        self.tokenizer.tokenize_segment(line, self.lowercase, &mut self.scratch, &mut self.tokens);
        &self.tokens
    }

    /// The tokens of a line.
    pub fn tokens(&mut self, line: &str) -> Vec<String> {
        self.line(line);
        self.tokenizer.tokens(&self.tokens).map(str::to_owned).collect()
    }
}
