//! A matching of runs, the longest first.
//!
//! Words that are equal are points (position in the hypothesis, position in the reference), and a run is a diagonal row
//! of points. The tool sorts all runs, those inside of others too, by length and start, and takes each whose words are
//! all free. Here only the longest free rows are in the queue: one with words that were taken since is replaced by its
//! free parts, which are shorter and so come later. The taken runs are the same, because a free run of a length is, at
//! its turn, a whole free row.

use crate::text::ngrams::UNKNOWN;
use std::collections::BinaryHeap;
use tercet_base::stop;

/// The end of a reference, equal to no word of a hypothesis.
pub(super) const BREAK: u32 = UNKNOWN - 1;

/// The most pairs of equal words in two lines that are matched whole.
const MAX_PAIRS: usize = 1 << 21;

/// The size of a matching.
#[derive(Debug, PartialEq)]
pub(super) struct Matching {
    pub(super) size: f64,
    /// Whether the lines were matched whole.
    pub(super) exact: bool,
}

impl Matching {
    /// The runs of the matching contain together at most `most` words.
    pub(super) fn new(hypothesis: &[u32], reference: &[u32], exponent: f64, most: f64) -> Self {
        Matching::limited(hypothesis, reference, exponent, most, MAX_PAIRS)
    }

    fn limited(hypothesis: &[u32], reference: &[u32], exponent: f64, most: f64, pairs: usize) -> Self {
        let positions = Positions::new(reference);
        if exponent == 1.0 {
            return Matching { size: most.min(positions.matches(hypothesis) as f64), exact: true };
        }
        if reference.split_last() == Some((&BREAK, hypothesis)) {
            return Matching { size: most, exact: true };
        }
        let mut runs = Runs { lengths: Vec::new(), left: most };
        let exact = runs.collect(hypothesis, reference, &positions, pairs);
        Matching { size: size(&runs.lengths, exponent), exact }
    }
}

/// (Σ lengthᵉ)^(1/e)
fn size(lengths: &[f64], exponent: f64) -> f64 {
    let norm = |unit: f64| {
        let powers = lengths.iter().map(|length| (length / unit).powf(exponent));
        unit * powers.sum::<f64>().powf(1.0 / exponent)
    };
    let size = norm(1.0);
    // A great exponent gives powers beyond the range of numbers, but not powers of shares of the longest run.
    if size.is_finite() { size } else { norm(lengths.iter().copied().fold(1.0, f64::max)) }
}

/// Where each word is in the reference.
struct Positions {
    /// The positions, word by word.
    sorted: Vec<u32>,
    /// Where those of each word start in `sorted`, and at last where all end.
    starts: Vec<u32>,
}

impl Positions {
    fn new(reference: &[u32]) -> Self {
        let words = reference.iter().filter(|word| **word != BREAK);
        let vocabulary = words.clone().max().map_or(0, |most| *most as usize + 1);
        let mut starts = vec![0; vocabulary + 1];
        words.for_each(|&word| starts[word as usize + 1] += 1);
        (0..vocabulary).for_each(|word| starts[word + 1] += starts[word]);
        let (mut next, mut sorted) = (starts.clone(), vec![0; starts[vocabulary] as usize]);
        for (position, &word) in reference.iter().enumerate().filter(|(_, word)| **word != BREAK) {
            sorted[next[word as usize] as usize] = position as u32;
            next[word as usize] += 1;
        }
        Positions { sorted, starts }
    }

    fn get(&self, word: u32) -> &[u32] {
        match self.starts.get(word as usize..) {
            Some([start, end, ..]) => &self.sorted[*start as usize..*end as usize],
            _ => &[],
        }
    }

    fn pairs(&self, hypothesis: &[u32]) -> usize {
        hypothesis.iter().map(|&word| self.get(word).len()).sum()
    }

    /// The number of words of the hypothesis that have a partner in the reference, in any order.
    fn matches(&self, hypothesis: &[u32]) -> usize {
        let mut used = vec![0; self.starts.len()];
        let is_match = |word: &&u32| {
            let count = self.get(**word).len();
            count > 0 && {
                used[**word as usize] += 1;
                used[**word as usize] <= count
            }
        };
        hypothesis.iter().filter(is_match).count()
    }
}

/// A diagonal row of points, ordered by length, then start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    length: u32,
    hypothesis: u32,
    reference: u32,
}

/// The lengths of the runs taken so far.
struct Runs {
    lengths: Vec<f64>,
    /// How many more words they may contain.
    left: f64,
}

impl Runs {
    /// Matches two lines; false if they were cut.
    fn collect(&mut self, hypothesis: &[u32], reference: &[u32], positions: &Positions, pairs: usize) -> bool {
        if positions.pairs(hypothesis) <= pairs || hypothesis.len() < 2 || reference.len() < 2 {
            self.take_longest(rows(hypothesis, reference, positions), hypothesis.len(), reference.len());
            return true;
        }
        stop::steps(reference.len());
        let (first, second) = hypothesis.split_at(hypothesis.len() / 2);
        let (before, after) = reference.split_at(reference.len() / 2);
        self.collect(first, before, &Positions::new(before), pairs);
        self.collect(second, after, &Positions::new(after), pairs);
        false
    }

    fn take_longest(&mut self, mut queue: BinaryHeap<Row>, hypothesis: usize, reference: usize) {
        let (mut taken, mut used) = (vec![false; hypothesis], vec![false; reference]);
        while self.left > 0.0
            && let Some(row) = queue.pop()
        {
            let (h, r) = (row.hypothesis as usize, row.reference as usize);
            let length = row.length as usize;
            stop::steps(8 + length);
            let cells = taken[h..h + length].iter().zip(&used[r..r + length]);
            if cells.clone().any(|(taken, used)| *taken || *used) {
                let free: Vec<bool> = cells.map(|(taken, used)| !taken && !used).collect();
                queue.extend(parts(row, &free));
                continue;
            }
            let counted = f64::from(row.length).min(self.left);
            let end = counted.ceil() as usize;
            taken[h..h + end].fill(true);
            used[r..r + end].fill(true);
            self.left -= counted;
            self.lengths.push(counted);
        }
    }
}

/// The longest rows of points.
fn rows(hypothesis: &[u32], reference: &[u32], positions: &Positions) -> BinaryHeap<Row> {
    let equal = |h: usize, r: usize| hypothesis.get(h).is_some_and(|word| reference.get(r) == Some(word));
    let mut rows = Vec::new();
    for (h, &word) in hypothesis.iter().enumerate() {
        stop::steps(2 * positions.get(word).len());
        for &position in positions.get(word) {
            let r = position as usize;
            if h == 0 || r == 0 || !equal(h - 1, r - 1) {
                let length = (1..).take_while(|&step| equal(h + step, r + step)).count() + 1;
                stop::steps(length);
                rows.push(Row { length: length as u32, hypothesis: h as u32, reference: position });
            }
        }
    }
    BinaryHeap::from(rows)
}

/// The parts of a row that are free.
fn parts(row: Row, free: &[bool]) -> Vec<Row> {
    let mut parts = Vec::new();
    let mut start = 0;
    for part in free.chunk_by(|a, b| a == b) {
        if part[0] {
            parts.push(Row {
                length: part.len() as u32,
                hypothesis: row.hypothesis + start,
                reference: row.reference + start,
            });
        }
        start += part.len() as u32;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The tool's algorithm: all runs, sorted, each taken if it is free.
    fn all_runs(hypothesis: &[u32], reference: &[u32], exponent: f64, mut most: f64) -> f64 {
        let mut runs = Vec::new();
        for h in 0..hypothesis.len() {
            for r in 0..reference.len() {
                let equal = hypothesis[h..].iter().zip(&reference[r..]).take_while(|(a, b)| a == b);
                runs.extend((1..=equal.count()).map(|length| (length, h, r)));
            }
        }
        runs.sort_unstable_by(|a, b| b.cmp(a));
        let (mut taken, mut used) = (vec![false; hypothesis.len()], vec![false; reference.len()]);
        let mut sum = 0.0;
        for (length, h, r) in runs {
            if most <= 0.0 {
                break;
            }
            let counted = (length as f64).min(most);
            let end = counted.ceil() as usize;
            if (0..end).any(|i| taken[h + i] || used[r + i]) {
                continue;
            }
            (0..end).for_each(|i| (taken[h + i], used[r + i]) = (true, true));
            most -= counted;
            sum += counted.powf(exponent);
        }
        sum.powf(1.0 / exponent)
    }

    proptest! {
        #[test]
        fn the_runs_are_those_of_the_tool(
            hypothesis in proptest::collection::vec(0..4u32, 0..24),
            references in proptest::collection::vec(proptest::collection::vec(0..3u32, 0..12), 1..4),
            exponent in proptest::sample::select(vec![1.0, 1.5, 2.0, 3.0]),
        ) {
            let mut joined = Vec::new();
            references.iter().for_each(|reference| joined.extend(reference.iter().copied().chain([BREAK])));
            let mean = (joined.len() - references.len()) as f64 / references.len() as f64;
            let most = mean.min(hypothesis.len() as f64);
            let ours = Matching::new(&hypothesis, &joined, exponent, most);
            let theirs = all_runs(&hypothesis, &joined, exponent, most);
            prop_assert!(ours.exact && (ours.size - theirs).abs() < 1e-12, "{ours:?}, {theirs}");
        }
    }

    #[test]
    fn long_lines_are_cut_and_reported() {
        let (hypothesis, reference) = ([0, 1, 0, 0, 1, 1], [1, 0, 0, 1, 1, 0, BREAK]);
        let whole = Matching::limited(&hypothesis, &reference, 2.0, 6.0, 100);
        let cut = Matching::limited(&hypothesis, &reference, 2.0, 6.0, 5);
        assert!(whole.exact && !cut.exact && cut.size < whole.size, "{whole:?} {cut:?}");
    }

    #[test]
    fn a_great_exponent_leaves_the_longest_run() {
        assert_eq!(size(&[5.0, 3.0, 3.0], 1e6), 5.0);
        assert_eq!(size(&[], 1e6), 0.0);
    }
}
