//! Sentence encoders of the papers: InferSent, Skip-Thought, and the vector at the root of a syntax tree.
//!
//! # Syntax
//! The vector of a line's syntax tree: SYNTAX25 (Guzmán et al., 2015; 2017, sec. 4), computed by our own parser. The
//! papers take the 25 numbers at the root of the tree that the Stanford parser's compositional vector grammar (Socher
//! et al., 2013) finds. So do we, from [`ConstituencyParser`], which has the same design but was trained by us: its
//! vectors cannot be compared or mixed with those of the Stanford parser. To use the latter, see
//! [`PrecomputedVectors`].
//!
//! Lines are tokenized as the parser's treebank is (`ud-en`), since it was trained on such words; `tok` changes that.
//! Case is kept, except that a line in capitals is read in lower case, and escapes are decoded (`read` in the
//! signature: `plain`, or the escapes that the parser's treebank itself uses, which are kept). A byte order mark is not
//! part of a line. A line without words has the zero vector. Every other line has a tree: what the grammar does not
//! cover is composed of the phrases that it does cover. Repeated lines are parsed once.

pub mod infersent_training;
mod recurrent;

pub use recurrent::{InferSentEncoder, SkipThoughtEncoder, WordCase};
pub use tercet_neural::encode::*;

use crate::cache::Cache;
use crate::context::Context;
use crate::error::Result;
use crate::parse::constituency::{ConstituencyParser, SYNTAX_DIMENSION};
use crate::spec::{OptionInfo, Options, Spec, Values};
use crate::text::{Scratch, Tokenizer};
use foldhash::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Vectors of syntax trees.
pub static SYNTAX: EncoderInfo = EncoderInfo {
    name: "syntax",
    summary: "SYNTAX25: the vector at the root of the sentence's syntax tree",
    citation: "Guzmán et al., ACL 2015; Socher et al., ACL 2013",
    options: &[file("a constituency parser, if it is not the embedded one"), tok("ud-en")],
    needs: None,
    build: syntax,
};

/// InferSent.
pub static INFERSENT: EncoderInfo = EncoderInfo {
    name: "infersent",
    summary: "InferSent: LSTMs in both directions over word vectors, of every number the largest",
    citation: "Conneau et al., EMNLP 2017",
    options: &[
        OptionInfo::file(
            MODEL,
            "weights that were trained with kind = \"infersent\", or the published ones, converted by \
             scripts/convert_infersent.py",
        ),
        OptionInfo::file(
            "vectors",
            "the word vectors it was trained with: GloVe 840B or fastText for the published ones",
        ),
        OptionInfo {
            key: "tok",
            values: Values::Text,
            default: "auto",
            help: "tokenizer; auto: as in training, moses+noescape for the published weights",
        },
        OptionInfo {
            key: "case",
            values: Values::Choice(&WordCase::NAMES),
            default: "auto",
            help: "words in lower case, as written and then in lower case, or only as written; auto: as in training, \
                   mixed for the published weights",
        },
    ],
    needs: Some(MODEL),
    build: infersent,
};

/// Skip-Thought.
pub static SKIP_THOUGHT: EncoderInfo = EncoderInfo {
    name: "skip-thought",
    summary: "Skip-Thought: the last state of gated recurrent units over word vectors",
    citation: "Kiros et al., NeurIPS 2015",
    options: &[
        OptionInfo::file(MODEL, "the folder of its published files, converted by scripts/convert_skip_thought.py"),
        OptionInfo {
            key: "kind",
            values: Values::Choice(&["uni", "bi", "combined"]),
            default: "combined",
            help: "one direction, both, or the two joined",
        },
        tok("moses+noescape"),
    ],
    needs: Some(MODEL),
    build: skip_thought,
};

fn syntax(options: &Options, _: &Context) -> Result<Arc<dyn SentenceEncoder>> {
    let encoder = options.file(FILE).map_or_else(|| Ok(SyntaxEncoder::default()), SyntaxEncoder::read)?;
    Ok(Arc::new(encoder.with_tokenizer(Tokenizer::from_name(options.text("tok"))?)))
}

fn infersent(options: &Options, context: &Context) -> Result<Arc<dyn SentenceEncoder>> {
    let vectors = given(options, "vectors", "it needs vectors=FILE")?;
    let mut encoder =
        InferSentEncoder::open(given(options, MODEL, "it needs model=FILE")?, vectors, &context.shared::<Cache>())?;
    if options.text("tok") != "auto" {
        encoder = encoder.with_tokenizer(Tokenizer::from_name(options.text("tok"))?);
    }
    Ok(Arc::new(match options.text("case").parse() {
        Ok(case) => encoder.with_case(case),
        Err(_) => encoder,
    }))
}

fn skip_thought(options: &Options, context: &Context) -> Result<Arc<dyn SentenceEncoder>> {
    let kinds: &[&str] = match options.text("kind") {
        "combined" => &["uni", "bi"],
        "bi" => &["bi"],
        _ => &["uni"],
    };
    let encoder =
        SkipThoughtEncoder::open(given(options, MODEL, "it needs model=FOLDER")?, kinds, &context.shared::<Cache>())?;
    Ok(Arc::new(encoder.with_tokenizer(Tokenizer::from_name(options.text("tok"))?)))
}

/// Encodes a line as the vector at the root of its syntax tree.
#[derive(Clone, Debug)]
pub struct SyntaxEncoder {
    parser: Arc<ConstituencyParser>,
    tokenizer: Tokenizer,
}

impl Default for SyntaxEncoder {
    /// Uses the embedded parser.
    fn default() -> Self {
        SyntaxEncoder { parser: ConstituencyParser::english().clone(), tokenizer: Tokenizer::UdEnglish }
    }
}

impl SyntaxEncoder {
    /// Uses the parser of a model file.
    pub fn read(path: &Path) -> Result<Self> {
        let parser = Arc::new(ConstituencyParser::read(path)?);
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
    fn encoders_of_the_papers_are_built_as_they_are_written() {
        let registry = crate::registry();
        let built = |text: &str| build(text, registry.context());
        assert_eq!(built("syntax").unwrap().dimension(), 25);
        let signature = built("syntax:tok=none").unwrap().signature().to_string();
        assert!(signature.ends_with("tok=none,read=plain"), "{signature}");
        for (text, reason) in [
            ("infersent:model=x", "it needs vectors=FILE"),
            ("skip-thought:kind=both", "expected one of uni, bi, combined"),
            ("skip-thought:model=nowhere", "nowhere/uni_skip.safetensors"),
            ("syntax:file=nowhere", "nowhere"),
            ("syntax:case=lower", "no option `case`"),
        ] {
            let error = built(text).err().unwrap().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

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
