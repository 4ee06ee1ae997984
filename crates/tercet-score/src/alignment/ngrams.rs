//! Character n-grams as numbers: what two texts have in common says how well they fit.
//!
//! Four characters in a row, without white space and in lower case; two where they begin with an ideograph, a kana or a
//! Hangul syllable, which say as much as several letters.

use foldhash::fast::FixedState;
use std::hash::BuildHasher;

/// The n-grams of a text, in order.
#[derive(Clone, Debug)]
pub(super) struct Ngrams(pub Vec<u64>);

impl Ngrams {
    pub fn new(text: &str) -> Self {
        let characters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
        let hasher = FixedState::with_seed(0);
        let ngram = |start: usize| {
            let order = if is_dense(characters[start]) { 2 } else { 4 };
            let end = characters.len().min(start + order);
            hasher.hash_one(&characters[start..end])
        };
        // A shorter text has one n-gram, the whole of it.
        let count = characters.len().saturating_sub(1).max(usize::from(!characters.is_empty()));
        Ngrams((0..count).map(ngram).collect())
    }
}

fn is_dense(character: char) -> bool {
    matches!(u32::from(character), 0x2e80..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

/// Twice the n-grams in common, of all that both have; 0 for empty texts.
pub(super) fn f_score(a: &str, b: &str) -> f64 {
    let [mut a, mut b] = [a, b].map(|text| Ngrams::new(text).0);
    let all = a.len() + b.len();
    a.sort_unstable();
    b.sort_unstable();
    let (mut a, mut b, mut same) = (a.as_slice(), b.as_slice(), 0);
    while let (Some((first, rest)), Some((other, others))) = (a.split_first(), b.split_first()) {
        match first.cmp(other) {
            std::cmp::Ordering::Less => a = rest,
            std::cmp::Ordering::Greater => b = others,
            std::cmp::Ordering::Equal => (a, b, same) = (rest, others, same + 1),
        }
    }
    if all == 0 { 0.0 } else { 2.0 * f64::from(same) / all as f64 }
}
