//! Flags of `tercet campaign`.

use super::{InputArgs, TextsArgs, WorkArgs, choice};
use clap::Args;
use std::path::PathBuf;
use tercet::meta_evaluation::campaign::{CampaignJob, CampaignTool, Choice, Protocol};
use tercet::scoring::Seed;

pub const EXAMPLES: &str = "\
Segments are chosen by metrics: where the scores of systems differ most (spread), where metrics disagree about systems
(disagreement), where both is the case, or at random.

Examples:
  tercet campaign -r ref.txt -s src.txt a.txt b.txt c.txt --segments 50 -o campaign.json
  tercet campaign -r ref.txt -s src.txt a.txt b.txt --spans xcomet.json --protocol esa -o campaign.json
  tercet campaign -r ref.txt -s src.txt a.txt b.txt --tool appraise --pair en-de -o batches.json";

/// `tercet campaign`.
#[derive(Args)]
pub struct CampaignArgs {
    /// Translations of two or more systems: one segment per line, or rows with named fields
    #[arg(value_name = "HYP", required = true)]
    pub hypotheses: Vec<PathBuf>,

    #[command(flatten)]
    pub texts: TextsArgs,

    /// The source text, a file or a field of the rows
    #[arg(short, long, alias = "source-column", value_name = "SRC")]
    pub source: Option<PathBuf>,

    /// A file with the name of each segment's document: a document is judged as a whole
    #[arg(long, value_name = "FILE")]
    pub document_ids: Option<PathBuf>,

    /// Metric that chooses segments; can be repeated [default: chrf, ter]
    #[arg(short, long = "metric", value_name = "METRIC")]
    pub metric: Vec<String>,

    /// Number of segments
    #[arg(short = 'n', long, value_name = "N", default_value_t = CampaignJob::default().segments)]
    pub segments: usize,

    /// How segments are chosen
    #[arg(long, value_parser = choice::<Choice>(), value_name = "HOW", default_value_t = CampaignJob::default().choose)]
    pub choose: Choice,

    /// Tool that shows them to raters
    #[arg(long, value_parser = choice::<CampaignTool>(), value_name = "TOOL",
        default_value_t = CampaignJob::default().tool)]
    pub tool: CampaignTool,

    /// What raters are asked for
    #[arg(long, value_parser = choice::<Protocol>(), value_name = "WHAT",
        default_value_t = CampaignJob::default().protocol)]
    pub protocol: Protocol,

    /// Show all systems of a segment side by side
    #[arg(long)]
    pub contrastive: bool,

    /// Number of raters
    #[arg(long, value_name = "N", default_value_t = CampaignJob::default().raters)]
    pub raters: usize,

    /// Language pair, as in en-de, which appraise needs
    #[arg(short, long, value_name = "SRC-TGT")]
    pub pair: Option<String>,

    /// Name of the campaign
    #[arg(long, value_name = "NAME", default_value_t = CampaignJob::default().name)]
    pub title: String,

    /// Scores with errors that a metric marked, such as the JSON of xCOMET: raters see them marked
    #[arg(long, value_name = "FILE")]
    pub spans: Option<PathBuf>,

    /// Seed of --choose random, or `none` for a random one
    #[arg(long, value_name = "SEED", default_value_t)]
    pub seed: Seed,

    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub work: WorkArgs,
}
