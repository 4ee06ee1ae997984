//! What was found, in one warning for each text and kind: what is said before texts are scored.

use super::counted::{Counted, Counts};
use super::findings::{Found, TextId};
use crate::warning::Warning;
use tercet_base::CheckKind::{self, *};
use tercet_base::Detail;

/// The order of warnings about a text.
const ORDER: [CheckKind; 26] = [
    EmptyReference,
    ByteOrderMark,
    LineSeparator,
    Truncated,
    EmptyOutput,
    Tokenized,
    SameAsReference,
    CopyOfSource,
    ReferenceIsSource,
    IdenticalOutputs,
    Misaligned,
    Shuffled,
    OtherLanguage,
    RepeatedOutput,
    Repetition,
    Refusal,
    Comment,
    Label,
    Json,
    CodeFence,
    Markdown,
    Quotes,
    Reasoning,
    SpecialToken,
    SubwordMarks,
    HtmlEntity,
];

/// The warnings about texts in which this was found, references first.
pub(super) fn warnings(counts: &Counts) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    if let Some((count, first)) = counts.empty_references {
        warnings.push(Warning::EmptyReferences { count, first });
    }
    let references = (0..counts.references).map(TextId::Reference);
    for text in references.chain((0..counts.systems.len()).map(TextId::System)) {
        let of_kind = |kind: &CheckKind| counts.all.iter().find(|one| one.text == text && one.kind == *kind);
        let found = ORDER.iter().chain(&[Mojibake]).filter_map(of_kind);
        warnings.extend(found.flat_map(|counted| warning(counts, counted)));
    }
    warnings
}

/// The warnings about one kind of findings in one text.
fn warning(counts: &Counts, counted: &Counted) -> Vec<Warning> {
    /// Of a hundred lines.
    const MIN_PERCENT: usize = 20;
    let first = &counted.found[0];
    let (count, segments, line) = (counted.count, counts.segments, first.line);
    let place = place(counts, counted.text);
    let share = match first.detail {
        Detail::Share { .. } => counted.share,
        _ => count,
    };
    let is_worth = |count: usize| is_worth_a_warning(count, segments);
    vec![match counted.kind {
        EmptyReference => return Vec::new(),
        ByteOrderMark => Warning::ByteOrderMark { place },
        LineSeparator => {
            let Some(character) = counted.separator else { return Vec::new() };
            Warning::LineSeparators { place, count, first: line, character }
        }
        Truncated => Warning::Truncated { system: place, last: share, segments },
        EmptyOutput => Warning::EmptyHypotheses { system: place, count, first: line },
        Tokenized => Warning::Tokenized { place, count: share },
        SameAsReference if share == segments => Warning::SameAsReference { system: place },
        SameAsReference => return Vec::new(),
        IdenticalOutputs if share == segments => Warning::IdenticalOutputs { system: place, segments },
        IdenticalOutputs if is_worth(share) => {
            Warning::SuspiciousLines { place, check: RepeatedOutput, count: share, segments, first: line }
        }
        IdenticalOutputs => return Vec::new(),
        CopyOfSource if is_worth(count) => Warning::Untranslated { system: place, count, segments, first: line },
        Misaligned => return counted.found.iter().map(|one| misaligned(place.clone(), one, segments)).collect(),
        Shuffled => Warning::Shuffled { system: place, line, fits: first.fits.unwrap_or(line) },
        OtherLanguage => {
            let Detail::Language { found, expected, .. } = &first.detail else { return Vec::new() };
            let (language, reference) = (found.clone(), expected.clone());
            let percent = counted.hundredths.div_ceil(segments);
            let lines = count.max(counted.hundredths / 100);
            match percent >= MIN_PERCENT {
                true => Warning::OtherLanguage { system: place, percent, language, reference },
                false if is_worth(lines) => {
                    Warning::LinesInOtherLanguage { system: place, count: lines, segments, first: line, language }
                }
                false => return Vec::new(),
            }
        }
        check if is_worth(count) => Warning::SuspiciousLines { place, check, count, segments, first: line },
        _ => return Vec::new(),
    }]
}

/// How a message names a text.
fn place(counts: &Counts, text: TextId) -> String {
    match text {
        TextId::System(number) => counts.systems[number].clone(),
        TextId::Reference(_) if counts.references == 1 => "the reference".to_owned(),
        TextId::Reference(number) => format!("reference {}", number + 1),
        TextId::Source => "the source".to_owned(),
    }
}

/// A text that is displaced as a whole, or a part of it.
fn misaligned(system: String, one: &Found, segments: usize) -> Warning {
    let Detail::Shift { shift, inserted, missing } = one.detail else {
        unreachable!("a displaced part has a displacement")
    };
    match one.lines() + 2 * shift.unsigned_abs() >= segments {
        true => Warning::Misaligned { system, shift },
        false => Warning::MisalignedLines { system, first: one.line, last: one.last, shift, inserted, missing },
    }
}

/// Whether so many lines are more than chance: three and one in a thousand, or a tenth of a short text.
fn is_worth_a_warning(count: usize, segments: usize) -> bool {
    const OF: usize = 1000;
    (count >= 3 && count * OF >= segments) || (count > 0 && count * 10 >= segments)
}
