//! Flags of `tercet parse`.

use super::{WorkArgs, choice};
use clap::Args;
use std::path::PathBuf;
use tercet::parse::TreeFormat;

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
(sent_id). For an empty line nothing is written; with -f brackets, (()).
With --split a line is a paragraph, and its sentences are named 12-1, 12-2, and so on.

A sentence may be of any length. More than 1,000 words are parsed in pieces, cut after
punctuation, and joined: the root of each further piece depends on the root of the first, with the
relation parataxis.

With --conllu, comments, multiword tokens, empty nodes and the last column come back as they are;
lemmas and features become _ unless --keep-lemmas is given, enhanced dependencies always do.

--evaluate counts as the script of CoNLL 2018: LAS compares the universal part of relations (nmod
of nmod:poss), LAS full all of it. Every word counts, punctuation too. With --raw the text of each
sentence (# text) is cut into words by the tokenizer, and figures are F1. With --raw --split, the
task's own setting, we find the sentences of each paragraph (# newpar, # newdoc) too.

Words are written as in the input. The parsers read sentences in capitals as lower case, and escapes
that are whole words (&quot;, @-@, -LRB-) as the characters they represent.

--trees parses the words of bracketed trees (Penn Treebank, GUM's .ptb), without empty elements
(-NONE-), into phrases: a tree per line, (()) if there are no words. -f tree writes a tree as several
indented lines.

With --trees, --evaluate counts labelled brackets as EVALB does by COLLINS.prm: functions (NP-SBJ)
and punctuation (, : `` '' .) are ignored, and so is the root, whether TOP, ROOT, S1 or without a
label. EVALB counts a sentence as an error if punctuation was tagged as a word, or a word as
punctuation; in the column `gold tags` the tags of the file decide which words are punctuation, and
no sentence is lost. Sentences of only punctuation are skipped. Figures are for all files together.";

/// `tercet parse`.
#[derive(Args)]
pub struct ParseArgs {
    /// Texts, one sentence per line; - is standard input; may be gzip or zstd
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,

    /// How trees are written [default: conllu; brackets with --trees]
    #[arg(short, long, value_parser = choice::<TreeFormat>())]
    pub format: Option<TreeFormat>,

    /// Write here instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Tokenizer: `none` splits at white space, or any name of `tercet tokenize --list` [default: ud-en]
    #[arg(short, long = "tokenizer", visible_alias = "tok", value_name = "NAME")]
    pub tok: Option<String>,

    /// Lines are paragraphs: split them into sentences
    #[arg(long)]
    pub split: bool,

    /// The parser's model file [default: the built-in English model]
    #[arg(short, long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    #[command(flatten)]
    pub work: WorkArgs,

    #[command(flatten)]
    pub given: GivenTreesArgs,
}

impl ParseArgs {
    /// The input files.
    pub fn inputs(&self) -> &[PathBuf] {
        match &self.given.conllu {
            _ if !self.given.trees.is_empty() => &self.given.trees,
            Some(file) => std::slice::from_ref(file),
            None => &self.files,
        }
    }

    /// The output format, given or default.
    pub fn format(&self) -> TreeFormat {
        let unsaid = if self.given.trees.is_empty() { TreeFormat::Conllu } else { TreeFormat::Brackets };
        self.format.unwrap_or(unsaid)
    }
}

/// Sentences that are already split into words.
#[derive(Args)]
#[command(next_help_heading = "Treebanks")]
#[group(skip)]
pub struct GivenTreesArgs {
    /// Parse the words of this CoNLL-U file and write it back with our tags, heads and relations
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    pub conllu: Option<PathBuf>,

    /// Parse the words of these bracketed trees into phrases; --model is then a constituency parser
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["files", "conllu"])]
    pub trees: Vec<PathBuf>,

    /// Keep lemmas and features of the CoNLL-U file
    #[arg(long, conflicts_with = "evaluate")]
    pub keep_lemmas: bool,

    /// Compare our trees with those of the file and print a table
    #[arg(long, conflicts_with = "format")]
    pub evaluate: bool,

    /// Tokenize the texts of the CoNLL-U file (# text) instead of using its words
    #[arg(long, requires = "evaluate", conflicts_with = "trees")]
    pub raw: bool,
}
