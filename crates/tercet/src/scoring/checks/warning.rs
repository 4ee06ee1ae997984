//! What is suspicious about the input, and the message.

use crate::metrics::LanguageWarning;
use crate::text::Language;
use std::fmt;

/// Something suspicious about the input; its text says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// Empty hypotheses whose reference is not empty.
    EmptyHypotheses {
        /// The system.
        system: String,
        /// The number of such lines.
        count: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// Empty references.
    EmptyReferences {
        /// How many segments have one.
        count: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// The last lines of a system are empty: it probably stopped early.
    Truncated {
        /// The system.
        system: String,
        /// The last segment with a translation, from 1; 0 if there is none.
        last: usize,
        /// The number of segments.
        segments: usize,
    },
    /// Many lines end in a space and a full stop: they are probably tokenized.
    Tokenized {
        /// Where: a system, or the references.
        place: String,
        /// The number of such lines.
        count: usize,
    },
    /// A system's output equals the reference in every line.
    SameAsReference {
        /// The system.
        system: String,
    },
    /// Many hypotheses are copies of the source.
    Untranslated {
        /// The system.
        system: String,
        /// The number of such lines.
        count: usize,
        /// The number of segments.
        segments: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// Lines are more similar to the references of neighbouring segments than to their own.
    Misaligned {
        /// The system.
        system: String,
        /// The offset, in lines, of the references that are most similar.
        shift: isize,
    },
    /// Lines are more similar to the references of segments anywhere in the text than to their own.
    Shuffled {
        /// The system.
        system: String,
        /// Such a line, from 1.
        line: usize,
        /// The segment whose reference it fits, from 1.
        fits: usize,
    },
    /// Hypotheses that are in another language or script than their references.
    OtherLanguage {
        /// The system.
        system: String,
        /// The share of its lines, in per cent, estimated from some of them.
        percent: usize,
        /// The language or script of these lines.
        language: String,
        /// The language or script of their references.
        reference: String,
    },
    /// Single hypotheses that are in another language or script than their references.
    LinesInOtherLanguage {
        /// The system.
        system: String,
        /// The number of such lines.
        count: usize,
        /// The number of segments.
        segments: usize,
        /// The first of them, from 1.
        first: usize,
        /// The language or script of the first.
        language: String,
    },
    /// References that are not in the target language.
    NotTheTarget {
        /// The target language.
        target: Language,
        /// The language or script of the references.
        found: String,
    },
    /// A metric that does not fit the language of the references.
    Metric {
        /// Why.
        warning: LanguageWarning,
        /// Whether the language was found in the text, and not given by the caller.
        detected: bool,
    },
    /// METEOR for a language that is written in another script than the references.
    MeteorScript {
        /// METEOR's language.
        used: String,
        /// The script of the references.
        script: String,
    },
    /// A character inside a line that other tools treat as a line end.
    LineSeparators {
        /// Where: a system, or the references.
        place: String,
        /// How many lines have one.
        count: usize,
        /// The first of them, from 1.
        first: usize,
        /// The character.
        character: char,
    },
    /// A byte order mark at the start.
    ByteOrderMark {
        /// Where: a system, or the references.
        place: String,
    },
}

impl Warning {
    /// Whether the metric would fit if the caller said which language the text is in, and what that language is, if it is known.
    pub fn is_solved_by_language(&self) -> Option<Option<&Language>> {
        match self {
            Warning::Metric { warning, detected: true } if warning.is_solved_by_language() => {
                Some(Some(warning.language()))
            }
            Warning::MeteorScript { .. } => Some(None),
            _ => None,
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::EmptyHypotheses { system, count, first } => {
                let lines = counted(*count, "empty line");
                write!(f, "{system}: {lines}, the first is line {first}; scored as it stands")
            }
            Warning::EmptyReferences { count, first } => {
                let segments = counted(*count, "segment");
                write!(
                    f,
                    "the references: {segments} with an empty one, the first is line {first}; scored as it stands"
                )
            }
            Warning::Truncated { system, last, segments } => {
                write!(f, "{system}: nothing after line {last} of {segments}: did the system stop early?")
            }
            Warning::Tokenized { place, count } => write!(
                f,
                "{place}: {count} lines end in a full stop set apart: the text looks tokenized; scores of tokenized \
                 text cannot be compared with published ones, so detokenize it"
            ),
            Warning::SameAsReference { system } => {
                write!(f, "{system}: every line equals a reference: is it the right file?")
            }
            Warning::Untranslated { system, count, segments, first } => {
                let lines = lines_with_first(*count, *segments, *first, ["is a copy", "are copies"]);
                write!(f, "{system}: {lines} of the source")
            }
            Warning::LinesInOtherLanguage { system, count, segments, first, language } => {
                // Not every language shows in a single line.
                let at_least = if *count > 1 { "at least " } else { "" };
                let lines = lines_with_first(*count, *segments, *first, ["is in", "are in"]);
                write!(
                    f,
                    "{system}: {at_least}{lines} another language than the reference ({language}): not translated?"
                )
            }
            Warning::Misaligned { system, shift } => {
                let side = if *shift > 0 { "further on" } else { "before" };
                let lines = counted(shift.unsigned_abs(), "line");
                write!(
                    f,
                    "{system}: lines fit the references {lines} {side} better than their own: is one missing or doubled?"
                )
            }
            Warning::Shuffled { system, line, fits } => write!(
                f,
                "{system}: lines fit the references of other segments better than their own (line {line} fits that of \
                 line {fits}): are they in another order?"
            ),
            Warning::OtherLanguage { system, percent, language, reference } => {
                let lines = if *percent > 95 {
                    "the text is".to_owned()
                } else {
                    format!("about {percent}% of the lines are")
                };
                write!(
                    f,
                    "{system}: {lines} in {language}, the reference in {reference}: is it the right file?"
                )
            }
            Warning::NotTheTarget { target, found } => {
                write!(f, "the target language is {}, but the references are in {found}", target.name())
            }
            Warning::Metric { warning, .. } => write!(f, "{warning}"),
            Warning::MeteorScript { used, script } => write!(
                f,
                "meteor: the references are in {script}, and METEOR is set to {used} (choose the language with meteor:lang=…)"
            ),
            Warning::LineSeparators { place, count, first, character } => {
                let lines = counted(*count, "line");
                let name = if *character == '\r' {
                    "\\r".into()
                } else {
                    format!("U+{:04X}", u32::from(*character))
                };
                write!(
                    f,
                    "{place}: {lines} with a line separator inside, the first is line {first} ({name}); tercet ends \
                     lines at \\n only, other tools may split here"
                )
            }
            Warning::ByteOrderMark { place } => write!(
                f,
                "{place}: starts with a byte order mark, which is scored as a part of the first word; remove it"
            ),
        }
    }
}

/// `1 line`, `2 lines`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `line 3 of 9 is`, `2 of 9 lines (the first is line 3) are`.
fn lines_with_first(count: usize, segments: usize, first: usize, [is, are]: [&str; 2]) -> String {
    match count {
        1 => format!("line {first} of {segments} {is}"),
        _ => format!("{count} of {segments} lines (the first is line {first}) {are}"),
    }
}
