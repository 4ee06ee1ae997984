//! Texts as a whole: empty lines, early ends, byte order marks, punctuation set apart.

use super::findings::{Found, Kinds, TextId};
use super::texts::{Texts, is_blank};
use crate::System;
use tercet_base::CheckKind::{ByteOrderMark, EmptyOutput, EmptyReference, EmptySource, Tokenized, Truncated};
use tercet_base::Detail;

/// Finds a byte order mark, and punctuation that is set apart in a large share of the lines.
pub(super) fn check<'a>(
    text: TextId,
    lines: impl ExactSizeIterator<Item = &'a str> + Clone,
    kinds: Kinds,
    found: &mut Vec<Found>,
) {
    if kinds.has(ByteOrderMark) && lines.clone().next().is_some_and(|line| line.starts_with('\u{feff}')) {
        found.push(Found::new(text, ByteOrderMark, 1, Detail::None));
    }
    if kinds.has(Tokenized) {
        found.extend(tokenized(text, lines));
    }
}

/// sacreBLEU's rule, a hundred lines that end in a space and a full stop, and a twentieth of all.
fn tokenized<'a>(text: TextId, lines: impl ExactSizeIterator<Item = &'a str>) -> Option<Found> {
    const MIN_LINES: usize = 100;
    const SHARE: usize = 20;
    let all = lines.len();
    let count = lines.filter(|line| line.ends_with(" .")).count();
    let is_most = count >= MIN_LINES && count * SHARE >= all;
    is_most.then(|| Found::of_text(text, Tokenized, all, Detail::Share { count, lines: all }))
}

/// Finds empty outputs of segments that have something to translate, and where a text ends early.
pub(super) fn empty_outputs(
    texts: &Texts<'_, '_>,
    number: usize,
    system: &System<'_>,
    kinds: Kinds,
    found: &mut Vec<Found>,
) {
    let segments = texts.segments;
    let text = TextId::System(number);
    let last = segments - system.hypotheses.iter().rev().take_while(|line| is_blank(line)).count();
    // One empty line at the end may be real output; several mean that the system stopped early.
    let is_cut = kinds.has(Truncated) && segments - last >= 3.max(segments / 100) && last > 0;
    if is_cut && (last..segments).any(|i| has_something(texts, i)) {
        let detail = Detail::Share { count: last, lines: segments };
        found.push(Found { last: segments, ..Found::new(text, Truncated, last + 1, detail) });
    }
    let end = if is_cut { last } else { segments };
    let is_empty = |&i: &usize| is_blank(system.hypotheses[i]) && has_something(texts, i);
    found.extend((0..end).filter(is_empty).map(|i| Found::new(text, EmptyOutput, i + 1, Detail::None)));
}

/// Whether a segment has a reference, or else a source, that is not empty.
fn has_something(texts: &Texts<'_, '_>, segment: usize) -> bool {
    let references = texts.references_of(segment);
    match references.is_empty() {
        true => texts.source(segment).is_none_or(|source| !is_blank(source)),
        false => references.iter().any(|reference| !is_blank(reference)),
    }
}

/// Finds segments with an empty reference, and empty sources of references that are not.
pub(super) fn empty_others(texts: &Texts<'_, '_>, kinds: Kinds, found: &mut Vec<Found>) {
    for segment in 0..texts.segments {
        let references = texts.references_of(segment);
        if kinds.has(EmptyReference)
            && let Some(number) = references.iter().position(|reference| is_blank(reference))
        {
            found.push(Found::new(TextId::Reference(number), EmptyReference, segment + 1, Detail::None));
        }
        if kinds.has(EmptySource)
            && texts.source(segment).is_some_and(is_blank)
            && !references.iter().all(|reference| is_blank(reference))
        {
            found.push(Found::new(TextId::Source, EmptySource, segment + 1, Detail::None));
        }
    }
}
