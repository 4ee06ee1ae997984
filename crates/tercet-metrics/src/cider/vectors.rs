//! Lines as weighted n-grams.
//!
//! N-grams are numbered through their first words: the number of an n-gram is found by the number of all its words but
//! the last, and the last one.

use crate::text::ngrams::{UNKNOWN, Words};
use foldhash::HashMap;
use tercet_base::stop;

const NONE: u32 = u32::MAX;

/// In how many segments the references have each n-gram.
pub(super) struct Frequencies {
    max_order: usize,
    words: Words,
    numbers: HashMap<(u32, u32), u32>,
    counts: Vec<u32>,
    /// The last segment that had each n-gram.
    last: Vec<u32>,
    segments: u32,
}

/// Words of a run of segments that no reference of the prepared ones has, numbered from the end.
pub(super) struct UnknownWords {
    words: Words,
    next: u32,
}

impl UnknownWords {
    fn number(&mut self, word: &str) -> u32 {
        self.next - self.words.learn(word)
    }
}

impl Frequencies {
    pub(super) fn new(max_order: usize) -> Self {
        Frequencies {
            max_order,
            words: Words::default(),
            numbers: HashMap::default(),
            counts: Vec::new(),
            last: Vec::new(),
            segments: 0,
        }
    }

    pub(super) fn start_segment(&mut self) {
        self.segments += 1;
    }

    /// Adds a reference of the current segment.
    pub(super) fn add<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let line: Vec<u32> = words.map(|word| self.words.learn(word)).collect();
        stop::steps(64 * line.len());
        for start in 0..line.len() {
            let mut shorter = NONE;
            for &word in line[start..].iter().take(self.max_order) {
                let next = self.counts.len() as u32;
                shorter = *self.numbers.entry((shorter, word)).or_insert(next);
                if shorter == next {
                    self.counts.push(0);
                    self.last.push(0);
                }
                let last = &mut self.last[shorter as usize];
                if *last != self.segments {
                    *last = self.segments;
                    self.counts[shorter as usize] += 1;
                }
            }
        }
    }

    pub(super) fn unknown_words(&self) -> UnknownWords {
        UnknownWords { words: Words::default(), next: UNKNOWN - 1 }
    }

    /// A line as weighted n-grams.
    pub(super) fn line<'a>(&self, words: impl Iterator<Item = &'a str>, unknown: &mut UnknownWords) -> Line {
        let number = |word: &str| match self.words.get(word) {
            UNKNOWN => unknown.number(word),
            number => number,
        };
        let words: Vec<u32> = words.map(number).collect();
        stop::steps(64 * words.len());
        let mut line = Line { orders: vec![Order::default(); self.max_order], length: 0.0 };
        let logarithm = f64::from(self.segments.max(1)).ln();
        for start in 0..words.len() {
            let mut shorter = NONE;
            for order in 0..self.max_order.min(words.len() - start) {
                if order == 0 || shorter != NONE {
                    shorter = self.numbers.get(&(shorter, words[start + order])).copied().unwrap_or(NONE);
                }
                let count = self.counts.get(shorter as usize).copied().unwrap_or(0).max(1);
                let weight = logarithm - f64::from(count).ln();
                line.orders[order].add(&words[start..=start + order], weight);
            }
        }
        if self.max_order > 1 {
            line.length = words.len().saturating_sub(1) as f64;
        }
        line.orders.iter_mut().for_each(Order::finish);
        line
    }
}

/// A line.
pub(super) struct Line {
    orders: Vec<Order>,
    length: f64,
}

impl Line {
    /// The pairs of neighbouring words.
    pub(super) fn length(&self) -> f64 {
        self.length
    }

    /// By order, the share of a reference that this line has.
    pub(super) fn similarities(&self, reference: &Line) -> impl Iterator<Item = f64> {
        self.orders.iter().zip(&reference.orders).map(|(own, other)| own.similarity(other))
    }
}

/// The n-grams of one order, in the order in which they were met.
#[derive(Clone, Default)]
struct Order {
    numbers: HashMap<Box<[u32]>, usize>,
    /// Each with how often it was met, and its weight.
    ngrams: Vec<(Box<[u32]>, f64, f64)>,
    norm: f64,
}

impl Order {
    fn add(&mut self, ngram: &[u32], weight: f64) {
        if let Some(&number) = self.numbers.get(ngram) {
            self.ngrams[number].1 += 1.0;
        } else {
            self.numbers.insert(ngram.into(), self.ngrams.len());
            self.ngrams.push((ngram.into(), 1.0, weight));
        }
    }

    /// Counts become weights.
    fn finish(&mut self) {
        self.ngrams.iter_mut().for_each(|(_, count, weight)| *weight *= *count);
        self.norm = self.ngrams.iter().map(|(.., weight)| weight * weight).sum::<f64>().sqrt();
    }

    fn similarity(&self, reference: &Order) -> f64 {
        let shared = |(ngram, _, weight): &(Box<[u32]>, f64, f64)| {
            let of_reference = reference.numbers.get(ngram).map_or(0.0, |&number| reference.ngrams[number].2);
            weight.min(of_reference) * of_reference
        };
        let sum: f64 = self.ngrams.iter().map(shared).sum();
        let norms = self.norm * reference.norm;
        if norms == 0.0 { sum } else { sum / norms }
    }
}
