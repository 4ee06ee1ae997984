//! Flags of `tercet challenge`.

use super::{TargetArgs, WorkArgs};
use clap::Args;
use std::path::PathBuf;
use tercet::corpora::ChallengeFields;

pub const EXAMPLES: &str = "\
A challenge set has pairs of a good and a damaged translation: rows with the fields good, damaged (or bad), reference,
kind, severity, source and lp, as JSON lines, JSON, CSV or TSV; the files of ACES and DEMETR are read as they are, a
folder of files too. Reported: the share of pairs whose good translation has the better score, by severity and kind,
with 95% intervals (equal scores are not right), Kendall's tau as in ACES, and ACES-Score where all its categories are
there.

Examples:
  tercet challenge pairs.tsv -m bleu -m chrf -m siamese
  tercet challenge --field good=original --field damaged=changed pairs.csv -f json
  tercet challenge demetr/dataset -m chrf -o demetr.html";

/// `tercet challenge`.
#[derive(Args)]
pub struct ChallengeArgs {
    /// Files, or folders of files, with pairs of a good and a damaged translation; - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub items: Vec<PathBuf>,

    /// Metric, as name or name:key=value,key=value; can be repeated [default: bleu, chrf, ter]
    #[arg(short, long = "metric", value_name = "METRIC")]
    pub metric: Vec<String>,

    /// Field with another than the usual name: good=FIELD, damaged=, reference=, source=, kind=, severity= or
    /// pair=FIELD; can be repeated
    #[arg(long, value_name = "NAME=FIELD", value_parser = challenge_field)]
    pub field: Vec<(String, String)>,

    /// Only this language pair, as in cs-en; can be repeated
    #[arg(short, long, value_name = "PAIR")]
    pub pair: Vec<String>,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub work: WorkArgs,
}

fn challenge_field(text: &str) -> Result<(String, String), String> {
    super::correlate::named_field(text, &ChallengeFields::NAMES)
}
