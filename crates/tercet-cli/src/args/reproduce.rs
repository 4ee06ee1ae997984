//! Flags of `tercet reproduce`.

use super::{WorkArgs, choice};
use clap::Args;
use std::path::PathBuf;
use tercet::choice::UnknownChoice;
use tercet::report::Format;
use tercet_reproduce::{Paper, TrainingSize, VectorFile};

pub(super) const EXAMPLES: &str = "\
Papers:
  guzman   Guzmán, Joty, Màrquez & Nakov (2017), Machine Translation Evaluation with Neural Networks: tables 1 to 9,
           and `ablation` and `beyond`, which are ours. Needs folders wmt12-rr, wmt13-rr, wmt14-rr (and glove50-subset
           or --vectors) in --data.
  reval    Gupta, Orăsan & van Genabith (2015), ReVal, and their submission to WMT15: tables `wmt12`, `wmt14`, `wmt15`,
           and `ablation`, which is ours. Needs wmt12-rr to wmt16-rr, sick and glove50-subset in --data, and
           --vectors wiki-gw50=FILE for all words.
  ruse     Shimanaka, Kajiwara & Komachi (2018), RUSE: table 2. Needs da-wmt15, da-wmt16 and glove50-subset in --data,
           and --encoder NAME=ENCODER for each row with sentence vectors; the paper's are called skip-thought and
           infersent.

Vectors for --vectors: wiki-gw50 wiki-gw300 cc-300-42b cc-300-840b word2vec300 composes400

Finished runs are cached: a command that was stopped continues where it was.

Examples:
  tercet reproduce guzman --data data --table 1
  tercet reproduce guzman --data data --paraphrase paraphrase-en.gz --vectors wiki-gw50=glove.6B.50d.txt -f markdown
  tercet reproduce guzman --data data --table 7 --train all --encoded-epochs 30
  tercet reproduce reval --data data --table wmt15 --seeds 1 --vectors wiki-gw50=glove.6B.50d.txt
  tercet reproduce ruse --data data --encoder glove300=average:file=glove.6B.300d.txt";

/// `tercet reproduce`.
#[derive(Args)]
pub struct ReproduceArgs {
    /// The paper
    #[arg(value_parser = choice::<Paper>())]
    pub paper: Paper,

    /// The folder with the judgements [default: $TERCET_SHARED/data, or ../shared/data]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Only this table, by its number or name; can be repeated
    #[arg(short, long, value_name = "TABLE")]
    pub table: Vec<String>,

    /// Number of runs of everything that is trained, with seeds 1 to N [default: 5; ruse has no seeds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub seeds: Option<u32>,

    /// For guzman: 10,000 judgements per language, all, or both in turn [default: both; learned encoders 10k]
    #[arg(long, value_parser = choice::<TrainingSize>(), value_name = "SIZE")]
    pub train: Option<TrainingSize>,

    /// METEOR's paraphrase table
    #[arg(long, value_name = "FILE")]
    pub paraphrase: Option<PathBuf>,

    /// Word vectors, as in wiki-gw50=glove.6B.50d.txt; can be repeated [default: wiki-gw50 from --data]
    #[arg(long, value_name = "NAME=FILE", value_parser = vectors)]
    pub vectors: Vec<(VectorFile, PathBuf)>,

    /// For guzman and ruse: a sentence encoder (`tercet encoders`) and its name in the table; can be repeated
    #[arg(long, value_name = "NAME=ENCODER", value_parser = encoder)]
    pub encoder: Vec<(String, String)>,

    /// For ruse: a further metric of the combination of everything, or components(METRIC); can be repeated
    #[arg(long, value_name = "METRIC")]
    pub metric: Vec<String>,

    /// For ruse: a model of ReVal that has not learned from WMT16, to be combined with metrics
    #[arg(long, value_name = "FILE")]
    pub reval: Option<PathBuf>,

    /// For guzman: SYNTAX25 of all texts by another parser: a line, a tab, its numbers [default: our parser's]
    #[arg(long, value_name = "FILE")]
    pub syntax: Option<PathBuf>,

    /// For guzman: without SYNTAX25, so nothing is parsed, and the full system runs without it
    #[arg(long, conflicts_with = "syntax")]
    pub no_syntax: bool,

    /// Maximum number of epochs [default: guzman 10000, for networks over precomputed vectors; reval 10, or 6 for
    /// pairs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: Option<u32>,

    /// For guzman: epochs without a new best on the development set after which training ends [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub patience: Option<u32>,

    /// For guzman: maximum number of epochs, for networks that learn their encoder [default: 15]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub encoded_epochs: Option<u32>,

    /// For guzman: patience of networks that learn their encoder [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub encoded_patience: Option<u32>,

    /// Folder for features and finished runs [default: `reproduce` in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// Ignore the cache: run everything again
    #[arg(long)]
    pub fresh: bool,

    /// Output format: text, json or markdown
    #[arg(short, long, value_parser = format, default_value = "text")]
    pub format: Format,

    /// Write here instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub work: WorkArgs,
}

/// `NAME=FILE`.
fn vectors(given: &str) -> Result<(VectorFile, PathBuf), String> {
    let expected = "expected NAME=FILE, as in wiki-gw50=glove.6B.50d.txt";
    let (name, path) = given.split_once('=').ok_or(expected)?;
    Ok((name.parse().map_err(|error: UnknownChoice| error.to_string())?, PathBuf::from(path)))
}

/// `NAME=ENCODER`.
fn encoder(given: &str) -> Result<(String, String), &'static str> {
    let parts = given.split_once('=').map(|(name, spec)| (name.to_owned(), spec.to_owned()));
    parts.ok_or("expected NAME=ENCODER, as in glove=average:file=glove.6B.50d.txt")
}

/// The formats of reproductions.
fn format(name: &str) -> Result<Format, &'static str> {
    match name {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        "markdown" => Ok(Format::Markdown),
        _ => Err("expected text, json or markdown"),
    }
}
