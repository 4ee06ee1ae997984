//! The places that words of a hypothesis have in a reference, and how many of them are in order.

use super::unique_runs::{Run, unique_runs};

/// For each word of the hypothesis that has one, in order, its place in the reference.
pub(super) fn places(hypothesis: &[u32], reference: &[u32]) -> Vec<usize> {
    let to_the_right = unique_runs(hypothesis, reference);
    let backwards = |words: &[u32]| -> Vec<u32> { words.iter().rev().copied().collect() };
    let mut to_the_left = unique_runs(&backwards(hypothesis), &backwards(reference));
    to_the_left.reverse();
    let both = to_the_right.into_iter().zip(to_the_left).enumerate();
    let place = |(i, (right, left)): (usize, (Option<Run>, Option<Run>))| {
        // The longest run that NLTK looks at. A word that both lines have once is a run by itself.
        let longest = i.max(hypothesis.len() + 1 - i).min(reference.len()).max(1);
        let right = right.filter(|run| run.length <= longest);
        let left = left.filter(|run| run.length <= longest);
        match (right, left) {
            (Some(right), Some(left)) if left.length < right.length => Some(reference.len() - 1 - left.start),
            (Some(right), _) => Some(right.start),
            (None, Some(left)) => Some(reference.len() - 1 - left.start),
            (None, None) => None,
        }
    };
    both.filter_map(place).collect()
}

/// The pairs of places of which the later one is the greater.
pub(super) fn increasing_pairs(places: &[usize]) -> usize {
    let largest = places.iter().max().copied().unwrap_or(0);
    // How many places up to each were seen: a Fenwick tree.
    let mut seen = vec![0_usize; largest + 2];
    let mut pairs = 0;
    for &place in places {
        let mut at = place; // places below this one
        while at > 0 {
            pairs += seen[at];
            at &= at - 1;
        }
        at = place + 1;
        while at < seen.len() {
            seen[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn occurrences(line: &[u32], run: &[u32]) -> usize {
        line.windows(run.len()).filter(|window| *window == run).count()
    }

    /// NLTK's search, window by window.
    fn by_search(hypothesis: &[u32], reference: &[u32]) -> Vec<usize> {
        let find = |run: &[u32]| reference.windows(run.len()).position(|window| window == run).unwrap();
        let is_unique = |run: &[u32]| occurrences(hypothesis, run) == 1 && occurrences(reference, run) == 1;
        let mut places = Vec::new();
        for i in 0..hypothesis.len() {
            if is_unique(&hypothesis[i..=i]) {
                places.push(find(&hypothesis[i..=i]));
                continue;
            }
            for window in 1..i.max(hypothesis.len() + 1 - i).min(reference.len()) {
                if i + window < hypothesis.len() && is_unique(&hypothesis[i..=i + window]) {
                    places.push(find(&hypothesis[i..=i + window]));
                    break;
                }
                if window <= i && is_unique(&hypothesis[i - window..=i]) {
                    places.push(find(&hypothesis[i - window..=i]) + window);
                    break;
                }
            }
        }
        places
    }

    proptest! {
        #[test]
        fn places_are_those_of_a_search(
            hypothesis in prop::collection::vec(0u32..4, 0..14),
            reference in prop::collection::vec(0u32..4, 0..14),
        ) {
            prop_assert_eq!(places(&hypothesis, &reference), by_search(&hypothesis, &reference));
        }

        #[test]
        fn pairs_are_counted(places in prop::collection::vec(0usize..9, 0..12)) {
            let pairs = (0..places.len()).flat_map(|i| (i + 1..places.len()).map(move |j| (i, j)));
            let expected = pairs.filter(|&(i, j)| places[i] < places[j]).count();
            prop_assert_eq!(increasing_pairs(&places), expected);
        }
    }

    #[test]
    fn examples_of_the_paper() {
        let numbers = |line: &str| -> Vec<u32> { line.bytes().map(u32::from).collect() };
        // John hit Bob yesterday; the boy read the book.
        assert_eq!(places(&numbers("bhjy"), &numbers("jhby")), [2, 1, 0, 3]);
        assert_eq!(places(&numbers("tkwrzto"), &numbers("tortk")), [3, 4, 2, 0, 1]);
    }

    #[test]
    fn a_line_of_one_word_repeated_takes_little_time() {
        let line = vec![7; 200_000];
        assert_eq!(places(&line, &line), [0]);
    }
}
