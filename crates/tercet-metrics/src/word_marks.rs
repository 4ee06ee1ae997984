//! What a metric made of each word: matched by its stem, put in, moved, without a partner.

use super::{Explanation, Segment};
use crate::error::Result;
use std::ops::Range;

/// Marks the words of translations and references by what a metric made of them. See
/// [`Metric::marker`](super::Metric::marker).
pub trait MarkWords: Send + Sync {
    /// The kinds of marks, in the order of a legend.
    fn kinds(&self) -> &'static [MarkKind];

    /// The marks of each segment. Segments that share their references should be adjacent.
    fn mark(&self, segments: &[Segment<'_>]) -> Result<Vec<WordMarks>>;

    /// Whether it takes so long that reports mark only some segments.
    fn is_slow(&self) -> bool {
        false
    }
}

/// A kind of mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkKind {
    /// A lower-case letter, its own among the kinds of the metric.
    pub code: char,
    /// Its name in a legend.
    pub name: &'static str,
    /// What it says about the word.
    pub meaning: &'static str,
    /// Whether a word of a translation with this mark is wrong, as the metric sees it: a word with the same stem as its
    /// partner is not.
    pub is_error: bool,
}

/// The marks of a translation and of one of its references. Words that simply match have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WordMarks {
    /// The number of the reference, from 0.
    pub reference: usize,
    /// Marks in the translation, in its order.
    pub hypothesis_marks: Vec<Mark>,
    /// Marks in the reference, in its order.
    pub reference_marks: Vec<Mark>,
}

/// A marked word.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mark {
    /// Its bytes in the line.
    pub bytes: Range<usize>,
    /// The [code](MarkKind::code) of its kind.
    pub code: char,
}

/// The kind of words without a good partner.
pub const UNMATCHED: MarkKind =
    MarkKind { code: 'u', name: "unmatched", meaning: "has no good partner on the other side", is_error: true };

impl From<Explanation> for WordMarks {
    /// Marks the words without a good partner.
    fn from(explanation: Explanation) -> Self {
        let marks = |words: Vec<super::ExplainedWord>| {
            let unmatched = words.into_iter().filter(|word| !word.is_matched);
            unmatched.map(|word| Mark { bytes: word.bytes, code: UNMATCHED.code }).collect()
        };
        WordMarks {
            reference: explanation.reference,
            hypothesis_marks: marks(explanation.hypothesis_words),
            reference_marks: marks(explanation.reference_words),
        }
    }
}

/// The marks of words with a code, where they are found in the line.
pub(super) fn located<'w>(
    line: &str,
    words: impl Iterator<Item = &'w str>,
    codes: impl IntoIterator<Item = Option<char>>,
) -> Vec<Mark> {
    let places = crate::text::word_places(line, words);
    let marked = places.into_iter().zip(codes);
    marked.filter_map(|(place, code)| Some(Mark { bytes: place?, code: code? })).collect()
}

impl WordMarks {
    /// Both lines as runs of marked words: `Eu3s7|Mu10`, the translation, a bar, the reference, then another bar and
    /// the reference's number from 0 unless that is 0. A run is the length of the unmarked text before it to the base
    /// 26 (A is 0), the code of its kind, and its own length in decimal digits; a length of 1 is left out. Marked words
    /// of a kind that follow each other are one run. Lengths are in UTF-16 units, as JavaScript counts.
    pub fn runs(&self, hypothesis: &str, reference: &str) -> String {
        let mut text = runs(hypothesis, &self.hypothesis_marks);
        let of_reference = runs(reference, &self.reference_marks);
        if self.reference > 0 {
            text += &format!("|{of_reference}|{}", self.reference);
        } else if !of_reference.is_empty() {
            text += &format!("|{of_reference}");
        }
        text
    }
}

fn runs(line: &str, marks: &[Mark]) -> String {
    let units = |bytes: Range<usize>| line[bytes].encode_utf16().count();
    let (mut text, mut end, mut i) = (String::new(), 0, 0);
    while let Some(first) = marks.get(i) {
        let mut last = first;
        i += 1;
        while let Some(next) = marks.get(i).filter(|next| next.code == first.code)
            && line[last.bytes.end..next.bytes.start].chars().all(char::is_whitespace)
        {
            last = next;
            i += 1;
        }
        text += &gap(units(end..first.bytes.start));
        text.push(first.code);
        match units(first.bytes.start..last.bytes.end) {
            1 => {}
            length => text += &length.to_string(),
        }
        end = last.bytes.end;
    }
    text
}

/// A number to the base 26 in capital letters, or nothing for 1.
fn gap(units: usize) -> String {
    let (mut digits, mut rest) = (Vec::new(), units);
    while units != 1 && (rest > 0 || digits.is_empty()) {
        digits.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    /// The marked words of translation and reference, each after the code of its mark.
    fn marked(metric: &str, hypothesis: &str, references: &[&str]) -> (Vec<String>, Vec<String>) {
        let metric = Registry::lexical().build(metric).unwrap();
        let marks = metric.marker().unwrap().mark(&[Segment::new(hypothesis, references)]).unwrap().remove(0);
        let words = |line: &str, marks: &[Mark]| {
            marks.iter().map(|mark| format!("{}:{}", mark.code, &line[mark.bytes.clone()])).collect()
        };
        (words(hypothesis, &marks.hypothesis_marks), words(references[marks.reference], &marks.reference_marks))
    }

    #[test]
    fn ter_marks_every_kind_of_edit() {
        let (hypothesis, reference) = marked("ter", "D e a B c zz", &["q w", "a b c d e y"]);
        assert_eq!(hypothesis, ["m:D", "m:e", "s:zz"]);
        assert_eq!(reference, ["m:d", "m:e", "s:y"]);
        assert_eq!(marked("ter", "a b x c", &["a b c"]), (vec!["i:x".to_owned()], vec![]));
        assert_eq!(marked("ter", "a c", &["a b c"]), (vec![], vec!["d:b".to_owned()]));
        assert_eq!(marked("ter", "a b", &[""]), (vec!["i:a".to_owned(), "i:b".to_owned()], vec![]));
    }

    #[test]
    fn meteor_marks_what_is_not_the_same_word() {
        let (hypothesis, reference) =
            marked("meteor", "The cats sat quickly, here.", &["The cat sat rapidly, indeed."]);
        assert_eq!(hypothesis, ["t:cats", "y:quickly", "u:here"]);
        assert_eq!(reference, ["t:cat", "y:rapidly", "u:indeed"]);
    }

    #[test]
    fn runs_are_counted_in_utf_16_units() {
        let mark = |bytes, code| Mark { bytes, code };
        let line = "😀 ab cd, ef";
        let marks = WordMarks {
            reference: 1,
            hypothesis_marks: vec![mark(5..7, 'u'), mark(8..10, 'u'), mark(12..14, 's')],
            reference_marks: vec![mark(0..4, 'd')],
        };
        assert_eq!(marks.runs(line, line), "Du5Cs2|Ad2|1");
        assert_eq!([0, 1, 25, 26, 700].map(gap), ["A", "", "Z", "BA", "BAY"]);
        assert_eq!(WordMarks::default().runs(line, line), "");
    }
}
