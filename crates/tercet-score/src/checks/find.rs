//! All checks that are asked for, over all texts.

use super::alignment::{self, ReferenceUnits, Screening};
use super::findings::{Found, Kinds, Sink, TextId};
use super::languages::{ExpectedLanguage, InOtherLanguage};
use super::marks::bytes;
use super::texts::{Segment, Texts, is_blank};
use super::{copies, lengths, marks, order, remarks_of_models, repetition, values, whole_texts, wrappers};
use crate::System;
use crate::text::{Language, TextLanguage};
use rayon::prelude::*;
use std::cell::LazyCell;
use tercet_base::CheckKind::{self, *};
use tercet_base::Detail;
use tercet_base::stop;

/// What is looked for.
pub(crate) struct Settings<'s> {
    pub kinds: Kinds,
    /// The language of the outputs, where it is known.
    pub language: Option<&'s Language>,
    /// Outputs may be so many times as long, or as short, as what they are compared with.
    pub max_length_ratio: f64,
    /// Whether displaced parts are looked for only where a screening says that there may be some.
    pub screens: bool,
    /// Whether lines are listed where a part of a text is in another language.
    pub lists_lines: bool,
}

/// Kinds that take time and are about the quality of single lines: only `tercet check` looks for them.
const NOT_BEFORE_SCORING: [CheckKind; 9] =
    [Number, Unit, Placeholder, Url, Email, Length, EmptySource, SameAsSystem, Comment];

/// What depends on source and reference of the same segment.
const OF_THE_SEGMENT: [CheckKind; 7] = [Number, Unit, Placeholder, Url, Email, Length, Shuffled];

/// The kinds that are looked for in each line of any text.
const OF_ANY_LINE: [CheckKind; 5] = [LineSeparator, SubwordMarks, SpecialToken, HtmlEntity, Mojibake];

/// Lines that a thread takes at once.
const BATCH: usize = 256;

impl Settings<'static> {
    /// What warnings before scoring are made of.
    pub fn before_scoring() -> Self {
        let kinds = Kinds::all().without(&NOT_BEFORE_SCORING);
        Settings { kinds, language: None, max_length_ratio: f64::INFINITY, screens: true, lists_lines: false }
    }
}

/// Everything that is suspicious, in the order of texts, lines and kinds.
pub(crate) fn find(texts: &Texts<'_, '_>, settings: &Settings<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    in_others(texts, settings.kinds, &mut found);
    let batches: Vec<Vec<Found>> = (0..texts.segments.div_ceil(BATCH))
        .into_par_iter()
        .map(stop::carried(|batch| {
            let mut found = Vec::new();
            let end = texts.segments.min((batch + 1) * BATCH);
            (batch * BATCH..end).for_each(|segment| in_segment(texts, segment, settings.kinds, &mut found));
            found
        }))
        .collect();
    found.extend(batches.into_iter().flatten());
    let language = settings.kinds.has(OtherLanguage).then(|| ExpectedLanguage::detect(texts, settings.language));
    let is_aligned = settings.kinds.has(Misaligned) && !texts.references.is_empty();
    let screening = (is_aligned && settings.screens).then(|| Screening::new(texts));
    let references = LazyCell::new(|| ReferenceUnits::new(texts));
    for (number, system) in texts.systems.iter().enumerate() {
        in_system(texts, number, system, settings, &mut found);
        if is_aligned && screening.as_ref().is_none_or(|screening| screening.may_be_displaced(system)) {
            alignment::check(&references, number, system, &mut found);
        }
        if let Some(expected) = language.iter().flatten().next() {
            in_other_language(expected, texts, number, system, settings.lists_lines, &mut found);
        }
    }
    if settings.kinds.has(SameAsSystem) {
        copies::of_systems(texts, &mut found);
    }
    found.sort_by_key(|one| (one.text, one.line, one.kind));
    without_consequences(found)
}

/// What is compared with the wrong segments says nothing: leaves out what displaced lines have or lack.
fn without_consequences(mut found: Vec<Found>) -> Vec<Found> {
    let parts: Vec<(TextId, usize, usize)> =
        found.iter().filter(|one| one.kind == Misaligned).map(|one| (one.text, one.line, one.last)).collect();
    let is_displaced =
        |one: &Found| parts.iter().any(|(text, first, last)| *text == one.text && (*first..=*last).contains(&one.line));
    found.retain(|one| !(OF_THE_SEGMENT.contains(&one.kind) && is_displaced(one)));
    found
}

/// References and source as whole texts.
fn in_others(texts: &Texts<'_, '_>, kinds: Kinds, found: &mut Vec<Found>) {
    whole_texts::empty_others(texts, kinds, found);
    for number in 0..texts.reference_count() {
        whole_texts::check(TextId::Reference(number), texts.reference_lines(number), kinds, found);
        if kinds.has(ReferenceIsSource) {
            copies::references_of_source(texts, number, found);
        }
    }
}

/// A system's output as a whole text.
fn in_system(
    texts: &Texts<'_, '_>,
    number: usize,
    system: &System<'_>,
    settings: &Settings<'_>,
    found: &mut Vec<Found>,
) {
    let kinds = settings.kinds;
    whole_texts::check(TextId::System(number), system.hypotheses.iter().copied(), kinds, found);
    if kinds.has_any(&[EmptyOutput, Truncated]) {
        let from = found.len();
        whole_texts::empty_outputs(texts, number, system, kinds, found);
        keep(found, from, kinds);
    }
    if kinds.has(CopyOfSource) {
        copies::of_source(texts, number, system, found);
    }
    if kinds.has(SameAsReference) {
        copies::of_references(texts, number, system, found);
    }
    if kinds.has_any(&[IdenticalOutputs, RepeatedOutput]) {
        copies::of_outputs(texts, number, system, kinds, found);
    }
    if kinds.has(Shuffled) {
        order::check(texts, number, system, found);
    }
    if kinds.has(Length) {
        lengths::check(texts, number, system, settings.max_length_ratio, found);
    }
}

/// Removes what was found since some place and is not asked for.
fn keep(found: &mut Vec<Found>, from: usize, kinds: Kinds) {
    let new = found.split_off(from);
    found.extend(new.into_iter().filter(|one| kinds.has(one.kind)));
}

fn in_other_language(
    expected: &ExpectedLanguage,
    texts: &Texts<'_, '_>,
    number: usize,
    system: &System<'_>,
    lists_lines: bool,
    found: &mut Vec<Found>,
) {
    /// A text of which more lines are in another language is in that language.
    const WHOLE: usize = 95;
    let text = TextId::System(number);
    let detail = |language: &TextLanguage, percent| Detail::Language {
        found: language.name(),
        expected: expected.name(),
        percent,
    };
    let lines = match expected.of_system(texts, system) {
        InOtherLanguage::Text { percent, .. } if lists_lines && percent <= WHOLE => expected.lines(texts, system),
        InOtherLanguage::Text { percent, language } => {
            let detail = detail(&language, Some(percent));
            return found.push(Found::of_text(text, OtherLanguage, texts.segments, detail));
        }
        InOtherLanguage::Lines(lines) => lines,
    };
    let of_line =
        |(line, language): &(usize, TextLanguage)| Found::new(text, OtherLanguage, line + 1, detail(language, None));
    found.extend(lines.iter().map(of_line));
}

/// All lines of a segment.
fn in_segment(texts: &Texts<'_, '_>, number: usize, kinds: Kinds, found: &mut Vec<Found>) {
    let segment = texts.segment(number);
    for (system, text) in texts.systems.iter().enumerate() {
        let line = text.hypotheses[number];
        if !is_blank(line) {
            let mut sink = Sink { text: TextId::System(system), line: number + 1, kinds, found };
            in_output(line, &segment, &mut sink);
        }
    }
    if !kinds.has_any(&OF_ANY_LINE) {
        return;
    }
    let others = segment.references.iter().enumerate().map(|(i, line)| (TextId::Reference(i), *line));
    for (text, line) in others.chain(segment.source.map(|source| (TextId::Source, source))) {
        // A reference may have what its source has.
        let source = segment.source.filter(|_| text != TextId::Source);
        let compared = Segment::with_source(source);
        marks::check(line, bytes::in_line(line), &compared, &mut Sink { text, line: number + 1, kinds, found });
    }
}

fn in_output(line: &str, segment: &Segment<'_, '_>, sink: &mut Sink<'_>) {
    let classes = bytes::in_line(line);
    marks::check(line, classes, segment, sink);
    if !wrappers::check(line, classes, segment, sink) {
        remarks_of_models::check(line, segment, sink);
    }
    repetition::check(line, segment, sink);
    values::check(line, classes, segment, sink);
}
