//! Texts with some of their words in brackets, in lines that fit a terminal.
//!
//! The marks are plain characters, so that they survive a pipe or a file.

use super::terminal::{Style, Terminal};
use crate::metrics::{Difference, DifferenceKind, ExplainedWord};
use std::ops::Range;
use tercet_text::visible;
use unicode_width::UnicodeWidthStr;

/// The width of a line where there is no terminal, and the widest and narrowest that is used.
const COLUMNS: usize = 100;
const NARROWEST: usize = 40;
/// The widths of the columns before texts: the segment's number, then the label.
const INDENT: usize = 6;
const LABEL: usize = 5;

/// A word or, in text without spaces, a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// With its brackets.
    pub(super) text: String,
    /// Whether it is marked.
    pub(super) is_marked: bool,
    /// Whether it starts a word, so that there is a space before it.
    pub(super) starts: bool,
}

/// The words of a text, none of them marked.
pub(super) fn unmarked(text: &str) -> Vec<Unit> {
    explained(text, &[])
}

/// A line that says what differs beside marked words, or that nothing is marked; else nothing.
pub(super) fn beside_marks(
    hypothesis: &[Unit],
    reference: &[Unit],
    differences: &[Difference],
    terminal: Terminal,
) -> String {
    if differences.is_empty() {
        return without_marks(hypothesis, reference, terminal);
    }
    let all: Vec<String> = differences.iter().map(said).collect();
    wrapped("", &unmarked(&format!("({})", all.join("; "))), Style::Strong, terminal)
}

/// A difference in words: `numbers differ: 14 here, 41 there`.
fn said(difference: &Difference) -> String {
    let listed = |words: &[String]| if words.is_empty() { "none".to_owned() } else { words.join(", ") };
    let (own, other) = (listed(&difference.hypothesis), listed(&difference.reference));
    match difference.kind {
        DifferenceKind::Score => "all words have a partner, but the score is low: look at order and meaning".to_owned(),
        kind => format!("{}: {own}; in the reference: {other}", kind.name()),
    }
}

/// A line that says so if no word of a translation and its reference is marked; else nothing.
fn without_marks(hypothesis: &[Unit], reference: &[Unit], terminal: Terminal) -> String {
    if hypothesis.iter().chain(reference).any(|unit| unit.is_marked) {
        return String::new();
    }
    let note = if hypothesis == reference {
        "(no marks: both have the same words)"
    } else {
        "(no marks: no word stands out, which says nothing of numbers, names, negation and order: read both)"
    };
    wrapped("", &unmarked(note), Style::Strong, terminal)
}

/// A text whose words without a good partner are in brackets; words that follow each other share one pair.
pub(super) fn explained(line: &str, words: &[ExplainedWord]) -> Vec<Unit> {
    let runs = words.chunk_by(|one, other| one.is_matched == other.is_matched);
    let span = |run: &[ExplainedWord]| run[0].bytes.start..run[run.len() - 1].bytes.end;
    let spans: Vec<Range<usize>> = runs.filter(|run| !run[0].is_matched).map(span).collect();
    let mut units = Vec::new();
    let mut end = 0;
    for piece in line.split_inclusive(char::is_whitespace) {
        let start = end;
        end += piece.len();
        let bytes = start..start + piece.trim_end().len();
        if !bytes.is_empty() {
            units.push(bracketed(line, bytes, &spans));
        }
    }
    units
}

/// A part of a line with the brackets that start or end in it.
fn bracketed(line: &str, bytes: Range<usize>, spans: &[Range<usize>]) -> Unit {
    let (mut text, mut at, mut is_marked) = (String::new(), bytes.start, false);
    for span in spans.iter().filter(|span| span.start < bytes.end && span.end > bytes.start) {
        is_marked = true;
        if span.start >= bytes.start {
            text += &format!("{}[", visible(&line[at..span.start]));
            at = span.start;
        }
        if span.end <= bytes.end {
            text += &format!("{}]", visible(&line[at..span.end]));
            at = span.end;
        }
    }
    text += &visible(&line[at..bytes.end]);
    Unit { text, is_marked, starts: true }
}

/// The text on one line.
pub(super) fn joined(units: &[Unit]) -> String {
    units.iter().map(|unit| unit.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Wraps a text into lines, the first with a label; what is marked has the style.
pub(super) fn wrapped(label: &str, units: &[Unit], style: Style, terminal: Terminal) -> String {
    let room = terminal.width.unwrap_or(COLUMNS).clamp(NARROWEST, COLUMNS) - INDENT - LABEL;
    let mut lines = vec![String::new()];
    let mut used = 0;
    let all = units.iter().flat_map(|unit| pieces(&unit.text, room).into_iter().map(move |piece| (unit, piece)));
    for (unit, (word, starts_unit)) in all {
        let (gap, width) = (usize::from(starts_unit && unit.starts && used > 0), word.width());
        let word = if unit.is_marked { terminal.styled(style, &word) } else { word };
        if used + gap + width > room {
            lines.push(word);
            used = width;
            continue;
        }
        let line = lines.last_mut().expect("there is a line");
        line.push_str(&" ".repeat(gap));
        line.push_str(&word);
        used += gap + width;
    }
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    let line = |(label, line): (&str, String)| {
        let written = format!("{:INDENT$}{label:<LABEL$}{line}", "");
        format!("{}\n", written.trim_end())
    };
    labels.zip(lines).map(line).collect()
}

/// A word, or pieces of one wider than a line; each with whether it starts the word.
fn pieces(word: &str, room: usize) -> Vec<(String, bool)> {
    if word.width() <= room {
        return vec![(word.to_owned(), true)];
    }
    word.chars().enumerate().map(|(i, c)| (c.to_string(), i == 0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(line: &str, unmatched: &[&str]) -> String {
        let word = |word: &str| {
            let start = word.as_ptr() as usize - line.as_ptr() as usize;
            let letters = word.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
            let is_matched = !unmatched.contains(&&word[..letters]);
            ExplainedWord { bytes: start..start + letters, partner: None, similarity: 0.0, is_matched }
        };
        joined(&explained(line, &line.split_whitespace().map(word).collect::<Vec<_>>()))
    }

    #[test]
    fn words_without_a_partner_stand_in_brackets_and_neighbours_share_them() {
        assert_eq!(marked("The baker, said Ana, opens.", &["baker"]), "The [baker], said Ana, opens.");
        assert_eq!(
            marked("The baker, said Ana, opens.", &["said", "baker", "opens"]),
            "The [baker, said] Ana, [opens]."
        );
        assert_eq!(marked("  one\ttwo \u{1b}[31m three ", &["two"]), "one [two] \u{fffd}[31m three");
        assert_eq!(marked("", &[]), "");
    }
}
