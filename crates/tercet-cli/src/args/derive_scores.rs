//! Flags of `tercet derive-scores`.

use super::{TargetArgs, WorkArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
The score of a translation is 6 minus its mean rank. It is kept if the variance of its ranks is below a threshold for the number of times it was
ranked; the thresholds are found by Algorithm 1 of Gupta, Orăsan & van Genabith (2015) or given by --threshold.

Text, markdown and latex show the thresholds; tsv, csv, json and jsonl are the scored translations. With -o and one of the latter, the
thresholds are printed too.

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
    #[arg(long, value_enum, ignore_case = true, value_name = "SET", default_value_t = TrainingSet::L)]
    pub set: TrainingSet,

    /// Add a set that has scores from 1 to 5, as SICK_train.txt; can be repeated
    #[arg(long, value_name = "PATH")]
    pub add: Vec<PathBuf>,

    /// What is done with sets that only say which of two translations is better [default: they are left out]
    #[arg(long, value_enum, value_name = "HOW")]
    pub from_pairs: Option<FromPairs>,

    /// Smallest Kendall's tau between scores and rankings
    #[arg(long, value_name = "TAU", default_value_t = 0.78, allow_negative_numbers = true)]
    pub minimum_tau: f64,

    /// Step by which the variance grows
    #[arg(long, value_name = "STEP", default_value_t = 0.05)]
    pub step: f64,

    /// A variance that is not to be found but given, for translations ranked N times (8: or more often); can be repeated
    #[arg(long, value_name = "N=VARIANCE")]
    pub threshold: Vec<String>,

    /// Divisor of the variance of n ranks
    #[arg(long, value_enum, value_name = "DIVISOR", default_value_t = Divisor::N)]
    pub variance: Divisor,

    /// Two translations with the same score
    #[arg(long, value_enum, value_name = "HOW", default_value_t = EqualScores::Denominator)]
    pub equal_scores: EqualScores,

    /// Translations that decide on the threshold of n
    #[arg(long, value_enum, value_name = "SCOPE", default_value_t = Scope::Exactly)]
    pub scope: Scope,

    /// Equal outputs of several systems
    #[arg(long, value_enum, value_name = "HOW", default_value_t = EqualOutputs::One)]
    pub equal_outputs: EqualOutputs,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub work: WorkArgs,
}

/// The sets of the paper.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TrainingSet {
    /// Ranked at least 4 times, variance below the threshold.
    L,
    /// Ranked at least 4 times.
    Lnf,
    /// Ranked at least 3 times, variance below the threshold.
    Xl,
}

/// Scores from comparisons of two translations.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FromPairs {
    /// Rankings are recovered from the order of the rows.
    Recovered,
    /// Shares of won comparisons; four count as a ranking.
    Wins,
}

/// Population or sample variance.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Divisor {
    /// Population variance.
    N,
    /// Sample variance.
    #[value(name = "n-1")]
    NMinusOne,
}

/// Equal scores in Kendall's tau.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EqualScores {
    /// Count in the denominator, as at WMT14.
    Denominator,
    /// Are left out, as at WMT13.
    LeftOut,
}

/// Translations of a threshold.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// Ranked exactly n times.
    Exactly,
    /// Ranked at least n times.
    AtLeast,
}

/// What a translation is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EqualOutputs {
    /// Are one translation.
    One,
    /// Are one for each system.
    PerSystem,
}
