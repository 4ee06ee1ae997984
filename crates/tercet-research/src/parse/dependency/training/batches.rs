//! The batch of each step, with random changes to its words.
//!
//! In every round, the sentences of a set are shuffled, sorted by length with a little noise, and split into batches of
//! about `batch` words, which are taken in random order. A step draws from the treebanks or from the labelled texts.
//! Everything depends on the seed and the number of the step only, so that a resumed run sees the same batches.
//!
//! Training data are numbers: distinct forms, sentences as lists of forms, targets per word.

use super::recipe::DependencyTraining;
use super::treebanks::Treebank;
use crate::error::{Error, Result};
use crate::parse::dependency::parser::Parse;
use crate::parse::dependency::vocabulary::{
    Counts, Inventory, Numbering, UNKNOWN, Vocabulary, chance_unknown, normal_form,
};
use crate::parse::recipe_tables::VocabularySize;
use foldhash::HashMap;
use tercet_learn::networks::{Analysis, Forms, ListBatch, Lists};
use tercet_math::random::Random;

/// The largest random number of words added to a length before sorting.
const NOISE: f32 = 4.0;

/// Draws batches, step by step.
pub struct Batches<'a> {
    forms: &'a FormTable,
    gold: Rounds<'a>,
    labelled: Option<Rounds<'a>>,
    learning: &'a DependencyTraining,
    step: u64,
}

/// The batch of a step.
#[derive(Default)]
pub struct DrawnBatch {
    lists: Lists,
    words: Vec<u32>,
    targets: Analysis,
}

impl DrawnBatch {
    pub fn view<'b>(&'b self, forms: &'b FormTable) -> ListBatch<'b, Analysis> {
        ListBatch { forms: &forms.forms, lists: &self.lists, words: &self.words, targets: &self.targets }
    }

    fn clear(&mut self) {
        self.lists.clear();
        self.words.clear();
        self.targets.clear();
    }
}

impl<'a> Batches<'a> {
    /// Batches from treebanks and, if there are any, labelled texts.
    pub fn new(
        forms: &'a FormTable,
        gold: &'a Examples,
        labelled: Option<&'a Examples>,
        learning: &'a DependencyTraining,
    ) -> Self {
        let rounds = |examples, purpose| Rounds { examples, purpose, round: 0, batches: Vec::new() };
        Batches {
            forms,
            gold: rounds(gold, "gold batches"),
            labelled: labelled.filter(|texts| !texts.lists.is_empty()).map(|texts| rounds(texts, "text batches")),
            learning,
            step: 0,
        }
    }

    /// Skips batches until the step with this number, counted from 0, is next.
    pub fn skip_to(&mut self, step: u64) {
        while self.step < step {
            self.next();
        }
    }

    /// Fills in the batch of the next step.
    pub fn draw(&mut self, batch: &mut DrawnBatch) {
        let mut random = Random::stream(self.learning.seed, "disguise", self.step);
        let (examples, sentences) = self.next();
        batch.clear();
        for sentence in sentences {
            self.put(examples, sentence as usize, &mut random, batch);
        }
    }

    /// The sentences of the next step.
    fn next(&mut self) -> (&'a Examples, Vec<u32>) {
        let learning = self.learning;
        let mut random = Random::stream(learning.seed, "source", self.step);
        let mixed = (self.step as f32) < (1.0 - learning.gold_only) * learning.steps as f32;
        self.step += 1;
        match &mut self.labelled {
            Some(labelled) if mixed && !random.bernoulli(learning.gold) => labelled.next(learning),
            _ => self.gold.next(learning),
        }
    }

    fn put(&self, examples: &Examples, sentence: usize, random: &mut Random, batch: &mut DrawnBatch) {
        let (range, targets) = (examples.lists.range(sentence), &examples.targets);
        let lower = random.bernoulli(self.learning.lower_case);
        let forms = examples.lists.list(sentence).iter();
        batch.lists.push(forms.map(|&form| if lower { self.forms.lowered[form as usize] } else { form }));
        for &form in examples.lists.list(sentence) {
            let (word, count) = self.forms.word(form);
            let unknown = random.bernoulli(chance_unknown(word, count, self.learning.word_dropout));
            batch.words.push(if unknown { UNKNOWN } else { word });
        }
        batch.targets.tags.extend_from_slice(&targets.tags[range.clone()]);
        batch.targets.fine_tags.extend_from_slice(&targets.fine_tags[range.clone()]);
        batch.targets.heads.extend_from_slice(&targets.heads[range.clone()]);
        batch.targets.labels.extend_from_slice(&targets.labels[range]);
    }
}

/// The batches of a set, round after round.
struct Rounds<'a> {
    examples: &'a Examples,
    purpose: &'static str,
    round: u64,
    /// The remaining batches of this round.
    batches: Vec<Vec<u32>>,
}

impl<'a> Rounds<'a> {
    fn next(&mut self, learning: &DependencyTraining) -> (&'a Examples, Vec<u32>) {
        if self.batches.is_empty() {
            let mut random = Random::stream(learning.seed, self.purpose, self.round);
            self.batches = cut(&self.examples.lists, learning.batch, &mut random);
            self.round += 1;
        }
        (self.examples, self.batches.pop().unwrap_or_default())
    }
}

/// Batches of about `words` words, of sentences of similar length.
fn cut(lists: &Lists, words: usize, random: &mut Random) -> Vec<Vec<u32>> {
    let mut order: Vec<(f32, u32)> = (0..lists.len() as u32)
        .filter(|&list| !lists.list(list as usize).is_empty())
        .map(|list| (lists.list(list as usize).len() as f32 + random.uniform(0.0, NOISE), list))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut batches, mut batch, mut count) = (Vec::new(), Vec::new(), 0);
    for (_, list) in order {
        let length = lists.list(list as usize).len();
        if count > 0 && count + length > words {
            batches.push(std::mem::take(&mut batch));
            count = 0;
        }
        batch.push(list);
        count += length;
    }
    if !batch.is_empty() {
        batches.push(batch);
    }
    random.shuffle(&mut batches);
    batches
}

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
    /// Adds a sentence of a treebank, or one that the teacher has labelled; [`numbering`] must have seen its tags and
    /// relations.
    pub fn push(&mut self, words: &[u32], parse: &Parse<'_>, numbering: &Numbering) -> Result<()> {
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
        words: Vocabulary::from_counts(&words, size.least, size.words),
        upos: Inventory::from_counts(&upos),
        xpos: Inventory::from_counts(&xpos),
        relations: Inventory::from_counts(&relations),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number without digits, which are all one to the vocabulary.
    fn letters(number: usize) -> String {
        number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
    }

    /// So many sentences of one to seven words, each word its own form and its own tag.
    fn examples(sentences: usize) -> (Examples, FormTable) {
        let (mut examples, mut counts) = (Examples::default(), FormCounts::default());
        for sentence in 0..sentences {
            let words: Vec<u32> = (0..1 + sentence % 7)
                .map(|word| counts.count(&format!("W{}-{}", letters(sentence), letters(word))))
                .collect();
            examples.targets.tags.extend(words.iter().map(|&word| word as u16));
            examples.targets.fine_tags.extend(words.iter().map(|_| 0));
            examples.targets.heads.extend(0..words.len() as u32);
            examples.targets.labels.extend(words.iter().map(|_| 0));
            examples.lists.push(words);
        }
        let words = (0..sentences).map(|sentence| format!("w{}-a", letters(sentence))).collect();
        (examples, FormTable::new(counts, &Vocabulary::from_words(words).unwrap()))
    }

    #[test]
    fn a_round_has_every_sentence_once_in_batches_of_the_size() {
        let (examples, _) = examples(200);
        let batches = cut(&examples.lists, 30, &mut Random::stream(1, "test", 0));
        let words = |batch: &[u32]| batch.iter().map(|&list| examples.lists.list(list as usize).len()).sum::<usize>();
        assert!(batches.iter().all(|batch| words(batch) <= 30 && words(batch) > 20 || batch.len() < 5));
        let mut all = batches.concat();
        all.sort_unstable();
        assert_eq!(all, (0..200).collect::<Vec<_>>());
    }

    #[test]
    fn skipped_steps_do_not_change_later_ones() {
        let (gold, forms) = examples(60);
        let labelled = Examples { lists: gold.lists.clone(), targets: gold.targets.clone() };
        let learning = DependencyTraining { steps: 40, batch: 20, ..DependencyTraining::default() };
        let draw = |skipped: u64, steps: usize| {
            let mut batches = Batches::new(&forms, &gold, Some(&labelled), &learning);
            batches.skip_to(skipped);
            let mut batch = DrawnBatch::default();
            let mut seen = Vec::new();
            for _ in 0..steps {
                batches.draw(&mut batch);
                seen.push((batch.lists.clone(), batch.words.clone(), batch.targets.clone()));
            }
            seen
        };
        assert_eq!(draw(0, 40)[25..], draw(25, 15));
    }

    #[test]
    fn targets_stay_with_their_words_and_words_are_changed_at_random() {
        let (gold, forms) = examples(50);
        let learning = DependencyTraining {
            steps: 400,
            batch: 20,
            lower_case: 0.5,
            word_dropout: 1.0,
            ..DependencyTraining::default()
        };
        let mut batches = Batches::new(&forms, &gold, None, &learning);
        let mut batch = DrawnBatch::default();
        let (mut lowered, mut unknown, mut items) = (0, 0, 0);
        for _ in 0..100 {
            batches.draw(&mut batch);
            batch.view(&forms);
            for (item, (&form, &tag)) in batch.lists.items().iter().zip(&batch.targets.tags).enumerate() {
                let tag = u32::from(tag);
                assert!(form == tag || form == forms.lowered[tag as usize]);
                lowered += usize::from(form != tag);
                let known = forms.forms.word(tag) != UNKNOWN;
                unknown += usize::from(known && batch.words[item] == UNKNOWN);
                items += usize::from(known);
            }
        }
        // Half of the sentences are in lower case; 1 / (1 + 1) + 0.02 of the known words are unknown.
        assert!(lowered > 0 && (unknown as f64 / items as f64 - 0.52).abs() < 0.05, "{unknown} of {items}");
    }
}
