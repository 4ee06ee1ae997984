//! Flags of `tercet raters`.

use super::correlate::judgement_field;
use super::{TargetArgs, WorkArgs};
use clap::Args;
use std::path::PathBuf;
use tercet::meta_evaluation::raters::RatersJob;
use tercet::scoring::Seed;

pub const EXAMPLES: &str = "\
What is reported: Krippendorff's alpha with its interval; for each rater the mean, Pearson's r with the mean of the
others, Kendall's tau with each other rater, the difference to their mean, alpha without this rater, and whether the
rater is an outlier; the highest Pearson that a metric could reach, by raters of the same output and by identical
outputs of several systems.

Examples:
  tercet raters mqm_newstest2020_ende.tsv
  tercet raters --field rater=who judged.csv -f json
  tercet raters --scores judge-runs.jsonl";

/// `tercet raters`.
#[derive(Args)]
pub struct RatersArgs {
    /// Folders or files of human judgements
    #[arg(value_name = "JUDGEMENTS", required_unless_present = "scores")]
    pub judgements: Vec<PathBuf>,

    /// Scores of a metric that was run several times: rows with a field run, sample or seed, or a list of scores
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub scores: Vec<PathBuf>,

    /// Field of judgements in rows that have other than the usual names, such as rater=FIELD; can be repeated
    #[arg(long, value_name = "NAME=FIELD", value_parser = judgement_field)]
    pub field: Vec<(String, String)>,

    /// Only this language pair, as in cs-en; can be repeated
    #[arg(short, long, value_name = "PAIR")]
    pub pair: Vec<String>,

    /// Resamples for the interval of alpha
    #[arg(short = 'n', long, visible_alias = "samples", value_name = "N",
        default_value_t = RatersJob::default().resamples)]
    pub resamples: usize,

    /// Seed of the resampling, or `none` for a random one
    #[arg(long, value_name = "SEED", default_value_t)]
    pub seed: Seed,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub work: WorkArgs,
}
