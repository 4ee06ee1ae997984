//! CoNLL-U, the format of Universal Dependencies v2 (Nivre et al., 2020; universaldependencies.org/format.html).
//!
//! ```text
//! # sent_id = 1                     comments, `# key = value` or anything
//! # text = He's here
//! 1-2  He's  _   _     _    _  _  _      _  _               a multiword token and the words it stands for
//! 1    He    he  PRON  PRP  _  3  nsubj  _  _
//! 2    's    be  AUX   VBZ  _  3  cop    _  _
//! 3    here  here ADV  RB   _  0  root   _  SpaceAfter=No
//! 3.1  …                            an empty node, of the enhanced graph only
//!                                   an empty line ends the sentence
//! ```
//!
//! Ten columns between tabs: ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC; `_` for nothing.
//!
//! # Choices
//! Files are written back byte for byte, including `\r\n`, repeated empty lines, a byte order mark and a missing last
//! line end; only columns that were set differ. Required: ten columns, a form, ids in order, heads that exist or `_`.
//! Other rules of the guidelines (names of tags and features, no empty columns) are not checked. Trees are checked by
//! [`Conllu::tree`] only, since files to be parsed have none.
//!
//! # Agreement
//! UD English EWT and GUM (29,885 sentences) are written back byte for byte, and all their sentences have trees.
//!
//! # Example
//! ```
//! use std::path::Path;
//! use tercet_research::parse::conllu::Conllu;
//!
//! let text = "1\tI\t_\t_\t_\t_\t_\t_\t_\t_\n2\tsleep\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
//! let mut file = Conllu::from_text(Path::new("two.conllu"), text)?;
//! let sentence = &mut file.sentences_mut()[0];
//! sentence.set_upos(1, "VERB")?;
//! sentence.set_head(0, Some(2))?;
//! assert!(file.to_string().starts_with("1\tI\t_\t_\t_\t_\t2\t_\t_\t_\n2\tsleep\t_\tVERB\t"));
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod row;
mod sentence;

pub use row::{ConlluColumn, Id, Row};
pub use sentence::Sentence;

use super::dependency_tree::DependencyTree;
use crate::error::{Error, Result};
use row::Ending;
use sentence::head_is_not_there;
use std::fmt;
use std::path::{Path, PathBuf};
use tercet_learn::networks::TreeError;

/// A file of sentences.
#[derive(Clone, Debug, Default)]
pub struct Conllu {
    path: PathBuf,
    /// The byte order mark and empty lines before the first sentence.
    before: String,
    sentences: Vec<Sentence>,
}

impl Conllu {
    /// Reads the bytes of a file. `path` is only used in error messages.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Conllu::from_text(path, text),
            Err(error) => Err(Error::not_utf8(path, bytes, error.valid_up_to())),
        }
    }

    /// Reads the text of a file. `path` is only used in error messages.
    pub fn from_text(path: &Path, text: &str) -> Result<Self> {
        Conllu::part(path, text, 1)
    }

    /// Reads a part of a file, for files that are read part by part; `first_line` is its first line, counted from 1.
    /// Parts end after an empty line.
    pub fn part(path: &Path, text: &str, first_line: usize) -> Result<Self> {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (empty_lines, sentences) = read(path, rest, first_line)?;
        let before = format!("{}{empty_lines}", &text[..text.len() - rest.len()]);
        Ok(Conllu { path: path.to_owned(), before, sentences })
    }

    /// A new file of sentences made by [`Sentence::new`].
    pub fn new(sentences: Vec<Sentence>) -> Self {
        Conllu { sentences, ..Conllu::default() }
    }

    /// The path given when it was read; empty for a new file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sentences in order.
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    /// The sentences, to set columns.
    pub fn sentences_mut(&mut self) -> &mut [Sentence] {
        &mut self.sentences
    }

    /// The tree of a sentence, counted from 0. Returns an error that names the line if a word has no head, there is not
    /// exactly one root, or the heads form a cycle.
    pub fn tree(&self, sentence: usize) -> Result<DependencyTree> {
        let sentence = &self.sentences[sentence];
        let bad = |word: usize, what: String| {
            let line = sentence.words.get(word).map_or(0, |&row| sentence.rows[row].line);
            Error::BadLine { path: self.path.clone(), line, what }
        };
        let mut heads = Vec::with_capacity(sentence.len());
        for (i, word) in sentence.words().enumerate() {
            let what = || format!("word {}, `{}`, has no head, but a tree was asked for", i + 1, word.form());
            heads.push(word.head().ok_or_else(|| bad(i, what()))?);
        }
        if let Some(error) = TreeError::find(heads.len(), |word| heads[word]) {
            return Err(bad(error.word(), error.to_string()));
        }
        DependencyTree::new(heads, sentence.words().map(|word| word.deprel().to_owned()).collect())
    }
}

impl fmt::Display for Conllu {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.before.clone();
        self.sentences.iter().for_each(|sentence| sentence.write(&mut text));
        formatter.write_str(&text)
    }
}

/// The sentences of a text, and the empty lines before the first.
fn read(path: &Path, text: &str, first_line: usize) -> Result<(String, Vec<Sentence>)> {
    let mut reader = Reader { path, before: String::new(), done: Vec::new(), open: None };
    let mut last = first_line - 1;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        last = first_line + number;
        reader.line(line, last)?;
    }
    reader.close(last)?;
    Ok((reader.before, reader.done))
}

struct Reader<'a> {
    path: &'a Path,
    before: String,
    done: Vec<Sentence>,
    open: Option<Sentence>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str, number: usize) -> Result<()> {
        let (text, ending) = Ending::split(line);
        if text.is_empty() {
            self.close(number)?;
            self.done.last_mut().map_or(&mut self.before, |sentence| &mut sentence.after).push_str(line);
            return Ok(());
        }
        let path = self.path;
        let bad = |what: String| bad(path, number, what);
        let sentence = self.open.get_or_insert_with(|| Sentence {
            comments: Vec::new(),
            rows: Vec::new(),
            words: Vec::new(),
            after: String::new(),
        });
        if text.starts_with('#') {
            if !sentence.rows.is_empty() {
                return Err(bad(
                    "a comment inside a sentence (comments stand before its first word; is an empty line missing?)"
                        .to_owned(),
                ));
            }
            sentence.comments.push((text.to_owned(), ending));
            return Ok(());
        }
        let row = Row::parse(text, number, ending).map_err(bad)?;
        check_order(sentence, row.id()).map_err(bad)?;
        if let Id::Word(_) = row.id() {
            sentence.words.push(sentence.rows.len());
        }
        sentence.rows.push(row);
        Ok(())
    }

    /// Ends the open sentence, if there is one, and checks that its ranges and heads exist.
    fn close(&mut self, number: usize) -> Result<()> {
        let Some(sentence) = self.open.take() else { return Ok(()) };
        let words = sentence.len();
        if words == 0 {
            return Err(bad(self.path, number, "a sentence without words ends here".to_owned()));
        }
        for row in &sentence.rows {
            match row.id() {
                Id::Range(first, last) if last > words => {
                    let what = format!("the multiword token {first}-{last} extends beyond the last word, {words}");
                    return Err(bad(self.path, row.line, what));
                }
                Id::Word(word) => {
                    if let Some(head) = row.head().filter(|&head| head > words) {
                        return Err(bad(self.path, row.line, head_is_not_there(word, head, words)));
                    }
                }
                _ => {}
            }
        }
        self.done.push(sentence);
        Ok(())
    }
}

fn bad(path: &Path, line: usize, what: String) -> Error {
    Error::BadLine { path: path.to_owned(), line, what }
}

/// Words are numbered from 1; a range comes before its first word; the empty nodes after a word are numbered from 1.
fn check_order(sentence: &Sentence, id: Id) -> Result<(), String> {
    let words = sentence.len();
    let found = match id {
        Id::Word(word) if word == words + 1 => return Ok(()),
        Id::Range(first, last) if first == words + 1 && last >= first => {
            if first > covered(sentence) {
                return Ok(());
            }
            return Err(format!("the multiword token {first}-{last} begins inside the one before it"));
        }
        Id::Empty(word, place) if word == words => {
            let expected = match sentence.rows.last().map(Row::id) {
                Some(Id::Empty(_, before)) => before + 1,
                _ => 1,
            };
            if place == expected {
                return Ok(());
            }
            return Err(format!("expected the empty node {word}.{expected}, found {word}.{place}"));
        }
        Id::Word(word) => word.to_string(),
        Id::Range(first, last) => format!("{first}-{last}"),
        Id::Empty(word, place) => format!("{word}.{place}"),
    };
    Err(format!("expected the line of word {}, found the id {found} (ids count up from 1 without gaps)", words + 1))
}

/// The last word of the last multiword token.
fn covered(sentence: &Sentence) -> usize {
    let ends = sentence.rows.iter().rev().filter_map(|row| match row.id() {
        Id::Range(_, last) => Some(last),
        _ => None,
    });
    ends.max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
