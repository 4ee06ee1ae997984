//! Warnings about suspicious input; it is scored all the same.

mod languages;
mod order;

pub use languages::{check_metrics, fitted_to_another_language};

use super::{Corpus, System};
use crate::metrics::LanguageWarning;
use crate::text::{Language, is_line_separator, is_whitespace};
use languages::ReferenceLanguage;
use order::check_order;
use std::fmt;

/// As many lines of a text are looked at where not all are needed.
const SAMPLE: usize = 200;

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

/// All warnings about a corpus, systems in order.
pub fn check(corpus: &Corpus<'_>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    check_references(corpus, &mut warnings);
    let references = ReferenceLanguage::detect(corpus);
    for system in corpus.systems() {
        check_text(&system.name, system.hypotheses.iter().copied(), &mut warnings);
        check_empty(corpus, system, &mut warnings);
        check_tokenized(&system.name, system.hypotheses.iter().copied(), &mut warnings);
        check_copies(corpus, system, &mut warnings);
        check_order(corpus, system, &mut warnings);
        if let Some(references) = &references {
            references.check(system, &mut warnings);
        }
    }
    warnings
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

fn check_references(corpus: &Corpus<'_>, warnings: &mut Vec<Warning>) {
    let empty = |references: &Vec<&str>| references.iter().any(|reference| is_blank(reference));
    let segments = corpus.references().iter();
    if let Some((count, first)) = count_and_first(segments.map(empty)) {
        warnings.push(Warning::EmptyReferences { count, first });
    }
    let most = corpus.references().iter().map(Vec::len).max().unwrap_or(0);
    for i in 0..most {
        let place = if most == 1 { "the reference".to_owned() } else { format!("reference {}", i + 1) };
        let lines =
            corpus.references().iter().map(|references| references.get(i).copied().unwrap_or_default());
        check_text(&place, lines.clone(), warnings);
        check_tokenized(&place, lines, warnings);
    }
}

fn check_text<'a>(place: &str, lines: impl Iterator<Item = &'a str> + Clone, warnings: &mut Vec<Warning>) {
    if lines.clone().next().is_some_and(|line| line.starts_with('\u{feff}')) {
        warnings.push(Warning::ByteOrderMark { place: place.to_owned() });
    }
    let separator = |line: &str| line.chars().find(|c| is_line_separator(*c));
    // A byte test first: nearly all lines have none of the bytes that these characters consist of.
    let is_suspicious = |byte: &u8| *byte < b' ' || *byte == 0xc2 || *byte == 0xe2;
    let suspicious =
        |line: &str| line.as_bytes().iter().fold(false, |found, byte| found | is_suspicious(byte));
    let flags = lines.clone().map(|line| suspicious(line) && separator(line).is_some());
    if let Some((count, first)) = count_and_first(flags) {
        let character = lines.clone().nth(first - 1).and_then(separator).unwrap_or_default();
        warnings.push(Warning::LineSeparators { place: place.to_owned(), count, first, character });
    }
}

fn check_empty(corpus: &Corpus<'_>, system: &System<'_>, warnings: &mut Vec<Warning>) {
    let full = |references: &Vec<&str>| references.iter().any(|reference| !is_blank(reference));
    let lines = system.hypotheses.iter().zip(corpus.references());
    let flags = lines.map(|(hypothesis, references)| is_blank(hypothesis) && full(references));
    let Some((count, first)) = count_and_first(flags) else {
        return;
    };
    let segments = corpus.len();
    let last = segments - system.hypotheses.iter().rev().take_while(|line| is_blank(line)).count();
    let name = system.name.clone();
    // One empty line at the end may be real output; several mean that the system stopped early.
    if segments - last >= 3.max(segments / 100) && last > 0 {
        warnings.push(Warning::Truncated { system: name, last, segments });
    } else {
        warnings.push(Warning::EmptyHypotheses { system: name, count, first });
    }
}

/// sacreBLEU's rule: a hundred lines that end in a space and a full stop.
fn check_tokenized<'a>(place: &str, lines: impl Iterator<Item = &'a str>, warnings: &mut Vec<Warning>) {
    let count = lines.filter(|line| line.ends_with(" .")).count();
    if count >= 100 {
        warnings.push(Warning::Tokenized { place: place.to_owned(), count });
    }
}

fn check_copies(corpus: &Corpus<'_>, system: &System<'_>, warnings: &mut Vec<Warning>) {
    let is_reference = |(hypothesis, references): (&&str, &Vec<&str>)| references.contains(hypothesis);
    if corpus.len() >= 10 && system.hypotheses.iter().zip(corpus.references()).all(is_reference) {
        warnings.push(Warning::SameAsReference { system: system.name.clone() });
    }
    let Some(sources) = corpus.sources() else { return };
    // Short lines may be names or numbers, which stay as they are; whole texts of them do not.
    let long =
        |line: &str| line.split(' ').nth(3).is_some() || line.chars().filter(|c| *c >= '\u{e00}').count() > 9;
    let equal = |(hypothesis, source): &(&&str, &&str)| hypothesis == source && !is_blank(source);
    let copies: Vec<&str> =
        system.hypotheses.iter().zip(sources).filter(equal).map(|(line, _)| *line).collect();
    let count = copies.len();
    let long = copies.into_iter().filter(|line| long(line)).count();
    if long >= 3.max(corpus.len() / 50) || count >= 3.max(corpus.len() / 2) {
        warnings.push(Warning::Untranslated { system: system.name.clone(), count, segments: corpus.len() });
    }
}

fn is_blank(line: &str) -> bool {
    line.chars().all(is_whitespace)
}

/// `1 line`, `2 lines`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn count_and_first(flags: impl Iterator<Item = bool>) -> Option<(usize, usize)> {
    let mut found = flags.enumerate().filter(|(_, flag)| *flag).map(|(i, _)| i + 1);
    let first = found.next()?;
    Some((found.count() + 1, first))
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
            Warning::Untranslated { system, count, segments } => {
                write!(f, "{system}: {count} of {segments} lines are copies of the source")
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
                "{place}: starts with a byte order mark, which is scored as a part of the first word; remove it with \
                 sed '1s/^\\xEF\\xBB\\xBF//'"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(hypotheses: &[&str], references: &[&str], sources: Option<&[&str]>) -> Vec<String> {
        let system = System { name: "sys".to_owned(), hypotheses: hypotheses.to_vec() };
        let references = references.iter().map(|reference| vec![*reference]).collect();
        let mut corpus = Corpus::new(vec![system], references).unwrap();
        if let Some(sources) = sources {
            corpus = corpus.with_sources(sources.to_vec()).unwrap();
        }
        check(&corpus).iter().map(Warning::to_string).collect()
    }

    #[test]
    fn clean_text_gives_no_warning() {
        assert_eq!(warnings(&["Hello there.", "Good night."], &["Hi there.", "Sleep well."], None), [""; 0]);
    }

    #[test]
    fn oddities_are_named_with_their_line() {
        let found = warnings(&["\u{feff}a", "", "b\rc"], &["x", "y", ""], None);
        assert!(
            found[0].starts_with("the references: 1 segment with an empty one, the first is line 3"),
            "{found:?}"
        );
        assert!(found.iter().any(|w| w.starts_with("sys: starts with a byte order mark")));
        assert!(found.iter().any(|w| w.starts_with("sys: 1 line with a line separator inside, the first is line 3 (\\r)")));
        assert!(found.iter().any(|w| w.starts_with("sys: 1 empty line, the first is line 2")));
    }

    #[test]
    fn a_broken_off_output_a_copy_and_tokens_are_noticed() {
        let lines: Vec<String> = (0..200).map(|i| format!("this is line number {i} .")).collect();
        let full: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut cut = full.clone();
        cut[150..].fill("");
        assert!(warnings(&cut, &full, None).iter().any(|w| w.contains("nothing after line 150 of 200")));
        let copied = warnings(&full, &full, Some(&full));
        assert!(copied.iter().any(|w| w.contains("every line equals a reference")));
        assert!(copied.iter().any(|w| w.contains("200 of 200 lines are copies of the source")));
        for place in ["sys", "the reference"] {
            let start = format!("{place}: 200 lines end in a full stop set apart: the text looks tokenized");
            assert!(copied.iter().any(|w| w.starts_with(&start)), "{copied:?}");
        }
    }

    #[test]
    fn a_missing_line_is_noticed() {
        let words = ["river", "mountain", "window", "orange", "kettle", "pencil", "garden"];
        let line = |i: usize| {
            (0..6).map(|k| words[(i * (k + 2) + i / 7) % 7].to_owned() + &i.to_string()).collect::<Vec<_>>()
        };
        let lines: Vec<String> = (0..101).map(|i| line(i).join(" ")).collect();
        let references: Vec<&str> = lines[..100].iter().map(String::as_str).collect();
        let shifted: Vec<&str> = lines[1..].iter().map(String::as_str).collect();
        let found = warnings(&shifted, &references, None);
        assert!(found.iter().any(|w| w.contains("fit the references 1 line further on")), "{found:?}");
    }
}
