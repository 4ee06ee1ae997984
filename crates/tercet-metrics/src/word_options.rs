//! How lines become words: the options `tok`, `tok_model` and `lowercase`.
//!
//! Signatures have the hash of the dictionary or model after a bar, and its path if one was given.

use crate::context::Context;
use crate::error::Result;
use crate::spec::{Spec, TypedOptions};
use crate::text::{Preparation, Tokenizer};
use std::path::{Path, PathBuf};

tercet_base::options! {
    /// Options of metrics whose words are those of a tokenizer, in any case.
    pub struct WordOptions {
        tok: String = "none", "tokenizer";
        tok_model: Option<PathBuf> = "auto",
            "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200";
        lowercase: bool = "no", "ignore case";
    }
}

/// Options that say how lines become words.
pub trait Words: TypedOptions + Send + Sync + 'static {
    /// How lines are prepared. Returns an error if a tokenizer or its model is not found.
    fn preparation(&self, context: &Context) -> Result<Preparation>;
}

impl Words for WordOptions {
    fn preparation(&self, context: &Context) -> Result<Preparation> {
        preparation(&self.tok, self.tok_model.as_deref(), self.lowercase, context)
    }
}

/// How lines are prepared by a tokenizer.
pub(crate) fn preparation(tok: &str, model: Option<&Path>, lowercase: bool, context: &Context) -> Result<Preparation> {
    Ok(Preparation { tokenizer: Tokenizer::open(tok, model, context)?, lowercase })
}

/// A signature with the hash of the dictionary or model of a tokenizer.
pub(crate) fn signed(signature: Spec, tokenizer: Tokenizer) -> Spec {
    match tokenizer {
        Tokenizer::WithModel(with_model) => signature.with("tok_model", with_model.hash()),
        _ => signature,
    }
}
