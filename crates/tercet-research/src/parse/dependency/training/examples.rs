//! The training data in numbers: distinct forms, sentences as lists of forms, targets per word.

use crate::error::{Error, Result};
use crate::parse::conllu::Sentence;
use crate::parse::dependency::parser::Parse;
use crate::parse::dependency::vocabulary::{Counts, Inventory, Numbering, Vocabulary};
use crate::parse::dependency::word_form::normal_form;
use crate::parse::recipe_tables::VocabularySize;
use foldhash::HashMap;
use tercet_learn::networks::{Analysis, Forms, Lists};

use super::treebanks::Treebank;

/// Distinct forms with their counts, numbered in order of first occurrence.
#[derive(Default)]
pub struct FormCounts {
    numbers: HashMap<String, u32>,
    forms: Vec<String>,
    counts: Vec<u64>,
}

impl FormCounts {
    /// Counts an occurrence and returns the number of the form.
    pub fn count(&mut self, form: &str) -> u32 {
        let number = self.number(form);
        self.counts[number as usize] += 1;
        number
    }

    fn number(&mut self, form: &str) -> u32 {
        if let Some(&number) = self.numbers.get(form) {
            return number;
        }
        let number = self.forms.len() as u32;
        self.numbers.insert(form.to_owned(), number);
        self.forms.push(form.to_owned());
        self.counts.push(0);
        number
    }

    fn normal_forms(&self) -> Counts {
        let mut counts = Counts::new();
        for (form, count) in self.forms.iter().zip(&self.counts) {
            *counts.entry(normal_form(form)).or_default() += count;
        }
        counts
    }
}

/// The features of all forms and of their lowercased variants.
pub struct FormTable {
    /// The forms.
    pub forms: Forms,
    /// The number of each form's lowercased variant.
    pub lowered: Vec<u32>,
    /// How often each form's normal form occurs; 0 for unknown words.
    pub counts: Vec<u64>,
}

impl FormTable {
    /// The table of all counted forms.
    pub fn new(mut counted: FormCounts, words: &Vocabulary) -> Self {
        let normal = counted.normal_forms();
        let mut lowered = Vec::new();
        let mut at = 0;
        while let Some(form) = counted.forms.get(at) {
            let lower = form.to_lowercase();
            lowered.push(counted.number(&lower));
            at += 1;
        }
        let (mut forms, mut characters) = (Forms::default(), Vec::new());
        for form in &counted.forms {
            words.push_form(form, &mut characters, &mut forms);
        }
        let count = |form: &String| normal.get(&normal_form(form)).copied().unwrap_or_default();
        let counts = counted.forms.iter().map(count).collect();
        FormTable { forms, lowered, counts }
    }

    /// The word number of a form, and how often it occurs.
    pub fn word(&self, form: u32) -> (u32, u64) {
        (self.forms.word(form), self.counts[form as usize])
    }
}

/// Sentences with their targets.
#[derive(Default)]
pub struct Examples {
    /// Forms by number.
    pub lists: Lists,
    /// One per word.
    pub targets: Analysis,
}

impl Examples {
    /// Adds a sentence of a treebank; [`numbering`] must have seen its tags and relations.
    pub fn push(&mut self, sentence: &Sentence, numbering: &Numbering, forms: &mut FormCounts) -> Result<()> {
        for word in sentence.words() {
            self.targets.tags.push(number(&numbering.upos, word.upos())?);
            self.targets.fine_tags.push(number(&numbering.xpos, word.xpos())?);
            self.targets.labels.push(number(&numbering.relations, word.deprel())?);
            self.targets.heads.push(word.head().unwrap_or_default() as u32);
        }
        self.lists.push(sentence.words().map(|word| forms.count(word.form())));
        Ok(())
    }

    /// Adds a sentence that the teacher has labelled.
    pub fn push_parse(&mut self, words: &[u32], parse: &Parse<'_>, numbering: &Numbering) -> Result<()> {
        for word in 0..words.len() {
            self.targets.tags.push(number(&numbering.upos, parse.upos[word])?);
            self.targets.fine_tags.push(number(&numbering.xpos, parse.xpos[word])?);
            self.targets.labels.push(number(&numbering.relations, parse.labels[word])?);
            self.targets.heads.push(parse.heads[word] as u32);
        }
        self.lists.push(words.iter().copied());
        Ok(())
    }
}

fn number(names: &Inventory, name: &str) -> Result<u16> {
    let number = names.number(name).and_then(|number| u16::try_from(number).ok());
    number.ok_or_else(|| Error::Unusable(format!("`{name}` is not a tag or relation of the treebanks")))
}

/// Numbers for all tags and relations of treebanks, and for frequent words of them and of other texts.
pub fn numbering<'a>(
    treebanks: impl Iterator<Item = &'a Treebank>,
    texts: &FormCounts,
    size: &VocabularySize,
) -> Numbering {
    let mut words = texts.normal_forms();
    let (mut upos, mut xpos, mut relations) = (Counts::new(), Counts::new(), Counts::new());
    let sentences = treebanks.flat_map(|treebank| &treebank.files).flat_map(|file| file.sentences());
    for word in sentences.flat_map(|sentence| sentence.words()) {
        *words.entry(normal_form(word.form())).or_default() += 1;
        for (counts, name) in [(&mut upos, word.upos()), (&mut xpos, word.xpos()), (&mut relations, word.deprel())] {
            match counts.get_mut(name) {
                Some(count) => *count += 1,
                None => _ = counts.insert(name.to_owned(), 1),
            }
        }
    }
    Numbering {
        words: Vocabulary::of(&words, size.least, size.words),
        upos: Inventory::of(&upos),
        xpos: Inventory::of(&xpos),
        relations: Inventory::of(&relations),
    }
}
