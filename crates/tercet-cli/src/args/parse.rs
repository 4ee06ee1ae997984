//! Flags of `tercet parse`.

use super::WorkArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  tercet parse text.en > text.conllu
  echo \"Two translations and a reference.\" | tercet parse -f tree
  tercet parse -f brackets text.en > text.ptb
  tercet parse -f vectors text.en > text.syntax25
  tercet parse --conllu words.conllu -o parsed.conllu
  tercet parse --conllu gold.conllu --evaluate
  tercet parse --conllu gold.conllu --evaluate --raw --split
  tercet parse --trees words.ptb > parsed.ptb
  tercet parse --trees test/*.ptb --evaluate

Text is parsed line by line: a line is a sentence, and its number is the sentence's name
(sent_id). An empty line has no words, so nothing stands for it in the output; with -f brackets,
(()) does. With --split a line is a paragraph, and its sentences are named 12-1, 12-2, and so on.

A sentence may be of any length. More than 1,000 words are parsed in pieces, cut after
punctuation, and the pieces put together: the root of each further piece hangs on that of the
first, as parataxis.

With --conllu, comments, multiword tokens, empty nodes and the last column come back as they are;
lemmas and features become _ unless --keep-lemmas is given, enhanced dependencies always do.

--evaluate counts as the script of CoNLL 2018: LAS compares the universal part of relations (nmod
of nmod:poss), LAS full all of it. Every word counts, punctuation too. With --raw the text of each
sentence (# text) is cut into words by the tokenizer, and figures are F1. With --raw --split, the
task's own setting, we find the sentences of each paragraph (# newpar, # newdoc) too.

Trees have the words as they are written. The parsers read sentences in capitals in lower case, and
escapes that are words of their own (&quot;, @-@, -LRB-) as what they stand for.

--trees takes the words of bracketed trees (Penn Treebank, GUM's .ptb), empty elements (-NONE-)
left out, and parses their phrases: a tree per line, (()) where there are no words. -f tree spreads
a tree over several indented lines.

With --trees, --evaluate counts labelled brackets as EVALB does by COLLINS.prm: functions (NP-SBJ)
and the marks of punctuation , : `` '' . are left out, and so is the root, be it TOP, ROOT, S1 or
without a label. EVALB gives up sentences (errors) where a mark got the tag of a word, or a word
that of a mark; in the column `gold tags` those of the file say which words are marks, and no
sentence is lost. Skipped are sentences of nothing but marks. Figures are those of all files
together.";

/// `tercet parse`.
#[derive(Args)]
pub struct ParseArgs {
    /// Texts, one sentence per line; - is standard input, gzip and zstd are read as they are
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,

    /// How trees are written [default: conllu; brackets with --trees]
    #[arg(short, long, value_enum)]
    pub format: Option<TreeFormat>,

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
    pub work: WorkArgs,

    #[command(flatten)]
    pub given: GivenTreesArgs,
}

impl ParseArgs {
    /// What is read.
    pub fn inputs(&self) -> &[PathBuf] {
        match &self.given.conllu {
            _ if !self.given.trees.is_empty() => &self.given.trees,
            Some(file) => std::slice::from_ref(file),
            None => &self.files,
        }
    }

    /// How trees are written, said or not.
    pub fn format(&self) -> TreeFormat {
        let unsaid = if self.given.trees.is_empty() { TreeFormat::Conllu } else { TreeFormat::Brackets };
        self.format.unwrap_or(unsaid)
    }
}

/// Sentences that are cut into words already.
#[derive(Args)]
#[command(next_help_heading = "Treebanks")]
#[group(skip)]
pub struct GivenTreesArgs {
    /// Parse the words of this CoNLL-U file and write it back with our tags, heads and relations
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    pub conllu: Option<PathBuf>,

    /// Parse the words of these bracketed trees into phrases; --model names a constituency parser
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["files", "conllu"])]
    pub trees: Vec<PathBuf>,

    /// Leave lemmas and features as they are in the CoNLL-U file
    #[arg(long, conflicts_with = "evaluate")]
    pub keep_lemmas: bool,

    /// Hold our trees against those given and print a table
    #[arg(long, conflicts_with = "format")]
    pub evaluate: bool,

    /// Cut the texts of the CoNLL-U file (# text) into words instead of taking its words
    #[arg(long, requires = "evaluate", conflicts_with = "trees")]
    pub raw: bool,
}

/// How trees are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// CoNLL-U, the ten columns of Universal Dependencies.
    Conllu,
    /// Drawn, a line per word; phrases are indented.
    Tree,
    /// Phrases in brackets, as in the Penn Treebank, a tree per line; --model names a constituency parser.
    Brackets,
    /// SYNTAX25, a row per line: the line, a tab and the 25 numbers at the root of its tree.
    Vectors,
}
