//! Flags of `tercet derive-scores`.

use super::{TargetArgs, WorkArgs, choice};
use clap::Args;
use std::path::PathBuf;
use tercet::learned::{
    DerivationSettings, EqualOutputs, EqualScores, PairsReading, ThresholdScope, TrainingSet, VarianceDivisor,
};

pub const EXAMPLES: &str = "\
The score of a translation is 6 minus its mean rank. It is kept if the variance of its ranks is below a threshold for
the number of times it was ranked; the thresholds are found by Algorithm 1 of Gupta, Orăsan & van Genabith (2015) or
given by --threshold.

Text, markdown and latex show the thresholds; tsv, csv, json and jsonl are the scored translations. With -o and one of
the latter, the thresholds are printed too.

Examples:
  tercet derive-scores wmt15-rr
  tercet derive-scores wmt15-rr wmt16-rr --set xl -o scores.tsv
  tercet derive-scores wmt13-rr --from-pairs recovered --add sick/SICK_train.txt -o scores.tsv
  tercet derive-scores wmt12-rr --pair cs-en --threshold 4=0.5 --threshold 5=0.5 -f tsv";

/// `tercet derive-scores`.
#[derive(Args)]
pub struct DeriveScoresArgs {
    /// Folders or files of rankings
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Only this language pair, as in cs-en; can be repeated
    #[arg(short, long, value_name = "PAIR")]
    pub pair: Vec<String>,

    /// Which translations are kept
    #[arg(long, value_parser = choice::<TrainingSet>(), ignore_case = true, value_name = "SET", default_value_t)]
    pub set: TrainingSet,

    /// Add a set that has scores from 1 to 5, as SICK_train.txt; can be repeated
    #[arg(long, value_name = "PATH")]
    pub add: Vec<PathBuf>,

    /// What is done with sets that only say which of two translations is better [default: they are left out]
    #[arg(long, value_parser = choice::<PairsReading>(), value_name = "HOW")]
    pub from_pairs: Option<PairsReading>,

    /// Smallest Kendall's tau between scores and rankings
    #[arg(long, value_name = "TAU", default_value_t = DerivationSettings::default().minimum_tau,
        allow_negative_numbers = true)]
    pub minimum_tau: f64,

    /// Step by which the variance grows
    #[arg(long, value_name = "STEP", default_value_t = DerivationSettings::default().step)]
    pub step: f64,

    /// A variance that is not to be found but given, for translations ranked N times (8: or more often); can be
    /// repeated
    #[arg(long, value_name = "N=VARIANCE", value_parser = threshold)]
    pub threshold: Vec<(usize, f64)>,

    /// Divisor of the variance of n ranks
    #[arg(long, value_parser = choice::<VarianceDivisor>(), value_name = "DIVISOR", default_value_t)]
    pub variance: VarianceDivisor,

    /// Two translations with the same score
    #[arg(long, value_parser = choice::<EqualScores>(), value_name = "HOW", default_value_t)]
    pub equal_scores: EqualScores,

    /// Translations that decide on the threshold of n
    #[arg(long, value_parser = choice::<ThresholdScope>(), value_name = "SCOPE", default_value_t)]
    pub scope: ThresholdScope,

    /// Equal outputs of several systems
    #[arg(long, value_parser = choice::<EqualOutputs>(), value_name = "HOW", default_value_t)]
    pub equal_outputs: EqualOutputs,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub work: WorkArgs,
}

/// `N=VARIANCE`.
fn threshold(given: &str) -> Result<(usize, f64), &'static str> {
    let read = given.split_once('=').and_then(|(n, variance)| Some((n.parse().ok()?, variance.parse().ok()?)));
    read.ok_or("expected N=VARIANCE, as in 4=0.5")
}
