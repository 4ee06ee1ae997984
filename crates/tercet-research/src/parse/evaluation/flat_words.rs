//! A file of sentences as one sequence of characters, with the character ranges of its tokens, sentences and words.
//!
//! White space (Unicode's Zs) within forms is left out, so that two files have the same characters even if one has a
//! token with a space. The words of a multiword token all have the range of the token.

use crate::error::{Error, Result};
use crate::parse::conllu::{Conllu, Row};
use std::borrow::Cow;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// A range of characters, end excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) struct FlatWord<'a> {
    pub(super) place: Place,
    /// The lowercased form, by which words of multiword tokens are compared.
    pub(super) form: Cow<'a, str>,
    pub(super) in_multiword: bool,
    /// The head among all words of the file; `None` for the root.
    pub(super) head: Option<usize>,
    pub(super) row: &'a Row,
}

pub(super) struct FlatText<'a> {
    pub(super) characters: Vec<char>,
    pub(super) tokens: Vec<(Place, &'a Row)>,
    pub(super) sentences: Vec<Place>,
    pub(super) words: Vec<FlatWord<'a>>,
}

impl<'a> FlatText<'a> {
    /// The text of a file; an error if a sentence has no valid tree.
    pub(super) fn new(file: &'a Conllu) -> Result<Self> {
        let mut flat =
            FlatText { characters: Vec::new(), tokens: Vec::new(), sentences: Vec::new(), words: Vec::new() };
        for (index, sentence) in file.sentences().iter().enumerate() {
            let tree = file.tree(index)?;
            let (start, first_word) = (flat.characters.len(), flat.words.len());
            for (token, words) in sentence.tokens() {
                let place = flat.push_token(file, token)?;
                let in_multiword = words.len() > 1 || !std::ptr::eq(token, sentence.word(words.start));
                flat.words.extend(words.map(|word| FlatWord {
                    place,
                    form: lower_case(sentence.word(word), in_multiword),
                    in_multiword,
                    head: tree.head(word).checked_sub(1).map(|head| first_word + head),
                    row: sentence.word(word),
                }));
            }
            flat.sentences.push(Place { start, end: flat.characters.len() });
        }
        Ok(flat)
    }

    fn push_token(&mut self, file: &Conllu, token: &'a Row) -> Result<Place> {
        let start = self.characters.len();
        self.characters.extend(token.form().chars().filter(|&c| !is_space(c)));
        let place = Place { start, end: self.characters.len() };
        if place.start == place.end {
            let what = "the form is nothing but white space, so the word cannot be aligned".to_owned();
            return Err(Error::BadLine { path: file.path().to_owned(), line: token.line, what });
        }
        self.tokens.push((place, token));
        Ok(place)
    }
}

/// The lowercased form. Words of multiword tokens keep their spaces, others do not, as in the script of CoNLL 2018.
fn lower_case(word: &Row, in_multiword: bool) -> Cow<'_, str> {
    let form = word.form();
    if !in_multiword && form.contains(is_space) {
        return Cow::Owned(form.replace(is_space, "").to_lowercase());
    }
    if form.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(form);
    }
    Cow::Owned(form.to_lowercase())
}

fn is_space(c: char) -> bool {
    c == ' ' || (!c.is_ascii() && c.general_category() == GeneralCategory::SpaceSeparator)
}
