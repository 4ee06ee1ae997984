//! The buffers of one parser thread, and its cache of word forms.
//!
//! What the network computes from a form alone is cached, since most words of a text repeat. The cache is emptied when
//! it has too many forms; forms of more than [`MAX_CACHED_BYTES`] bytes are not cached, so that the number of forms
//! bounds the memory. Results do not depend on the cache.

use super::tree_search::{Arcs, make_tree};
use super::vocabulary::Vocabulary;
use crate::error::Result;
use foldhash::HashMap;
use tercet_learn::networks::{
    Analysis, AnalysisSettings, AnalysisWorkspace, BiaffineReady, Candidates, Forms, Lists, ReadyForms,
};

/// Bytes of the longest form that is cached.
pub const MAX_CACHED_BYTES: usize = 64;

/// Buffers and cache of one thread.
#[derive(Default)]
pub struct ParserWorkspace {
    /// The numbers of cached forms.
    pub(super) numbers: HashMap<String, u32>,
    ready: ReadyForms,
    lists: Lists,
    forms: Forms,
    characters: Vec<u8>,
    space: AnalysisWorkspace,
    analysis: Analysis,
}

impl ParserWorkspace {
    /// Analyses sentences; the result has the words of all sentences in order. Empties the cache first if it has more
    /// than `cached_forms` forms.
    pub fn analyse<S, W>(
        &mut self,
        network: &BiaffineReady,
        settings: &AnalysisSettings,
        words: &Vocabulary,
        sentences: &[S],
        cached_forms: usize,
    ) -> Result<&Analysis>
    where
        S: AsRef<[W]>,
        W: AsRef<str>,
    {
        if self.ready.len() > cached_forms {
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
                    if form.len() <= MAX_CACHED_BYTES {
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
