//! From lines to what the network reads: words in lower case, and the head of each word.
//!
//! Lines are split into words by `ud-en`, the tokenizer of the parser's treebank, and parsed as one sentence each; or
//! words and trees are those of a CoNLL-U file ([`GivenTrees`]). A byte order mark is not part of a line, and character
//! references (`&quot;`, `&#39;`) are the characters they stand for, as people saw them who judged.
//!
//! # Trees from CoNLL-U files
//! A metric sees texts without their place in a file, so a sentence of the file belongs to all lines with its text: the
//! comment `# text = …`, or the tokens with the spaces that `SpaceAfter` tells, or the words with a space between any
//! two. Runs of white space count as one space. Of several sentences with the same text the first is used.

use crate::corpora::{decoded, read_bytes};
use crate::error::{Error, Result};
use crate::learned::Vocabulary;
use crate::parse::conllu::{Conllu, Sentence};
use crate::parse::dependency::DependencyParser;
use crate::progress::Progress;
use crate::text::{Scratch, Tokenizer, shortened, visible};
use foldhash::HashMap;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet_base::files::short_hash;
use tercet_base::stop;
use tercet_learn::networks::Trees;

/// The tokenizer of lines.
pub(super) const TOKENIZER: Tokenizer = Tokenizer::UdEnglish;

/// The most words of a line; the end of longer ones is left out. The network takes some kilobytes for each.
pub(super) const MAX_WORDS: usize = 1 << 14;

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
    let here = stop::here();
    lines.par_iter().map_init(Scratch::default, |scratch, line| here.enter(|| tokenize(scratch, line))).collect()
}

/// Whether the end of a line is left out.
pub(super) fn is_cut(line: &str) -> bool {
    line.len() > MAX_WORDS && tokenized(&[line]).iter().any(|line| TOKENIZER.tokens(line).nth(MAX_WORDS).is_some())
}

fn parsed(parser: &DependencyParser, lines: &[&str]) -> Vec<WordTree> {
    let tokenized = tokenized(lines);
    let words: Vec<Vec<&str>> = tokenized.iter().map(|line| TOKENIZER.tokens(line).take(MAX_WORDS).collect()).collect();
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
        WordTree::new(TOKENIZER.tokens(tokens).take(MAX_WORDS), Vec::new())
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

/// Characters of a line that an error shows.
const SHOWN: usize = 60;

/// The trees of some CoNLL-U files.
pub(super) struct GivenTrees {
    trees: HashMap<String, WordTree>,
    /// The names of the files, for messages.
    names: String,
    hash: String,
}

impl GivenTrees {
    /// Reads files, compressed or not.
    pub fn read(paths: &[PathBuf]) -> Result<Self> {
        let (mut trees, mut all) = (HashMap::default(), Vec::new());
        for path in paths {
            let bytes = read_bytes(path)?;
            add(&mut trees, &Conllu::from_bytes(path, &bytes)?)?;
            all.extend(bytes);
        }
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        Ok(GivenTrees { trees, names: names.join(", "), hash: short_hash(&all) })
    }

    /// The first eight hexadecimal digits of the SHA-256 of the files.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Words and heads of a line.
    pub fn tree(&self, line: &str) -> Result<WordTree> {
        let key = with_single_spaces(line.strip_prefix('\u{feff}').unwrap_or(line));
        if key.is_empty() {
            return Ok(WordTree::default());
        }
        self.trees.get(&key).cloned().ok_or_else(|| {
            Error::Unusable(format!(
                "{} has no tree for the line `{}`: every line must be one sentence there, with this text",
                self.names,
                visible(&shortened(&key, SHOWN))
            ))
        })
    }
}

fn add(trees: &mut HashMap<String, WordTree>, file: &Conllu) -> Result<()> {
    for (number, sentence) in file.sentences().iter().enumerate() {
        let tree = file.tree(number)?;
        check_text(file.path(), sentence)?;
        let heads = tree.heads().iter().map(|&head| head as u32).collect();
        let words = || sentence.words().map(|word| word.form());
        let tree = WordTree::new(words(), heads);
        let texts = [sentence.text().map(str::to_owned), Some(sentence.surface())];
        let tokenized = words().collect::<Vec<_>>().join(" ");
        for text in texts.into_iter().flatten().chain([tokenized]) {
            trees.entry(with_single_spaces(&text)).or_insert_with(|| tree.clone());
        }
    }
    Ok(())
}

/// Returns an error if a sentence has other words than its comment `# text = …`.
fn check_text(path: &Path, sentence: &Sentence) -> Result<()> {
    let Some(text) = sentence.text() else { return Ok(()) };
    let tokens = sentence.tokens().flat_map(|(token, _)| token.form().chars());
    if tokens.filter(|c| !c.is_whitespace()).eq(text.chars().filter(|c| !c.is_whitespace())) {
        return Ok(());
    }
    let line = sentence.rows().first().map_or(0, |row| row.line);
    let what = format!(
        "the {} words of this sentence are not those of its comment `# text = …`: words are missing, or too many",
        sentence.len()
    );
    Err(Error::BadLine { path: path.to_owned(), line, what })
}

fn with_single_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(words: &[(&str, &str)]) -> String {
        let row =
            |(at, (form, head)): (usize, &(&str, &str))| format!("{}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n", at + 1);
        words.iter().enumerate().map(row).collect::<String>() + "\n"
    }

    fn read(text: &str) -> Result<GivenTrees> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.conllu");
        std::fs::write(&path, text).unwrap();
        GivenTrees::read(&[path])
    }

    fn refused(text: &str) -> String {
        let error = read(text).err().unwrap().to_string();
        error[error.find("t.conllu").unwrap()..].to_owned()
    }

    #[test]
    fn trees_are_found_by_text_and_by_words() {
        let text = format!("# text = He's here.\n{}", rows(&[("He", "3"), ("'s", "3"), ("here", "0"), (".", "3")]));
        let trees = read(&text).unwrap();
        let found = trees.tree("\u{feff}He's  here. ").unwrap();
        assert_eq!(found, WordTree::new(["he", "'s", "here", "."].into_iter(), vec![3, 3, 0, 3]));
        assert_eq!(trees.tree("He 's here .").unwrap(), found);
        assert_eq!(trees.tree(" ").unwrap(), WordTree::default());
        let error = trees.tree("She is here.").unwrap_err().to_string();
        assert!(error.contains("t.conllu has no tree for the line `She is here.`"), "{error}");
    }

    #[test]
    fn what_is_no_tree_is_refused_with_file_and_line() {
        let good = rows(&[("a", "0")]);
        for (words, reason) in [
            (
                &[("a", "2"), ("b", "1"), ("c", "0")][..],
                "t.conllu:3: word 1 is its own ancestor: the heads form a cycle",
            ),
            (&[("a", "0"), ("b", "0")], "t.conllu:4: word 2 has the root as its head, and so does word 1"),
            (&[("a", "0"), ("b", "_")], "t.conllu:4: word 2, `b`, has no head"),
            (&[("a", "0"), ("b", "5")], "t.conllu:4: "),
        ] {
            let found = refused(&format!("{good}{}", rows(words)));
            assert!(found.starts_with(reason), "{found}");
        }
        let found = refused(&format!("{good}# text = a b\n{}", rows(&[("a", "0"), ("b", "1"), ("c", "1")])));
        assert!(found.starts_with("t.conllu:4: the 3 words of this sentence are not those of"), "{found}");
    }
}
