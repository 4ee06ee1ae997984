//! Lines as ROUGE's words.

use super::{RougeOptions, Stems};
use crate::Spec;
use crate::context::Context;
use crate::error::Result;
use crate::resources::Synonyms;
use crate::text::{Preparation, nltk_stem, rouge_stem};
use crate::word_options::{preparation, signed};
use std::borrow::Cow;

/// Words of two parts of speech with the base form that the tool takes.
const CHOSEN: &[(&str, &str)] = &[("best", "well"), ("better", "well")];

/// Reads lines as words.
pub(super) struct WordReader {
    preparation: Preparation,
    stems: Stems,
    /// The dictionary with the base forms of irregular words, if words become the tool's stems.
    exceptions: Option<&'static Synonyms>,
}

impl WordReader {
    pub(super) fn new(options: &RougeOptions, context: &Context) -> Result<Self> {
        let preparation = preparation(&options.tok, options.tok_model.as_deref(), options.lowercase, context)?;
        let exceptions = (options.stem == Stems::Tool).then(Synonyms::embedded);
        Ok(WordReader { preparation, stems: options.stem, exceptions })
    }

    /// The words of a line with white space between any two.
    pub(super) fn read<'l>(&self, line: &'l str) -> Cow<'l, str> {
        let line = self.preparation.apply(line);
        match self.exceptions {
            Some(exceptions) => Cow::Owned(stems(&line, |word| base_form(word, exceptions), rouge_stem)),
            None if self.stems == Stems::Nltk => Cow::Owned(stems(&line, |_| None, nltk_stem)),
            None => line,
        }
    }

    /// Adds the hashes of the tokenizer's model and of the exceptions to a signature.
    pub(super) fn sign(&self, signature: Spec) -> Spec {
        let signature = signed(signature, self.preparation.tokenizer);
        match self.exceptions {
            Some(exceptions) => signature.with("exceptions", format!("wn30-{}", exceptions.hash())),
            None => signature,
        }
    }
}

/// The base form of each word, or else the stem of words of more than three letters.
fn stems<'e>(line: &str, base_form: impl Fn(&str) -> Option<&'e str>, stem: fn(&str) -> String) -> String {
    let mut stems = String::with_capacity(line.len());
    for word in line.split_ascii_whitespace() {
        if !stems.is_empty() {
            stems.push(' ');
        }
        match base_form(word) {
            Some(base) => stems.push_str(base),
            None if word.len() > 3 => stems.push_str(&stem(word)),
            None => stems.push_str(word),
        }
    }
    stems
}

/// The base form of an irregular word of more than three letters.
fn base_form<'e>(word: &str, exceptions: &'e Synonyms) -> Option<&'e str> {
    let chosen = CHOSEN.iter().find(|(form, _)| *form == word).map(|(_, base)| *base);
    chosen.or_else(|| exceptions.base_form(word)).filter(|_| word.len() > 3)
}
