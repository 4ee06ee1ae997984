//! Distances at the cuts of two lines: an upper bound on what a shift can gain.
//!
//! A line cut before its word p and the reference cut before its word i: `before` is the distance of the left parts,
//! `after` that of the right parts. The least sum over all i is the distance of the whole; cuts at two places of the
//! line give its distance without the words between, and one cut that with a word more.

use tercet_base::stop;

/// The longest line whose sums of distances fit into 16 bits.
const MAX_WORDS: usize = (1 << 15) - 1;
/// The maximum number of pairs of cuts: 128 MiB.
const MAX_PAIRS: usize = 1 << 25;

#[derive(Default)]
pub(super) struct Cuts {
    /// Cuts of the reference.
    width: usize,
    before: Vec<u16>,
    after: Vec<u16>,
}

impl Cuts {
    /// Whether the cuts of lines of these lengths fit into memory.
    pub(super) fn can_hold(words: usize, reference: usize) -> bool {
        words.max(reference) <= MAX_WORDS && (words + 1) * (reference + 1) <= MAX_PAIRS
    }

    pub(super) fn fill(&mut self, words: &[u32], reference: &[u32]) {
        self.width = reference.len() + 1;
        fill_before(&mut self.before, words, reference);
        fill_after(&mut self.after, words, reference);
    }

    /// The distance of the line to the reference.
    pub(super) fn distance(&self) -> usize {
        usize::from(self.after[0])
    }

    /// The distance of the line without the words from `start` to `end`.
    pub(super) fn without(&self, start: usize, end: usize) -> usize {
        least_sum(self.before(start), self.after(end))
    }

    /// The distance of the line with any word more before word p that is not in the reference.
    pub(super) fn with_unknown_word(&self, p: usize) -> usize {
        1 + least_sum(&self.before(p)[..self.width - 1], &self.after(p)[1..]).min(self.distance())
    }

    /// The distance of the line with a word more before word p that is kept as word i of the reference.
    pub(super) fn with_matched_word(&self, p: usize, i: usize) -> usize {
        usize::from(self.before(p)[i]) + usize::from(self.after(p)[i + 1])
    }

    fn before(&self, p: usize) -> &[u16] {
        &self.before[p * self.width..][..self.width]
    }

    fn after(&self, p: usize) -> &[u16] {
        &self.after[p * self.width..][..self.width]
    }
}

fn least_sum(a: &[u16], b: &[u16]) -> usize {
    let sums = a.iter().zip(b).map(|(a, b)| a + b);
    usize::from(sums.fold(u16::MAX, u16::min))
}

fn fill_before(rows: &mut Vec<u16>, words: &[u32], reference: &[u32]) {
    rows.clear();
    rows.extend(0..=reference.len() as u16);
    for (p, &word) in words.iter().enumerate() {
        stop::steps(reference.len());
        let above = rows.len() - reference.len() - 1;
        let mut left = p as u16 + 1;
        rows.push(left);
        for (i, &partner) in reference.iter().enumerate() {
            let kept = rows[above + i] + u16::from(word != partner);
            left = kept.min(left.min(rows[above + i + 1]) + 1);
            rows.push(left);
        }
    }
}

fn fill_after(rows: &mut Vec<u16>, words: &[u32], reference: &[u32]) {
    let width = reference.len() + 1;
    rows.clear();
    rows.resize((words.len() + 1) * width, 0);
    for (i, distance) in rows[words.len() * width..].iter_mut().enumerate() {
        *distance = (reference.len() - i) as u16;
    }
    for (p, &word) in words.iter().enumerate().rev() {
        stop::steps(reference.len());
        let (above, below) = rows[p * width..].split_at_mut(width);
        let mut right = (words.len() - p) as u16;
        above[width - 1] = right;
        for (i, &partner) in reference.iter().enumerate().rev() {
            let kept = below[i + 1] + u16::from(word != partner);
            right = kept.min(right.min(below[i]) + 1);
            above[i] = right;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::levenshtein;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_over_cuts_are_distances(
            words in prop::collection::vec(0u32..4, 1..12),
            reference in prop::collection::vec(0u32..4, 0..12),
            at in 0usize..12,
        ) {
            let mut cuts = Cuts::default();
            cuts.fill(&words, &reference);
            prop_assert_eq!(cuts.distance(), levenshtein(&words, &reference));
            let at = at % words.len();
            let mut changed = words.clone();
            changed.remove(at);
            prop_assert_eq!(cuts.without(at, at + 1), levenshtein(&changed, &reference));
            for word in 0..5 {
                changed.clone_from(&words);
                changed.insert(at, word);
                let partners = (0..reference.len()).filter(|&i| reference[i] == word);
                let with = partners.map(|i| cuts.with_matched_word(at, i)).fold(cuts.with_unknown_word(at), usize::min);
                prop_assert_eq!(with, levenshtein(&changed, &reference));
            }
        }
    }
}
