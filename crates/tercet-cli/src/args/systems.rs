//! Flags of `tercet systems`.

use super::{TargetArgs, WorkArgs, choice};
use clap::Args;
use std::path::PathBuf;
use tercet::meta_evaluation::systems::{Method, ResamplingUnit, SharedOutputs, SystemsJob, Test};
use tercet::scoring::Seed;

pub const EXAMPLES: &str = "\
Methods:
  trueskill       TrueSkill (Sakaguchi et al. 2014), official at WMT14–16
  expected-wins   Expected Wins (Koehn 2012), official at WMT13
  bojar           > others, ties ignored (Bojar et al. 2011), official at WMT12
  no-worse        ≥ others, official at WMT08–11
  better          > others, ties lost, beside the former at WMT11
  hopkins-may     the model of Hopkins & May (2013)
  average         average of direct assessment or MQM scores, official at WMT17–21

Examples:
  tercet systems wmt16-rr
  tercet systems wmt15-rr --resample comparisons       as WMT16 did: more careful ranges
  tercet systems newstest2013.csv --pair fr-en --method expected-wins
  tercet systems newstest2019-humaneval --method average -f latex";

/// `tercet systems`.
#[derive(Args)]
pub struct SystemsArgs {
    /// Folders or files of judgements
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Ranking method; can be repeated [default: trueskill for comparisons, average for scores]
    #[arg(short, long, value_name = "METHOD", value_parser = str::parse::<Method>)]
    pub method: Vec<Method>,

    /// Only this language pair, as in cs-en; can be repeated
    #[arg(short, long, value_name = "PAIR")]
    pub pair: Vec<String>,

    /// Number of runs, resamples or samples for the rank ranges
    #[arg(short = 'n', long, value_name = "N", default_value_t = SystemsJob::default().runs)]
    pub runs: usize,

    /// Seed of the runs, or `none` for a random one
    #[arg(long, value_name = "SEED", default_value_t)]
    pub seed: Seed,

    /// What is resampled before each run [default, as at WMT: nothing for trueskill, but comparisons for sets of 2016;
    /// rankings for shares of wins]
    #[arg(long, value_parser = choice::<ResamplingUnit>(), value_name = "WHAT")]
    pub resample: Option<ResamplingUnit>,

    /// Systems with the same output, which judges saw once: tied with each other, as at WMT, or not compared [default:
    /// tie]
    #[arg(long, value_parser = choice::<SharedOutputs>(), value_name = "HOW")]
    pub shared_outputs: Option<SharedOutputs>,

    /// For averages: which scores [default: z, or the first]
    #[arg(long, value_name = "NAME")]
    pub scores: Option<String>,

    /// For averages: significance test between systems [default: rank-sum]
    #[arg(long, value_parser = choice::<Test>(), value_name = "TEST")]
    pub test: Option<Test>,

    #[command(flatten)]
    pub target: TargetArgs,

    /// Decimals in text, markdown and latex
    #[arg(short, long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u8).range(..=60))]
    pub width: u8,

    #[command(flatten)]
    pub work: WorkArgs,
}
