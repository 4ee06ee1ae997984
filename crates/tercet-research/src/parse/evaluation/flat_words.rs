//! A file of sentences as one sequence of characters, with the character ranges of its tokens, sentences and words.
//!
//! White space (Unicode's Zs) within forms is left out, so that two files have the same characters even if one has a
//! token with a space. The words of a multiword token all have the range of the token.
//!
//! # Alignment
//! Aligns the words of a system with gold words, when both split the same characters (CoNLL 2017 and 2018 shared
//! tasks, Zeman et al., K18-2001, section 3).
//!
//! Words outside multiword tokens correspond if they cover the same characters. From a multiword token up to the next
//! border that no multiword token crosses on either side, words correspond along a longest common subsequence of their
//! lowercased forms. If there are several, the one is taken that a scan from the left finds which pairs equal forms at
//! once and otherwise skips gold's word if the subsequence stays as long.

use crate::error::{Error, Result};
use crate::parse::conllu::{Conllu, Row};
use std::borrow::Cow;
use std::ops::Range;
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

/// Pairs of corresponding words, (gold, system), in order.
pub(super) fn align(gold: &[FlatWord<'_>], system: &[FlatWord<'_>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut g, mut s) = (0, 0);
    while let (Some(ours), Some(theirs)) = (gold.get(g), system.get(s)) {
        if ours.in_multiword || theirs.in_multiword {
            let (gold_part, system_part) = multiword_stretch(gold, system, g, s);
            (g, s) = (gold_part.end, system_part.end);
            align_by_forms(gold, system, gold_part, system_part, &mut pairs);
        } else if ours.place == theirs.place {
            pairs.push((g, s));
            (g, s) = (g + 1, s + 1);
        } else if ours.place.start <= theirs.place.start {
            g += 1;
        } else {
            s += 1;
        }
    }
    pairs
}

/// How many character ranges two sorted lists have in common.
pub(super) fn same_places(gold: &[Place], system: &[Place]) -> usize {
    let (mut g, mut s, mut same) = (0, 0, 0);
    while let (Some(ours), Some(theirs)) = (gold.get(g), system.get(s)) {
        same += usize::from(ours == theirs);
        g += usize::from(ours.start <= theirs.start);
        s += usize::from(theirs.start <= ours.start);
    }
    same
}

/// The words from here to the next border that no multiword token crosses on either side.
fn multiword_stretch(
    gold: &[FlatWord<'_>],
    system: &[FlatWord<'_>],
    mut g: usize,
    mut s: usize,
) -> (Range<usize>, Range<usize>) {
    let mut end;
    // A plain word that began before the multiword token on the other side cannot correspond to any of its words.
    if gold[g].in_multiword {
        end = gold[g].place.end;
        s += usize::from(!system[s].in_multiword && system[s].place.start < gold[g].place.start);
    } else {
        end = system[s].place.end;
        g += usize::from(gold[g].place.start < system[s].place.start);
    }
    let (first_g, first_s) = (g, s);
    while !is_past(gold.get(g), end) || !is_past(system.get(s), end) {
        let gold_is_next = match (gold.get(g), system.get(s)) {
            (Some(ours), Some(theirs)) => ours.place.start <= theirs.place.start,
            (ours, _) => ours.is_some(),
        };
        let word = if gold_is_next { &gold[g] } else { &system[s] };
        if word.in_multiword {
            end = end.max(word.place.end);
        }
        g += usize::from(gold_is_next);
        s += usize::from(!gold_is_next);
    }
    (first_g..g, first_s..s)
}

fn is_past(word: Option<&FlatWord<'_>>, end: usize) -> bool {
    word.is_none_or(|word| if word.in_multiword { word.place.start >= end } else { word.place.end > end })
}

fn align_by_forms(
    gold: &[FlatWord<'_>],
    system: &[FlatWord<'_>],
    gold_part: Range<usize>,
    system_part: Range<usize>,
    pairs: &mut Vec<(usize, usize)>,
) {
    let (ours, theirs) = (&gold[gold_part.clone()], &system[system_part.clone()]);
    let longest = common_lengths(ours, theirs);
    let width = theirs.len() + 1;
    let (mut g, mut s) = (0, 0);
    while g < ours.len() && s < theirs.len() {
        if ours[g].form == theirs[s].form {
            pairs.push((gold_part.start + g, system_part.start + s));
            (g, s) = (g + 1, s + 1);
        } else if longest[g * width + s] == longest[(g + 1) * width + s] {
            g += 1;
        } else {
            s += 1;
        }
    }
}

/// The length of the longest common subsequence of the words from each pair on; rows are gold's words.
fn common_lengths(gold: &[FlatWord<'_>], system: &[FlatWord<'_>]) -> Vec<u32> {
    let width = system.len() + 1;
    let mut longest = vec![0; (gold.len() + 1) * width];
    for g in (0..gold.len()).rev() {
        for s in (0..system.len()).rev() {
            let same = gold[g].form == system[s].form;
            let both = longest[(g + 1) * width + s + 1] + u32::from(same);
            longest[g * width + s] = both.max(longest[(g + 1) * width + s]).max(longest[g * width + s + 1]);
        }
    }
    longest
}
