//! Flags of `tercet train`.

use super::WorkArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use tercet::metrics::pairwise::KEYS;
use tercet::parse::{constituency, dependency};

/// What a recipe holds, for the long help.
fn recipe_help() -> String {
    format!(
        "A recipe says what is learned from, what the network sees and how it learns. All but the data\n\
         has a default, the papers' setting. Files that are not absolute are looked for beside the recipe.\n\
         All keys:\n\n{KEYS}\n\
         Then:\n  tercet score -m pairwise:model=pairwise.safetensors -r ref.txt a.txt\n  \
         tercet compare --model pairwise.safetensors -r ref.txt a.txt b.txt\n\n\
         `asymmetry` in the summary is the mean of |f(a, b, r) + f(b, a, r) - 1| on the training pairs:\n\
         how far the bare network is from antisymmetric. compare takes both orders together and is\n\
         antisymmetric exactly."
    )
}

/// What a recipe of a parser holds, for the long help.
fn parser_help() -> String {
    format!(
        "A recipe says what is learned from and how. `kind` says which parser it makes; all but the data\n\
         has a default. Files that are not absolute are looked for in --data DIR, or beside the recipe.\n\
         All keys of kind = \"dependency\":\n\n{}\n\
         With [teacher], a bigger parser is trained first and labels [texts]; the model learns from both.\n\
         The teacher stays beside the model as MODEL.teacher.safetensors.\n\n\
         All keys of kind = \"constituency\":\n\n{}",
        dependency::training::KEYS,
        constituency::training::KEYS
    )
}

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
    #[command(after_long_help = recipe_help())]
    Pairwise(TrainPairwiseArgs),
    /// A parser, from treebanks
    #[command(after_long_help = parser_help())]
    Parser(TrainParserArgs),
}

/// `tercet train pairwise`.
#[derive(Args)]
pub struct TrainPairwiseArgs {
    /// The recipe
    #[arg(value_name = "CONFIG.toml")]
    pub recipe: PathBuf,

    /// Train for so many epochs at most, whatever the recipe says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: Option<u32>,

    #[command(flatten)]
    pub run: TrainingRunArgs,
}

/// `tercet train parser`.
#[derive(Args)]
pub struct TrainParserArgs {
    /// The recipe
    #[arg(value_name = "CONFIG.toml")]
    pub recipe: PathBuf,

    /// Look for the files of the recipe here, not beside it
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Train the model for so many steps, whatever the recipe says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub steps: Option<u32>,

    #[command(flatten)]
    pub run: TrainingRunArgs,
}

/// What every training takes.
#[derive(Args)]
pub struct TrainingRunArgs {
    /// Write the model here, whatever the recipe says
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Use this seed, whatever the recipe says
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,

    /// Go on from the checkpoint of a training that was interrupted
    #[arg(long)]
    pub resume: bool,

    /// Overwrite a model that is there
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub work: WorkArgs,
}
