//! The edits of TER, word by word.

use super::Ter;
use super::alignment::Step;
use super::search::Search;
use crate::error::Result;
use crate::{MarkKind, MarkWords, Segment, WordMarks};

const SUBSTITUTION: char = 's';
const INSERTION: char = 'i';
const DELETION: char = 'd';
const SHIFT: char = 'm';

const KINDS: &[MarkKind] = &[
    MarkKind { code: SUBSTITUTION, name: "substitution", meaning: "is in the place of another word", is_error: true },
    MarkKind { code: INSERTION, name: "insertion", meaning: "is not in the reference", is_error: true },
    MarkKind { code: DELETION, name: "deletion", meaning: "is missing in the translation", is_error: true },
    MarkKind { code: SHIFT, name: "shift", meaning: "is at another place in the other text", is_error: true },
];

impl MarkWords for Ter {
    fn kinds(&self) -> &'static [MarkKind] {
        KINDS
    }

    fn mark(&self, segments: &[Segment<'_>]) -> Result<Vec<WordMarks>> {
        Ok(self.counter.mark(segments))
    }
}

/// The edit of each word, as the code of a mark; `None` for words that match where they stand.
pub(super) struct EditsOfWords {
    pub(super) hypothesis: Vec<Option<char>>,
    pub(super) reference: Vec<Option<char>>,
}

impl EditsOfWords {
    /// What the last search found, for a hypothesis of so many words.
    pub(super) fn new(search: &Search, words: usize) -> Self {
        // The words in their order after the shifts, and which of them were moved.
        let (mut order, mut is_moved): (Vec<usize>, Vec<bool>) = ((0..words).collect(), vec![false; words]);
        for shift in search.shifts_made() {
            let block = shift.start as usize..(shift.start + shift.length) as usize;
            order[block].iter().for_each(|&word| is_moved[word] = true);
            shift.exchange(words).apply(&mut order);
        }
        let mut edits = EditsOfWords { hypothesis: vec![None; words], reference: Vec::new() };
        let mut order = order.into_iter();
        for step in search.steps() {
            let word = if step == Step::Missing { None } else { order.next() };
            let code = match step {
                Step::Match => word.filter(|&word| is_moved[word]).map(|_| SHIFT),
                Step::Substitution => Some(SUBSTITUTION),
                Step::Extra => Some(INSERTION),
                Step::Missing => Some(DELETION),
            };
            if let Some(word) = word {
                edits.hypothesis[word] = code;
            }
            if step != Step::Extra {
                edits.reference.push(code);
            }
        }
        edits
    }
}
