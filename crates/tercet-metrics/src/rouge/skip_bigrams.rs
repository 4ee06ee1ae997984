//! Pairs of words in their order with words between them.

use super::units::Units;
use crate::text::ngrams::UNKNOWN;
use tercet_base::stop;

/// The most pairs of a line that are looked at.
const MAX_PAIRS: usize = 1 << 22;

/// Which pairs count.
#[derive(Clone, Copy)]
pub(super) struct SkipBigrams {
    /// The greatest distance between the two words.
    pub(super) distance: usize,
    /// Whether single words count too.
    pub(super) words: bool,
    /// Whether the last word is one of them.
    pub(super) all_words: bool,
}

impl SkipBigrams {
    pub(super) fn compare(self, reference: &[u32], hypothesis: &[u32]) -> Units {
        self.limited(reference, hypothesis, MAX_PAIRS)
    }

    fn limited(self, reference: &[u32], hypothesis: &[u32], most: usize) -> Units {
        let longer = reference.len().max(hypothesis.len());
        let mut near = self;
        if count(longer, self.distance) > most {
            near.distance = (most / longer).max(1);
        }
        let (first, second) = (near.keys(reference), near.keys(hypothesis));
        Units {
            shared: shared(&first, &second) as f64,
            reference: near.total(reference.len()),
            hypothesis: near.total(hypothesis.len()),
            unfinished: near.distance != self.distance,
        }
    }

    fn total(self, length: usize) -> f64 {
        (count(length, self.distance) + self.single(length)) as f64
    }

    /// How many of a line's words count by themselves.
    fn single(self, length: usize) -> usize {
        match (self.words, self.all_words) {
            (false, _) => 0,
            (true, true) => length,
            (true, false) => length.saturating_sub(1),
        }
    }

    /// A number for each pair and each word that counts, sorted; words that the reference does not have are left out.
    fn keys(self, words: &[u32]) -> Vec<u64> {
        let mut keys = Vec::new();
        for (i, &first) in words.iter().enumerate().filter(|(_, word)| **word != UNKNOWN) {
            let end = words.len().min((i + 1).saturating_add(self.distance));
            stop::steps(8 * (end - i));
            let seconds = words[i + 1..end].iter().filter(|word| **word != UNKNOWN);
            keys.extend(seconds.map(|&second| key(first, second)));
        }
        let single = words[..self.single(words.len())].iter().filter(|word| **word != UNKNOWN);
        keys.extend(single.map(|&word| key(word, UNKNOWN)));
        keys.sort_unstable();
        keys
    }
}

fn key(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The number of pairs of a line.
fn count(length: usize, distance: usize) -> usize {
    let distance = distance.min(length.saturating_sub(1));
    // All words but the last ones have `distance` words behind them; those have one less each.
    distance * (length - distance) + distance * distance.saturating_sub(1) / 2
}

/// How many elements two sorted lists share, repeated ones as often as both have them.
fn shared(mut a: &[u64], mut b: &[u64]) -> usize {
    let mut shared = 0;
    while let (Some(first), Some(second)) = (a.first(), b.first()) {
        let order = first.cmp(second);
        shared += usize::from(order.is_eq());
        a = &a[usize::from(order.is_le())..];
        b = &b[usize::from(order.is_ge())..];
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_as_they_are_listed() {
        for length in 0..9 {
            let words: Vec<u32> = (0..length as u32).collect();
            for distance in [1, 2, 3, 8, usize::MAX] {
                let pairs = SkipBigrams { distance, words: false, all_words: false };
                assert_eq!(pairs.keys(&words).len(), count(length, distance), "{length} {distance}");
            }
        }
    }

    #[test]
    fn long_lines_have_near_pairs_only_and_say_so() {
        let pairs = SkipBigrams { distance: usize::MAX, words: false, all_words: false };
        let words: Vec<u32> = (0..10).collect();
        let near = pairs.limited(&words, &words, 20);
        assert_eq!(near, Units { shared: 17.0, reference: 17.0, hypothesis: 17.0, unfinished: true });
        assert!(!pairs.limited(&words, &words, 45).unfinished);
    }
}
