//! Parsing as a use case: lines become trees, written in a format.

use super::conllu::{Conllu, Sentence};
use super::constituency::ConstituencyParser;
use super::dependency::{DependencyParser, OtherColumns};
use super::draw;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::text::{Scratch, Tokenizer, UdWord, split, ud_english, ud_english_sentences};
use crate::warning::Done;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

tercet_base::choices! {
    /// How trees are written.
    pub enum TreeFormat: "format" = Conllu {
        /// CoNLL-U, the ten columns of Universal Dependencies.
        Conllu = "conllu",
        /// A drawing, one line per word; phrases are indented.
        Tree = "tree",
        /// Phrases in brackets, as in the Penn Treebank, a tree per line; the model is then a constituency parser.
        Brackets = "brackets",
        /// SYNTAX25, one row per line: the line, a tab and the 25 numbers at the root of its tree.
        Vectors = "vectors",
    }
}

tercet_base::defaults! {
    /// Parses lines of English.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct ParseJob {
        /// How trees are written.
        pub format: TreeFormat = TreeFormat::Conllu,
        /// The tokenizer: `none` splits at white space.
        #[serde(alias = "tok")]
        pub tokenizer: String = "ud-en".to_owned(),
        /// Whether lines are paragraphs, to be split into sentences.
        pub split: bool = false,
        /// The parser's model file; for phrases that of a constituency parser. Default: the embedded model.
        pub model: Option<PathBuf> = None,
        /// Whether lemmas and features of sentences that have some are kept.
        pub keep_lemmas: bool = false,
    }
}

/// Trees of lines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parsed {
    /// How they are written.
    pub format: TreeFormat,
    /// All trees.
    pub text: String,
}

/// The maximum number of lines of a block, and about the maximum number of bytes: after each there is a chance to stop.
const MAX_LINES: usize = 256;
const MAX_BYTES: usize = 32 << 10;

impl ParseJob {
    /// Returns an error for settings that cannot be met.
    pub fn validate(&self) -> Result<()> {
        Tokenizer::from_name(&self.tokenizer)?;
        match (self.format, self.keep_lemmas) {
            (TreeFormat::Vectors, _) => {
                Err(Error::BadRequest("vectors are written by an encoder: choose conllu, tree or brackets".to_owned()))
            }
            (TreeFormat::Brackets, true) => {
                Err(Error::BadRequest("brackets have no lemmas that could be kept".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if a line has a line end in it.
    pub fn check_lines<L: AsRef<str>>(lines: &[L]) -> Result<()> {
        match lines.iter().position(|line| line.as_ref().contains(['\n', '\r'])) {
            Some(line) => {
                let what = format!("line {} has a line end in it: a line is one sentence", line + 1);
                Err(Error::Unusable(what))
            }
            None => Ok(()),
        }
    }

    /// Opens the parser.
    pub fn open(&self) -> Result<OpenParser> {
        self.validate()?;
        let parser = match (self.format, &self.model) {
            (TreeFormat::Brackets, None) => Parser::Phrases(ConstituencyParser::english().clone()),
            (TreeFormat::Brackets, Some(model)) => Parser::Phrases(Arc::new(ConstituencyParser::read(model)?)),
            (_, None) => Parser::Dependencies(DependencyParser::english().clone()),
            (_, Some(model)) => Parser::Dependencies(Arc::new(DependencyParser::read(model)?)),
        };
        let keeps_empty = self.format == TreeFormat::Brackets;
        let splitter = Splitter { tokenizer: Tokenizer::from_name(&self.tokenizer)?, split: self.split, keeps_empty };
        let columns = if self.keep_lemmas { OtherColumns::Kept } else { OtherColumns::Cleared };
        Ok(OpenParser { format: self.format, parser, splitter, columns })
    }

    /// Parses lines, which are named by their numbers from 1.
    pub fn run<L: AsRef<str>>(&self, lines: &[L], progress: Progress<'_>) -> Result<Done<Parsed>> {
        Done::collect(progress, |progress| {
            Self::check_lines(lines)?;
            let opened = self.open()?;
            progress.stage("parsing", lines.len(), "lines")?;
            let mut text = String::new();
            let mut rest = lines;
            while !rest.is_empty() {
                let before = lines.len() - rest.len();
                let (block, others) = rest.split_at(block_length(rest));
                rest = others;
                text += &opened.write(opened.splitter.lines(block, before + 1))?;
                progress.advance(block.len())?;
            }
            Ok(Parsed { format: self.format, text })
        })
    }
}

/// The number of lines of the first block, at least one.
fn block_length<L: AsRef<str>>(lines: &[L]) -> usize {
    let mut bytes = 0;
    let fits = |line: &&L| {
        bytes += line.as_ref().len();
        bytes <= MAX_BYTES
    };
    lines.iter().take(MAX_LINES).take_while(fits).count().max(1)
}

/// A parser of either kind.
enum Parser {
    Dependencies(Arc<DependencyParser>),
    Phrases(Arc<ConstituencyParser>),
}

/// An open parser with everything that a job says.
pub struct OpenParser {
    format: TreeFormat,
    parser: Parser,
    /// What cuts lines into sentences.
    pub splitter: Splitter,
    columns: OtherColumns,
}

impl OpenParser {
    /// Parses the words of sentences, and writes their trees.
    pub fn write(&self, mut block: Conllu) -> Result<String> {
        match &self.parser {
            Parser::Phrases(parser) => Ok(bracketed(parser, &block)),
            Parser::Dependencies(parser) => {
                parser.annotate(block.sentences_mut(), self.columns)?;
                if self.format == TreeFormat::Tree { drawn(&block) } else { Ok(block.to_string()) }
            }
        }
    }

    /// Parses the words of sentences into dependencies; phrases have none.
    pub fn annotate(&self, block: &mut Conllu) -> Result<()> {
        match &self.parser {
            Parser::Dependencies(parser) => parser.annotate(block.sentences_mut(), self.columns),
            Parser::Phrases(_) => Ok(()),
        }
    }

    /// The parser of dependencies, if it is one.
    pub fn dependencies(&self) -> Option<&DependencyParser> {
        match &self.parser {
            Parser::Dependencies(parser) => Some(parser),
            Parser::Phrases(_) => None,
        }
    }
}

/// The phrases of sentences, a tree per line; `(())` for a sentence without words.
fn bracketed(parser: &ConstituencyParser, block: &Conllu) -> String {
    let words = block.sentences().iter().map(|sentence| sentence.words().map(|word| word.form()).collect());
    let trees = parser.parse(&words.collect::<Vec<Vec<&str>>>()).into_iter().map(|phrases| phrases.tree);
    trees.map(|tree| tree.map_or("(())\n".to_owned(), |tree| format!("{tree}\n"))).collect()
}

/// Sentences as text: name and text, then a line per word.
fn drawn(block: &Conllu) -> Result<String> {
    let mut text = String::new();
    for (index, sentence) in block.sentences().iter().enumerate() {
        let name = sentence.sent_id().map_or(String::new(), |name| format!("{name}: "));
        let line = sentence.text().map_or_else(|| sentence.surface(), str::to_owned);
        text += &format!("{name}{line}\n{}\n", drawing(block, index)?);
    }
    Ok(text)
}

/// The tree of a sentence as text.
pub fn drawing(block: &Conllu, index: usize) -> Result<String> {
    let sentence = &block.sentences()[index];
    let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
    let tags: Vec<&str> = sentence.words().map(|word| word.upos()).collect();
    if words.is_empty() { Ok(String::new()) } else { Ok(draw(&block.tree(index)?, &words, &tags)) }
}

/// Splits text into sentences of words.
pub struct Splitter {
    tokenizer: Tokenizer,
    split: bool,
    keeps_empty: bool,
}

impl Splitter {
    /// Whether lines are split into sentences.
    pub fn splits(&self) -> bool {
        self.split
    }

    /// Whether words are substrings of the text, so that they can be aligned with it.
    pub fn keeps_letters(&self) -> bool {
        matches!(self.tokenizer, Tokenizer::UdEnglish | Tokenizer::None)
    }

    /// The sentences of lines, which are numbered from `first`.
    pub fn lines<L: AsRef<str>>(&self, lines: &[L], first: usize) -> Conllu {
        let named = lines.iter().zip(first..);
        Conllu::new(named.flat_map(|(line, name)| self.line(line.as_ref(), &name.to_string())).collect())
    }

    /// The sentences of a line; `name` is the prefix of their names. None if it has no words, unless empty lines are
    /// kept.
    pub fn line(&self, line: &str, name: &str) -> Vec<Sentence> {
        let places = if self.split { ud_english_sentences(line) } else { Vec::new() };
        let named = places.into_iter().enumerate();
        let mut sentences: Vec<Sentence> =
            named.map(|(i, place)| self.sentence(&line[place], &format!("{name}-{}", i + 1))).collect();
        sentences.retain(|sentence| !sentence.is_empty());
        if sentences.is_empty() {
            let sentence = self.sentence(line, name);
            sentences.extend((self.keeps_empty || !sentence.is_empty()).then_some(sentence));
        }
        sentences
    }

    /// A line as one sentence.
    pub fn sentence(&self, line: &str, name: &str) -> Sentence {
        let mut words = Vec::new();
        match self.tokenizer {
            Tokenizer::UdEnglish => ud_english(line, &mut words),
            Tokenizer::None => words.extend(split(line).map(|word| place_of(line, word))),
            tokenizer => return tokenized(tokenizer, line, name),
        }
        Sentence::from_text(name, line, &words)
    }
}

fn place_of(line: &str, word: &str) -> UdWord {
    let start = word.as_ptr() as usize - line.as_ptr() as usize;
    UdWord { start, end: start + word.len(), continues: false }
}

/// Other tokenizers change letters, so their words are not substrings of the line: the text is the tokens joined by
/// spaces.
fn tokenized(tokenizer: Tokenizer, line: &str, name: &str) -> Sentence {
    let mut tokens = String::new();
    tokenizer.tokenize_into(line, &mut Scratch::default(), &mut tokens);
    let text = tokenizer.tokens(&tokens).collect::<Vec<_>>().join(" ");
    let words: Vec<UdWord> =
        text.split(' ').filter(|word| !word.is_empty()).map(|word| place_of(&text, word)).collect();
    Sentence::from_text(name, &text, &words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_few_bytes_or_one_line() {
        let lines = |length: usize, count: usize| vec!["x".repeat(length); count];
        assert_eq!(block_length(&lines(1, 1000)), MAX_LINES);
        assert_eq!(block_length(&lines(1, 3)), 3);
        assert_eq!(block_length(&lines(MAX_BYTES / 4, 9)), 4);
        assert_eq!(block_length(&lines(MAX_BYTES + 1, 9)), 1);
    }
}
