//! The registry of encoders, built from `name:key=value,key=value` like metrics.

use super::{AverageEncoder, PrecomputedVectors, SentenceEncoder};
use super::{Precision, TransformerEncoder};
use crate::cache::Cache;
use crate::context::{Context, FilesOfModels};
use crate::error::{Error, Result};
use crate::spec::{Declared, OptionInfo, Options, Spec, Values};
use crate::text::Tokenizer;
use crate::vectors::{AveragePolicy, LookupCase, UnknownWords, WordVectors};
use std::path::Path;
use std::sync::Arc;

const ENCODER: &str = "encoder";

/// Description of an encoder.
#[derive(Debug)]
pub struct EncoderInfo {
    /// The name before `:key=value`.
    pub name: &'static str,
    /// What the vector of a sentence is, in one line.
    pub summary: &'static str,
    /// The paper that introduced it.
    pub citation: &'static str,
    /// All options that can change a vector.
    pub options: &'static [OptionInfo],
    /// The key of an option without default.
    pub needs: Option<&'static str>,
    /// Builds the encoder.
    pub build: fn(&Options, &Context) -> Result<Arc<dyn SentenceEncoder>>,
}

/// The average of word vectors.
pub static AVERAGE: EncoderInfo = EncoderInfo {
    name: "average",
    summary: "the average of the vectors of the words",
    citation: "Guzmán et al., ACL 2015, CSL 2017",
    options: &[
        file("word vectors: GloVe, word2vec or COMPOSES"),
        tok("moses+noescape"),
        OptionInfo {
            key: "case",
            values: Values::Choice(&["lower", "then-lower", "mixed"]),
            default: "lower",
            help: "words in lower case, as written and then in lower case, or only as written",
        },
        OptionInfo {
            key: "unknown",
            values: Values::Choice(&["out", "zeros"]),
            default: "out",
            help: "words without a vector are left out, or count as zeros",
        },
    ],
    needs: Some(FILE),
    build: average,
};

/// Vectors of known lines.
pub static PRECOMPUTED: EncoderInfo = EncoderInfo {
    name: "precomputed",
    summary: "vectors of known lines that another program has made",
    citation: "",
    options: &[file("a line, a tab and its numbers on each row")],
    needs: Some(FILE),
    build: |options, _| Ok(Arc::new(PrecomputedVectors::read(given_file(options)?)?)),
};

/// Encoders of the BERT family.
pub static TRANSFORMER: EncoderInfo = EncoderInfo {
    name: "transformer",
    summary: "the mean of the token vectors of a BERT or MPNet encoder",
    citation: "Devlin et al., NAACL 2019; Reimers & Gurevych, EMNLP 2019",
    options: &[
        TRANSFORMER_FOLDER,
        PRECISION,
        OptionInfo {
            key: "unit",
            values: Values::Choice(&["yes", "no"]),
            default: "auto",
            help: "scale vectors to length 1; auto: as the folder says",
        },
    ],
    needs: Some(MODEL),
    build: transformer,
};

/// The option that names the folder of a transformer.
pub(crate) const TRANSFORMER_FOLDER: OptionInfo = OptionInfo::file(
    MODEL,
    "a folder with config.json, tokenizer.json or vocab.txt, and model.safetensors or onnx/model.onnx",
);

/// The precision of a transformer's weights.
pub(crate) const PRECISION: OptionInfo = OptionInfo {
    key: "precision",
    values: Values::Choice(&["single", "int8"]),
    default: "single",
    help: "weights as 32-bit floats or as 8-bit integers, which is faster",
};

/// The option that names a model.
pub const MODEL: &str = "model";

/// The option that names a file.
pub const FILE: &str = "file";

/// The option that names a file.
pub const fn file(help: &'static str) -> OptionInfo {
    OptionInfo::file(FILE, help)
}

/// The option that names a tokenizer.
pub const fn tok(default: &'static str) -> OptionInfo {
    OptionInfo { key: "tok", values: Values::Text, default, help: "tokenizer" }
}

impl EncoderInfo {
    /// Name and options.
    pub fn declared(&self) -> Declared {
        Declared { what: ENCODER, name: self.name, options: self.options }
    }
}

/// The encoders that can be built by name. A [`Context`] has one list, which is [set](Context::set) where it is not the
/// default.
#[derive(Debug)]
pub struct Encoders(Vec<&'static EncoderInfo>);

impl Default for Encoders {
    /// All encoders but those that need a parser.
    fn default() -> Self {
        Encoders(vec![&AVERAGE, &PRECOMPUTED, &TRANSFORMER])
    }
}

impl Encoders {
    /// These encoders, in the order in which they are listed.
    pub fn new(encoders: &[&'static EncoderInfo]) -> Self {
        Encoders(encoders.to_vec())
    }

    /// All encoders, in the order in which they are listed.
    pub fn all(&self) -> &[&'static EncoderInfo] {
        &self.0
    }

    fn resolve(&self, spec: &Spec) -> Result<(&'static EncoderInfo, Options)> {
        if spec != &spec.without_qualifiers() {
            let reason = "an encoder has options only, nothing after a bar".to_owned();
            return Err(Error::BadSpec { what: ENCODER, text: spec.to_string(), reason });
        }
        let info = self.0.iter().find(|info| info.name == spec.name());
        let names = self.0.iter().map(|info| info.name);
        let info = info.ok_or_else(|| Error::unknown_name(ENCODER, spec.name(), names))?;
        Ok((info, info.declared().read(spec)?))
    }
}

/// Builds an encoder from `name:key=value,key=value`. Relative paths are relative to the current folder.
pub fn build(text: &str, context: &Context) -> Result<Arc<dyn SentenceEncoder>> {
    build_spec(&Spec::parse(ENCODER, text)?, context)
}

/// Builds the encoder of a spec.
pub fn build_spec(spec: &Spec, context: &Context) -> Result<Arc<dyn SentenceEncoder>> {
    let (info, options) = context.shared::<Encoders>().resolve(spec)?;
    let files = info.options.iter().filter_map(|option| options.file(option.key));
    let allowed = context.shared::<FilesOfModels>();
    files.into_iter().try_for_each(|path| allowed.check(path))?;
    (info.build)(&options, context)
}

/// Finds the entry of an encoder without building it.
pub fn find(text: &str, context: &Context) -> Result<&'static EncoderInfo> {
    Ok(context.shared::<Encoders>().resolve(&Spec::parse(ENCODER, text)?)?.0)
}

/// The same encoder with relative paths resolved in a folder.
pub fn relative_to(text: &str, folder: &Path, context: &Context) -> Result<Spec> {
    let spec = Spec::parse(ENCODER, text)?;
    let (info, mut options) = context.shared::<Encoders>().resolve(&spec)?;
    options.resolve_files(folder)?;
    Ok(info.options.iter().fold(spec, |spec, option| match spec.option(option.key) {
        Some(given) if option.values.is_file(given) && options.file(option.key).is_some() => {
            spec.with_option(option.key, options.text(option.key))
        }
        _ => spec,
    }))
}

fn given_file(options: &Options) -> Result<&Path> {
    given(options, FILE, "it needs file=FILE")
}

/// The file or folder of an option that has no default.
pub fn given<'a>(options: &'a Options, key: &str, reason: &str) -> Result<&'a Path> {
    options.file(key).ok_or_else(|| Error::BadSpec {
        what: ENCODER,
        text: options.spec().to_string(),
        reason: reason.to_owned(),
    })
}

fn average(options: &Options, context: &Context) -> Result<Arc<dyn SentenceEncoder>> {
    let case = options.text("case");
    let policy = AveragePolicy {
        case: if case == "mixed" { LookupCase::AsWritten } else { LookupCase::ThenLower },
        unknown: if options.text("unknown") == "out" { UnknownWords::LeftOut } else { UnknownWords::Zeros },
    };
    let tokenizer = Tokenizer::from_name(options.text("tok"))?;
    let vectors = WordVectors::open(given_file(options)?, &context.shared::<Cache>())?;
    let encoder = AverageEncoder::new(Arc::new(vectors)).with_tokenizer(tokenizer);
    Ok(Arc::new(encoder.with_lowercase(case == "lower").with_policy(policy)))
}

fn transformer(options: &Options, context: &Context) -> Result<Arc<dyn SentenceEncoder>> {
    let precision = if options.text("precision") == "int8" { Precision::Int8 } else { Precision::Single };
    let encoder = TransformerEncoder::open(given(options, MODEL, "it needs model=FOLDER")?, precision, context)?;
    Ok(Arc::new(match options.text("unit") {
        "auto" => encoder,
        unit => encoder.with_unit(unit == "yes"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoders_are_built_as_they_are_written() {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::write(scratch.path().join("v.txt"), "cat 1 2\nCat 3 4\n").unwrap();
        std::fs::write(scratch.path().join("p.tsv"), "a cat\t1 2 3\n").unwrap();
        let context = crate::registry().context().clone();
        let built = |text: &str| build_spec(&relative_to(text, scratch.path(), &context).unwrap(), &context);
        let line = ["Cat x"];
        let encoded = |text: &str| built(text).unwrap().encode(&line).unwrap();
        assert_eq!(encoded("average:file=v.txt"), [[1.0, 2.0]]);
        assert_eq!(encoded("average:file=v.txt,case=mixed,unknown=zeros,tok=none"), [[1.5, 2.0]]);
        assert_eq!(built("precomputed:file=p.tsv").unwrap().dimension(), 3);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let refused =
            |text: &str| build(text, crate::registry().context()).err().map(|error| error.to_string()).unwrap();
        for (text, reason) in
            [("transformer", "it needs model=FOLDER"), ("transformer:model=nowhere", "nowhere: not a folder")]
        {
            assert!(refused(text).contains(reason), "{}", refused(text));
        }
        assert!(refused("averag:file=x").contains("did you mean `average`?"));
        assert!(refused("average").contains("it needs file=FILE"));
        assert!(refused("average:file=x,dim=3").contains("no option `dim`"));
        assert!(refused("average:file").contains("write name:key=value"));
        assert!(refused("average:file=x,case=upper").contains("expected one of lower, then-lower, mixed"));
        assert!(refused("average:file=nowhere").contains("nowhere"));
        assert!(refused("average:file=x|refs=1").contains("nothing after a bar"));
    }
}
