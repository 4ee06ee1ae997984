//! METEOR's alignment, word by word: which module matched it, or none.

use super::{Meteor, Module};
use crate::error::Result;
use crate::word_marks::{UNMATCHED, located};
use crate::{MarkKind, MarkWords, Segment, WordMarks};

const KINDS: &[MarkKind] = &[
    UNMATCHED,
    MarkKind { code: 't', name: "stem", meaning: "matches a word of the same stem", is_error: false },
    MarkKind { code: 'y', name: "synonym", meaning: "matches a synonym", is_error: false },
    MarkKind { code: 'p', name: "paraphrase", meaning: "matches a paraphrase", is_error: false },
];

impl MarkWords for Meteor {
    fn kinds(&self) -> &'static [MarkKind] {
        KINDS
    }

    fn mark(&self, segments: &[Segment<'_>]) -> Result<Vec<WordMarks>> {
        Ok(segments.iter().map(|segment| self.mark_segment(segment)).collect())
    }
}

impl Meteor {
    fn mark_segment(&self, segment: &Segment<'_>) -> WordMarks {
        let found = self.align(segment.hypothesis, segment.references);
        let mut hypothesis = vec![Some(UNMATCHED.code); found.hypothesis.len()];
        let mut reference = vec![Some(UNMATCHED.code); found.reference.len()];
        for phrase in &found.matches {
            let code = code(phrase.module);
            hypothesis[phrase.hypothesis.clone()].fill(code);
            reference[phrase.reference.clone()].fill(code);
        }
        let line = segment.references.get(found.reference_number).copied().unwrap_or_default();
        WordMarks {
            reference: found.reference_number,
            hypothesis_marks: located(segment.hypothesis, found.hypothesis.iter().map(String::as_str), hypothesis),
            reference_marks: located(line, found.reference.iter().map(String::as_str), reference),
        }
    }
}

/// The code of a match; `None` for the same word.
fn code(module: Module) -> Option<char> {
    match module {
        Module::Exact => None,
        Module::Stem => Some('t'),
        Module::Synonym => Some('y'),
        Module::Paraphrase => Some('p'),
    }
}
