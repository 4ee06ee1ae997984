//! What the network sees, and what it should say of it.
//!
//! An item of a list is an occurrence of a *form*: a spelling with the numbers that it is known by. Forms are kept once
//! ([`Forms`]), lists are numbers of forms ([`Lists`]). The artificial root before every list is the network's own and
//! appears in none of these.

use super::BiaffineShape;
use crate::error::{Error, Result};
use std::ops::Range;

/// Distinct items: the word, the shape and the characters of each.
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
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

    /// Forgets all forms, and keeps the memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.shapes.clear();
        self.characters.clear();
        self.starts.truncate(1);
    }

    /// Refuses numbers that the network has no row for.
    pub(in crate::networks) fn check(&self, shape: &BiaffineShape) -> Result<()> {
        (0..self.len() as u32).try_for_each(|form| self.check_form(form, shape))
    }

    fn check_form(&self, form: u32, shape: &BiaffineShape) -> Result<()> {
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

/// Lists of forms, one after another.
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

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of all lists: their forms.
    pub fn items(&self) -> &[u32] {
        &self.forms
    }

    /// The forms of a list.
    pub fn list(&self, list: usize) -> &[u32] {
        &self.forms[self.range(list)]
    }

    /// Where the items of a list are among all.
    pub fn range(&self, list: usize) -> Range<usize> {
        self.starts[list]..self.starts[list + 1]
    }

    /// The lists of one of so many shards: those that begin in its share of the items.
    pub(in crate::networks) fn shard(&self, number: usize, shards: usize) -> Range<usize> {
        let starts = &self.starts[..self.len()];
        let first = |number: usize| {
            let bound = self.items().len() * number / shards;
            if number == shards { starts.len() } else { starts.partition_point(|start| *start < bound) }
        };
        first(number)..first(number + 1)
    }

    /// Forgets all lists, and keeps the memory.
    pub fn clear(&mut self) {
        self.forms.clear();
        self.starts.truncate(1);
    }

    /// Refuses forms that are not there.
    pub(in crate::networks) fn check(&self, forms: usize) -> Result<()> {
        let bad = (0..self.len()).find(|&list| self.list(list).iter().any(|&form| form as usize >= forms));
        let Some(list) = bad else { return Ok(()) };
        let largest = self.list(list).iter().max().copied().unwrap_or_default();
        Err(Error::shape(format!("list {list}"), format!("forms below {forms}"), largest))
    }
}

/// What should be said of every item, in the order of the lists' items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Its tag.
    pub tags: Vec<u16>,
    /// Its fine tag; none at all for a network without them.
    pub fine_tags: Vec<u16>,
    /// The place of its head in its list, counted from 1; 0 for the root.
    pub heads: Vec<u32>,
    /// The label of the arc to its head.
    pub labels: Vec<u16>,
}

impl Targets {
    /// Forgets all targets, and keeps the memory.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.fine_tags.clear();
        self.heads.clear();
        self.labels.clear();
    }
}

/// Lists to learn from.
#[derive(Clone, Copy, Debug)]
pub struct BiaffineBatch<'a> {
    /// The forms that lists are made of.
    pub forms: &'a Forms,
    /// The lists.
    pub lists: &'a Lists,
    /// The word of every item, where it is not that of its form (a known word is taken for an unknown one now and then,
    /// so that the row of unknown words learns); empty: the words of the forms.
    pub words: &'a [u32],
    /// What should be said of them.
    pub targets: &'a Targets,
}

impl BiaffineBatch<'_> {
    /// Refuses what does not fit together or into the network; forms that occur in no list are not looked at.
    pub fn check(&self, shape: &BiaffineShape) -> Result<()> {
        self.lists.check(self.forms.len())?;
        self.lists.items().iter().try_for_each(|form| self.forms.check_form(*form, shape))?;
        let items = self.lists.items().len();
        let fine = if shape.fine_tags > 0 { items } else { 0 };
        let targets = self.targets;
        for (name, expected, found) in [
            ("tags", items, targets.tags.len()),
            ("fine tags", fine, targets.fine_tags.len()),
            ("heads", items, targets.heads.len()),
            ("labels", items, targets.labels.len()),
        ] {
            if found != expected {
                return Err(Error::shape(name, format!("{expected}, one per item"), found));
            }
        }
        if !self.words.is_empty() && self.words.len() != items {
            return Err(Error::shape("words", format!("{items}, one per item, or none"), self.words.len()));
        }
        self.check_targets(shape)
    }

    /// Refuses targets that the network cannot say.
    fn check_targets(&self, shape: &BiaffineShape) -> Result<()> {
        let targets = self.targets;
        for list in 0..self.lists.len() {
            let range = self.lists.range(list);
            for (place, item) in range.clone().enumerate() {
                let head = targets.heads[item] as usize;
                let fine = targets.fine_tags.get(item).copied().unwrap_or_default();
                let word = self.words.get(item).copied().unwrap_or_default();
                let reason = if head > range.len() || head == place + 1 {
                    format!("item {place} has the head {head}")
                } else if usize::from(targets.tags[item]) >= shape.tags {
                    format!("item {place} has the tag {} of {}", targets.tags[item], shape.tags)
                } else if usize::from(targets.labels[item]) >= shape.labels {
                    format!("item {place} has the label {} of {}", targets.labels[item], shape.labels)
                } else if usize::from(fine) >= shape.fine_tags.max(1) {
                    format!("item {place} has the fine tag {fine} of {}", shape.fine_tags)
                } else if word as usize >= shape.words {
                    format!("item {place} has the word {word} of {}", shape.words)
                } else {
                    continue;
                };
                return Err(Error::BadExample { example: list, reason });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_in_one_shard_and_shards_are_about_as_large() {
        let mut lists = Lists::default();
        let lengths = [0, 5, 3, 0, 12, 1, 1, 2, 0];
        lengths.iter().for_each(|&length| lists.push(vec![0; length]));
        let shards = |count: usize| (0..count).map(|number| lists.shard(number, count)).collect::<Vec<_>>();
        assert_eq!(shards(2), [0..5, 5..9]);
        assert_eq!(shards(3), [0..3, 3..5, 5..9]);
        for count in [1, 4, 16] {
            let all: Vec<usize> = shards(count).into_iter().flatten().collect();
            assert_eq!(all, (0..lengths.len()).collect::<Vec<_>>(), "{count} shards");
        }
    }
}
