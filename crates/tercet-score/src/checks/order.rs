//! Lines that belong to other references than those beside them.

use super::SAMPLE;
use crate::text::is_whitespace;
use crate::warning::Warning;
use crate::{Corpus, System};
use foldhash::HashMap;

/// Detects lines in another order than their references: first a missing or doubled line, then any order.
pub(super) fn check_order(corpus: &Corpus<'_>, system: &System<'_>, warnings: &mut Vec<Warning>) {
    let segments = corpus.len();
    if segments < 10 {
        return;
    }
    let sample: Vec<usize> = (0..segments).step_by(segments.div_ceil(SAMPLE)).collect();
    let hypotheses: Vec<Vec<u64>> = sample.iter().map(|&i| units(system.hypotheses[i])).collect();
    let sampled = Sampled { corpus, sample, hypotheses };
    let name = system.name.clone();
    if let Some(shift) = sampled.shift() {
        warnings.push(Warning::Misaligned { system: name, shift });
    } else if let Some((line, fits)) = sampled.other_order() {
        warnings.push(Warning::Shuffled { system: name, line: line + 1, fits: fits + 1 });
    }
}

/// Some lines of a system, as hashes of what they consist of.
struct Sampled<'a> {
    corpus: &'a Corpus<'a>,
    sample: Vec<usize>,
    hypotheses: Vec<Vec<u64>>,
}

impl Sampled<'_> {
    fn reference(&self, segment: usize) -> Option<Vec<u64>> {
        Some(units(self.corpus.references().get(segment)?.first()?))
    }

    /// A missing or doubled line: hypotheses share clearly more with the references one or two lines after or before
    /// than with their own.
    fn shift(&self) -> Option<isize> {
        if self.corpus.len() < 20 {
            return None;
        }
        let overlap = |shift: isize| -> usize {
            let lines = self.sample.iter().zip(&self.hypotheses);
            let each = lines.filter_map(|(&i, hypothesis)| {
                Some(shared(hypothesis, &self.reference(i.checked_add_signed(shift)?)?))
            });
            each.sum()
        };
        let own = overlap(0);
        let best = [-2, -1, 1, 2].into_iter().max_by_key(|&shift| overlap(shift))?;
        (overlap(best) > 2 * own + self.sample.len() / 2).then_some(best)
    }

    /// Any other order: a line in three or more shares next to nothing with its own reference and much with another.
    /// The first such line, and the segment it fits.
    fn other_order(&self) -> Option<(usize, usize)> {
        let lines = || self.sample.iter().zip(&self.hypotheses).filter(|(_, hypothesis)| hypothesis.len() >= 4);
        let own = |i: usize, hypothesis: &[u64]| self.reference(i).map_or(0, |own| shared(hypothesis, &own));
        let lost: Vec<(usize, usize, &[u64])> = lines()
            .map(|(&i, hypothesis)| (i, own(i, hypothesis), hypothesis.as_slice()))
            .filter(|(_, own, hypothesis)| own * 8 <= hypothesis.len())
            .collect();
        let fewest = 5.max(lines().count() / 3);
        if lost.len() < fewest {
            return None;
        }
        let places = self.places(&lost);
        let fits = |&(i, own, hypothesis): &(usize, usize, &[u64])| {
            let (segment, count) = most_shared(hypothesis, &places, self.corpus.len())?;
            (count >= 3.max(2 * own + 1) && count * 4 >= hypothesis.len()).then_some((i, segment))
        };
        let found: Vec<(usize, usize)> = lost.iter().filter_map(fits).collect();
        found.first().copied().filter(|_| found.len() >= fewest)
    }

    /// The segments whose reference has each unit of these lines.
    fn places(&self, lines: &[(usize, usize, &[u64])]) -> HashMap<u64, Vec<usize>> {
        let mut places: HashMap<u64, Vec<usize>> =
            lines.iter().flat_map(|(_, _, units)| units.iter()).map(|unit| (*unit, Vec::new())).collect();
        for segment in 0..self.corpus.len() {
            for unit in self.reference(segment).unwrap_or_default() {
                if let Some(segments) = places.get_mut(&unit) {
                    segments.push(segment);
                }
            }
        }
        places
    }
}

/// The segment whose reference shares most units with a line, and how many; units of more than a fiftieth of the
/// references are left out.
fn most_shared(line: &[u64], places: &HashMap<u64, Vec<usize>>, segments: usize) -> Option<(usize, usize)> {
    let rare = line.iter().filter_map(|unit| places.get(unit)).filter(|at| at.len() <= 3.max(segments / 50));
    let mut counts: HashMap<usize, usize> = HashMap::default();
    rare.flatten().for_each(|segment| *counts.entry(*segment).or_default() += 1);
    counts.into_iter().max_by_key(|(segment, count)| (*count, std::cmp::Reverse(*segment)))
}

fn shared(line: &[u64], other: &[u64]) -> usize {
    line.iter().filter(|unit| other.binary_search(unit).is_ok()).count()
}

/// The words of a line that have more than three bytes; where a script may have no spaces, pairs of characters. Sorted.
fn units(line: &str) -> Vec<u64> {
    let mut units = Vec::new();
    for word in line.split(is_whitespace).filter(|word| word.len() > 3) {
        if word.chars().any(|c| c >= '\u{e00}' && c.is_alphabetic()) {
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

fn hash(word: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(word.as_bytes());
    hasher.finish()
}
