//! One worker: sentences in, numbers out, with the room it works in and the forms it has seen.
//!
//! What the network computes of a form alone, it computes once: most words of a text are words the text has had before.
//! Forms are kept up to a bound of memory, then all are forgotten; forms of more than [`LONGEST_KEPT`] bytes are not kept
//! at all, so that a count bounds the bytes. What is computed does not depend on what was kept.

use super::tree_search::{Arcs, make_tree};
use super::vocabulary::Vocabulary;
use crate::error::Result;
use rustc_hash::FxHashMap;
use tercet_learn::networks::biaffine::{
    Analysis, AnalysisSettings, AnalysisWorkspace, BiaffineReady, Candidates, ReadyForms,
};
use tercet_learn::networks::lists::{Forms, Lists};

/// Bytes of the longest form that is kept.
pub const LONGEST_KEPT: usize = 64;

/// Room for one thread.
#[derive(Default)]
pub struct ParserWorkspace {
    /// Of the forms that are kept.
    pub(super) numbers: FxHashMap<String, u32>,
    ready: ReadyForms,
    lists: Lists,
    forms: Forms,
    characters: Vec<u8>,
    space: AnalysisWorkspace,
    analysis: Analysis,
}

impl ParserWorkspace {
    /// Analyses sentences, forgetting forms first if there are more than `kept_forms`; what was found is there until the
    /// next call, in the order of their words.
    pub fn analyse<S, W>(
        &mut self,
        network: &BiaffineReady,
        settings: &AnalysisSettings,
        words: &Vocabulary,
        sentences: &[S],
        kept_forms: usize,
    ) -> Result<&Analysis>
    where
        S: AsRef<[W]>,
        W: AsRef<str>,
    {
        if self.ready.len() > kept_forms {
            self.numbers.clear();
            self.ready.clear();
        }
        self.forms.clear();
        self.lists.clear();
        for sentence in sentences {
            let numbers = sentence.as_ref().iter().map(|word| {
                let (form, next) = (word.as_ref(), (self.ready.len() + self.forms.len()) as u32);
                self.numbers.get(form).copied().unwrap_or_else(|| {
                    words.push_form(form, &mut self.characters, &mut self.forms);
                    if form.len() <= LONGEST_KEPT {
                        self.numbers.insert(form.to_owned(), next);
                    }
                    next
                })
            });
            self.lists.push(numbers);
        }
        network.prepare(&self.forms, &mut self.ready)?;
        let decide = |candidates: &Candidates<'_>, heads: &mut [u32]| make_tree(candidates, heads);
        network.analyse(&self.ready, &self.lists, settings, decide, &mut self.space, &mut self.analysis)?;
        Ok(&self.analysis)
    }
}

impl Arcs for Candidates<'_> {
    fn of(&self, word: usize) -> (&[u32], &[f32]) {
        (self.heads(word), self.scores(word))
    }
}
