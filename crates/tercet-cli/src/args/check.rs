//! Flags of `tercet check`.

use super::choice::choice;
use super::{InputArgs, TargetArgs, TextsArgs, WorkArgs};
use clap::Args;
use std::path::PathBuf;
use tercet::scoring::CheckKind;

/// Shown under the long help.
pub const EXAMPLES: &str = "\
Lists every line that does not look like a translation, with the reason, and counts them by kinds. References and source
are optional; what is expected of an output (its language, numbers, placeholders) is found in them. `tercet score`,
`compare` and `rank` print one warning for the kinds that spoil scores.

Examples:
  tercet check -r ref.txt -s src.txt system.txt
  tercet check -s src.txt -l de output.txt                          without references
  tercet check outputs.jsonl                                        rows with fields such as mt, ref and src
  tercet check -r ref.txt --summary a.txt b.txt c.txt
  tercet check -r ref.txt -f tsv -o suspicious.tsv system.txt
  tercet check -r ref.txt --kind misaligned,empty-output system.txt
  tercet check -r ref.txt --strict --ignore quotes --min-share 0.01 system.txt";

/// `tercet check`.
#[derive(Args)]
pub struct CheckArgs {
    /// Translations of one or more systems: one segment per line, or rows with named fields; - is standard input; may
    /// be gzip or zstd
    #[arg(value_name = "HYP", required = true)]
    pub hypotheses: Vec<PathBuf>,

    #[command(flatten)]
    pub texts: TextsArgs,

    /// The source text: a file, or a field of the rows
    #[arg(short, long, alias = "source-column", value_name = "SRC")]
    pub source: Option<PathBuf>,

    /// Look for these kinds only; can be repeated, or separated by commas [default: all]
    #[arg(long = "kind", visible_alias = "kinds", value_name = "KIND", value_delimiter = ',',
        value_parser = choice::<CheckKind>())]
    pub kinds: Vec<CheckKind>,

    /// Do not look for these kinds; can be repeated, or separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = choice::<CheckKind>())]
    pub ignore: Vec<CheckKind>,

    /// Leave out what is in a smaller share of a text's lines than this, from 0 to 1 [default: 0]
    #[arg(long, value_name = "SHARE")]
    pub min_share: Option<f64>,

    /// Outputs may be so many times as long as their reference, or as short [default: 3]
    #[arg(long, value_name = "RATIO")]
    pub max_length_ratio: Option<f64>,

    /// Warnings are errors: exit with 3 if there are any of the two
    #[arg(long)]
    pub strict: bool,

    /// Count suspicious lines only
    #[arg(long)]
    pub summary: bool,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub work: WorkArgs,

    #[command(flatten)]
    pub input: InputArgs,
}
