//! What lines are compared by: hashes of their words.

use crate::text::is_whitespace;
use std::hash::Hasher;

/// The words of a line that have more than three bytes; where a script may have no spaces, pairs of characters. Sorted.
pub(super) fn units(line: &str) -> Vec<u32> {
    let mut units = Vec::new();
    for word in line.split(is_whitespace).filter(|word| word.len() > 3) {
        if !word.is_ascii() && word.chars().any(|c| c >= '\u{e00}' && c.is_alphabetic()) {
            let starts: Vec<usize> = word.char_indices().map(|(i, _)| i).chain([word.len()]).collect();
            units.extend(starts.windows(3).map(|ends| hash(&word[ends[0]..ends[2]])));
        } else {
            units.push(hash(word));
        }
    }
    units.sort_unstable();
    units.dedup();
    units
}

/// The number of units that two lines share.
pub(super) fn shared(line: &[u32], other: &[u32]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while let (Some(a), Some(b)) = (line.get(i), other.get(j)) {
        count += usize::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    count
}

/// The share of units of two lines that they share, from 0 to 1.
pub(super) fn similarity(line: &[u32], other: &[u32]) -> f32 {
    let all = line.len() + other.len();
    if all == 0 { 0.0 } else { (2 * shared(line, other)) as f32 / all as f32 }
}

fn hash(word: &str) -> u32 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(word.as_bytes());
    (hasher.finish() >> 32) as u32
}
