//! What is done to a line before its words are compared: case, then a tokenizer.

use super::tokenizer::{Scratch, Tokenizer};
use super::trim_end;
use std::borrow::Cow;

/// Prepares lines; the plainest preparation costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Preparation {
    /// How lines are cut.
    pub tokenizer: Tokenizer,
    /// Whether case is ignored.
    pub lowercase: bool,
}

impl Preparation {
    /// The line without white space at its end, in lower case if so wished, tokenized.
    pub fn apply<'a>(&self, line: &'a str) -> Cow<'a, str> {
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
    fn case_goes_before_the_tokenizer_and_nothing_to_do_borrows() {
        let plain = Preparation { tokenizer: Tokenizer::None, lowercase: false };
        assert!(matches!(plain.apply("As it stands. "), Cow::Borrowed("As it stands.")));
        let both = Preparation { tokenizer: Tokenizer::V13a, lowercase: true };
        assert_eq!(both.apply("Hello, World!"), "hello , world !");
    }
}
