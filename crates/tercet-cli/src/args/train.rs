//! Flags of `tercet train`.

use super::WorkArgs;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;
use tercet::train::{KINDS, Kind};

/// The usage line.
pub const USAGE: &str = "tercet train [OPTIONS] <RECIPE.toml>\n       tercet train --keys <KIND>";

/// Recipes and their keys, for the long help.
pub fn recipe_help() -> String {
    let kinds: Vec<String> = KINDS.iter().map(keys_in_short).collect();
    format!(
        "A recipe describes the data and the settings of a training. Its key `kind` decides what is trained;\n\
         without it, pairwise. Everything except the data has a default. Relative paths are looked for in\n\
         --data DIR, or in the folder of the recipe; the model is written to the folder of the recipe.\n\n\
         Kinds and their keys; --keys KIND prints them with their meanings, as a recipe to start from:\n\n{}\n\
         Examples:\n  tercet train --keys pairwise > recipe.toml\n  tercet train recipe.toml\n  \
         tercet score -m pairwise:model=pairwise.safetensors -r ref.txt a.txt\n  \
         tercet compare --model pairwise.safetensors -r ref.txt a.txt b.txt\n\n\
         The former spellings `tercet train pairwise RECIPE.toml` and `tercet train parser RECIPE.toml` still\n\
         work, and refuse recipes of other kinds.\n\n\
         pairwise: `asymmetry` in the summary is the mean of |f(a, b, r) + f(b, a, r) - 1| on the training\n\
         pairs: how far the network alone is from antisymmetric. compare combines both orders and is exactly\n\
         antisymmetric.\n\n\
         dependency: with [teacher], a larger parser is trained first and labels [texts]; the model learns\n\
         from both. The teacher is kept as MODEL.teacher.safetensors.",
        kinds.join("\n")
    )
}

/// A kind, and one line of keys for each of its tables.
fn keys_in_short(kind: &Kind) -> String {
    let mut text = format!("{}: {}", kind.name, kind.trains);
    for line in kind.keys.lines() {
        let word = line.trim_start_matches("# ").split_whitespace().next().unwrap_or_default();
        if word.starts_with('[') {
            text.push_str(&format!("\n  {word}"));
        } else if line.contains(&format!("{word} = ")) && word != "kind" {
            text.push_str(&format!(" {word}"));
        }
    }
    text + "\n"
}

/// `tercet train`.
#[derive(Args)]
pub struct TrainArgs {
    /// The recipe, a TOML file
    #[arg(value_name = "RECIPE.toml", required_unless_present = "keys", num_args = 1..=2)]
    pub recipe: Vec<PathBuf>,

    /// Print all keys of this kind of recipe with their meanings, as a recipe to start from
    #[arg(long, value_name = "KIND", conflicts_with = "recipe",
          value_parser = PossibleValuesParser::new(KINDS.iter().map(|kind| kind.name)))]
    pub keys: Option<String>,

    /// Folder of the recipe's files, instead of the folder of the recipe
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Number of epochs (maximum, for pairwise), instead of the recipe's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: Option<u32>,

    /// Number of training steps, instead of the recipe's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub steps: Option<u32>,

    /// Path of the model, instead of the recipe's
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Seed, instead of the recipe's
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,

    /// Resume from the checkpoint of an interrupted training
    #[arg(long)]
    pub resume: bool,

    /// Overwrite an existing model
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub work: WorkArgs,
}
