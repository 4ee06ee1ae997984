//! The search for shifts: which order of the hypothesis's words is near the reference.
//!
//! Every round tries all moves. A move leaves the line as it was before the moved phrase and its target, so the distance
//! matrix of the line is kept and only the rest is computed anew, bit-parallel. Exchanging two neighbouring phrases
//! changes the distance by at most twice the length of the shorter one, which spares most of the small moves once a
//! large gain is found; and no order is nearer than the words themselves allow, which ends many searches at once.

use super::shift_cost::shared_start;
use crate::text::DistanceColumn;

/// Steps (64 rows of a distance matrix, or a word compared) after which no further move is made.
const MOST_STEPS: u64 = 1 << 31;

const NONE: usize = usize::MAX;

/// The hypothesis with its words shifted.
pub(super) struct Shifted {
    pub(super) words: Vec<u32>,
    /// Whether the search came to its end, or was cut short.
    pub(super) finished: bool,
}

/// Shifts phrases of the hypothesis until no shift brings it nearer to the reference. Words are numbered in the order
/// that decides between equally good moves.
pub(super) fn shift_towards(reference: &[u32], hypothesis: Vec<u32>) -> Shifted {
    search(reference, hypothesis, MOST_STEPS)
}

pub(super) fn search(reference: &[u32], mut words: Vec<u32>, steps: u64) -> Shifted {
    if words == reference {
        return Shifted {
            words,
            finished: true,
        };
    }
    let mut search = Search::new(reference, &words, steps);
    loop {
        let distance = search.remember(&words);
        if distance == search.nearest {
            break;
        }
        match search.best_move(&words, distance) {
            Some(moved) => words = moved,
            None => break,
        }
    }
    Shifted {
        words,
        finished: search.steps_left > 0,
    }
}

/// Moving the phrase of this length at `start` to stand at `target`.
#[derive(Clone, Copy)]
struct Move {
    start: usize,
    length: usize,
    target: usize,
}

impl Move {
    /// How many words the phrase passes.
    fn passed(self) -> usize {
        self.start.abs_diff(self.target)
    }

    /// The first position that changes.
    fn first(self) -> usize {
        self.start.min(self.target)
    }

    fn apply(self, words: &[u32], moved: &mut Vec<u32>) {
        moved.clear();
        moved.extend_from_slice(words);
        let (start, end) = (self.start, self.start + self.length);
        if self.target < start {
            moved[self.target..end].rotate_right(self.length);
        } else {
            moved[start..self.target + self.length].rotate_left(self.length);
        }
    }
}

struct Search<'r> {
    reference: &'r [u32],
    /// Where each word first stands in the reference, and for each position where its word stands next.
    first: Vec<usize>,
    next: Vec<usize>,
    /// The least distance that any order of the hypothesis's words has.
    nearest: usize,
    column: DistanceColumn<u32>,
    /// Each word's slot in the column.
    slots: Vec<usize>,
    /// The column after each prefix of the line, and the distance of the prefix to the whole reference.
    positive: Vec<u64>,
    negative: Vec<u64>,
    distances: Vec<usize>,
    blocks: usize,
    steps_left: u64,
}

impl<'r> Search<'r> {
    fn new(reference: &'r [u32], words: &[u32], steps: u64) -> Self {
        let known = reference.iter().chain(words).max();
        let known = known.map_or(0, |&word| word as usize + 1);
        let mut first = vec![NONE; known];
        let mut next = vec![NONE; reference.len()];
        for (position, &word) in reference.iter().enumerate().rev() {
            next[position] = first[word as usize];
            first[word as usize] = position;
        }
        let column = DistanceColumn::new(reference);
        Search {
            nearest: words.len().max(reference.len()) - matches(reference, words, known),
            slots: (0..known).map(|word| column.slot(&(word as u32))).collect(),
            reference,
            first,
            next,
            column,
            positive: Vec::new(),
            negative: Vec::new(),
            distances: Vec::new(),
            blocks: reference.len().div_ceil(64),
            steps_left: steps,
        }
    }

    /// Computes the columns of a line and keeps them. Returns its distance to the reference.
    fn remember(&mut self, words: &[u32]) -> usize {
        self.positive.clear();
        self.negative.clear();
        self.distances.clear();
        let blocks = self.blocks;
        let empty = (vec![!0; blocks], vec![0; blocks]);
        self.column.restore((&empty.0, &empty.1), self.reference.len());
        self.keep();
        for &word in words {
            self.column.advance(self.slots[word as usize]);
            self.keep();
        }
        self.column.distance()
    }

    fn keep(&mut self) {
        let (positive, negative) = self.column.differences();
        self.positive.extend_from_slice(positive);
        self.negative.extend_from_slice(negative);
        self.distances.push(self.column.distance());
    }

    /// The line after the move that brings it nearest, if one brings it nearer than `distance`; the greatest line of
    /// several.
    fn best_move(&mut self, words: &[u32], distance: usize) -> Option<Vec<u32>> {
        let (mut best_distance, mut best) = (distance - 1, Vec::new());
        let mut moved = Vec::with_capacity(words.len());
        for (start, &word) in words.iter().enumerate() {
            let mut position = self.first[word as usize];
            while position != NONE {
                if self.steps_left == 0 {
                    return None;
                }
                let candidate = self.move_to(position, start, words);
                let same_place = position == start;
                position = self.next[position];
                let gain = 2 * candidate.length.min(candidate.passed());
                if same_place || gain == 0 || distance.saturating_sub(gain) > best_distance {
                    continue;
                }
                candidate.apply(words, &mut moved);
                let reached = self.distance_after(candidate.first(), &moved);
                if reached < best_distance || (reached == best_distance && moved > best) {
                    best_distance = reached;
                    std::mem::swap(&mut best, &mut moved);
                }
            }
        }
        (!best.is_empty()).then_some(best)
    }

    /// The longest phrase from `start` that also stands at `position` of the reference, to be moved there; at the end
    /// where the line is too short.
    fn move_to(&mut self, position: usize, start: usize, words: &[u32]) -> Move {
        let length = shared_start(&words[start..], &self.reference[position..]);
        self.spend(length);
        Move {
            start,
            length,
            target: position.min(words.len() - length),
        }
    }

    /// The distance of a line that is as the remembered one up to a position.
    fn distance_after(&mut self, same: usize, words: &[u32]) -> usize {
        self.spend(self.blocks * (words.len() - same));
        let columns = same * self.blocks..(same + 1) * self.blocks;
        let differences = (&self.positive[columns.clone()], &self.negative[columns]);
        self.column.restore(differences, self.distances[same]);
        for &word in &words[same..] {
            self.column.advance(self.slots[word as usize]);
        }
        self.column.distance()
    }

    fn spend(&mut self, steps: usize) {
        self.steps_left = self.steps_left.saturating_sub(steps as u64);
    }
}

/// How many words have a partner in the reference, wherever it stands.
fn matches(reference: &[u32], words: &[u32], known: usize) -> usize {
    let mut unmatched = vec![0usize; known];
    for &word in reference {
        unmatched[word as usize] += 1;
    }
    let mut matches = 0;
    for &word in words {
        if let left @ 1.. = &mut unmatched[word as usize] {
            *left -= 1;
            matches += 1;
        }
    }
    matches
}
