//! Lines in any other order than their references.

use super::findings::{Found, TextId};
use super::texts::Texts;
use super::units::{shared, units};
use crate::System;
use foldhash::HashMap;
use tercet_base::{CheckKind, Detail};

/// As many lines of a text are looked at.
const SAMPLE: usize = 200;

/// Finds out whether the lines of a system are in another order: whether a line in three or more shares next to nothing
/// with its own reference and much with another.
pub(super) fn check(texts: &Texts<'_, '_>, number: usize, system: &System<'_>, found: &mut Vec<Found>) {
    let segments = texts.segments;
    if segments < 10 || texts.references.is_empty() {
        return;
    }
    let sample: Vec<usize> = (0..segments).step_by(segments.div_ceil(SAMPLE)).collect();
    let hypotheses: Vec<Vec<u32>> = sample.iter().map(|&i| units(system.hypotheses[i])).collect();
    let sampled = Sampled { texts, sample, hypotheses };
    if let Some((line, fits, count)) = sampled.other_order() {
        let detail = Detail::Share { count, lines: sampled.sample.len() };
        let one = Found::new(TextId::System(number), CheckKind::Shuffled, line + 1, detail);
        found.push(Found { fits: Some(fits + 1), ..one });
    }
}

/// Some lines of a system, as hashes of what they consist of.
struct Sampled<'t, 'c, 'a> {
    texts: &'t Texts<'c, 'a>,
    sample: Vec<usize>,
    hypotheses: Vec<Vec<u32>>,
}

impl Sampled<'_, '_, '_> {
    fn reference(&self, segment: usize) -> Option<Vec<u32>> {
        Some(units(self.texts.references_of(segment).first()?))
    }

    /// The first line that fits another reference, the segment that it fits, and the number of such lines.
    fn other_order(&self) -> Option<(usize, usize, usize)> {
        let lines = || self.sample.iter().zip(&self.hypotheses).filter(|(_, hypothesis)| hypothesis.len() >= 4);
        let own = |i: usize, hypothesis: &[u32]| self.reference(i).map_or(0, |own| shared(hypothesis, &own));
        let lost: Vec<(usize, usize, &[u32])> = lines()
            .map(|(&i, hypothesis)| (i, own(i, hypothesis), hypothesis.as_slice()))
            .filter(|(_, own, hypothesis)| own * 8 <= hypothesis.len())
            .collect();
        let fewest = 5.max(lines().count() / 3);
        if lost.len() < fewest {
            return None;
        }
        let places = self.places(&lost);
        let fits = |&(i, own, hypothesis): &(usize, usize, &[u32])| {
            let (segment, count) = most_shared(hypothesis, &places, self.texts.segments)?;
            (count >= 3.max(2 * own + 1) && count * 4 >= hypothesis.len()).then_some((i, segment))
        };
        let found: Vec<(usize, usize)> = lost.iter().filter_map(fits).collect();
        let (line, fits) = *found.first()?;
        (found.len() >= fewest).then_some((line, fits, found.len()))
    }

    /// The segments whose reference has each unit of these lines.
    fn places(&self, lines: &[(usize, usize, &[u32])]) -> HashMap<u32, Vec<usize>> {
        let mut places: HashMap<u32, Vec<usize>> =
            lines.iter().flat_map(|(_, _, units)| units.iter()).map(|unit| (*unit, Vec::new())).collect();
        for segment in 0..self.texts.segments {
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
fn most_shared(line: &[u32], places: &HashMap<u32, Vec<usize>>, segments: usize) -> Option<(usize, usize)> {
    let rare = line.iter().filter_map(|unit| places.get(unit)).filter(|at| at.len() <= 3.max(segments / 50));
    let mut counts: HashMap<usize, usize> = HashMap::default();
    rare.flatten().for_each(|segment| *counts.entry(*segment).or_default() += 1);
    counts.into_iter().max_by_key(|(segment, count)| (*count, std::cmp::Reverse(*segment)))
}
