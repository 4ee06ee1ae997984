//! Flags of `tercet correlate`.

use super::{TargetArgs, WorkArgs, choice};
use clap::Args;
use std::path::PathBuf;
use tercet::corpora::{JudgementFields, Levels};
use tercet::meta_evaluation::systems::Method;
use tercet::meta_evaluation::{Average, CorrelateJob, IntervalKind, Missing, StatisticName, TaskAttribute, Test};
use tercet::scoring::Seed;
use tercet::statistics::Grouping;

pub(super) const EXAMPLES: &str = "\
What can be read: WMT relative rankings (the CSV files of WMT12 to WMT15, or tables of pairs, rankings, outputs and
segments), direct assessment (DAseg folders, DA-seglevel.csv, DA-syslevel.csv, ad-seg-scores-*.csv), MLQE-PE, MQM (also
side by side), SICK, EvalSet folders of mt-metrics-eval, judged outputs in rows (CSV, TSV, JSON, JSON lines with fields
such as src, mt, ref, score, system, rater, spans; COMET's tables, WMT's lines of ESA), JSON lines of WMT since 2025,
logs of Pearmut, exports of Appraise and Label Studio; plain, gzip or zstd.

Statistics:
  rankings, segment level   tau-wmt12 tau-wmt13 tau-wmt14 pair-accuracy
  scores, segment level     pearson spearman kendall-b kendall-c tau-23 acc-23 (ties calibrated) tau-23-plain
                            acc-23-plain darr pairwise-difference-pearson
  system level              pearson spearman kendall-b kendall-c accuracy spa

Examples:
  tercet correlate wmt12-rr -m bleu -m meteor --tau wmt12
  tercet correlate da-wmt16 -m sentbleu -m chrf++ --statistic pearson --test williams -f markdown
  tercet correlate wmt23 --pair en-de --statistic acc-23 --grouping item --scores mymetric-refA.seg.score
  tercet correlate mqm -m bleu -m chrf --level system --plot systems.svg
  tercet correlate wmt23 --scores *.seg.score --overall=pair,level";

/// A field of judgements: `score=quality`.
pub(super) fn judgement_field(text: &str) -> Result<(String, String), String> {
    named_field(text, &JudgementFields::NAMES)
}

/// A field with one of these names.
pub(super) fn named_field(text: &str, names: &[&str]) -> Result<(String, String), String> {
    let form = || format!("expected NAME=FIELD, where NAME is one of {}", names.join(", "));
    let (name, field) = text.split_once('=').ok_or_else(form)?;
    match names.contains(&name) && !field.is_empty() {
        true => Ok((name.to_owned(), field.to_owned())),
        false => Err(form()),
    }
}

/// `tercet correlate`.
#[derive(Args)]
pub struct CorrelateArgs {
    /// Folders or files of human judgements
    #[arg(value_name = "JUDGEMENTS")]
    pub judgements: Vec<PathBuf>,

    /// Metric to compute, as name or name:key=value,key=value; can be repeated [default: the metric scores of the
    /// set, or else bleu, chrf, ter]
    #[arg(short, long = "metric", value_name = "METRIC")]
    pub metric: Vec<String>,

    /// Field of judgements in rows that have other than the usual names: score=FIELD, rater=, spans=, hypothesis=,
    /// reference=, source=, system=, document=, id=, pair= or domain=FIELD; can be repeated
    #[arg(long, value_name = "NAME=FIELD", value_parser = judgement_field)]
    pub field: Vec<(String, String)>,

    /// Scores by other metrics: a table of `tercet score -f tsv`, COMET's lines or JSON (xCOMET's too), MetricX's JSON
    /// lines, rows of scores, NAME.seg.score or NAME.sys.score of mt-metrics-eval, or a submission to the WMT metrics
    /// task
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub scores: Vec<PathBuf>,

    /// Also use the metric scores of the set
    #[arg(long)]
    pub stored: bool,

    /// Metric of --scores for which lower is better; not needed for metrics of tercet
    #[arg(long, value_name = "NAME")]
    pub lower_is_better: Vec<String>,

    /// Only this language pair; can be repeated
    #[arg(short, long = "pair", value_name = "SRC-TGT")]
    pub pair: Vec<String>,

    /// Agreement about systems, segments, or both
    #[arg(long, value_parser = choice::<Levels>(), default_value_t)]
    pub level: Levels,

    /// Statistic; can be repeated [default: the usual ones for the judgements]
    #[arg(short, long = "statistic", visible_alias = "stat", value_name = "STATISTIC",
        value_parser = str::parse::<StatisticName>)]
    pub statistic: Vec<StatisticName>,

    /// Kendall's tau on relative rankings as this year defined it: wmt12, wmt13, wmt14 and neighbours
    #[arg(long, value_name = "YEAR", value_parser = StatisticName::tau_of)]
    pub tau: Vec<StatisticName>,

    /// How segment scores are grouped before they are correlated [default: by item for tau-23, acc-23, darr and
    /// pairwise-difference-pearson, else none]
    #[arg(long, visible_alias = "avg", value_parser = choice::<Grouping>(), value_name = "BY")]
    pub grouping: Option<Grouping>,

    /// How the values of groups are averaged: macro, all alike, or micro, by the number of their scores
    #[arg(long, value_parser = choice::<Average>(), value_name = "HOW", default_value_t)]
    pub average: Average,

    /// For tau-23 and acc-23: differences of metric scores up to this count as ties, in place of calibrated ties
    #[arg(long, value_name = "POINTS")]
    pub epsilon: Option<f64>,

    /// Minimum difference of raw scores that counts as a ranking, for darr [default: 25]
    #[arg(long, value_name = "POINTS")]
    pub threshold: Option<f64>,

    /// Judged outputs and systems without a score by one of the metrics are left out for all metrics (leave-out), or
    /// their score is 0 (zero)
    #[arg(long, value_parser = choice::<Missing>(), value_name = "HOW", default_value_t)]
    pub missing: Missing,

    /// Name of the human scores, if a set has several [default: mqm, esa, da-sqm, … or the set's first]
    #[arg(long, value_name = "NAME")]
    pub human: Option<String>,

    /// How systems are scored from relative rankings: expected-wins, trueskill, and the other methods of
    /// `tercet systems`
    #[arg(long, value_name = "METHOD", value_parser = str::parse::<Method>, default_value_t = Method::ExpectedWins)]
    pub method: Method,

    /// Name of the reference, if a set has several; can be repeated [default: refA, ref, or the first]
    #[arg(short, long = "reference", value_name = "NAME")]
    pub reference: Vec<String>,

    /// Include human translations that are not the reference as systems
    #[arg(long)]
    pub include_human: bool,

    /// 95% intervals: bootstrap over segments; for Pearson also Fisher's transformation or Student's t
    #[arg(long, value_parser = choice::<IntervalKind>(), value_name = "HOW", default_value_t)]
    pub interval: IntervalKind,

    /// Test between metrics: permutation of scores (PERM-BOTH) or of pairs, or Williams's test
    #[arg(long, value_parser = choice::<Test>(), value_name = "TEST", default_value_t)]
    pub test: Test,

    /// Significance level: metrics with a larger p share a cluster
    #[arg(long, value_name = "P", default_value_t = CorrelateJob::default().alpha)]
    pub alpha: f64,

    /// Show the p-values of the test for every pair of metrics (JSON always has them)
    #[arg(long)]
    pub p_values: bool,

    /// Resamples for intervals and tests
    #[arg(short = 'n', long, visible_alias = "samples", value_name = "N",
        default_value_t = CorrelateJob::default().resamples)]
    pub resamples: usize,

    /// Seed of the resampling, or `none` for a random one
    #[arg(long, value_name = "SEED", default_value_t)]
    pub seed: Seed,

    #[command(flatten)]
    pub target: TargetArgs,

    /// Also the average rank and value of each metric over the columns of all tables, as WMT ranks metrics; all columns
    /// weigh the same, or each value of these attributes, the first one first: set, pair, level, human, statistic
    #[arg(long, value_name = "BY", value_parser = str::parse::<TaskAttribute>, num_args = 0.., require_equals = true,
        value_delimiter = ',')]
    pub overall: Option<Vec<TaskAttribute>>,

    /// In json, jsonl, tsv and csv: the metrics with the best agreement first, as in the tables
    #[arg(long)]
    pub sort: bool,

    /// Write a scatter plot of metric and human scores to this SVG file
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,

    #[command(flatten)]
    pub work: WorkArgs,
}
