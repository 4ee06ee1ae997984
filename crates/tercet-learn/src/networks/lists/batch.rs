//! Lists to learn from, with what should be said of them.

use super::encoder::Inputs;
use super::{EncoderShape, Forms, Lists};
use crate::error::{Error, Result};

/// Lists and their targets, which are the network's own.
#[derive(Debug)]
pub struct ListBatch<'a, Targets> {
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

impl<'a, Targets> ListBatch<'a, Targets> {
    /// What the encoder reads.
    pub(in crate::networks) fn inputs(&self) -> Inputs<'a> {
        (self.forms, self.lists, self.words)
    }

    /// Refuses what does not fit together or into the network; targets are the network's to check.
    pub(in crate::networks) fn check_inputs(&self, shape: &EncoderShape) -> Result<()> {
        self.lists.check(self.forms.len())?;
        self.lists.items().iter().try_for_each(|form| self.forms.check_form(*form, shape))?;
        let items = self.lists.items().len();
        if !self.words.is_empty() && self.words.len() != items {
            return Err(Error::shape("words", format!("{items}, one per item, or none"), self.words.len()));
        }
        let Some(item) = self.words.iter().position(|word| *word as usize >= shape.words) else {
            return Ok(());
        };
        let (example, place) = self.lists.place(item);
        let reason = format!("item {place} has the word {} of {}", self.words[item], shape.words);
        Err(Error::BadExample { example, reason })
    }
}
