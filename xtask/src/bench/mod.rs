//! `cargo xtask bench`: speed and memory compared with other tools, recorded in `benchsuite/runs/`.

mod agreement;
pub mod encoders;
pub mod lexical;
mod machine;
pub mod measure;
pub mod meta;
pub mod meteor;
pub mod pairwise;
pub mod parse;
mod peers;
pub mod python;
mod record;
pub mod reval;
mod rows;
mod runs;
pub mod siamese;
mod suite;
pub mod svr;

#[derive(clap::Subcommand)]
pub enum Bench {
    /// BLEU, chrF, TER and the paired bootstrap, compared with sacreBLEU (and tercom, if TERCET_TERCOM_JAR names its jar)
    Lexical(suite::SuiteArgs),
    /// METEOR with and without paraphrases, compared with its jar (TERCET_METEOR_JAR, or that of pycocoevalcap); needs Java
    Meteor(suite::SuiteArgs),
    /// Tie calibration and permutation tests, compared with mt-metrics-eval (--mt-metrics-eval names its checkout)
    Meta(meta::MetaArgs),
    /// Training and scoring of the pairwise network, compared with PyTorch; memory of word vectors
    Pairwise(pairwise::PairwiseArgs),
    /// The tokenizer and the dependency parser, compared with UDPipe; memory of `tercet parse`
    Parse(parse::ParseArgs),
    /// The Python package, compared with the command and with sacreBLEU
    Python(python::PythonArgs),
    /// Training of the network of ReVal, compared with PyTorch; segments per second of scoring
    Reval(reval::RevalArgs),
    /// Support vector regression of the size of RUSE, compared with scikit-learn; its whole grid
    Svr(svr::SvrArgs),
    /// Sentence vectors of a transformer, compared with sentence-transformers
    Encoders(encoders::EncodersArgs),
    /// The metric siamese, compared with the same model in PyTorch, ONNX Runtime and CTranslate2
    Siamese(siamese::SiameseArgs),
}
