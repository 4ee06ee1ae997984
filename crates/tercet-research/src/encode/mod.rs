//! Sentence encoders of the papers: InferSent, Skip-Thought, and the vector at the root of a syntax tree.

pub mod infersent_training;
mod recurrent;
mod syntax;

pub use recurrent::{InferSentEncoder, SkipThoughtEncoder, WordCase};
pub use syntax::SyntaxEncoder;
pub use tercet_neural::encode::*;

use crate::cache::Cache;
use crate::context::Context;
use crate::error::Result;
use crate::spec::{OptionInfo, Options, Values};
use crate::text::Tokenizer;
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
        OptionInfo {
            key: MODEL,
            values: Values::File,
            default: "auto",
            help: "weights that were trained with kind = \"infersent\", or the published ones, converted by scripts/convert_infersent.py",
        },
        OptionInfo {
            key: "vectors",
            values: Values::File,
            default: "auto",
            help: "the word vectors it was trained with: GloVe 840B or fastText for the published ones",
        },
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
            help: "words in lower case, as written and then in lower case, or only as written; auto: as in training, mixed for the published weights",
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
        OptionInfo {
            key: MODEL,
            values: Values::File,
            default: "auto",
            help: "the folder of its published files, converted by scripts/convert_skip_thought.py",
        },
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
}
