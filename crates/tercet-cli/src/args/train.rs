//! Flags of `tercet train`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
A recipe says what is learned from, what the network sees and how it learns; all but the data has a default, the papers'
setting. Files that are not absolute are looked for beside the recipe:

  [data]
  train = [\"wmt13-rr\"]              # folders or files of judgements
  per_pair = 10000                  # of each language pair; all if not said
  development = [\"wmt14-rr\"]        # chooses the epoch that is kept

  [inputs]
  metrics = [\"bleu:lowercase=yes\", \"nist\", \"ter:normalized=yes\", \"meteor\"]
  components = []                   # metrics whose components are features: [\"bleu\"] is BLEUCOMP
  encoders = [\"average:file=glove.6B.50d.txt\", \"precomputed:file=syntax.tsv\"]

  [words]                           # instead of averages: an encoder that is learned with the network
  file = \"glove.6B.50d.txt\"         # or dimension = 50, random
  encoding = \"bilstm\"               # average, convolution, lstm, bilstm
  fine_tuning = \"full\"              # none, moderate, full

  [network]
  architecture = \"groups\"           # single (logistic regression), groups, full
  hidden = 4

  [training]
  cost = \"logistic\"                 # logistic, kendall, logistic-then-kendall
  epochs = 10000
  patience = 100                    # stop after so many epochs without a new best
  seed = 1

  [model]
  file = \"pairwise.safetensors\"

Then:
  tercet score -m pairwise:model=pairwise.safetensors -r ref.txt a.txt
  tercet compare --model pairwise.safetensors -r ref.txt a.txt b.txt";

/// `tercet train`.
#[derive(Args)]
pub struct TrainArgs {
    /// What is trained.
    #[command(subcommand)]
    pub model: TrainedModel,
}

/// Models that learn.
#[derive(Subcommand)]
pub enum TrainedModel {
    /// The pairwise network of Guzmán et al.: which of two translations is better?
    #[command(after_long_help = EXAMPLES)]
    Pairwise(TrainPairwiseArgs),
}

/// `tercet train pairwise`.
#[derive(Args)]
pub struct TrainPairwiseArgs {
    /// The recipe
    #[arg(value_name = "CONFIG.toml")]
    pub recipe: PathBuf,

    /// Write the model here, whatever the recipe says
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Use this seed, whatever the recipe says
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,

    /// Train for so many epochs at most, whatever the recipe says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: Option<u32>,

    /// Go on from the checkpoint of a training that was interrupted
    #[arg(long)]
    pub resume: bool,

    /// Threads for metrics and encoders; the digits do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,
}
