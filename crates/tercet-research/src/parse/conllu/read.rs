//! Reads lines as sentences and checks the order of ids.

use super::row::{Ending, Id, Row};
use super::sentence::{Sentence, head_is_not_there};
use crate::error::{Error, Result};
use std::path::Path;

/// The sentences of a text, and the empty lines before the first.
pub(super) fn read(path: &Path, text: &str, first_line: usize) -> Result<(String, Vec<Sentence>)> {
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
                    "a comment inside a sentence (comments stand before its first word; is an empty line \
                    missing?)"
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
