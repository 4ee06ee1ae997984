//! Character and word n-gram matches of hypotheses against their references.

use super::{FScore, OrderCounts};
use crate::text;
use crate::text::ngrams::{Characters, Ngrams, Words, ngram_count};
use crate::{Segment, Tally, by_references};

/// Turns segments into chrF's counts: [`OrderCounts`] for each order, characters first.
pub(super) struct Counter {
    pub(super) char_order: usize,
    pub(super) word_order: usize,
    pub(super) lowercase: bool,
    pub(super) whitespace: bool,
    pub(super) f_score: FScore,
}

/// The characters and words of a line as numbers.
#[derive(Clone, Default)]
struct Symbols {
    characters: Vec<u32>,
    words: Vec<u32>,
}

/// Buffers reused between segments.
struct Workspace {
    alphabet: Characters,
    vocabulary: Words,
    symbols: Symbols,
    references: Vec<Reference>,
    matches: Vec<u32>,
}

struct Reference {
    characters: Ngrams,
    words: Ngrams,
    character_count: usize,
    word_count: usize,
}

impl Counter {
    pub(super) fn tally(&self, batch: &[Segment<'_>]) -> Vec<Tally> {
        let mut work = Workspace {
            alphabet: Characters::default(),
            vocabulary: Words::default(),
            symbols: Symbols::default(),
            references: Vec::new(),
            matches: vec![0; self.char_order + self.word_order],
        };
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            self.read_references(segments[0].references, &mut work);
            tallies.extend(segments.iter().map(|segment| self.best_match(segment.hypothesis, &mut work)));
        }
        tallies
    }

    fn read_references(&self, references: &[&str], work: &mut Workspace) {
        work.alphabet.clear();
        work.vocabulary.clear();
        work.references.truncate(references.len());
        work.references.resize_with(references.len(), || Reference {
            characters: Ngrams::new(self.char_order),
            words: Ngrams::new(self.word_order),
            character_count: 0,
            word_count: 0,
        });
        let Workspace { alphabet, vocabulary, symbols, references: known, .. } = work;
        for (reference, known) in references.iter().zip(known) {
            let mut learn_word = |word: &str| vocabulary.learn(word);
            self.number(reference, symbols, |c| alphabet.learn(c), &mut learn_word);
            known.characters.clear();
            known.characters.add(&symbols.characters);
            known.character_count = symbols.characters.len();
            known.words.clear();
            known.words.add(&symbols.words);
            known.word_count = symbols.words.len();
        }
    }

    fn best_match(&self, hypothesis: &str, work: &mut Workspace) -> Tally {
        let Workspace { alphabet, vocabulary, symbols, references, matches } = work;
        self.number(hypothesis, symbols, |c| alphabet.get(c), &mut |word: &str| vocabulary.get(word));
        let mut best: Option<(f64, Vec<f64>)> = None;
        for reference in references {
            matches.fill(0);
            let (character_matches, word_matches) = matches.split_at_mut(self.char_order);
            reference.characters.count_matches(&symbols.characters, character_matches);
            reference.words.count_matches(&symbols.words, word_matches);
            let mut counts = Vec::with_capacity(OrderCounts::<f64>::NAMES.len() * self.f_score.orders);
            push_counts(&mut counts, character_matches, symbols.characters.len(), reference.character_count);
            push_counts(&mut counts, word_matches, symbols.words.len(), reference.word_count);
            let score = self.f_score.double(&counts);
            if best.as_ref().is_none_or(|(best, _)| score > *best) {
                best = Some((score, counts));
            }
        }
        let nothing = || vec![0.0; OrderCounts::<f64>::NAMES.len() * self.f_score.orders];
        Tally::new(best.map_or_else(nothing, |(_, counts)| counts))
    }

    fn number(
        &self,
        line: &str,
        symbols: &mut Symbols,
        mut character: impl FnMut(char) -> u32,
        word: &mut impl FnMut(&str) -> u32,
    ) {
        let lowered;
        let line = if self.lowercase {
            lowered = line.to_lowercase();
            &lowered
        } else {
            line
        };
        symbols.characters.clear();
        for c in line.chars() {
            if self.whitespace || !text::is_whitespace(c) {
                symbols.characters.push(character(c));
            }
        }
        symbols.words.clear();
        if self.word_order > 0 {
            text::split(line).for_each(|w| split_punctuation(w, |part| symbols.words.push(word(part))));
        }
    }
}

/// Splits one punctuation mark off the end of a word, or else off its start.
fn split_punctuation(word: &str, mut part: impl FnMut(&str)) {
    let is_mark = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_punctuation);
    let (first, last) = (word.as_bytes().first(), word.as_bytes().last());
    if word.chars().nth(1).is_none() {
        part(word);
    } else if is_mark(last) {
        part(&word[..word.len() - 1]);
        part(&word[word.len() - 1..]);
    } else if is_mark(first) {
        part(&word[..1]);
        part(&word[1..]);
    } else {
        part(word);
    }
}

fn push_counts(counts: &mut Vec<f64>, matches: &[u32], hypothesis: usize, reference: usize) {
    for (i, &matches) in matches.iter().enumerate() {
        let (hypothesis, reference) = (ngram_count(hypothesis, i + 1), ngram_count(reference, i + 1));
        // An order longer than the reference does not count for the hypothesis either.
        let hypothesis = if reference > 0 { hypothesis as f64 } else { 0.0 };
        OrderCounts { hypothesis, reference: reference as f64, matches: f64::from(matches) }.push_to(counts);
    }
}
