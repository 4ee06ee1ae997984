//! What was found, in one warning for each text and kind: what is said before texts are scored.

use super::findings::{Found, TextId};
use super::marks;
use super::texts::Texts;
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
pub(super) fn warnings(texts: &Texts<'_, '_>, found: &[Found]) -> Vec<Warning> {
    let of_text = |text: TextId, kind: CheckKind| -> Vec<&Found> {
        let start = found.partition_point(|one| one.text < text);
        found[start..].iter().take_while(|one| one.text == text).filter(|one| one.kind == kind).collect()
    };
    let mut warnings: Vec<Warning> = Vec::new();
    let empty: Vec<&Found> = found.iter().filter(|one| one.kind == EmptyReference).collect();
    if let Some(first) = empty.iter().map(|one| one.line).min() {
        warnings.push(Warning::EmptyReferences { count: empty.len(), first });
    }
    let references = (0..texts.reference_count()).map(TextId::Reference);
    for text in references.chain((0..texts.systems.len()).map(TextId::System)) {
        let of_kind = |kind: &CheckKind| warning(texts, text, *kind, &of_text(text, *kind));
        warnings.extend(ORDER.iter().chain(&[Mojibake]).flat_map(of_kind));
    }
    warnings
}

/// The warnings about one kind of findings in one text.
fn warning(texts: &Texts<'_, '_>, text: TextId, kind: CheckKind, found: &[&Found]) -> Vec<Warning> {
    let Some(first) = found.first() else { return Vec::new() };
    let (count, segments, line) = (found.len(), texts.segments, first.line);
    let (place, system) = (place(texts, text), || place(texts, text));
    let share = || match first.detail {
        Detail::Share { count, .. } => count,
        _ => count,
    };
    let is_worth = is_worth_a_warning(count, segments);
    vec![match kind {
        EmptyReference => return Vec::new(),
        ByteOrderMark => Warning::ByteOrderMark { place },
        LineSeparator => {
            let Some(character) = separator(texts, text, first.line) else { return Vec::new() };
            Warning::LineSeparators { place, count, first: line, character }
        }
        Truncated => Warning::Truncated { system: place, last: share(), segments },
        EmptyOutput => Warning::EmptyHypotheses { system: place, count, first: line },
        Tokenized => Warning::Tokenized { place, count: share() },
        SameAsReference if share() == segments => Warning::SameAsReference { system: place },
        SameAsReference => return Vec::new(),
        IdenticalOutputs => Warning::IdenticalOutputs { system: place, segments },
        CopyOfSource if is_worth => Warning::Untranslated { system: place, count, segments, first: line },
        Misaligned => return found.iter().map(|one| misaligned(system(), one, segments)).collect(),
        Shuffled => Warning::Shuffled { system: place, line, fits: first.fits.unwrap_or(line) },
        OtherLanguage => {
            let Detail::Language { found, expected, percent } = &first.detail else { return Vec::new() };
            let (language, reference) = (found.clone(), expected.clone());
            match *percent {
                Some(percent) => Warning::OtherLanguage { system: place, percent, language, reference },
                None if is_worth => {
                    Warning::LinesInOtherLanguage { system: place, count, segments, first: line, language }
                }
                None => return Vec::new(),
            }
        }
        check if is_worth => Warning::SuspiciousLines { place, check, count, segments, first: line },
        _ => return Vec::new(),
    }]
}

/// How a message names a text.
fn place(texts: &Texts<'_, '_>, text: TextId) -> String {
    match text {
        TextId::System(number) => texts.systems[number].name.clone(),
        TextId::Reference(_) if texts.reference_count() == 1 => "the reference".to_owned(),
        TextId::Reference(number) => format!("reference {}", number + 1),
        TextId::Source => "the source".to_owned(),
    }
}

fn separator(texts: &Texts<'_, '_>, text: TextId, line: usize) -> Option<char> {
    let line = match text {
        TextId::System(number) => texts.systems[number].hypotheses[line - 1],
        TextId::Reference(number) => texts.references[line - 1].get(number)?,
        TextId::Source => texts.source(line - 1)?,
    };
    marks::separator(line)
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
