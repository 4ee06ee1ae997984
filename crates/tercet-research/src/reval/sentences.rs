//! From lines to what the network reads: words in lower case, and the head of each word.
//!
//! Lines are split into words by `ud-en`, the tokenizer of the parser's treebank, and parsed as one sentence each; or words and
//! trees are those of a CoNLL-U file (`given_trees`). A byte order mark is not part of a line, and
//! character references (`&quot;`, `&#39;`) are the characters they stand for, as people saw them who judged.

use super::given_trees::GivenTrees;
use crate::corpora::decoded;
use crate::error::Result;
use crate::learned::Vocabulary;
use crate::parse::dependency::DependencyParser;
use crate::progress::Progress;
use crate::text::{Scratch, Tokenizer};
use foldhash::HashMap;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet_learn::networks::Trees;

/// The tokenizer of lines.
pub(super) const TOKENIZER: Tokenizer = Tokenizer::UdEnglish;

/// Lines that are read between two reports of progress.
const BLOCK: usize = 2000;

/// The number of the row for words without a vector.
const UNKNOWN: u32 = 0;

/// Where the trees of lines come from.
#[derive(Clone)]
pub(super) enum TreeSource {
    /// There are none: the network reads lists of words.
    None,
    /// The embedded English parser.
    Embedded,
    /// The parser of a file.
    Parser(Arc<DependencyParser>),
    /// Trees of a CoNLL-U file.
    Given(Arc<GivenTrees>),
}

impl TreeSource {
    /// The parser of a file.
    pub fn parser(path: &Path) -> Result<Self> {
        Ok(TreeSource::Parser(Arc::new(DependencyParser::read(path)?)))
    }

    /// The trees of CoNLL-U files.
    pub fn given(paths: &[PathBuf]) -> Result<Self> {
        Ok(TreeSource::Given(Arc::new(GivenTrees::read(paths)?)))
    }

    /// The name in model files: the hash of the parser, `given` or `none`.
    pub fn name(&self) -> String {
        match self {
            TreeSource::None => "none".to_owned(),
            TreeSource::Given(_) => "given".to_owned(),
            TreeSource::Embedded => DependencyParser::english().record().hash.clone(),
            TreeSource::Parser(parser) => parser.record().hash.clone(),
        }
    }

    /// Words and heads of lines, in their order.
    fn read(&self, lines: &[&str]) -> Result<Vec<WordTree>> {
        match self {
            TreeSource::Given(trees) => lines.iter().map(|line| trees.tree(line)).collect(),
            TreeSource::None => Ok(tokenized(lines).iter().map(|line| WordTree::list(line)).collect()),
            TreeSource::Embedded => Ok(parsed(DependencyParser::english(), lines)),
            TreeSource::Parser(parser) => Ok(parsed(parser, lines)),
        }
    }
}

/// The lines as words with a space between them.
fn tokenized(lines: &[&str]) -> Vec<String> {
    let tokenize = |scratch: &mut Scratch, line: &&str| {
        let mut tokens = String::new();
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        TOKENIZER.tokenize_segment(&decoded(line), false, scratch, &mut tokens);
        tokens
    };
    lines.par_iter().map_init(Scratch::default, tokenize).collect()
}

fn parsed(parser: &DependencyParser, lines: &[&str]) -> Vec<WordTree> {
    let tokenized = tokenized(lines);
    let words: Vec<Vec<&str>> = tokenized.iter().map(|line| TOKENIZER.tokens(line).collect()).collect();
    let parses = parser.parse(&words);
    let tree = |(words, parse): (&Vec<&str>, crate::parse::dependency::Parse<'_>)| {
        WordTree::new(words.iter().copied(), parse.heads.iter().map(|&head| head as u32).collect())
    };
    words.iter().zip(parses).map(tree).collect()
}

/// The words of a line and their heads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WordTree {
    /// Words in lower case, each followed by a line end.
    words: String,
    /// Ids of heads, 0 for the root; empty if there is no tree.
    heads: Vec<u32>,
}

impl WordTree {
    /// Words with their heads.
    pub fn new<'w>(words: impl Iterator<Item = &'w str>, heads: Vec<u32>) -> Self {
        let mut lower = String::new();
        for word in words {
            lower.push_str(&word.to_lowercase());
            lower.push('\n');
        }
        WordTree { words: lower, heads }
    }

    /// The words of a tokenized line.
    fn list(tokens: &str) -> Self {
        WordTree::new(TOKENIZER.tokens(tokens), Vec::new())
    }

    /// The words, in lower case.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.split_terminator('\n')
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.bytes().filter(|byte| *byte == b'\n').count()
    }
}

/// Distinct lines, numbered.
#[derive(Default)]
pub(super) struct DistinctLines<'a> {
    lines: Vec<&'a str>,
    numbers: HashMap<&'a str, u32>,
}

impl<'a> DistinctLines<'a> {
    /// The number of a line.
    pub fn number(&mut self, line: &'a str) -> u32 {
        *self.numbers.entry(line).or_insert_with(|| {
            self.lines.push(line);
            self.lines.len() as u32 - 1
        })
    }

    /// Words and heads of all lines.
    pub fn trees(&self, source: &TreeSource) -> Result<Vec<WordTree>> {
        source.read(&self.lines)
    }

    /// The same, with reports of progress.
    pub fn trees_with(&self, source: &TreeSource, progress: Progress<'_>) -> Result<Vec<WordTree>> {
        progress.stage("parsing", self.lines.len(), "sentences")?;
        let mut trees = Vec::with_capacity(self.lines.len());
        for block in self.lines.chunks(BLOCK) {
            trees.extend(source.read(block)?);
            progress.advance(block.len())?;
        }
        Ok(trees)
    }
}

/// Lines with words and trees of the embedded parser, to be scored by several models without parsing them again.
pub struct ParsedLines {
    pub(super) trees: Vec<WordTree>,
}

impl ParsedLines {
    /// Parses lines; pairs name them by their place. `progress` advances by sentences.
    pub fn new(lines: &[&str], progress: Progress<'_>) -> Result<Self> {
        let lines = DistinctLines { lines: lines.to_vec(), numbers: HashMap::default() };
        Ok(ParsedLines { trees: lines.trees_with(&TreeSource::Embedded, progress)? })
    }

    /// The number of words of a line.
    pub fn words(&self, line: usize) -> usize {
        self.trees[line].len()
    }
}

/// The input of the network for these trees, in their order.
pub(super) fn sentences<'t>(trees: impl Iterator<Item = &'t WordTree>, vocabulary: &Vocabulary) -> Result<Trees> {
    let mut made = Trees::default();
    let mut numbers = Vec::new();
    for tree in trees {
        numbers.clear();
        numbers.extend(tree.words().map(|word| vocabulary.number(word).unwrap_or(UNKNOWN)));
        match tree.heads.len() == numbers.len() {
            true => made.push_tree(&numbers, &tree.heads)?,
            false => made.push_list(&numbers),
        };
    }
    Ok(made)
}
