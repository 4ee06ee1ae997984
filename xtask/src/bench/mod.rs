//! `cargo xtask bench`: speed and memory compared with other tools, recorded in `benchsuite/runs/`.
//!
//! A benchmark is a file that adds rows to a [`session::Session`]: work that a peer and tercet do in turns ([`row`]),
//! with the bars that tercet must meet. The session prints them and writes the record.

mod encoders;
mod lexical;
mod machine;
pub mod measure;
mod meta;
mod meteor;
mod pairwise;
mod parse;
mod peers;
mod python;
mod reval;
mod row;
mod session;
mod siamese;
mod svr;
mod texts;

use anyhow::Result;
use session::RunsArgs;

#[derive(clap::Subcommand)]
pub enum Bench {
    /// BLEU, chrF, TER and the paired bootstrap, compared with sacreBLEU (and tercom, if TERCET_TERCOM_JAR names its
    /// jar)
    Lexical(session::ProgramArgs),
    /// METEOR with and without paraphrases, compared with its jar (TERCET_METEOR_JAR, or that of pycocoevalcap); needs
    /// Java
    Meteor(session::ProgramArgs),
    /// Tie calibration and permutation tests, compared with mt-metrics-eval (--mt-metrics-eval names its checkout)
    Meta(meta::MetaArgs),
    /// Training and scoring of the pairwise network, compared with PyTorch; memory of word vectors
    Pairwise(RunsArgs),
    /// The tokenizer and the dependency parser, compared with UDPipe; memory of `tercet parse`
    Parse(parse::ParseArgs),
    /// The Python package, compared with the command and with sacreBLEU
    Python(RunsArgs),
    /// Training of the network of ReVal, compared with PyTorch; segments per second of scoring
    Reval(reval::RevalArgs),
    /// Support vector regression of the size of RUSE, compared with scikit-learn; its whole grid
    Svr(RunsArgs),
    /// Sentence vectors of a transformer, compared with sentence-transformers
    Encoders(encoders::EncodersArgs),
    /// The metric siamese, compared with the same model in PyTorch, ONNX Runtime and CTranslate2
    Siamese(siamese::SiameseArgs),
}

pub fn run(bench: &Bench) -> Result<()> {
    match bench {
        Bench::Lexical(args) => lexical::run(args),
        Bench::Meteor(args) => meteor::run(args),
        Bench::Meta(args) => meta::run(args),
        Bench::Pairwise(args) => pairwise::run(args),
        Bench::Parse(args) => parse::run(args),
        Bench::Python(args) => python::run(args),
        Bench::Reval(args) => reval::run(args),
        Bench::Svr(args) => svr::run(args),
        Bench::Encoders(args) => encoders::run(args),
        Bench::Siamese(args) => siamese::run(args),
    }
}
