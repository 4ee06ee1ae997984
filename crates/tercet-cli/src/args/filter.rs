//! Flags of `tercet filter`.

use super::WorkArgs;
use super::choice::choice;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tercet::scoring::{DropReason, DuplicateBy};
use tercet::text::Language;

/// Shown under the long help.
pub const EXAMPLES: &str = "\
Reads a parallel corpus of any size, drops pairs by rules (empty, copies, lengths, languages, duplicates), scores the
others by the source alone, and drops those below a score or beyond a share of all pairs. Memory does not grow with the
corpus, but for nine bytes a pair to find duplicates. The files are read three times: to count, to score, to write.

Examples:
  tercet filter -s corpus.de corpus.en --keep 0.7 -o kept.tsv
  tercet filter -s corpus.de corpus.en --min-score 40 -o kept.en --output-source kept.de
  tercet filter pairs.jsonl --keep 0.5 -o kept.jsonl --dropped dropped.tsv
  tercet filter pairs.parquet -l en --source-language de --keep 0.5 -o kept.parquet
  tercet filter pairs.jsonl --keep 0.5 -o kept.jsonl --resume      after it was stopped
  tercet filter pairs.csv --ignore score -o kept.csv               rules only: no model, thousands of times as fast";

/// `tercet filter`.
#[derive(Args)]
pub struct FilterArgs {
    /// The targets, one per line, with -s FILE; or both in rows with named fields, Parquet or Arrow
    #[arg(value_name = "PAIRS")]
    pub pairs: PathBuf,

    /// The sources: a file with as many lines, or a field of the rows [default: source, src and the like]
    #[arg(short, long, value_name = "SRC")]
    pub source: Option<PathBuf>,

    /// The field of the rows that has the targets [default: target, translation and the like]
    #[arg(long, value_name = "FIELD")]
    pub target: Option<String>,

    /// The language of the targets, or a language pair [default: found in the first pairs]
    #[arg(short, long = "language", visible_alias = "lang", value_name = "LANG", value_parser = Language::target)]
    pub lang: Option<Language>,

    /// The language of the sources [default: found in the first pairs]
    #[arg(long, value_name = "LANG", value_parser = Language::target)]
    pub source_language: Option<Language>,

    /// A metric that does without references [default: siamese]
    #[arg(short, long, value_name = "METRIC")]
    pub metric: Option<String>,

    /// Drop pairs with a lower score
    #[arg(long, value_name = "SCORE", allow_hyphen_values = true, conflicts_with = "keep")]
    pub min_score: Option<f64>,

    /// Keep at most this share of all pairs, those with the best scores: from 0 to 1
    #[arg(long, value_name = "SHARE")]
    pub keep: Option<f64>,

    /// A text may be so many times as long as usual in comparison with the other, or as short [default: 3]
    #[arg(long, value_name = "RATIO")]
    pub max_length_ratio: Option<f64>,

    /// By what a pair is a duplicate of one before
    #[arg(long, value_name = "BY", value_parser = choice::<DuplicateBy>(), default_value_t)]
    pub duplicates: DuplicateBy,

    /// No reason to drop a pair; can be repeated, or separated by commas
    #[arg(long, value_name = "REASON", value_delimiter = ',', value_parser = choice::<DropReason>())]
    pub ignore: Vec<DropReason>,

    /// Write the pairs that stay here, with their scores: rows in the format of the name (.jsonl, .json, .csv, .tsv; of
    /// Parquet and Arrow files also .parquet, .arrow); with --output-source, the targets one per line
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write the sources of the pairs that stay here, one per line
    #[arg(long, value_name = "FILE", requires = "output")]
    pub output_source: Option<PathBuf>,

    /// Write the pairs that are dropped here, with the reason (.jsonl, .csv or .tsv)
    #[arg(long, value_name = "FILE")]
    pub dropped: Option<PathBuf>,

    /// Go on with a run that was stopped: its verdicts are in OUTPUT.verdicts
    #[arg(long, requires = "output")]
    pub resume: bool,

    /// Format of the counts, which are printed
    #[arg(short, long, value_enum, default_value_t = CountsFormat::Text)]
    pub format: CountsFormat,

    #[command(flatten)]
    pub work: WorkArgs,
}

/// How counts are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CountsFormat {
    /// A text table.
    Text,
    /// JSON.
    Json,
}
