//! Lines that are copies: of the source, of the reference, of each other, of another system.

use super::findings::{Found, Kinds, TextId};
use super::texts::{Texts, is_blank, is_long};
use super::units::{similarity, units};
use crate::System;
use tercet_base::{CheckKind, Detail};

/// So many lines are enough to say that all of them are alike.
const MIN_LINES: usize = 10;

/// Finds lines of a system that are their source. Short ones may be names or numbers, which stay as they are, unless
/// half of the text is.
pub(super) fn of_source(texts: &Texts<'_, '_>, number: usize, system: &System<'_>, found: &mut Vec<Found>) {
    let copies: Vec<usize> = (0..texts.segments).filter(|&i| is_copy(texts, i, system.hypotheses[i])).collect();
    let is_most = copies.len() >= 3.max(texts.segments / 2);
    let is_wrong = |i: &usize| {
        let line = system.hypotheses[*i];
        is_most || (is_long(line) && !stays_as_it_is(texts, *i, line))
    };
    let one = |i| Found::new(TextId::System(number), CheckKind::CopyOfSource, i + 1, Detail::None);
    found.extend(copies.into_iter().filter(is_wrong).map(one));
}

/// Whether a source may be its own translation: its references have the same words, or, without references, most of it
/// is names and numbers.
fn stays_as_it_is(texts: &Texts<'_, '_>, segment: usize, line: &str) -> bool {
    match texts.references_of(segment) {
        [] => !is_prose(line),
        references => references.iter().any(|reference| *reference == line || are_alike_texts(reference, line)),
    }
}

/// Whether two in five words of a line or more start with a letter that is not a capital, so that it is no list of
/// names, title or reference.
fn is_prose(line: &str) -> bool {
    let words = || line.split_whitespace();
    let small = words().filter(|word| word.starts_with(|c: char| c.is_alphabetic() && !c.is_uppercase()));
    small.count() * 5 >= words().count() * 2
}

/// Whether a line is the source of its segment.
pub(super) fn is_copy(texts: &Texts<'_, '_>, segment: usize, line: &str) -> bool {
    texts.source(segment).is_some_and(|source| source == line && !is_blank(line))
}

/// Finds systems with more lines that equal a reference than a system has by chance.
pub(super) fn of_references(texts: &Texts<'_, '_>, number: usize, system: &System<'_>, found: &mut Vec<Found>) {
    if texts.segments < MIN_LINES {
        return;
    }
    let is_same = |(i, line): (usize, &&str)| texts.references_of(i).contains(line);
    let count = system.hypotheses.iter().enumerate().filter(|(i, line)| is_same((*i, line))).count();
    if count * 2 > texts.segments {
        let detail = Detail::Share { count, lines: texts.segments };
        found.push(Found::of_text(TextId::System(number), CheckKind::SameAsReference, texts.segments, detail));
    }
}

/// Finds outputs that a system has for several segments, although their references (or sources) are different.
pub(super) fn of_outputs(
    texts: &Texts<'_, '_>,
    number: usize,
    system: &System<'_>,
    kinds: Kinds,
    found: &mut Vec<Found>,
) {
    let text = TextId::System(number);
    let lines = &system.hypotheses;
    if texts.segments >= MIN_LINES && lines.iter().all(|line| *line == lines[0]) && !is_blank(lines[0]) {
        let detail = Detail::Share { count: texts.segments, lines: texts.segments };
        if kinds.has(CheckKind::IdenticalOutputs) && !are_alike(texts, 0, texts.segments / 2) {
            found.push(Found::of_text(text, CheckKind::IdenticalOutputs, texts.segments, detail));
        }
        return;
    }
    if !kinds.has(CheckKind::RepeatedOutput) {
        return;
    }
    // Equal lines one after another, in the order of the text.
    let mut order: Vec<(u64, u32)> = lines.iter().enumerate().map(|(i, line)| (hash(line), i as u32)).collect();
    order.sort_unstable();
    for places in order.chunk_by(|(a, _), (b, _)| a == b).filter(|places| places.len() > 1) {
        let first = places[0].1 as usize;
        let is_same = |i: &usize| lines[*i] == lines[first];
        let others = places[1..].iter().map(|(_, i)| *i as usize).filter(|_| is_long(lines[first])).filter(is_same);
        let others: Vec<usize> = others.filter(|i| !are_alike(texts, first, *i)).collect();
        for i in &others {
            let detail = Detail::Share { count: others.len() + 1, lines: texts.segments };
            let one = Found::new(text, CheckKind::RepeatedOutput, i + 1, detail);
            found.push(Found { fits: Some(first + 1), ..one });
        }
    }
}

/// Whether two segments may well have the same translation: their references share half of their words, or their
/// sources.
fn are_alike(texts: &Texts<'_, '_>, a: usize, b: usize) -> bool {
    let alike = |one: &str, other: &str| one == other || are_alike_texts(one, other);
    let references = |i: usize| texts.references_of(i);
    let by_references = references(a).iter().any(|one| references(b).iter().any(|other| alike(one, other)));
    by_references || texts.source(a).zip(texts.source(b)).is_some_and(|(one, other)| alike(one, other))
}

fn are_alike_texts(one: &str, other: &str) -> bool {
    const ALIKE: f32 = 0.4;
    similarity(&units(one), &units(other)) > ALIKE
}

/// Finds references that are copies of the source.
pub(super) fn references_of_source(texts: &Texts<'_, '_>, number: usize, found: &mut Vec<Found>) {
    for (i, line) in texts.reference_lines(number).enumerate() {
        if is_long(line) && is_prose(line) && is_copy(texts, i, line) {
            found.push(Found::new(TextId::Reference(number), CheckKind::ReferenceIsSource, i + 1, Detail::None));
        }
    }
}

/// Finds systems that have almost all of their longer lines in common with a system before them.
pub(super) fn of_systems(texts: &Texts<'_, '_>, found: &mut Vec<Found>) {
    /// Of a hundred lines.
    const ALMOST_ALL: usize = 98;
    let long: Vec<usize> =
        (0..texts.segments).filter(|&i| texts.systems.iter().any(|system| is_long(system.hypotheses[i]))).collect();
    if long.len() < MIN_LINES {
        return;
    }
    let hashes: Vec<Vec<u64>> =
        texts.systems.iter().map(|system| long.iter().map(|&i| hash(system.hypotheses[i])).collect()).collect();
    for (number, own) in hashes.iter().enumerate() {
        let same = |other: &Vec<u64>| own.iter().zip(other).filter(|(a, b)| a == b).count();
        let most = hashes[..number]
            .iter()
            .map(same)
            .enumerate()
            .max_by_key(|(other, count)| (*count, std::cmp::Reverse(*other)));
        if let Some((other, count)) = most.filter(|(_, count)| count * 100 >= ALMOST_ALL * long.len()) {
            let detail = Detail::SameLines { system: texts.systems[other].name.clone(), count, lines: long.len() };
            found.push(Found::of_text(TextId::System(number), CheckKind::SameAsSystem, texts.segments, detail));
        }
    }
}

fn hash(line: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(line.as_bytes());
    hasher.finish()
}
