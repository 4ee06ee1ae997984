//! Lines as numbered tokens, and the n-grams of references that hypotheses are matched against: what BLEU and NIST
//! share.

use super::ngrams::{Ngrams, Words};
use super::tokenizer::{Scratch, Tokenizer};

/// Tokenizes lines and numbers their tokens. Memory is reused between segments.
pub struct NgramMatcher {
    tokenizer: Tokenizer,
    lowercase: bool,
    scratch: Scratch,
    tokens: String,
    /// The tokens of the last line, by number; [`UNKNOWN`](super::ngrams::UNKNOWN) where no reference has them.
    pub symbols: Vec<u32>,
    /// The tokens of the references.
    pub words: Words,
    /// The n-grams of the references.
    pub ngrams: Ngrams,
}

impl NgramMatcher {
    /// Matches n-grams of up to `max_order` tokens.
    pub fn new(tokenizer: Tokenizer, lowercase: bool, max_order: usize) -> Self {
        NgramMatcher {
            tokenizer,
            lowercase,
            scratch: Scratch::default(),
            tokens: String::new(),
            symbols: Vec::new(),
            words: Words::default(),
            ngrams: Ngrams::new(max_order),
        }
    }

    /// Removes the references and keeps the memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.ngrams.clear();
    }

    /// Adds a reference; returns how many tokens it has.
    pub fn add_reference(&mut self, line: &str) -> usize {
        self.tokenize(line);
        self.symbols.clear();
        self.symbols.extend(self.tokenizer.tokens(&self.tokens).map(|token| self.words.learn(token)));
        self.ngrams.add(&self.symbols);
        self.symbols.len()
    }

    /// Numbers the tokens of a hypothesis; returns how many there are.
    pub fn read_hypothesis(&mut self, line: &str) -> usize {
        self.tokenize(line);
        self.symbols.clear();
        self.symbols.extend(self.tokenizer.tokens(&self.tokens).map(|token| self.words.get(token)));
        self.symbols.len()
    }

    fn tokenize(&mut self, line: &str) {
        self.tokenizer.tokenize_segment(line, self.lowercase, &mut self.scratch, &mut self.tokens);
    }
}
