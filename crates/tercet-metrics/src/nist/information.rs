//! The information of each n-gram of the references: that of its last word, given those before it.
//!
//! All references of all segments are numbered into one sequence of words. Order by order, each position gets the
//! number of the n-gram that starts there, found by the number of its first n − 1 words and its last word. If those
//! first words occur only once, the last word and all that follow have no information; such n-grams are not stored,
//! which leaves few beyond order 3.

use crate::text::ngrams::{UNKNOWN, Words};
use foldhash::HashMap;
use std::f64::consts::LN_2;
use tercet_base::stop;

const NONE: u32 = u32::MAX;

/// The weights of all n-grams of a set of references.
pub(super) struct Information {
    words: Words,
    /// The word `0`, if the references have it and it is no context.
    zero: Option<u32>,
    /// Orders 1, 2, … as far as n-grams have information.
    orders: Vec<Order>,
}

/// The n-grams of one order.
#[derive(Default)]
struct Order {
    /// From the number of the first n − 1 words and the last word; unused for single words, which are their own number.
    numbers: HashMap<(u32, u32), u32>,
    counts: Vec<u32>,
    /// In bits.
    weights: Vec<f64>,
}

/// An n-gram of the references and its information.
#[derive(Clone, Copy)]
pub(super) struct NgramInformation {
    /// [`NONE`] if the n-gram is not stored.
    number: u32,
    pub(super) bits: f64,
}

impl NgramInformation {
    /// No information, and none in longer n-grams that start with it.
    pub(super) const CERTAIN: NgramInformation = NgramInformation { number: NONE, bits: 0.0 };
}

/// Reads references one by one and weighs their n-grams at the end.
#[derive(Default)]
pub(super) struct Reader {
    words: Words,
    /// Every word of every reference, each reference followed by [`NONE`].
    text: Vec<u32>,
}

impl Reader {
    pub(super) fn read<'a>(&mut self, tokens: impl Iterator<Item = &'a str>) {
        self.text.extend(tokens.inspect(|_| stop::steps(8)).map(|token| self.words.learn(token)));
        self.text.push(NONE);
    }

    /// The weights of n-grams up to this order; `zero_is_none` as in mteval.
    pub(super) fn finish(self, max_order: usize, zero_is_none: bool) -> Information {
        let mut information = Information { words: self.words, zero: None, orders: Vec::with_capacity(max_order) };
        information.zero = information.word("0").filter(|_| zero_is_none);
        let total = self.text.iter().filter(|&&word| word != NONE).count() as u32;
        let mut starts = self.text.clone();
        information.weigh_words(&self.text, total);
        for order in 2..=max_order {
            information.weigh_ngrams(order, &self.text, &mut starts, total);
        }
        information
    }
}

impl Information {
    fn weigh_words(&mut self, text: &[u32], total: u32) {
        let mut order = Order::default();
        order.counts.resize(self.words.len(), 0);
        for &word in text.iter().filter(|&&word| word != NONE) {
            order.counts[word as usize] += 1;
        }
        order.weights = order.counts.iter().map(|&count| bits(count, total)).collect();
        self.orders.push(order);
    }

    /// Adds the next order. `starts` holds the number of the next shorter n-gram at each position of the text, and
    /// of the new ones afterwards.
    fn weigh_ngrams(&mut self, n: usize, text: &[u32], starts: &mut [u32], total: u32) {
        let mut order = Order::default();
        let mut shorter = Vec::new();
        for position in 0..text.len() {
            stop::steps(8);
            let first = std::mem::replace(&mut starts[position], NONE);
            if first == NONE || !self.tells(n - 1, first) {
                continue;
            }
            let last = text[position + n - 1];
            if last == NONE {
                continue;
            }
            let next = order.counts.len() as u32;
            let number = *order.numbers.entry((first, last)).or_insert(next);
            if number == next {
                order.counts.push(0);
                shorter.push(first);
            }
            order.counts[number as usize] += 1;
            starts[position] = number;
        }
        let known = &self.orders[n - 2].counts;
        let context = |first: u32| {
            if self.is_zero(n - 1, first) { total } else { known[first as usize] }
        };
        let counted = order.counts.iter().zip(&shorter);
        order.weights = counted.map(|(&count, &first)| bits(count, context(first))).collect();
        self.orders.push(order);
    }

    /// Whether a word after this n-gram can have information.
    fn tells(&self, order: usize, number: u32) -> bool {
        self.orders[order - 1].counts[number as usize] > 1 || self.is_zero(order, number)
    }

    /// Whether this is the word `0`, which mteval treats as no word before another.
    fn is_zero(&self, order: usize, number: u32) -> bool {
        order == 1 && self.zero == Some(number)
    }

    /// The number of a word, if a reference has it.
    pub(super) fn word(&self, token: &str) -> Option<u32> {
        Some(self.words.get(token)).filter(|&word| word != UNKNOWN)
    }

    /// The n-gram of this order that ends in a word after a shorter n-gram (any, for order 1), if a reference has it.
    pub(super) fn ngram(&self, order: usize, shorter: NgramInformation, word: u32) -> Option<NgramInformation> {
        let known = &self.orders[order - 1];
        let number = if order == 1 {
            word
        } else if shorter.number == NONE || !self.tells(order - 1, shorter.number) {
            return Some(NgramInformation::CERTAIN);
        } else {
            *known.numbers.get(&(shorter.number, word))?
        };
        Some(NgramInformation { number, bits: known.weights[number as usize] })
    }
}

/// −log₂ of how often the word follows its context.
fn bits(count: u32, context: u32) -> f64 {
    -(f64::from(count) / f64::from(context)).ln() / LN_2
}
