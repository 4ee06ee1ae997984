//! Parts of a text that fit the references of segments before or after their own: lines were inserted or dropped.
//!
//! Each line has a state, by how many lines its reference is displaced; the best sequence of states (Viterbi) has the
//! largest sum of similarities between lines and references, where each change of state has a price. So a part of a
//! text is displaced if its lines are together more similar to displaced references, by more than the changes cost.

use super::findings::{Found, TextId};
use super::texts::Texts;
use super::units::{similarity, units};
use crate::System;
use foldhash::HashMap;
use rayon::prelude::*;
use tercet_base::stop;
use tercet_base::{CheckKind, Detail};

/// Displacements that are always tried.
const NEAR: [isize; 6] = [-1, 1, -2, 2, -3, 3];

/// The largest number of others that are tried, if so many lines fit references at that distance.
const FAR: usize = 6;
const VOTES: usize = 5;

/// What a change of state costs, in similarity of one line.
const PRICE: f32 = 1.5;

/// The least that a displaced part is more similar by, in lines and per line.
const MIN_GAIN: f32 = 2.0;
const MIN_MEAN_GAIN: f32 = 0.08;

/// The units of the references: the first ones of the segments.
pub(super) struct ReferenceUnits {
    /// The units of all segments one after another, and where those of each segment end.
    units: Vec<u32>,
    ends: Vec<usize>,
    /// The places of units that are in few references.
    rare: HashMap<u32, Places>,
}

/// The largest number of references with a rare unit.
const RARE: usize = 3;

/// The first references that have a unit, and how many have it; one more than [`RARE`] stands for all larger numbers.
#[derive(Default)]
struct Places {
    first: [u32; RARE],
    count: u8,
}

impl Places {
    fn push(&mut self, place: u32) {
        if let Some(free) = self.first.get_mut(usize::from(self.count)) {
            *free = place;
        }
        self.count = (self.count + 1).min(RARE as u8 + 1);
    }

    fn all(&self) -> &[u32] {
        &self.first[..usize::from(self.count).min(RARE)]
    }
}

/// Lines whose units are found at once.
const BATCH: usize = 1 << 14;

impl ReferenceUnits {
    pub fn new(texts: &Texts<'_, '_>) -> Self {
        let first = |references: &Vec<&str>| units(references.first().copied().unwrap_or_default());
        let (mut all, mut ends) = (Vec::new(), Vec::with_capacity(texts.references.len()));
        for batch in texts.references.chunks(BATCH) {
            for line in batch.par_iter().map(stop::carried(first)).collect::<Vec<_>>() {
                all.extend(line);
                ends.push(all.len());
            }
        }
        let mut found = ReferenceUnits { units: all, ends, rare: HashMap::default() };
        let mut rare: HashMap<u32, Places> = HashMap::default();
        for line in 0..found.ends.len() {
            for unit in found.line(line).unwrap_or_default() {
                rare.entry(*unit).or_default().push(line as u32);
            }
        }
        rare.retain(|_, places| usize::from(places.count) <= RARE);
        rare.shrink_to_fit();
        found.rare = rare;
        found
    }

    /// The units of a segment.
    fn line(&self, segment: usize) -> Option<&[u32]> {
        let end = *self.ends.get(segment)?;
        Some(&self.units[segment.checked_sub(1).map_or(0, |before| self.ends[before])..end])
    }

    /// The segment whose reference shares most rare units with a line that shares little with its own.
    fn voted(&self, line: &[u32]) -> Option<usize> {
        let mut counts: Vec<(u32, usize)> = Vec::new();
        for place in line.iter().filter_map(|unit| self.rare.get(unit)).flat_map(Places::all) {
            match counts.iter_mut().find(|(known, _)| known == place) {
                Some((_, count)) => *count += 1,
                None => counts.push((*place, 1)),
            }
        }
        let (place, count) = counts.into_iter().max_by_key(|(place, count)| (*count, std::cmp::Reverse(*place)))?;
        (count >= 3).then_some(place as usize)
    }
}

/// A screening looks at every third line; if so many of these in a row have less in common with their references, a
/// part may be displaced.
const STEP: usize = 3;
const IN_A_ROW: usize = 4;
const UNLIKE: f32 = 0.2;

/// Tells which systems may have displaced parts of about 15 lines or more, without comparing all lines.
pub(super) struct Screening {
    references: Vec<Vec<u32>>,
}

impl Screening {
    pub fn new(texts: &Texts<'_, '_>) -> Self {
        let first = |references: &Vec<&str>| units(references.first().copied().unwrap_or_default());
        Screening { references: texts.references.par_iter().step_by(STEP).map(stop::carried(first)).collect() }
    }

    /// Whether a part of a system may be displaced. In short texts that is always so.
    pub fn may_be_displaced(&self, system: &System<'_>) -> bool {
        const SHORT: usize = 60;
        let mut in_a_row = 0;
        let lines = system.hypotheses.iter().step_by(STEP).zip(&self.references);
        system.hypotheses.len() < SHORT
            || lines.into_iter().any(|(line, reference)| {
                in_a_row = if similarity(&units(line), reference) < UNLIKE { in_a_row + 1 } else { 0 };
                in_a_row == IN_A_ROW
            })
    }
}

/// Finds the displaced parts of a system.
pub(super) fn check(references: &ReferenceUnits, number: usize, system: &System<'_>, found: &mut Vec<Found>) {
    const MIN_LINES: usize = 10;
    if system.hypotheses.len() < MIN_LINES {
        return;
    }
    let shifts = shifts(references, system);
    let of_line = |i: usize| {
        let line = units(system.hypotheses[i]);
        shifts.iter().map(|shift| fit(references, &line, i, *shift)).collect::<Vec<f32>>()
    };
    let values: Vec<f32> = (0..system.hypotheses.len()).into_par_iter().flat_map_iter(stop::carried(of_line)).collect();
    let similarities = Similarities { values, shifts };
    let states = best_states(&similarities);
    let mut from = 0;
    while from < states.len() {
        let state = states[from];
        let to = from + states[from..].iter().take_while(|other| **other == state).count();
        let gain: f32 = (from..to).map(|line| similarities.of_line(line)[state] - similarities.of_line(line)[0]).sum();
        if state > 0 && gain >= MIN_GAIN && gain / (to - from) as f32 >= MIN_MEAN_GAIN {
            let before = from.checked_sub(1).map(|line| states[line]);
            let detail = displacement(&similarities, from, state, before);
            let (line, fits) = (from + 1, from.checked_add_signed(similarities.shifts[state]).map(|fits| fits + 1));
            let text = TextId::System(number);
            found.push(Found { text, kind: CheckKind::Misaligned, line, last: to, fits, detail });
        }
        from = to;
    }
}

/// The displacements that are tried: first none.
fn shifts(references: &ReferenceUnits, system: &System<'_>) -> Vec<isize> {
    let displaced = |i: usize| {
        let line = units(system.hypotheses[i]);
        let own = fit(references, &line, i, 0);
        let fits = references.voted(&line).filter(|_| own < 0.1)?;
        Some(fits as isize - i as isize).filter(|shift| shift.unsigned_abs() > NEAR.len() / 2)
    };
    let found: Vec<isize> = (0..system.hypotheses.len()).into_par_iter().filter_map(stop::carried(displaced)).collect();
    let mut votes: HashMap<isize, usize> = HashMap::default();
    found.into_iter().for_each(|shift| *votes.entry(shift).or_default() += 1);
    let mut far: Vec<(usize, isize)> =
        votes.into_iter().map(|(shift, count)| (count, shift)).filter(|(count, _)| *count >= VOTES).collect();
    far.sort_unstable_by(|a, b| b.cmp(a));
    std::iter::once(0).chain(NEAR).chain(far.into_iter().take(FAR).map(|(_, shift)| shift)).collect()
}

/// How similar a line is to the reference at some displacement.
fn fit(references: &ReferenceUnits, line: &[u32], number: usize, shift: isize) -> f32 {
    let reference = number.checked_add_signed(shift).and_then(|i| references.line(i));
    reference.map_or(0.0, |reference| similarity(line, reference))
}

/// The similarities of each line with the references at all displacements.
struct Similarities {
    values: Vec<f32>,
    shifts: Vec<isize>,
}

impl Similarities {
    fn of_line(&self, line: usize) -> &[f32] {
        let states = self.shifts.len();
        &self.values[line * states..(line + 1) * states]
    }
}

/// The state of each line. A change is as early as possible.
fn best_states(similarities: &Similarities) -> Vec<usize> {
    let states = similarities.shifts.len();
    let lines = similarities.values.len() / states;
    let mut sums: Vec<f32> = (0..states).map(|state| if state == 0 { 0.0 } else { -PRICE }).collect();
    let mut before: Vec<u8> = Vec::with_capacity(similarities.values.len());
    for line in 0..lines {
        let of_line = similarities.of_line(line);
        let best = (0..states).rev().max_by(|a, b| sums[*a].total_cmp(&sums[*b])).unwrap_or(0);
        let from = |state: usize| if sums[best] - PRICE > sums[state] { best } else { state };
        let chosen: Vec<u8> = (0..states).map(|state| from(state) as u8).collect();
        sums = (0..states)
            .map(|state| {
                let from = usize::from(chosen[state]);
                sums[from] - if from == state { 0.0 } else { PRICE } + of_line[state]
            })
            .collect();
        before.extend(chosen);
    }
    let mut state = (0..states).rev().max_by(|a, b| sums[*a].total_cmp(&sums[*b])).unwrap_or(0);
    let mut path = vec![0; lines];
    for i in (0..lines).rev() {
        path[i] = state;
        state = usize::from(before[i * states + state]);
    }
    path
}

/// By how many lines a part is displaced, and what happened where it starts. At the start of a text it is displaced as
/// if nothing had been before.
fn displacement(similarities: &Similarities, from: usize, state: usize, before: Option<usize>) -> Detail {
    let shifts = &similarities.shifts;
    let (shift, previous) = (shifts[state], before.map_or(0, |before| shifts[before]));
    let (mut inserted, mut missing) = (None, None);
    if shift < previous {
        // The line before the part may fit neither reference: then it is the one that was inserted.
        let fits_before =
            from.checked_sub(1).zip(before).map_or(1.0, |(line, before)| similarities.of_line(line)[before]);
        let is_before = fits_before <= similarities.of_line(from)[state];
        inserted = Some(if is_before { from } else { from + 1 }.max(1));
    } else {
        missing = from.checked_add_signed(previous).map(|segment| segment + 1);
    }
    Detail::Shift { shift, inserted, missing }
}
