//! Flags and help texts of the command.

mod campaign;
mod challenge;
mod check;
mod choice;
mod compare;
mod correlate;
#[cfg(feature = "learned")]
mod derive_scores;
mod documents;
mod eval_set;
mod fields;
mod filter;
mod gate;
mod meteor;
#[cfg(feature = "learned")]
mod parse;
mod rank;
mod raters;
mod reading;
#[cfg(feature = "learned")]
mod reproduce;
#[cfg(feature = "serve")]
mod serve;
mod spans;
mod submission;
mod systems;
mod target;
#[cfg(feature = "learned")]
mod train;

pub use campaign::CampaignArgs;
pub use challenge::ChallengeArgs;
pub use check::CheckArgs;
pub use choice::choice;
pub use compare::CompareArgs;
pub use correlate::CorrelateArgs;
#[cfg(feature = "learned")]
pub use derive_scores::DeriveScoresArgs;
pub use documents::DocumentArgs;
pub use eval_set::EvalSetArgs;
pub use fields::FieldArgs;
#[cfg(feature = "columns")]
pub use fields::as_names;
pub use filter::{CountsFormat, FilterArgs};
pub use gate::GateArgs;
pub use meteor::MeteorArgs;
#[cfg(feature = "learned")]
pub use parse::ParseArgs;
pub use rank::RankArgs;
pub use raters::RatersArgs;
pub use reading::ReadingArgs;
#[cfg(feature = "learned")]
pub use reproduce::ReproduceArgs;
#[cfg(feature = "serve")]
pub use serve::ServeArgs;
pub use spans::SpansArgs;
pub use submission::SubmissionArgs;
pub use systems::SystemsArgs;
pub use target::{ReportArgs, TargetArgs};
#[cfg(feature = "learned")]
pub use train::TrainArgs;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use tercet::scoring::{Correction, MAX_RESAMPLES, RESAMPLES, ResampleBy, SEED, ScoreLevels, Seed, TRIALS, Test};
use tercet::text::Language;

/// Evaluates machine translation: scores, significance of differences, and exact signatures of scores.
#[derive(Parser)]
#[command(name = "tercet", version, max_term_width = 100)]
pub struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands; each has a file in `commands/`.
#[derive(Subcommand)]
pub enum Command {
    /// Score translations against references
    #[command(after_long_help = SCORE_EXAMPLES)]
    Score(Box<ScoreArgs>),
    /// Say which of two translations is better, how certain that is, and where they differ most
    #[command(after_long_help = compare::EXAMPLES)]
    Compare(Box<CompareArgs>),
    /// Put systems in order by a metric, or the candidates of n-best lists, also without references (MBR)
    #[command(after_long_help = rank::EXAMPLES)]
    Rank(Box<RankArgs>),
    /// List the lines that do not look like translations, with the reason
    #[command(after_long_help = check::EXAMPLES)]
    Check(Box<CheckArgs>),
    /// Keep the good pairs of a parallel corpus: by rules, and by a score without references
    #[command(after_long_help = filter::EXAMPLES)]
    Filter(Box<FilterArgs>),
    /// Measure how well metrics agree with human judgements
    #[command(after_long_help = correlate::EXAMPLES)]
    Correlate(Box<CorrelateArgs>),
    /// Rank systems by human judgements: scores, ranges of ranks, clusters
    #[command(after_long_help = systems::EXAMPLES)]
    Systems(SystemsArgs),
    /// Choose the segments that tell most about systems, for people to judge in Pearmut or Appraise
    #[command(after_long_help = campaign::EXAMPLES)]
    Campaign(Box<CampaignArgs>),
    /// Write human judgements as an EvalSet, the folder that mt-metrics-eval reads
    Evalset(EvalSetArgs),
    /// Say how far raters, or the runs of a metric, agree, and how far their noise lets a metric agree with them
    #[command(after_long_help = raters::EXAMPLES)]
    Raters(RatersArgs),
    /// Compare the words that metrics mark with the errors that people marked: precision, recall, F1 of characters
    #[command(after_long_help = spans::EXAMPLES)]
    Spans(Box<SpansArgs>),
    /// Count how often metrics score a good translation above a damaged one, by kind and severity (ACES, DEMETR)
    #[command(after_long_help = challenge::EXAMPLES)]
    Challenge(Box<ChallengeArgs>),
    /// Turn rankings by people into scores of translations from 1 to 5, to train metrics on
    #[cfg(feature = "learned")]
    #[command(after_long_help = derive_scores::EXAMPLES)]
    DeriveScores(DeriveScoresArgs),
    /// Train a metric or a parser from a recipe
    #[cfg(feature = "learned")]
    #[command(override_usage = train::USAGE, after_long_help = train::recipe_help())]
    Train(Box<TrainArgs>),
    /// Compute the tables of a paper again, next to the published figures
    #[cfg(feature = "learned")]
    #[command(after_long_help = reproduce::EXAMPLES)]
    Reproduce(Box<ReproduceArgs>),
    /// Parse English: parts of speech, heads and relations of Universal Dependencies
    #[cfg(feature = "learned")]
    #[command(after_long_help = parse::EXAMPLES)]
    Parse(Box<ParseArgs>),
    /// Tokenize lines exactly as a metric does
    Tokenize(TokenizeArgs),
    /// List the metrics, or the options of one
    Metrics(ListArgs),
    #[cfg(feature = "learned")]
    /// List the sentence encoders that learned metrics take, or the options of one
    Encoders(ListArgs),
    /// sacreBLEU 2.6.0: the same flags, byte-identical output
    #[command(disable_help_flag = true)]
    Sacrebleu {
        /// sacreBLEU's own arguments; see `tercet sacrebleu --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// METEOR 1.5 with the flags and the output of its jar: scores of two files, or the -stdio protocol for programs
    #[command(after_long_help = meteor::EXAMPLES)]
    Meteor(MeteorArgs),
    /// Score, compare and rank over HTTP, with a page for the browser at /
    #[cfg(feature = "serve")]
    #[command(after_long_help = serve::EXAMPLES)]
    Serve(ServeArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
}

const SCORE_EXAMPLES: &str = "\
Examples:
  tercet score -r ref.txt system.txt
  tercet score -r ref.txt -m bleu -m chrf++ -m ter:case_sensitive=yes a.txt b.txt
  tercet score -l en-zh -r ref.zh system.zh
  tercet score -r ref1.txt -r ref2.txt --level segment -f tsv a.txt > a.tsv
  tercet score -r ref.txt -m siamese --explain --top 20 system.txt
  tercet score -r ref.txt --paired bs --baseline a.txt a.txt b.txt c.txt
  tercet score -r ref.txt --no-worse-than old.txt --fail-if 'bleu < 35' old.txt new.txt
  tercet score --scores --paired ar a.scores b.scores
  paste ref.txt a.txt b.txt | tercet score --columns ref,hyp=a,hyp=b -
  tercet score outputs.jsonl                        rows with fields such as mt and ref
  tercet score -r ref.jsonl --hypothesis output --id seg outputs.csv
  tercet score --hypothesis mt -r ref -o scored.parquet data.parquet";

/// `tercet score`.
#[derive(Args)]
pub struct ScoreArgs {
    /// Translations: one segment per line, or rows with named fields; - is standard input; may be gzip or zstd
    #[arg(value_name = "HYP", default_value = "-")]
    pub hypotheses: Vec<PathBuf>,

    #[command(flatten)]
    pub texts: TextsArgs,

    /// The source text: a file, or a field of the rows
    #[arg(short, long, alias = "source-column", value_name = "SRC")]
    pub source: Option<PathBuf>,

    /// Metric, as name or name:key=value,key=value; can be repeated [default: bleu, chrf, ter, and siamese for
    /// English]
    #[arg(short, long = "metric", value_name = "METRIC")]
    pub metric: Vec<String>,

    /// With the smaller model of siamese, the learned metric that English references get by default; without siamese
    /// if this program has no smaller one
    #[arg(long, conflicts_with = "metric")]
    pub fast: bool,

    /// Score whole systems, documents, single segments, or systems and segments
    #[arg(long, value_parser = choice::<ScoreLevels>(), default_value_t)]
    pub level: ScoreLevels,

    #[command(flatten)]
    pub report: ReportArgs,

    /// Keep what is computed in FILE.resume, FILE being that of -o, until the result is written: the same command goes
    /// on from there after an interruption
    #[arg(long, requires = "output")]
    pub resume: bool,

    /// Add the components of each score: precisions, lengths, edits
    #[arg(long)]
    pub components: bool,

    /// Show each segment with the words of translation and reference that have no good partner on the other side; with
    /// siamese
    #[arg(long, conflicts_with_all = ["level", "components", "sort", "scores", "test", "submission"])]
    pub explain: bool,

    /// With --explain: only this many segments of each system, those with the worst scores [default: all, in order]
    #[arg(long, value_name = "N", requires = "explain")]
    pub top: Option<usize>,

    /// Order the systems by this metric, the best first [default of --sort alone: the first metric]
    #[arg(long, value_name = "METRIC", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub sort: Option<String>,

    #[command(flatten)]
    pub work: WorkArgs,

    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub documents: DocumentArgs,

    #[command(flatten)]
    pub given: GivenScoresArgs,

    #[command(flatten)]
    pub significance: SignificanceArgs,

    #[command(flatten)]
    pub gate: GateArgs,

    #[command(flatten)]
    pub submission: SubmissionArgs,
}

/// Names of systems, and references.
#[derive(Args)]
#[group(skip)]
pub struct TextsArgs {
    /// Names of the systems in reports, in the order of the files; give it once for each [default: the file names]
    #[arg(long, value_name = "NAME")]
    pub name: Vec<String>,

    /// Reference translation: a file, or a field of the rows; can be repeated
    #[arg(short, long = "reference", alias = "reference-column", value_name = "REF")]
    pub reference: Vec<PathBuf>,

    /// Target language or language pair, as in zh or en-zh: chooses BLEU's tokenizer, METEOR's language and the like
    /// for metrics that do not name theirs
    #[arg(short, long = "language", visible_alias = "lang", value_name = "LANG", value_parser = Language::target)]
    pub lang: Option<Language>,
}

/// Threads and progress of long work.
#[derive(Args)]
#[group(skip)]
pub struct WorkArgs {
    /// Number of threads; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub threads: Option<u16>,

    /// No progress bar, no warnings
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Layout of the input files.
#[derive(Args)]
#[command(next_help_heading = "Input")]
#[group(skip)]
#[command(group = clap::ArgGroup::new("table").multiple(true))]
pub struct InputArgs {
    /// The single reference file has this many tab-separated references per line, or `var` for any number
    #[arg(long, value_name = "N|var")]
    pub references: Option<String>,

    /// The single reference file has this many consecutive lines per segment, as with METEOR's -r
    #[arg(long, value_name = "N", conflicts_with = "references", value_parser = clap::value_parser!(u16).range(1..))]
    pub interleaved: Option<u16>,

    /// Translations are tab-separated, one system per column
    #[arg(long, group = "table")]
    pub tsv: bool,

    /// Contents of the columns of tab-separated input: src, ref, hyp, hyp=NAME, doc (the document) or - (ignored)
    #[arg(long, value_name = "ROLES", allow_hyphen_values = true, group = "table")]
    pub columns: Option<String>,

    /// The first line of tab-separated input has the names of the columns
    #[arg(long, requires = "table")]
    pub header: bool,

    /// Do not check for suspicious input
    #[arg(long)]
    pub no_checks: bool,

    #[command(flatten)]
    pub fields: FieldArgs,
}

/// Scores of another tool instead of texts.
#[derive(Args)]
#[command(next_help_heading = "Input")]
#[group(skip)]
pub struct GivenScoresArgs {
    /// The files contain segment scores: one number per line, a table of `-f tsv`, or what COMET, MetricX,
    /// mt-metrics-eval and others write
    #[arg(long, conflicts_with_all = ["reference", "source", "metric", "fast", "tsv", "columns", "header",
        "references", "interleaved", "components", "name", "lang", "fields", "lines", "in_documents"])]
    pub scores: bool,

    /// With --scores: lower scores are better, if the file does not name a metric of tercet
    #[arg(long, requires = "scores", conflicts_with_all = ["reference", "metric"])]
    pub lower_is_better: bool,
}

/// Significance tests.
#[derive(Args)]
#[command(next_help_heading = "Significance")]
#[group(skip)]
#[command(group = clap::ArgGroup::new("test").multiple(true))]
#[command(group = clap::ArgGroup::new("resampled").multiple(true))]
pub struct SignificanceArgs {
    /// 95% confidence intervals by bootstrap resampling
    #[arg(long, visible_alias = "ci", groups = ["test", "resampled"])]
    pub confidence: bool,

    /// Resamples draw, and trials exchange, single segments or whole documents
    #[arg(long, value_parser = choice::<ResampleBy>(), value_name = "UNIT", default_value_t, requires = "resampled")]
    pub resample_by: ResampleBy,

    /// Paired test between systems: bootstrap resampling or approximate randomisation
    #[arg(long, value_parser = choice::<Test>(), value_name = "TEST", groups = ["test", "resampled"])]
    pub paired: Option<Test>,

    /// The system the others are tested against [default: the first]
    #[arg(long, value_name = "SYSTEM", requires = "paired")]
    pub baseline: Option<String>,

    /// Test every pair of systems
    #[arg(long, requires = "paired", conflicts_with = "baseline")]
    pub all_pairs: bool,

    /// Adjust p-values for the number of comparisons
    #[arg(long, value_parser = choice::<Correction>(), value_name = "HOW", requires = "paired")]
    pub correction: Option<Correction>,

    #[arg(help = resamples_help(), short = 'n', long, visible_alias = "samples", value_name = "N",
        requires = "resampled", value_parser = resamples())]
    pub resamples: Option<u64>,

    #[arg(help = seed_help(), long, value_name = "SEED", requires = "resampled")]
    pub seed: Option<Seed>,
}

fn resamples_help() -> String {
    format!("Resamples or trials [default: {RESAMPLES} for bootstrap, {TRIALS} for randomisation]")
}

fn seed_help() -> String {
    format!("Seed of the resampling, or `none` for a random one [default: {SEED}]")
}

/// A number of resamples or trials.
fn resamples() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=MAX_RESAMPLES as u64)
}

/// `tercet tokenize`.
#[derive(Args)]
pub struct TokenizeArgs {
    /// Texts, one segment per line; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,

    /// Tokenizer [default: 13a, or that of --language]
    #[arg(short, long = "tokenizer", visible_alias = "tok", value_name = "TOKENIZER")]
    pub tok: Option<String>,

    /// Dictionary (a folder) of ja-mecab and ko-mecab, model (a file) of spm, flores101 and flores200 [default: looked
    /// for]
    #[arg(long, value_name = "PATH", requires = "tok")]
    pub tok_model: Option<PathBuf>,

    /// Language, or language pair whose target it is, as in zh or en-zh: BLEU's tokenizer for it
    #[arg(short, long = "language", visible_alias = "lang", value_name = "LANG", value_parser = Language::target,
        conflicts_with = "tok")]
    pub lang: Option<Language>,

    /// Lowercase, before or after tokenization as in the original tool
    #[arg(long)]
    pub lowercase: bool,

    /// List the tokenizers
    #[arg(long)]
    pub list: bool,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// `tercet metrics`, `tercet encoders`.
#[derive(Args)]
pub struct ListArgs {
    /// Show the options of this one
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// Format of the list
    #[arg(short, long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
}

/// Format of a list.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// Text.
    Text,
    /// A Markdown table, as in docs/metrics.md.
    Markdown,
    /// One array of objects.
    Json,
}

/// `tercet completions`.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(required_unless_present = "values")]
    pub shell: Option<clap_complete::Shell>,

    /// For the scripts themselves: how a word of this kind (`metric`, `tokenizer`, …) that starts with this text can go
    /// on
    #[arg(long, value_names = ["KIND", "TEXT"], num_args = 2, allow_hyphen_values = true, hide = true)]
    pub values: Vec<String>,
}
