//! One worker: sentences in, numbers out, with the room it works in and the forms it has seen.
//!
//! What the network computes of a form alone, it computes once: most words of a text are words the text has had before.
//! Forms are kept up to a bound of memory, then all are forgotten; what is computed does not depend on what was kept.

use super::tree_search::{Arcs, make_tree};
use super::vocabulary::Vocabulary;
use super::word_form::{normal_form, push_characters, shape_row};
use crate::error::Result;
use rustc_hash::FxHashMap;
use tercet_learn::networks::biaffine::{
    Analysis, AnalysisSettings, AnalysisWorkspace, BiaffineReady, Candidates, Forms, Lists, ReadyForms,
};

/// Room for one thread.
#[derive(Default)]
pub struct Analyst {
    numbers: FxHashMap<String, u32>,
    ready: ReadyForms,
    lists: Lists,
    forms: Forms,
    characters: Vec<u8>,
    space: AnalysisWorkspace,
    analysis: Analysis,
}

impl Analyst {
    /// Analyses sentences, forgetting forms if there are more than `kept_forms`; what was found is there until the next call, in the order of their words.
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
                number_of(&mut self.numbers, &mut self.forms, &mut self.characters, words, word.as_ref())
            });
            self.lists.push(numbers);
        }
        network.prepare(&self.forms, &mut self.ready)?;
        let decide = |candidates: &Candidates<'_>, heads: &mut [u32]| make_tree(candidates, heads);
        network.analyse(&self.ready, &self.lists, settings, decide, &mut self.space, &mut self.analysis)?;
        Ok(&self.analysis)
    }
}

/// The number of a form, a new one if it has none.
fn number_of(
    numbers: &mut FxHashMap<String, u32>,
    forms: &mut Forms,
    characters: &mut Vec<u8>,
    words: &Vocabulary,
    form: &str,
) -> u32 {
    if let Some(&number) = numbers.get(form) {
        return number;
    }
    push_form(forms, characters, words, form);
    let number = numbers.len() as u32;
    numbers.insert(form.to_owned(), number);
    number
}

/// Adds what the network sees of a form.
pub fn push_form(forms: &mut Forms, characters: &mut Vec<u8>, words: &Vocabulary, form: &str) {
    characters.clear();
    push_characters(form, characters);
    forms.push(words.number(&normal_form(form)), shape_row(form), characters);
}

impl Arcs for Candidates<'_> {
    fn of(&self, word: usize) -> (&[u32], &[f32]) {
        (self.heads(word), self.scores(word))
    }
}
