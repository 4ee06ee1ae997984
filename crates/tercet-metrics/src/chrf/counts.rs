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

/// Buffers reused between segments. References are analysed one after the other, each once for all hypotheses: the
/// n-grams of one reference of 100 kB take some megabytes.
struct Workspace {
    alphabet: Characters,
    vocabulary: Words,
    references: Vec<Symbols>,
    hypotheses: Vec<Symbols>,
    characters: Ngrams,
    words: Ngrams,
    matches: Vec<u32>,
    /// The best score of each hypothesis, and its counts.
    best: Vec<Option<(f64, Vec<f64>)>>,
}

impl Counter {
    pub(super) fn tally(&self, batch: &[Segment<'_>]) -> Vec<Tally> {
        let mut work = Workspace {
            alphabet: Characters::default(),
            vocabulary: Words::default(),
            references: Vec::new(),
            hypotheses: Vec::new(),
            characters: Ngrams::new(self.char_order),
            words: Ngrams::new(self.word_order),
            matches: vec![0; self.char_order + self.word_order],
            best: Vec::new(),
        };
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            self.read(segments, &mut work);
            self.compare(&mut work);
            let nothing = || vec![0.0; OrderCounts::<f64>::NAMES.len() * self.f_score.orders];
            let counts = work.best.drain(..).map(|best| best.map_or_else(nothing, |(_, counts)| counts));
            tallies.extend(counts.map(Tally::new));
        }
        tallies
    }

    /// Numbers the symbols of all references, then those of all hypotheses.
    fn read(&self, segments: &[Segment<'_>], work: &mut Workspace) {
        let Workspace { alphabet, vocabulary, references, hypotheses, best, .. } = work;
        alphabet.clear();
        vocabulary.clear();
        references.resize_with(segments[0].references.len(), Symbols::default);
        for (line, symbols) in segments[0].references.iter().zip(references) {
            self.number(line, symbols, |c| alphabet.learn(c), &mut |word: &str| vocabulary.learn(word));
        }
        hypotheses.resize_with(segments.len(), Symbols::default);
        for (segment, symbols) in segments.iter().zip(hypotheses) {
            self.number(segment.hypothesis, symbols, |c| alphabet.get(c), &mut |word: &str| vocabulary.get(word));
        }
        best.clear();
        best.resize(segments.len(), None);
    }

    /// Finds the reference with the highest score for each hypothesis, the first of equals.
    fn compare(&self, work: &mut Workspace) {
        let Workspace { references, hypotheses, characters, words, matches, best, .. } = work;
        for reference in references {
            characters.clear();
            characters.add(&reference.characters);
            words.clear();
            words.add(&reference.words);
            for (hypothesis, best) in hypotheses.iter().zip(best.iter_mut()) {
                matches.fill(0);
                let (character_matches, word_matches) = matches.split_at_mut(self.char_order);
                characters.count_matches(&hypothesis.characters, character_matches);
                words.count_matches(&hypothesis.words, word_matches);
                let mut counts = Vec::with_capacity(OrderCounts::<f64>::NAMES.len() * self.f_score.orders);
                let lengths = [&hypothesis.characters, &reference.characters].map(Vec::len);
                push_counts(&mut counts, character_matches, lengths);
                push_counts(&mut counts, word_matches, [&hypothesis.words, &reference.words].map(Vec::len));
                let score = self.f_score.double(&counts);
                if best.as_ref().is_none_or(|(best, _)| score > *best) {
                    *best = Some((score, counts));
                }
            }
        }
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

fn push_counts(counts: &mut Vec<f64>, matches: &[u32], [hypothesis, reference]: [usize; 2]) {
    for (i, &matches) in matches.iter().enumerate() {
        let (hypothesis, reference) = (ngram_count(hypothesis, i + 1), ngram_count(reference, i + 1));
        // An order longer than the reference does not count for the hypothesis either.
        let hypothesis = if reference > 0 { hypothesis as f64 } else { 0.0 };
        OrderCounts { hypothesis, reference: reference as f64, matches: f64::from(matches) }.push_to(counts);
    }
}
