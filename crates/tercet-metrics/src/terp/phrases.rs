//! The pairs of the phrase table that can be used between one reference and one hypothesis, in any order of its words.

use super::pair::Pair;
use super::words::Lexicon;
use crate::resources::PhraseTable;
use std::cmp::Reverse;
use tercet_base::stop;

/// A phrase of the reference, and the words of the hypothesis that may stand for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phrase {
    /// Where it starts in the reference.
    pub(super) start: u32,
    /// How many words it has in the reference.
    pub(super) reference: u32,
    /// How many words it has in the hypothesis.
    pub(super) hypothesis: u32,
    /// Where its words in the hypothesis begin in [`Phrases::words`].
    words: u32,
    /// Its place in the table.
    pub(super) pair: u32,
    pub(super) probability: f64,
    pub(super) cost: f64,
}

/// Phrases, by the first word in the hypothesis.
#[derive(Default)]
pub(super) struct Phrases {
    list: Vec<Phrase>,
    /// The distinct words of the phrases in the hypothesis, one phrase after another.
    words: Vec<u32>,
    /// The start of each distinct word's phrases in `list`, and the end of the last.
    firsts: Vec<u32>,
    /// The most words of a phrase in the hypothesis.
    pub(super) longest: usize,
    /// The distinct word for each word of the table; `u32::MAX` where the hypothesis lacks it.
    distinct_of: Vec<u32>,
    spelling: Vec<u32>,
}

impl Phrases {
    /// Removes all phrases; the hypothesis has so many distinct words.
    pub(super) fn clear(&mut self, distinct: usize) {
        self.list.clear();
        self.words.clear();
        self.firsts.clear();
        self.firsts.resize(distinct + 1, 0);
        self.longest = 0;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn get(&self, number: u32) -> &Phrase {
        &self.list[number as usize]
    }

    /// The distinct words of a phrase in the hypothesis.
    pub(super) fn words(&self, phrase: &Phrase) -> &[u32] {
        &self.words[phrase.words as usize..][..phrase.hypothesis as usize]
    }

    /// The phrases that start a sequence of distinct words, from a place in the reference on, with their numbers; by
    /// their start in the reference, then by their length there, then by that in the hypothesis.
    pub(super) fn starting<'p>(&'p self, words: &'p [u32], from: usize) -> impl Iterator<Item = (u32, &'p Phrase)> {
        let (start, end) = match words.first() {
            Some(&first) => (self.firsts[first as usize], self.firsts[first as usize + 1]),
            None => (0, 0),
        };
        let own = &self.list[start as usize..end as usize];
        let earlier = own.partition_point(|phrase| (phrase.start as usize) < from) as u32;
        let numbered = (start + earlier..end).map(|number| (number, self.get(number)));
        numbered.filter(|(_, phrase)| words.starts_with(self.words(phrase)))
    }

    /// Lists the pairs whose first phrase is in the reference and all words of whose second are in the hypothesis.
    /// Costs are still to be set.
    pub(super) fn find(&mut self, table: &PhraseTable, distinct: &[u32], reference: &[u32], lexicon: &Lexicon) {
        self.clear(distinct.len());
        self.distinct_of.resize(table.words(), u32::MAX);
        for (&word, number) in distinct.iter().zip(0..) {
            if let Some(slot) = self.distinct_of.get_mut(lexicon.word(word).phrase_word as usize) {
                *slot = number;
            }
        }
        let in_table: Vec<u32> = reference.iter().map(|&word| lexicon.word(word).phrase_word).collect();
        for start in 0..reference.len() {
            stop::steps(64);
            for (length, phrase) in table.phrases_at(&in_table[start..]) {
                for found in table.paraphrases(phrase) {
                    if table.all_words(found.phrase, |word| self.distinct_of[word as usize] != u32::MAX) {
                        table.spell(found.phrase, &mut self.spelling);
                        let words = self.words.len() as u32;
                        self.words.extend(self.spelling.iter().map(|&word| self.distinct_of[word as usize]));
                        self.list.push(Phrase {
                            start: start as u32,
                            reference: length,
                            hypothesis: self.spelling.len() as u32,
                            words,
                            pair: found.pair,
                            probability: found.probability,
                            cost: f64::NAN,
                        });
                    }
                }
            }
        }
        for &word in distinct {
            if let Some(slot) = self.distinct_of.get_mut(lexicon.word(word).phrase_word as usize) {
                *slot = u32::MAX;
            }
        }
    }

    /// Sets the cost of every phrase, drops those without one, and sorts the rest.
    pub(super) fn set_costs(&mut self, mut cost: impl FnMut(&Phrase, &[u32]) -> Option<f64>) {
        let Phrases { list, words, firsts, longest, .. } = self;
        let of = |phrase: &Phrase| &words[phrase.words as usize..][..phrase.hypothesis as usize];
        list.retain_mut(|phrase| {
            let found = cost(phrase, of(phrase));
            phrase.cost = found.unwrap_or(f64::NAN);
            found.is_some()
        });
        // Of two pairs with the same words and cost, the tool uses the last.
        let key =
            |phrase: &Phrase| (of(phrase)[0], phrase.start, phrase.reference, phrase.hypothesis, Reverse(phrase.pair));
        list.sort_by_key(key);
        firsts.fill(0);
        for phrase in list.iter() {
            firsts[of(phrase)[0] as usize + 1] += 1;
            *longest = (*longest).max(phrase.hypothesis as usize);
        }
        for word in 1..firsts.len() {
            firsts[word] += firsts[word - 1];
        }
    }
}

impl Pair {
    /// The words of a phrase in the hypothesis, by their numbers in the lexicon.
    pub(super) fn phrase_words(&self, words: &[u32]) -> Vec<u32> {
        words.iter().map(|&word| self.distinct[word as usize]).collect()
    }
}
