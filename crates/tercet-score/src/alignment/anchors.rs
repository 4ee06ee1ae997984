//! Where an output surely is: n-grams that occur once in it and once in the references, in the same order.
//!
//! Of these the longest chain in the order of both is kept. It leaves a narrow band of pairs that matching must look
//! at, however much of an output is missing or added elsewhere.

use super::ngrams::Ngrams;
use foldhash::HashMap;
use std::collections::hash_map::Entry;

/// At most so many sentences are considered for a reference.
const MAX_WIDTH: usize = 400;

/// So many sentences beyond the anchors on either side are considered.
const MARGIN: usize = 12;

/// For each number of references that are passed, from 0, the numbers of sentences that may be passed then: first and
/// last.
pub(super) fn band(references: &[&Ngrams], sentences: &[&Ngrams]) -> Vec<(usize, usize)> {
    let (n, m) = (references.len(), sentences.len());
    let anchors = anchors(references, sentences);
    let mut band: Vec<(usize, usize)> = (0..=n)
        .map(|i| {
            let next = anchors.partition_point(|anchor| anchor.0 < i);
            let before = next.checked_sub(1).map_or((0, 0), |last| anchors[last]);
            let after = anchors.get(next).copied().unwrap_or((n, m));
            // The straight line between both anchors.
            let share = (i - before.0) as f64 / (after.0 - before.0).max(1) as f64;
            let middle = before.1 + ((after.1 - before.1) as f64 * share).round() as usize;
            let low = before.1.saturating_sub(MARGIN).max(middle.saturating_sub(MAX_WIDTH / 2));
            (low, (after.1 + MARGIN).min(middle + MAX_WIDTH / 2).min(m))
        })
        .collect();
    band[0].0 = 0;
    band[n].1 = m;
    widened(band)
}

/// Neighbours must overlap, and neither end goes back.
fn widened(mut band: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    for i in 1..band.len() {
        band[i].1 = band[i].1.max(band[i - 1].1);
        band[i].0 = band[i].0.min(band[i - 1].1);
    }
    for i in (1..band.len()).rev() {
        band[i - 1].0 = band[i - 1].0.min(band[i].0);
    }
    band
}

/// Pairs of a reference and a sentence that have an n-gram which neither side has elsewhere, in the order of both.
fn anchors(references: &[&Ngrams], sentences: &[&Ngrams]) -> Vec<(usize, usize)> {
    let (of_references, of_sentences) = (places_of_single(references), places_of_single(sentences));
    let pair = |(ngram, place)| of_sentences.get(&ngram).map(|&other| (place, other));
    let mut pairs: Vec<(usize, usize)> = of_references.into_iter().filter_map(pair).collect();
    pairs.sort_unstable();
    pairs.dedup();
    in_order(&pairs)
}

/// The text of each n-gram that occurs once.
fn places_of_single(texts: &[&Ngrams]) -> HashMap<u64, usize> {
    let mut places: HashMap<u64, Option<usize>> = HashMap::default();
    for (place, text) in texts.iter().enumerate() {
        for &ngram in &text.0 {
            match places.entry(ngram) {
                Entry::Vacant(entry) => _ = entry.insert(Some(place)),
                Entry::Occupied(mut entry) => _ = entry.insert(None),
            }
        }
    }
    places.into_iter().filter_map(|(ngram, place)| Some((ngram, place?))).collect()
}

/// The longest chain of pairs of which both numbers grow, from pairs in order.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair with the least second number that ends a chain of it; and the pair before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    // Pairs of one reference are taken from the last, so that a chain has only one of them.
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_unstable_by_key(|&i| (pairs[i].0, std::cmp::Reverse(pairs[i].1)));
    for i in order {
        let length = ends.partition_point(|&end| pairs[end].1 < pairs[i].1);
        before[i] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = i,
            None => ends.push(i),
        }
    }
    let mut chain = Vec::new();
    let mut last = ends.last().copied();
    while let Some(i) = last {
        chain.push(pairs[i]);
        last = before[i];
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_chain_grows_in_both_numbers() {
        let pairs = [(0, 0), (0, 5), (1, 1), (1, 9), (2, 0), (3, 2), (4, 2), (5, 7), (6, 3), (7, 4)];
        assert_eq!(in_order(&pairs), [(0, 0), (1, 1), (4, 2), (6, 3), (7, 4)]);
        assert!(in_order(&[]).is_empty());
    }

    #[test]
    fn bands_reach_from_start_to_end_and_overlap() {
        let texts: Vec<Ngrams> = (0..900).map(|i| Ngrams::new(&format!("number {i} of {}", i * i))).collect();
        let all: Vec<&Ngrams> = texts.iter().collect();
        for (references, sentences) in [(&all[..], &all[600..]), (&all[..300], &all[..]), (&all[..2], &all[..0])] {
            let band = band(references, sentences);
            assert_eq!((band[0].0, band[references.len()].1), (0, sentences.len()));
            assert!(band.iter().all(|(low, high)| low <= high));
            assert!(band.windows(2).all(|two| two[1].0 <= two[0].1 && two[0].0 <= two[1].0 && two[0].1 <= two[1].1));
        }
    }
}
