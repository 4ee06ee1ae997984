//! Flags of `tercet rank`.

use super::{
    DocumentArgs, GateArgs, InputArgs, ReportArgs, TextsArgs, WorkArgs, choice, resamples, resamples_help, seed_help,
};
use clap::Args;
use std::path::PathBuf;
use tercet::scoring::{Correction, ResampleBy, Seed, Test};

/// Shown under the long help.
pub const EXAMPLES: &str = "\
Systems are in the order of their scores, with intervals, in groups that do not differ significantly, and with the mean
probability that people prefer their translations.

With --nbest or --mbr it is the candidates of each segment that are put in order: by their scores with the references,
or, without -r, by their mean score with the other candidates as references (minimum Bayes risk). Of equally good
candidates the first is kept. A text that is in a list twice counts twice.

Lists of --nbest have lines `id ||| text ||| …` as those of Moses, or an id, a tab and a text, or with --candidates N
plain lines, N for each segment.

Examples:
  tercet rank -r ref.txt a.txt b.txt c.txt
  tercet rank -r ref.txt -m chrf -m ter --paired ar --correction holm a.txt b.txt c.txt
  tercet rank --nbest list.txt --best > chosen.txt                 minimum Bayes risk
  tercet rank --nbest samples.txt --candidates 100 -m bleu -n 3
  tercet rank --nbest list.txt -r ref.txt                          the best with the references
  tercet rank --mbr --best a.txt b.txt c.txt > combined.txt        the best line of several systems";

/// `tercet rank`.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("lists").multiple(true))]
#[command(group = clap::ArgGroup::new("resampled").multiple(true).conflicts_with("lists"))]
pub struct RankArgs {
    /// Translations of two or more systems: one segment per line, or rows with named fields; - is standard input; may
    /// be gzip or zstd
    #[arg(value_name = "HYP", required_unless_present = "nbest")]
    pub hypotheses: Vec<PathBuf>,

    #[command(flatten)]
    pub texts: TextsArgs,

    /// The source text, a file or a field of the rows: lines that are copies of it get a warning, and a model of
    /// siamese that can scores by it, also without references
    #[arg(short, long, alias = "source-column", value_name = "SRC", conflicts_with = "mbr")]
    pub source: Option<PathBuf>,

    /// Metric, as name or name:key=value,key=value; can be repeated for systems [default: siamese for English, else
    /// chrf]
    #[arg(short, long = "metric", value_name = "METRIC")]
    pub metric: Vec<String>,

    /// With the smaller model of siamese, the learned metric that English references get by default; without siamese
    /// if this program has no smaller one
    #[arg(long, conflicts_with = "metric")]
    pub fast: bool,

    #[command(flatten)]
    pub report: ReportArgs,

    #[command(flatten)]
    pub work: WorkArgs,

    #[command(flatten)]
    pub candidates: CandidateArgs,

    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub documents: DocumentArgs,

    #[command(flatten)]
    pub significance: RankSignificanceArgs,

    #[command(flatten)]
    pub gate: GateArgs,
}

/// Candidates of segments.
#[derive(Args)]
#[command(next_help_heading = "Candidates")]
#[group(skip)]
pub struct CandidateArgs {
    /// Put the candidates of each segment in this n-best list in order; - is standard input
    #[arg(long, value_name = "FILE", group = "lists", conflicts_with_all = ["hypotheses", "name", "table", "fields"])]
    pub nbest: Option<PathBuf>,

    /// The n-best list has plain lines, so many for each segment
    #[arg(long, value_name = "N", requires = "nbest", value_parser = clap::value_parser!(u32).range(1..))]
    pub candidates: Option<u32>,

    /// Candidates are scored with each other as references; those of a segment are the lines of all HYP
    #[arg(long, group = "lists", conflicts_with_all = ["reference", "references", "interleaved"])]
    pub mbr: bool,

    /// Print the best candidate of each segment and nothing else, one per line
    #[arg(long, requires = "lists", conflicts_with_all = ["format", "top", "width"])]
    pub best: bool,

    /// Show at most so many candidates of each segment
    #[arg(short = 'n', long, value_name = "K", requires = "lists", value_parser = clap::value_parser!(u32).range(1..))]
    pub top: Option<u32>,
}

/// Significance tests between all systems.
#[derive(Args)]
#[command(next_help_heading = "Significance")]
#[group(skip)]
pub struct RankSignificanceArgs {
    /// Test of all pairs of systems: bootstrap resampling or approximate randomisation [default: bs]
    #[arg(long, value_parser = choice::<Test>(), value_name = "TEST", conflicts_with = "lists")]
    pub paired: Option<Test>,

    /// Adjust p-values for the number of comparisons
    #[arg(long, value_parser = choice::<Correction>(), value_name = "HOW", conflicts_with = "lists")]
    pub correction: Option<Correction>,

    #[arg(help = resamples_help(), long, visible_alias = "samples", value_name = "N", conflicts_with = "lists",
        value_parser = resamples())]
    pub resamples: Option<u64>,

    #[arg(help = seed_help(), long, value_name = "SEED", conflicts_with = "lists")]
    pub seed: Option<Seed>,

    /// Resamples draw, and trials exchange, single segments or whole documents
    #[arg(long, value_parser = choice::<ResampleBy>(), value_name = "UNIT", default_value_t, conflicts_with = "lists")]
    pub resample_by: ResampleBy,
}
