//! Flags of `tercet compare`.

use super::{DocumentArgs, GateArgs, InputArgs, ReportArgs, TextsArgs, WorkArgs, choice, resamples};
use clap::Args;
use std::path::PathBuf;
use tercet::scoring::{RESAMPLES, ResampleBy, Seed, TRIALS};

/// Shown under the long help.
pub const EXAMPLES: &str = "\
The probability that people would prefer A's translation comes from siamese, which learned from their judgements, from a
network trained on pairs (--model), or from the difference of a metric's two scores with a slope that was fitted to the
judgements of WMT12–16. With siamese by default, what BLEU and chrF say is told too.
Its mean over segments says which is better; p is that of a test which exchanges A and B at random.

Examples:
  tercet compare -r ref.txt a.txt b.txt
  tercet compare -r ref.txt -m meteor --top 10 a.txt b.txt
  tercet compare -r ref.txt -m siamese --explain a.txt b.txt
  tercet compare -r ref.txt --model pairwise.safetensors a.txt b.txt
  tercet compare -r ref1.txt -r ref2.txt -m ter -f tsv a.txt b.txt > p.tsv
  tercet compare -r ref.txt --no-worse-than a.txt a.txt b.txt
  tercet compare -r ref.txt -m 'chrf|slope=0.1' a.txt b.txt       with a slope of your own
  paste ref.txt a.txt b.txt | tercet compare --columns ref,hyp=a,hyp=b -";

/// `tercet compare`.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("resampled").multiple(true))]
pub struct CompareArgs {
    /// Translations A and B: one segment per line, or rows with named fields; - is standard input; may be gzip or zstd
    #[arg(value_name = "HYP", required = true)]
    pub hypotheses: Vec<PathBuf>,

    #[command(flatten)]
    pub texts: TextsArgs,

    /// The source text, a file or a field of the rows: lines that are copies of it get a warning
    #[arg(short, long, alias = "source-column", value_name = "SRC")]
    pub source: Option<PathBuf>,

    /// Metric, as name or name:key=value,key=value [default: siamese for English, else chrf]
    #[arg(short, long, value_name = "METRIC")]
    pub metric: Option<String>,

    /// With the smaller model of siamese, the learned metric that English references get by default; without siamese
    /// if this program has no smaller one
    #[arg(long, conflicts_with_all = ["metric", "model"])]
    pub fast: bool,

    /// Compare with a trained network: short for -m pairwise:model=FILE
    #[arg(long, value_name = "FILE", conflicts_with = "metric")]
    pub model: Option<PathBuf>,

    /// Number of segments to show where A is most clearly better, and the same for B
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,

    /// Mark the words of A, of B and of the reference that have no good partner, instead of differences between A and
    /// B; with siamese
    #[arg(long)]
    pub explain: bool,

    #[command(flatten)]
    pub report: ReportArgs,

    #[command(flatten)]
    pub work: WorkArgs,

    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub documents: DocumentArgs,

    #[arg(short = 'n', long, visible_alias = "samples", value_name = "N", help_heading = "Significance",
        help = format!("Resamples and trials [default: {RESAMPLES} for the interval, {TRIALS} for the test]"),
        value_parser = resamples())]
    pub resamples: Option<u64>,

    /// Seed of the resampling, or `none` for a random one
    #[arg(long, value_name = "SEED", default_value_t, help_heading = "Significance")]
    pub seed: Seed,

    /// Resamples draw, and trials exchange, single segments or whole documents
    #[arg(long, value_parser = choice::<ResampleBy>(), value_name = "UNIT", default_value_t,
        help_heading = "Significance")]
    pub resample_by: ResampleBy,

    #[command(flatten)]
    pub gate: GateArgs,
}
