//! Lowercasing and tokenization of a line before its words are compared.

use super::tokenizer::{Scratch, Tokenizer};
use super::trim_end;
use std::borrow::Cow;
use tercet_base::stop;

/// Prepares lines; without lowercasing and tokenizer, lines are borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Preparation {
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// Whether case is ignored.
    pub lowercase: bool,
}

impl Preparation {
    /// The line without trailing white space, lowercased if asked, tokenized.
    pub fn apply<'a>(&self, line: &'a str) -> Cow<'a, str> {
        stop::steps(line.len());
        if self.tokenizer == Tokenizer::None && !self.lowercase {
            return Cow::Borrowed(trim_end(line));
        }
        let mut tokens = String::new();
        self.tokenizer.tokenize_segment(line, self.lowercase, &mut Scratch::default(), &mut tokens);
        Cow::Owned(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowercasing_comes_before_the_tokenizer_and_an_unchanged_line_is_borrowed() {
        let plain = Preparation { tokenizer: Tokenizer::None, lowercase: false };
        assert!(matches!(plain.apply("As it stands. "), Cow::Borrowed("As it stands.")));
        let both = Preparation { tokenizer: Tokenizer::V13a, lowercase: true };
        assert_eq!(both.apply("Hello, World!"), "hello , world !");
    }
}
