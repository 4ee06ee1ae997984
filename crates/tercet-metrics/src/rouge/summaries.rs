//! Words that two texts of several sentences share: the union of longest common subsequences (Lin, 2004, sec. 3.2).

use super::units::Units;
use foldhash::HashMap;
use std::collections::BTreeSet;

/// The most cells of all matrices together.
const MAX_CELLS: usize = 1 << 24;

type Sentences = [Vec<u32>];

/// The words of each sentence of the reference that are in a longest common subsequence with a sentence of the
/// hypothesis, each word no more often than both texts have it.
pub(super) fn shared_words(reference: &Sentences, hypothesis: &Sentences) -> Units {
    let words = |sentences: &Sentences| sentences.iter().map(Vec::len).sum::<usize>();
    let (reference_words, hypothesis_words) = (words(reference), words(hypothesis));
    let (shared, exact) = limited(reference, hypothesis, MAX_CELLS);
    let [shared, reference, hypothesis] = [shared, reference_words, hypothesis_words].map(|count| count as f64);
    Units { shared, reference, hypothesis, unfinished: !exact }
}

/// Texts with more cells are cut in halves.
fn limited(reference: &Sentences, hypothesis: &Sentences, most: usize) -> (usize, bool) {
    let words = |sentences: &Sentences| sentences.iter().map(Vec::len).sum::<usize>();
    let (in_reference, in_hypothesis) = (words(reference), words(hypothesis));
    if in_reference.saturating_mul(in_hypothesis) <= most {
        return (whole(reference, hypothesis), true);
    }
    let (first, second) = cut(reference, in_reference / 2);
    let (before, after) = cut(hypothesis, in_hypothesis / 2);
    (limited(&first, &before, most).0 + limited(&second, &after, most).0, false)
}

/// The sentences up to this word, and the rest.
fn cut(sentences: &Sentences, words: usize) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let (mut before, mut after, mut left) = (Vec::new(), Vec::new(), words);
    for sentence in sentences {
        let here = sentence.len().min(left);
        left -= here;
        let (first, second) = sentence.split_at(here);
        before.extend((!first.is_empty()).then(|| first.to_vec()));
        after.extend((!second.is_empty()).then(|| second.to_vec()));
    }
    (before, after)
}

fn whole(reference: &Sentences, hypothesis: &Sentences) -> usize {
    let (mut expected, mut found) = (counts(reference), counts(hypothesis));
    let (mut shared, mut matrix) = (0, Vec::new());
    for sentence in reference {
        let mut union = BTreeSet::new();
        hypothesis.iter().for_each(|other| add_subsequence(sentence, other, &mut matrix, &mut union));
        for place in union {
            let word = sentence[place];
            let (Some(expected), Some(found)) = (expected.get_mut(&word), found.get_mut(&word)) else { continue };
            if *expected > 0 && *found > 0 {
                (*expected, *found) = (*expected - 1, *found - 1);
                shared += 1;
            }
        }
    }
    shared
}

fn counts(sentences: &Sentences) -> HashMap<u32, usize> {
    let mut counts = HashMap::default();
    sentences.iter().flatten().for_each(|word| *counts.entry(*word).or_default() += 1);
    counts
}

/// Adds the places of a longest common subsequence in the first sentence. Of several it is the one that rouge-score
/// finds from the ends: equal words are taken, else a word of the second sentence is skipped only if that keeps more.
fn add_subsequence(first: &[u32], second: &[u32], lengths: &mut Vec<u32>, places: &mut BTreeSet<usize>) {
    let width = second.len() + 1;
    lengths.clear();
    lengths.resize((first.len() + 1) * width, 0);
    for (i, word) in first.iter().enumerate() {
        let (above, below) = lengths[i * width..].split_at_mut(width);
        for (j, other) in second.iter().enumerate() {
            below[j + 1] = if word == other { above[j] + 1 } else { above[j + 1].max(below[j]) };
        }
    }
    let (mut i, mut j) = (first.len(), second.len());
    while i > 0 && j > 0 {
        if first[i - 1] == second[j - 1] {
            (i, j) = (i - 1, j - 1);
            places.insert(i);
        } else if lengths[i * width + j - 1] > lengths[(i - 1) * width + j] {
            j -= 1;
        } else {
            i -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_union_is_that_of_the_paper() {
        // w1 w2 w3 w4 w5 against w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5: w1, w2, w3 and w5 of five and ten words.
        let units = shared_words(&[vec![1, 2, 3, 4, 5]], &[vec![1, 2, 6, 7, 8], vec![1, 3, 8, 9, 5]]);
        assert_eq!((units.shared, units.reference, units.hypothesis), (4.0, 5.0, 10.0));
    }

    #[test]
    fn a_word_counts_no_more_often_than_both_texts_have_it() {
        assert_eq!(shared_words(&[vec![1], vec![1]], &[vec![1]]).shared, 1.0);
        assert_eq!(shared_words(&[vec![1]], &[vec![1], vec![1]]).shared, 1.0);
    }

    #[test]
    fn long_texts_are_cut_and_reported() {
        let text = [vec![1, 2], vec![3, 4, 5]];
        assert_eq!(limited(&text, &text, 6), (5, false));
        assert_eq!(limited(&text, &text, 25), (5, true));
    }
}
