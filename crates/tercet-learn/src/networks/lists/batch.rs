//! A batch of lists with their targets.

use super::encoder::Inputs;
use super::{EncoderShape, Forms, Lists};
use crate::error::{Error, Result};

/// Lists and their targets; the type of the targets depends on the network.
#[derive(Debug)]
pub struct ListBatch<'a, Targets> {
    /// The forms that occur in the lists.
    pub forms: &'a Forms,
    /// The lists.
    pub lists: &'a Lists,
    /// The word of every item, if it may differ from that of its form (known words are sometimes replaced by the
    /// unknown word, so that its vector is learned). Empty: the words of the forms.
    pub words: &'a [u32],
    /// The training targets.
    pub targets: &'a Targets,
}

impl<'a, Targets> ListBatch<'a, Targets> {
    /// The inputs of the encoder.
    pub(in crate::networks) fn inputs(&self) -> Inputs<'a> {
        (self.forms, self.lists, self.words)
    }

    /// Returns an error if sizes do not match or numbers are out of range; targets are checked by the network.
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
