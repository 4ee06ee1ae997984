//! Flags of `tercet parse`.

use super::WorkArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  tercet parse text.en > text.conllu
  echo \"Two translations and a reference.\" | tercet parse -f tree
  tercet parse -f brackets text.en > text.ptb
  tercet parse --conllu words.conllu -o parsed.conllu
  tercet parse --conllu gold.conllu --evaluate
  tercet parse --conllu gold.conllu --evaluate --raw

Text is parsed line by line: a line is a sentence, and its number is the sentence's name (sent_id). An empty
line has no words, so nothing stands for it in the output; with -f brackets, (()) does. With --split a line is a
paragraph, and its sentences are named 12-1, 12-2, and so on.

With --conllu, comments, multiword tokens, empty nodes and the last column come back as they are; lemmas and
features become _ unless --keep-lemmas is given, enhanced dependencies always do.

--evaluate counts as the script of CoNLL 2018: LAS compares the universal part of relations (nmod of nmod:poss),
LAS full all of it. Every word counts, punctuation too. With --raw the text of each sentence (# text) is cut
into words by the tokenizer, and figures are F1.";

/// `tercet parse`.
#[derive(Args)]
pub struct ParseArgs {
    /// Texts, one sentence per line; - is standard input, gzip and zstd are read as they are
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,

    /// How trees are written
    #[arg(short, long, value_enum, default_value_t = TreeFormat::Conllu)]
    pub format: TreeFormat,

    /// Write here instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// How lines are cut into words: `none` at white space, or any name of `tercet tokenize --list` [default: ud-en]
    #[arg(short, long = "tok", visible_alias = "tokenizer", value_name = "NAME")]
    pub tok: Option<String>,

    /// A line is a paragraph: find its sentences
    #[arg(long)]
    pub split: bool,

    /// The parser's weights [default: those inside the program, for English]
    #[arg(short, long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    #[command(flatten)]
    pub trees: GivenTreesArgs,

    #[command(flatten)]
    pub work: WorkArgs,
}

/// Sentences that are cut into words already.
#[derive(Args)]
#[command(next_help_heading = "CoNLL-U")]
#[group(skip)]
pub struct GivenTreesArgs {
    /// Parse the words of this CoNLL-U file and write it back with our tags, heads and relations
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    pub conllu: Option<PathBuf>,

    /// Leave lemmas and features as they are in the file
    #[arg(long, conflicts_with = "evaluate")]
    pub keep_lemmas: bool,

    /// Hold our trees against those of the file and print a table
    #[arg(long, conflicts_with = "format")]
    pub evaluate: bool,

    /// Cut the texts of the file (# text) into words instead of taking its words
    #[arg(long, requires = "evaluate")]
    pub raw: bool,
}

/// How trees are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// CoNLL-U, the ten columns of Universal Dependencies.
    Conllu,
    /// Drawn, a line per word.
    Tree,
    /// Phrases in brackets, as in the Penn Treebank, a tree per line; --model names a constituency parser.
    Brackets,
}
