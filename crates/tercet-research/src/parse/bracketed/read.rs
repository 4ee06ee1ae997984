//! Reads bracketed trees.

use crate::error::{Error, Result};
use crate::parse::constituents::{Tree, TreeBuilder};
use std::path::Path;

/// Reads trees from the contents of a file, as they are written. `path` is only used in error messages.
pub fn read_trees(path: &Path, text: impl AsRef<[u8]>) -> Result<Vec<Tree>> {
    let mut reader = Reader::new(path, text.as_ref())?;
    let mut trees = Vec::new();
    while let Some((place, tree)) = reader.tree()? {
        let empty = || reader.bad(place, "an empty tree, as parsers write that found none");
        trees.push(tree.ok_or_else(empty)?);
    }
    Ok(trees)
}

/// Reads the output of a parser, in which `(())` or `()` stands for a sentence it could not parse.
pub fn read_parses(path: &Path, text: impl AsRef<[u8]>) -> Result<Vec<Option<Tree>>> {
    let mut reader = Reader::new(path, text.as_ref())?;
    let mut trees = Vec::new();
    while let Some((_, tree)) = reader.tree()? {
        trees.push(tree);
    }
    Ok(trees)
}

/// Brackets may be nested so deep. Trees of sentences are far from it; without a limit, a file of opening brackets
/// would take a hundred times its size in memory.
const DEEPEST: usize = 1_000_000;

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    at: usize,
}

/// An open bracket.
struct Open {
    place: usize,
    /// Whether it contains brackets.
    filled: bool,
}

impl<'a> Reader<'a> {
    fn new(path: &'a Path, bytes: &'a [u8]) -> Result<Self> {
        let text = std::str::from_utf8(bytes).map_err(|error| Error::not_utf8(path, bytes, error.valid_up_to()))?;
        let at = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
        Ok(Reader { path, text, at })
    }

    /// The next tree and its offset; no tree for `()` and `(())`.
    fn tree(&mut self) -> Result<Option<(usize, Option<Tree>)>> {
        let place = self.skip_space();
        match self.peek() {
            None => return Ok(None),
            Some(b'(') => {}
            Some(b')') => return Err(self.bad(place, "a closing bracket without an opening one")),
            Some(_) => {
                let what = format!("expected `(`, found `{}`", self.atom());
                return Err(self.bad(place, &what));
            }
        }
        if self.nothing() {
            return Ok(Some((place, None)));
        }
        let mut builder = TreeBuilder::new();
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.bracket(&mut builder, &mut open)?;
            if open.is_empty() {
                let tree = builder.finish();
                return Ok(Some((place, Some(tree.expect("every bracket has words in it")))));
            }
        }
    }

    /// Reads one opening bracket with its label and, if it is a leaf, its word; or one closing bracket.
    fn bracket(&mut self, builder: &mut TreeBuilder, open: &mut Vec<Open>) -> Result<()> {
        let place = self.skip_space();
        match self.peek() {
            Some(b'(') => {
                self.at += 1;
                if let Some(parent) = open.last_mut() {
                    parent.filled = true;
                }
                let label = self.atom();
                self.skip_space();
                if matches!(self.peek(), Some(b'(' | b')') | None) {
                    if open.len() == DEEPEST {
                        return Err(self.bad(place, "brackets are nested more than 1,000,000 deep"));
                    }
                    builder.open(label);
                    open.push(Open { place, filled: false });
                    return Ok(());
                }
                let word = self.atom();
                if label.is_empty() {
                    return Err(self.bad(place, &format!("the word `{word}` has no tag: expected (tag word)")));
                }
                self.end_of_word(label, word)?;
                builder.word(label, word);
                Ok(())
            }
            Some(b')') => {
                self.at += 1;
                let closed = open.pop().expect("called within a bracket");
                if !closed.filled {
                    return Err(self
                        .bad(closed.place, "a bracket with nothing but its label in it: expected a word or brackets"));
                }
                builder.close();
                Ok(())
            }
            None => {
                let unclosed = open.last().map_or(place, |bracket| bracket.place);
                Err(self.bad(unclosed, "this bracket is never closed"))
            }
            Some(_) => {
                let what = format!("the word `{}` is beside brackets: expected (tag word)", self.atom());
                Err(self.bad(place, &what))
            }
        }
    }

    /// Reads the closing bracket after a word.
    fn end_of_word(&mut self, label: &str, word: &str) -> Result<()> {
        let place = self.skip_space();
        match self.peek() {
            Some(b')') => {
                self.at += 1;
                Ok(())
            }
            None => Err(self.bad(place, &format!("the text ends before the bracket of `{word}` is closed"))),
            Some(_) => Err(self.bad(
                place,
                &format!(
                    "expected `)` after the word `{word}` of `{label}` (one word to a bracket; brackets in words \
                    are written -LRB-, -RRB-)"
                ),
            )),
        }
    }

    /// Skips `()` or `(())`, which may contain white space; returns whether there was one.
    fn nothing(&mut self) -> bool {
        let mut depth = 0;
        let mut opened = 0;
        for (i, byte) in self.text.as_bytes()[self.at..].iter().enumerate() {
            match byte {
                b'(' if opened < 2 && depth == opened => (depth, opened) = (depth + 1, opened + 1),
                b')' => depth -= 1,
                _ if byte.is_ascii_whitespace() => {}
                _ => return false,
            }
            if depth == 0 {
                self.at += i + 1;
                return true;
            }
        }
        false
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) -> usize {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.at
    }

    /// The text up to the next bracket or white space; may be empty.
    fn atom(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.bytes().position(|byte| byte == b'(' || byte == b')' || byte.is_ascii_whitespace());
        let atom = &rest[..end.unwrap_or(rest.len())];
        self.at += atom.len();
        atom
    }

    fn bad(&self, place: usize, what: &str) -> Error {
        let before = &self.text[..place];
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Error::BadLine {
            path: self.path.to_owned(),
            line: before.matches('\n').count() + 1,
            what: format!("column {column}: {what}"),
        }
    }
}
