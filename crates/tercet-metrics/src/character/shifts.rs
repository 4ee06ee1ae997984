//! The search for shifts that bring the hypothesis nearer to the reference.
//!
//! Every round tries all moves, except those that cannot be the best:
//! - exchanging two neighbouring phrases changes the distance by at most twice the length of the shorter one;
//! - putting a phrase back in changes the distance of the line without it by at most its length, and taking a word out
//!   that of the line with it twice by at most one; [`Cuts`] gives both distances cheaply;
//! - the words alone give a lower bound on the distance, which ends many searches early.
//!
//! A move leaves the line as it was before the moved phrase and its target: only the rest of the distance matrix is
//! recomputed, bit-parallel.

use super::cuts::Cuts;
use super::shift_cost::shared_start;
use crate::text::DistanceColumn;
use tercet_base::stop;

/// Steps (64 rows of a distance matrix, or a word compared) after which no further move is made.
const MAX_STEPS: u64 = 1 << 29;

const NONE: usize = usize::MAX;

/// The hypothesis with its words shifted.
pub(super) struct Shifted {
    pub(super) words: Vec<u32>,
    /// Whether the search finished before the limit of steps.
    pub(super) finished: bool,
}

/// Shifts phrases of the hypothesis until no shift brings it nearer to the reference. Words are numbered in the order
/// that decides between equally good moves.
pub(super) fn shift_towards(reference: &[u32], hypothesis: Vec<u32>) -> Shifted {
    search(reference, hypothesis, MAX_STEPS)
}

pub(super) fn search(reference: &[u32], mut words: Vec<u32>, steps: u64) -> Shifted {
    if words == reference {
        return Shifted { words, finished: true };
    }
    if !Cuts::can_hold(words.len(), reference.len()) {
        return Shifted { words, finished: false };
    }
    let mut search = Search::new(reference, &words, steps);
    loop {
        search.remember(&words);
        if search.cuts.distance() == search.nearest {
            break;
        }
        match search.best_move(&words) {
            Some(moved) => words = moved,
            None => break,
        }
    }
    Shifted { words, finished: search.steps_left > 0 }
}

/// Moving the phrase of this length at `start` to stand at `target`.
#[derive(Clone, Copy)]
struct Move {
    start: usize,
    length: usize,
    target: usize,
}

impl Move {
    /// The number of words the phrase moves past.
    fn passed(self) -> usize {
        self.start.abs_diff(self.target)
    }

    /// The position where the phrase is inserted.
    fn cut(self) -> usize {
        if self.target < self.start { self.target } else { self.target + self.length }
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
    /// The first position of each word in the reference, and for each position the next one of the same word.
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
    cuts: Cuts,
    /// For each cut of the line, its distance with an unknown word inserted.
    with_unknown_word: Vec<usize>,
    steps_left: u64,
    /// Places of equal words that may still be looked at, which is quicker than a step.
    lookups_left: u64,
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
            cuts: Cuts::default(),
            with_unknown_word: Vec::new(),
            steps_left: steps,
            lookups_left: steps.saturating_mul(4),
        }
    }

    /// Computes and stores the distances of a line.
    fn remember(&mut self, words: &[u32]) {
        self.spend(words.len() * (self.reference.len() + 1));
        self.cuts.fill(words, self.reference);
        self.with_unknown_word.clear();
        let cuts = 0..=words.len();
        self.with_unknown_word.extend(cuts.map(|p| self.cuts.with_unknown_word(p)));
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
    }

    fn keep(&mut self) {
        let (positive, negative) = self.column.differences();
        self.positive.extend_from_slice(positive);
        self.negative.extend_from_slice(negative);
        self.distances.push(self.column.distance());
    }

    /// The line after the move that brings it nearest, if one brings it nearer than it is; the greatest line of
    /// several.
    fn best_move(&mut self, words: &[u32]) -> Option<Vec<u32>> {
        let (mut best_distance, mut best) = (self.cuts.distance() - 1, Vec::new());
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
                if same_place || self.can_reach(candidate, word) > best_distance {
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

    /// A lower bound on the distance after moving a phrase that starts with `word`.
    fn can_reach(&mut self, candidate: Move, word: u32) -> usize {
        let distance = self.cuts.distance();
        let exchanged = distance.saturating_sub(2 * candidate.length.min(candidate.passed()));
        if exchanged == distance || candidate.length > 1 {
            return exchanged.max(self.reach_without(candidate));
        }
        let with = self.distance_with(candidate.cut(), word);
        if with > distance {
            return distance;
        }
        exchanged.max(with - 1).max(self.reach_without(candidate))
    }

    fn reach_without(&mut self, Move { start, length, .. }: Move) -> usize {
        self.spend(self.blocks);
        self.cuts.without(start, start + length).saturating_sub(length)
    }

    /// The distance of the line with a word of the reference more at this cut.
    fn distance_with(&mut self, cut: usize, word: u32) -> usize {
        let mut least = self.with_unknown_word[cut];
        let mut position = self.first[word as usize];
        let mut tried = 0;
        while position != NONE {
            least = least.min(self.cuts.with_matched_word(cut, position));
            position = self.next[position];
            tried += 1;
        }
        stop::steps(tried as usize);
        self.lookups_left = self.lookups_left.saturating_sub(tried);
        if self.lookups_left == 0 {
            self.steps_left = 0;
        }
        least
    }

    /// The longest phrase from `start` that also stands at `position` of the reference, to be moved there; at the end
    /// where the line is too short.
    fn move_to(&mut self, position: usize, start: usize, words: &[u32]) -> Move {
        let length = shared_start(&words[start..], &self.reference[position..]);
        self.spend(length);
        Move { start, length, target: position.min(words.len() - length) }
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
        stop::steps(steps);
        self.steps_left = self.steps_left.saturating_sub(steps as u64);
    }
}

/// The number of words matched with words of the reference at any position.
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
