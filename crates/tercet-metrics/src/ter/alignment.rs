//! Which words of hypothesis and reference an optimal sequence of edits aligns, and which are errors.

/// One step of a sequence of edits that turns the hypothesis into the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Equal words.
    Match,
    /// A word for another.
    Substitution,
    /// A word of the hypothesis that the reference lacks: an insertion, in tercom's words.
    Extra,
    /// A word of the reference that the hypothesis lacks: a deletion.
    Missing,
}

/// The alignment of a sequence of edits, indexed for the search for shifts.
#[derive(Default)]
pub(super) struct Alignment {
    /// For each reference word, after a first zero: how many hypothesis words come before its right-hand side.
    after: Vec<u32>,
    /// The number of errors among the first i words of the hypothesis.
    hypothesis_errors: Vec<u32>,
    /// The same for the reference.
    reference_errors: Vec<u32>,
    /// All steps, the last one first.
    pub(super) steps: Vec<Step>,
    pub(super) insertions: u32,
    pub(super) deletions: u32,
    pub(super) substitutions: u32,
}

impl Alignment {
    /// Follows the steps back from the ends of both sentences; `step` returns the last step to `(i, j)`, reached
    /// after `i` words of the hypothesis and `j` of the reference, both at least one.
    pub(super) fn retrace(&mut self, hypothesis: usize, reference: usize, step: impl Fn(usize, usize) -> Step) {
        self.clear(hypothesis, reference);
        let (mut i, mut j) = (hypothesis, reference);
        while i > 0 || j > 0 {
            let step = match (i, j) {
                (0, _) => Step::Missing,
                (_, 0) => Step::Extra,
                _ => step(i, j),
            };
            self.steps.push(step);
            if step != Step::Extra {
                self.after[j] = i as u32;
                self.reference_errors[j] = u32::from(step != Step::Match);
                j -= 1;
            }
            if step != Step::Missing {
                self.hypothesis_errors[i] = u32::from(step != Step::Match);
                i -= 1;
            }
            match step {
                Step::Match => {}
                Step::Substitution => self.substitutions += 1,
                Step::Extra => self.insertions += 1,
                Step::Missing => self.deletions += 1,
            }
        }
        accumulate(&mut self.hypothesis_errors);
        accumulate(&mut self.reference_errors);
    }

    fn clear(&mut self, hypothesis: usize, reference: usize) {
        self.steps.clear();
        self.after.clear();
        self.after.resize(reference + 1, 0);
        self.hypothesis_errors.clear();
        self.hypothesis_errors.resize(hypothesis + 1, 0);
        self.reference_errors.clear();
        self.reference_errors.resize(reference + 1, 0);
        (self.insertions, self.deletions, self.substitutions) = (0, 0, 0);
    }

    /// Whether any hypothesis word in `start..end` is an error.
    pub(super) fn hypothesis_has_error(&self, start: usize, end: usize) -> bool {
        self.hypothesis_errors[start] != self.hypothesis_errors[end]
    }

    /// Whether a block of the hypothesis should be tried at a position of the reference with the same words: some of
    /// its words are errors, some of those reference words are, and it is not aligned there already.
    pub(super) fn is_misplaced(&self, start: usize, position: usize, length: usize) -> bool {
        let there = self.after[position + 1] as usize;
        self.hypothesis_has_error(start, start + length)
            && self.reference_errors[position] != self.reference_errors[position + length]
            && !(start < there && there <= start + length)
    }

    /// Where in the hypothesis to put a block that equals `length` reference words from `position` on: behind what
    /// precedes them, or behind any one of them.
    pub(super) fn targets(&self, position: usize, length: usize) -> &[u32] {
        &self.after[position..=position + length]
    }
}

fn accumulate(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}
