//! Flags of `tercet spans`.

use super::correlate::judgement_field;
use super::{TargetArgs, WorkArgs, choice};
use clap::Args;
use std::path::PathBuf;
use tercet::corpora::Severity;
use tercet::meta_evaluation::spans::SpansJob;
use tercet::scoring::Seed;

pub const EXAMPLES: &str = "\
What is reported, by characters of the outputs: precision, recall and F1, without and with severities (half for another
one; critical is major); F1 of spans matched one to one with partial credit; the mean F1 of outputs. Beside the metrics:
another rater, everything marked, nothing marked.

Examples:
  tercet spans mqm_newstest2020_ende.tsv
  tercet spans esa.jsonl -m siamese -m meteor -o spans.html
  tercet spans mqm --spans xcomet.json other-tool.jsonl -f json";

/// `tercet spans`.
#[derive(Args)]
pub struct SpansArgs {
    /// Folders or files of human judgements with marked errors: MQM, ESA, rows with a field of spans
    #[arg(value_name = "JUDGEMENTS", required = true)]
    pub judgements: Vec<PathBuf>,

    /// Metric that marks words, as name or name:key=value,key=value; can be repeated [default: siamese, meteor and ter,
    /// if there is no --spans]
    #[arg(short, long = "metric", value_name = "METRIC")]
    pub metric: Vec<String>,

    /// Spans by other metrics: xCOMET's JSON, or rows with fields such as system, id and spans
    #[arg(long, visible_alias = "scores", value_name = "FILE", num_args = 1..)]
    pub spans: Vec<PathBuf>,

    /// Field of judgements in rows that have other than the usual names, such as spans=FIELD; can be repeated
    #[arg(long, value_name = "NAME=FIELD", value_parser = judgement_field)]
    pub field: Vec<(String, String)>,

    /// Only this language pair, as in cs-en; can be repeated
    #[arg(short, long, value_name = "PAIR")]
    pub pair: Vec<String>,

    /// Name of the ratings, if a set has several [default: all with marked errors]
    #[arg(long, value_name = "NAME")]
    pub human: Option<String>,

    /// Name of the reference, if a set has several; can be repeated [default: refA, ref, or the first]
    #[arg(short, long = "reference", value_name = "NAME")]
    pub reference: Vec<String>,

    /// Include human translations that are not the reference as systems
    #[arg(long)]
    pub include_human: bool,

    /// Severity of a metric's marks that have none, as those of tercet's metrics [default: they are not compared with
    /// severities]
    #[arg(long, value_name = "SEVERITY", value_parser = choice::<Severity>())]
    pub severity: Option<Severity>,

    /// In an HTML page: so many outputs of each set on which people and the first metric differ most
    #[arg(long, value_name = "N", default_value_t = SpansJob::default().top)]
    pub top: usize,

    /// Resamples for intervals
    #[arg(short = 'n', long, visible_alias = "samples", value_name = "N",
        default_value_t = SpansJob::default().resamples)]
    pub resamples: usize,

    /// Seed of the resampling, or `none` for a random one
    #[arg(long, value_name = "SEED", default_value_t)]
    pub seed: Seed,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub work: WorkArgs,
}
