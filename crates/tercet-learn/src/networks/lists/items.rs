//! Inputs of networks over lists: forms, and lists of forms.
//!
//! An item of a list is an occurrence of a *form*: a word as it is written, with its features. Each form is stored once
//! ([`Forms`]); lists contain the numbers of forms ([`Lists`]). The artificial root before every list is added by the
//! network.

use super::EncoderShape;
use crate::error::{Error, Result};
use std::ops::Range;

/// Distinct forms: the word, the shape and the characters of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forms {
    words: Vec<u32>,
    shapes: Vec<u32>,
    characters: Vec<u8>,
    starts: Vec<usize>,
}

impl Default for Forms {
    fn default() -> Self {
        Forms { words: Vec::new(), shapes: Vec::new(), characters: Vec::new(), starts: vec![0] }
    }
}

impl Forms {
    /// Adds a form, and returns its number.
    pub fn push(&mut self, word: u32, shape: u32, characters: &[u8]) -> u32 {
        self.words.push(word);
        self.shapes.push(shape);
        self.characters.extend_from_slice(characters);
        self.starts.push(self.characters.len());
        self.len() as u32 - 1
    }

    /// Number of forms.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no forms.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The word of a form.
    pub fn word(&self, form: u32) -> u32 {
        self.words[form as usize]
    }

    /// The shape of a form.
    pub fn shape(&self, form: u32) -> u32 {
        self.shapes[form as usize]
    }

    /// The characters of a form.
    pub fn characters(&self, form: u32) -> &[u8] {
        let at = form as usize;
        &self.characters[self.starts[at]..self.starts[at + 1]]
    }

    /// Removes all forms; allocated memory is kept.
    pub fn clear(&mut self) {
        self.words.clear();
        self.shapes.clear();
        self.characters.clear();
        self.starts.truncate(1);
    }

    /// Returns an error if a number is out of range for the network.
    pub(in crate::networks) fn check(&self, shape: &EncoderShape) -> Result<()> {
        (0..self.len() as u32).try_for_each(|form| self.check_form(form, shape))
    }

    /// The same for one form.
    pub(super) fn check_form(&self, form: u32, shape: &EncoderShape) -> Result<()> {
        below(form, "words", self.word(form), shape.words)?;
        below(form, "shapes", self.shape(form), shape.shapes)?;
        let largest = self.characters(form).iter().max();
        largest.map_or(Ok(()), |&c| below(form, "characters", u32::from(c), shape.characters))
    }
}

fn below(form: u32, what: &str, found: u32, count: usize) -> Result<()> {
    if (found as usize) < count {
        return Ok(());
    }
    Err(Error::shape(format!("form {form}"), format!("{what} below {count}"), found))
}

/// Lists of forms, concatenated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    forms: Vec<u32>,
    starts: Vec<usize>,
}

impl Default for Lists {
    fn default() -> Self {
        Lists { forms: Vec::new(), starts: vec![0] }
    }
}

impl Lists {
    /// Adds a list.
    pub fn push(&mut self, forms: impl IntoIterator<Item = u32>) {
        self.forms.extend(forms);
        self.starts.push(self.forms.len());
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The forms of the items of all lists.
    pub fn items(&self) -> &[u32] {
        &self.forms
    }

    /// The forms of a list.
    pub fn list(&self, list: usize) -> &[u32] {
        &self.forms[self.range(list)]
    }

    /// The range of a list in [`items`](Self::items).
    pub fn range(&self, list: usize) -> Range<usize> {
        self.starts[list]..self.starts[list + 1]
    }

    /// The range of several lists in [`items`](Self::items).
    pub(in crate::networks) fn range_of(&self, lists: Range<usize>) -> Range<usize> {
        self.starts[lists.start]..self.starts[lists.end]
    }

    /// The list of an item and the position of the item in it, both counted from 0.
    pub(super) fn place(&self, item: usize) -> (usize, usize) {
        let list = self.starts.partition_point(|&start| start <= item) - 1;
        (list, item - self.starts[list])
    }

    /// The lists of one shard: those that begin in its share of the items.
    pub(super) fn shard(&self, number: usize, shards: usize) -> Range<usize> {
        let first = |shard: usize| {
            let bound = self.forms.len() * shard / shards;
            self.starts[..self.len()].partition_point(|&start| start < bound)
        };
        first(number)..if number + 1 == shards { self.len() } else { first(number + 1) }
    }

    /// Removes all lists; allocated memory is kept.
    pub fn clear(&mut self) {
        self.forms.clear();
        self.starts.truncate(1);
    }

    /// Returns an error if a form does not exist.
    pub(in crate::networks) fn check(&self, forms: usize) -> Result<()> {
        let bad = (0..self.len()).find(|&list| self.list(list).iter().any(|&form| form as usize >= forms));
        let Some(list) = bad else { return Ok(()) };
        let largest = self.list(list).iter().max().copied().unwrap_or_default();
        Err(Error::shape(format!("list {list}"), format!("forms below {forms}"), largest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_in_the_list_that_has_it_whatever_empty_ones_stand_before() {
        let mut lists = Lists::default();
        [2, 0, 0, 1].into_iter().for_each(|length| lists.push(vec![0; length]));
        assert_eq!([0, 1, 2].map(|item| lists.place(item)), [(0, 0), (0, 1), (3, 0)]);
    }

    #[test]
    fn shards_have_every_list_once_and_about_as_many_items() {
        let mut lists = Lists::default();
        (0..90).for_each(|list| lists.push(vec![0; list % 7]));
        let shards: Vec<Range<usize>> = (0..8).map(|number| lists.shard(number, 8)).collect();
        assert!(shards.iter().cloned().flatten().eq(0..90));
        let items = |shard: &Range<usize>| lists.range(shard.end - 1).end - lists.range(shard.start).start;
        assert!(shards.iter().all(|shard| items(shard).abs_diff(lists.items().len() / 8) <= 7), "{shards:?}");
        assert!((0..3).flat_map(|number| Lists::default().shard(number, 3)).next().is_none());
    }
}
