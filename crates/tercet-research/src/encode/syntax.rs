//! The vector of a line's syntax tree: SYNTAX25 (Guzmán et al., 2015; 2017, sec. 4), computed by our own parser.
//!
//! The papers take the 25 numbers at the root of the tree that the Stanford parser's compositional vector grammar (Socher
//! et al., 2013) finds. So do we, from [`ConstituencyParser`], which has the same design but was trained by us: its vectors
//! cannot be compared or mixed with those of the Stanford parser. To use the latter, see
//! [`PrecomputedVectors`](super::PrecomputedVectors).
//!
//! # Choices
//! Lines are tokenized as the parser's treebank is (`ud-en`), since it was trained on such words; `tok` changes that. Case
//! is kept, except that a line in capitals is read in lower case, and escapes are decoded (`read` in the signature:
//! `plain`, or the escapes that the parser's treebank itself uses, which are kept). A byte order mark is not part of a
//! line. A line without words has the zero vector. Every other line has a tree: what the grammar does not cover is
//! composed of the phrases that it does cover. Repeated lines are parsed once.

use super::{SentenceEncoder, without_mark};
use crate::error::Result;
use crate::parse::constituency::{ConstituencyParser, SYNTAX_DIMENSION};
use crate::spec::Spec;
use crate::text::Scratch;
use crate::text::Tokenizer;
use foldhash::HashMap;
use std::borrow::Cow;
use std::path::Path;

/// Encodes a line as the vector at the root of its syntax tree.
#[derive(Clone, Debug)]
pub struct SyntaxEncoder {
    parser: Cow<'static, ConstituencyParser>,
    tokenizer: Tokenizer,
}

impl Default for SyntaxEncoder {
    /// Uses the embedded parser.
    fn default() -> Self {
        SyntaxEncoder { parser: Cow::Borrowed(ConstituencyParser::english()), tokenizer: Tokenizer::UdEnglish }
    }
}

impl SyntaxEncoder {
    /// Uses the parser of a model file.
    pub fn read(path: &Path) -> Result<Self> {
        let parser = Cow::Owned(ConstituencyParser::read(path)?);
        Ok(SyntaxEncoder { parser, tokenizer: Tokenizer::UdEnglish })
    }

    /// Sets the tokenizer.
    pub fn with_tokenizer(mut self, tokenizer: Tokenizer) -> Self {
        self.tokenizer = tokenizer;
        self
    }
}

impl SentenceEncoder for SyntaxEncoder {
    fn signature(&self) -> Spec {
        let spec = Spec::new("syntax").with_option("parser", &self.parser.record().hash);
        let spec = spec.with_option("dim", SYNTAX_DIMENSION).with_option("tok", self.tokenizer.name());
        spec.with_option("read", self.parser.input_normalisation())
    }

    fn dimension(&self) -> usize {
        SYNTAX_DIMENSION
    }

    fn encode(&self, lines: &[&str]) -> Result<Vec<Vec<f32>>> {
        let (mut places, mut distinct) = (HashMap::default(), Vec::new());
        let place: Vec<usize> = lines
            .iter()
            .map(|&line| {
                *places.entry(without_mark(line)).or_insert_with(|| {
                    distinct.push(without_mark(line));
                    distinct.len() - 1
                })
            })
            .collect();
        let mut scratch = Scratch::default();
        let tokenized: Vec<String> = distinct
            .iter()
            .map(|line| {
                let mut tokens = String::new();
                self.tokenizer.tokenize_segment(line, false, &mut scratch, &mut tokens);
                tokens
            })
            .collect();
        let sentences: Vec<Vec<&str>> =
            tokenized.iter().map(|tokens| self.tokenizer.tokens(tokens).collect()).collect();
        let parses = self.parser.parse(&sentences);
        Ok(place.into_iter().map(|place| parses[place].vector.to_vec()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_vector_regardless_of_the_other_lines() {
        let encoder = SyntaxEncoder::default();
        let lines = [
            "The cat sat on the mat.",
            "",
            "colourless green ideas sleep furiously",
            "\u{feff}The cat sat on the mat.",
        ];
        let together = encoder.encode(&lines).unwrap();
        assert_eq!((together.len(), encoder.dimension()), (4, 25));
        assert_eq!(together[0], together[3]);
        assert_ne!(together[0], together[2]);
        assert_eq!(together[1], [0.0; 25]);
        for (line, vector) in lines.iter().zip(&together) {
            assert_eq!(encoder.encode(&[line]).unwrap()[0], *vector);
            assert!(vector.iter().all(|number| number.abs() <= 1.0));
        }
        let signature = encoder.signature().to_string();
        assert!(
            signature.starts_with("syntax:parser=") && signature.ends_with(",dim=25,tok=ud-en,read=plain"),
            "{signature}"
        );
    }
}
