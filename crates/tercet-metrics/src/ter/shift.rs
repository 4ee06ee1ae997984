//! Moves of a block of words, and which moves to try.

use super::Limits;
use super::alignment::Alignment;
use super::reference::Reference;
use std::cmp::Ordering;
use tercet_base::stop;

/// Moves `length` words at `start` before the word at `target`; both are positions before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    pub(super) start: u32,
    pub(super) length: u32,
    pub(super) target: u32,
}

/// A move seen as the exchange of two neighbouring blocks, `first..middle` and `middle..end`. Words outside stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exchange {
    pub(super) first: usize,
    pub(super) middle: usize,
    pub(super) end: usize,
}

impl Shift {
    /// The equivalent exchange in a hypothesis of `words` words. A target inside the block moves it that many words
    /// to the right, as in the tools.
    pub(super) fn exchange(self, words: usize) -> Exchange {
        let (start, length, target) = (self.start as usize, self.length as usize, self.target as usize);
        if target < start {
            return Exchange { first: target, middle: start, end: start + length };
        }
        let end = if target > start + length { target } else { (target + length).min(words) };
        Exchange { first: start, middle: start + length, end }
    }

    /// Which of two moves that save equally many edits is made: the longer, the earlier, the one that goes less far
    /// to the right. The preferred one is greater.
    pub(super) fn preference(self, other: Shift) -> Ordering {
        let key = |shift: Shift| (shift.length, u32::MAX - shift.start, u32::MAX - shift.target);
        key(self).cmp(&key(other))
    }
}

impl Exchange {
    /// Whether nothing moves.
    pub(super) fn is_void(self) -> bool {
        self.first == self.middle || self.middle == self.end
    }

    /// A bound on the edits it saves: taking the shorter block out and putting it back costs as many as it has words,
    /// twice.
    pub(super) fn most_saved(self) -> u32 {
        2 * (self.middle - self.first).min(self.end - self.middle) as u32
    }

    /// Makes the move.
    pub(super) fn apply<T>(self, words: &mut [T]) {
        words[self.first..self.end].rotate_left(self.middle - self.first);
    }
}

/// Lists the moves of blocks that are misplaced, to where the reference has the same words, in the tools' order. A
/// move is listed as often as the tools try it. Returns whether there were fewer than `most`.
pub(super) fn list_shifts(
    hypothesis: &[u32],
    reference: &Reference,
    alignment: &Alignment,
    limits: &Limits,
    most: usize,
    shifts: &mut Vec<Shift>,
) -> bool {
    shifts.clear();
    for start in 0..hypothesis.len() {
        let furthest = (start + limits.shift_size).min(hypothesis.len());
        if !alignment.hypothesis_has_error(start, furthest) {
            continue;
        }
        stop::steps(32);
        for position in reference.positions_near(hypothesis[start], start, limits.shift_distance) {
            let longest = (furthest - start).min(reference.words.len() - position);
            for length in 1..=longest {
                if hypothesis[start + length - 1] != reference.words[position + length - 1] {
                    break;
                }
                if alignment.is_misplaced(start, position, length) {
                    push_targets(start, position, length, alignment, shifts);
                    if shifts.len() >= most {
                        return false;
                    }
                }
            }
        }
    }
    true
}

/// Every target of a block; adjacent targets with the same result only once.
fn push_targets(start: usize, position: usize, length: usize, alignment: &Alignment, shifts: &mut Vec<Shift>) {
    let mut previous = u32::MAX;
    for &target in alignment.targets(position, length) {
        if target != previous {
            previous = target;
            shifts.push(Shift { start: start as u32, length: length as u32, target });
        }
    }
}
