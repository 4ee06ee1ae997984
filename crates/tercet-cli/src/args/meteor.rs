//! Flags of `tercet meteor`.

use super::ReadingArgs;
use clap::Args;

pub(super) const EXAMPLES: &str = "\
METEOR's own spelling of flags (-stdio, -norm, -lower, -noPunct, -vOut, -ssOut) is understood, so that in
  java -jar meteor-1.5.jar test reference -l en -norm
  java -jar meteor-1.5.jar - - -stdio -l en -norm
`java -jar meteor-1.5.jar` can be replaced by `tercet meteor`; the output is the same. `tercet score -m meteor` scores
several systems, with intervals and tests, and normalises by itself.

Requests, one per line, each answered at once:
  SCORE ||| reference 1 ||| reference 2 ||| hypothesis       23 statistics
  EVAL ||| statistics ||| statistics                         the score of each, then that of their sum
  SING ||| statistics                                        the score";

/// `tercet meteor`.
#[derive(Args)]
pub struct MeteorArgs {
    /// Translations and references; `- -` or nothing for --stdio
    #[arg(value_name = "FILE", num_args = 0..=2)]
    pub files: Vec<String>,

    /// Answer requests on standard input
    #[arg(long)]
    pub stdio: bool,

    /// Print precision, recall and penalty of each segment too, as METEOR's -vOut
    #[arg(long, conflicts_with_all = ["stdio", "align", "statistics", "quiet"])]
    pub verbose: bool,

    /// Print the final score only, and the scores of segments to standard error, as METEOR's -q
    #[arg(short, long, conflicts_with_all = ["stdio", "align", "statistics"])]
    pub quiet: bool,

    /// The files are SGML, as with METEOR's -sgml: scores of segments, documents and systems. SGML is also recognised
    /// without this flag
    #[arg(long, conflicts_with = "stdio")]
    pub sgml: bool,

    /// With SGML: write PREFIX-seg.scr, PREFIX-doc.scr and PREFIX-sys.scr instead of printing
    #[arg(short, long, value_name = "PREFIX", conflicts_with_all = ["stdio", "align"])]
    pub file_prefix: Option<String>,

    /// Print how the words of each segment are aligned, as METEOR's align.out
    #[arg(long, conflicts_with_all = ["stdio", "statistics"])]
    pub align: bool,

    /// Print the 23 statistics of each segment, as METEOR's -ssOut
    #[arg(long, conflicts_with = "stdio")]
    pub statistics: bool,

    /// The reference file has this many consecutive lines for each segment
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub references: usize,

    /// Language, by METEOR's code or any other, or language pair whose target it is
    #[arg(short, long = "language", visible_alias = "lang", value_name = "LANG", default_value = "en")]
    pub lang: String,

    /// Task for which the parameters were tuned: rank, util, adq, hter, li, tune
    #[arg(short, long, value_name = "TASK")]
    pub task: Option<String>,

    /// Modules, separated by spaces or +: exact, stem, synonym, paraphrase
    #[arg(short, long, value_name = "MODULES")]
    pub modules: Option<String>,

    /// Tokenize, normalise punctuation and lowercase
    #[arg(long)]
    pub norm: bool,

    /// Lowercase
    #[arg(long)]
    pub lower: bool,

    /// Remove punctuation; needs --norm
    #[arg(long)]
    pub no_punct: bool,

    /// The parameters α β γ δ, instead of those of the task
    #[arg(short, long, value_name = "A B G D", allow_hyphen_values = true)]
    pub parameters: Option<String>,

    /// The weights of the modules, instead of those of the task
    #[arg(short, long, value_name = "W…")]
    pub weights: Option<String>,

    /// Beam size of the search for an alignment
    #[arg(short = 'x', long, value_name = "N")]
    pub beam: Option<u32>,

    /// METEOR's folder of resources, instead of the built-in ones
    #[arg(long, visible_alias = "meteor-data", value_name = "DIR")]
    pub data: Option<String>,

    /// METEOR's paraphrase table
    #[arg(short = 'a', long, value_name = "FILE")]
    pub paraphrase: Option<String>,

    /// List of function words, one per line
    #[arg(short = 's', long, value_name = "FILE")]
    pub function_words: Option<String>,

    #[command(flatten)]
    pub reading: ReadingArgs,
}
