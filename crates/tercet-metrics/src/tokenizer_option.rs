//! The options `tok` and `tok_model`: the tokenizer of a metric and its dictionary or model.
//!
//! Signatures have the hash of the dictionary or model after a bar, and its path if one was given.

use super::{OptionInfo, Options, Values};
use crate::error::Result;
use crate::text::Tokenizer;

/// The option that names the tokenizer.
pub(super) const TOK: OptionInfo =
    OptionInfo { key: "tok", values: Values::Text, default: "none", help: "tokenizer" };

/// The option that names its dictionary or model.
pub(super) const TOK_MODEL: OptionInfo = OptionInfo {
    key: "tok_model",
    values: Values::File,
    default: "auto",
    help: "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200",
};

/// The tokenizer that the options name.
pub(super) fn tokenizer(options: &mut Options) -> Result<Tokenizer> {
    let tokenizer = Tokenizer::open(options.text(TOK.key), options.file(TOK_MODEL.key))?;
    if let Tokenizer::WithModel(with_model) = tokenizer {
        options.add_qualifier(TOK_MODEL.key, with_model.hash());
    }
    Ok(tokenizer)
}
