//! Which blocks of the hypothesis to shift where.
//!
//! A block is grown word by word, while its words match those of the reference from some place on. It is tried if some
//! of its words, and some of those of the reference, are not aligned with an equal word, if neither side consists of
//! stop words only, and if the hypothesis word aligned with the place is outside of it and not too far away. It is
//! moved behind the hypothesis words that are aligned with the reference word before the place and with those that the
//! block equals.

use super::pair::{Edit, Pair};
use super::settings::{Constraint, Settings};
use super::table::Step;
use tercet_base::stop;

/// The most words of a block; the tool's own option for it has no effect.
const MAX_BLOCK_LENGTH: usize = 10;

/// Moves that are listed at most at once.
const MAX_LISTED: usize = 1 << 20;

/// Words that positions in [`Listed::key`] can have.
const MAX_WORDS: usize = (1 << 22) - 1;

/// A move of a block to behind another word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    pub(super) start: usize,
    /// The last word of the block.
    pub(super) end: usize,
    /// The word behind which it is put; −1 for the front.
    pub(super) target: i32,
    /// The place in the reference that the target is aligned with; −1 for the front.
    pub(super) place: i32,
}

/// A move as the exchange of two neighbouring blocks, `first..middle` and `middle..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Exchange {
    pub(super) first: usize,
    pub(super) middle: usize,
    pub(super) end: usize,
}

impl Shift {
    /// The equivalent exchange in a hypothesis of `words` words. A target inside the block moves it that many words to
    /// the right.
    pub(super) fn exchange(&self, words: usize) -> Exchange {
        let (start, after) = (self.start, self.end + 1);
        let behind = (self.target + 1) as usize; // of the target
        if behind <= start {
            Exchange { first: behind, middle: start, end: after }
        } else if behind > after {
            Exchange { first: start, middle: after, end: behind }
        } else {
            Exchange { first: start, middle: after, end: (after + behind - 1 - start).min(words) }
        }
    }
}

impl Exchange {
    /// Whether nothing moves.
    pub(super) fn is_void(self) -> bool {
        self.first == self.middle || self.middle == self.end
    }

    pub(super) fn apply(self, words: &mut [u32]) {
        words[self.first..self.end].rotate_left(self.middle - self.first);
    }

    /// Takes the exchange back.
    pub(super) fn undo(self, words: &mut [u32]) {
        words[self.first..self.end].rotate_right(self.middle - self.first);
    }
}

/// A shift in the order in which shifts are tried.
#[derive(Clone, Copy, Debug)]
struct Listed {
    /// From the highest bits on: how many words shorter than possible, start, words after it, target; so that longer
    /// blocks come first.
    key: u64,
    place: i32,
}

/// What an alignment says about the words of both sides.
#[derive(Default)]
pub(super) struct Shifts {
    /// Sums over the words before each: not aligned with an equal word, and no stop word.
    wrong: Vec<u32>,
    reference_wrong: Vec<u32>,
    content: Vec<u32>,
    reference_content: Vec<u32>,
    /// The hypothesis word aligned with each reference word, or the last before it.
    of_reference: Vec<i32>,
    /// The reference word aligned with each hypothesis word, or the last before it.
    of_hypothesis: Vec<i32>,
    /// By hypothesis word: the phrases that start there, as place in the reference, words there, words in the
    /// hypothesis.
    phrases: Vec<Vec<(usize, usize, usize)>>,
    listed: Vec<Listed>,
    /// States in which a block was grown before: words of the hypothesis, of the reference, mismatches.
    grown: Vec<(usize, usize, usize)>,
}

/// A place where a block starts.
#[derive(Clone, Copy)]
struct Start {
    hypothesis: usize,
    reference: usize,
}

impl Shifts {
    /// Lists all moves for an alignment. Returns whether the list is complete.
    pub(super) fn list(&mut self, pair: &Pair, steps: &[Step], settings: &Settings) -> bool {
        self.listed.clear();
        let words = pair.words.len();
        if settings.constraint == Constraint::NoShift || settings.shift_distance == 0 {
            return true;
        }
        if words >= MAX_WORDS {
            return false;
        }
        self.read(pair, steps);
        let with_phrases = settings.constraint.uses_phrases() && !pair.phrases.is_empty();
        if with_phrases {
            self.find_phrases(pair, settings.shift_distance);
        }
        let grows_simply = !with_phrases && settings.constraint != Constraint::AllowMismatch;
        for reference in 0..pair.length {
            let aligned = i64::from(self.of_reference[reference]);
            let distance = settings.shift_distance as i64;
            let from = (aligned - distance).max(0) as usize;
            let to = ((aligned + distance + 1).max(0) as usize).min(words);
            stop::steps(8 * (to.saturating_sub(from)));
            for hypothesis in from..to {
                let start = Start { hypothesis, reference };
                if grows_simply {
                    self.grow_simply(start, pair, settings.constraint);
                } else {
                    self.grown.clear();
                    self.grow(start, (0, 0), 0, pair, settings.constraint);
                }
                if self.listed.len() > MAX_LISTED {
                    return false;
                }
            }
        }
        self.listed.sort_by_key(|listed| listed.key);
        self.listed.dedup_by_key(|listed| listed.key);
        true
    }

    /// The listed moves in the order in which they are tried, each with the length that limits what it can gain.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Shift)> {
        self.listed.iter().map(|listed| {
            let field = |from: u32, bits: u32| (listed.key >> from & ((1 << bits) - 1)) as usize;
            let start = field(26, 22);
            let shift =
                Shift { start, end: start + field(22, 4), target: field(0, 22) as i32 - 1, place: listed.place };
            (MAX_BLOCK_LENGTH + 1 - field(48, 4), shift)
        })
    }

    fn push(&mut self, start: usize, end: usize, length: usize, target: i32, place: i32) {
        let shorter = MAX_BLOCK_LENGTH + 1 - length.min(MAX_BLOCK_LENGTH + 1);
        let fields = [(shorter, 48), (start, 26), (end - start, 22), ((target + 1) as usize, 0)];
        let key = fields.iter().fold(0, |key, &(value, bits)| key | (value as u64) << bits);
        self.listed.push(Listed { key, place });
    }

    fn read(&mut self, pair: &Pair, steps: &[Step]) {
        for sums in [&mut self.wrong, &mut self.reference_wrong, &mut self.content, &mut self.reference_content] {
            sums.clear();
            sums.push(0);
        }
        self.of_reference.clear();
        self.of_hypothesis.clear();
        for step in steps {
            let (hypothesis, reference) = (self.of_hypothesis.len() as i32, self.of_reference.len() as i32);
            let wrong = u32::from(step.edit != Edit::Match);
            // Without a word on the other side, the last one before.
            let aligned = |place: i32, words: u32| if words == 0 { place - 1 } else { place };
            for _ in 0..step.hypothesis {
                self.of_hypothesis.push(aligned(reference, step.reference));
                push_sum(&mut self.wrong, wrong);
            }
            for _ in 0..step.reference {
                self.of_reference.push(aligned(hypothesis, step.hypothesis));
                push_sum(&mut self.reference_wrong, wrong);
            }
        }
        for &word in &pair.words {
            push_sum(&mut self.content, u32::from(!pair.is_stop[word as usize]));
        }
        for &is_stop in &pair.reference_is_stop {
            push_sum(&mut self.reference_content, u32::from(!is_stop));
        }
    }

    /// Finds the phrases between places that are not too far from each other.
    fn find_phrases(&mut self, pair: &Pair, distance: usize) {
        let words = pair.words.len();
        self.phrases.resize_with(words.max(self.phrases.len()), Vec::new);
        for place in 0..words {
            let from = self.of_hypothesis[place.saturating_sub(distance)];
            let to = self.of_hypothesis[place.saturating_add(distance).min(words - 1)];
            let found = &mut self.phrases[place];
            found.clear();
            let starting = pair.phrases.starting(&pair.words[place..], from.max(0) as usize);
            let near = starting.take_while(|(_, phrase)| phrase.start as i32 <= to);
            found.extend(
                near.map(|(_, phrase)| (phrase.start as usize, phrase.reference as usize, phrase.hypothesis as usize)),
            );
        }
    }

    /// Grows a block of word pairs only.
    fn grow_simply(&mut self, start: Start, pair: &Pair, constraint: Constraint) {
        let longest = MAX_BLOCK_LENGTH.min(pair.words.len() - start.hypothesis).min(pair.length - start.reference);
        for length in 1..=longest {
            let (hypothesis, reference) = (start.hypothesis + length - 1, start.reference + length - 1);
            if !pair.matches(pair.words[hypothesis], reference, constraint) {
                return;
            }
            self.offer(start, hypothesis, reference);
        }
    }

    /// Grows a block by word pairs, phrases, and mismatches if they are allowed.
    fn grow(&mut self, start: Start, had: (usize, usize), mut mismatches: usize, pair: &Pair, constraint: Constraint) {
        let state = (had.0, had.1, mismatches);
        if had.0 >= MAX_BLOCK_LENGTH || self.grown.contains(&state) {
            return;
        }
        self.grown.push(state);
        for more in 0..MAX_BLOCK_LENGTH - had.0 {
            let (in_hypothesis, in_reference) = (had.0 + more, had.1 + more);
            let (hypothesis, reference) = (start.hypothesis + in_hypothesis, start.reference + in_reference);
            if hypothesis >= pair.words.len() || reference >= pair.length {
                return;
            }
            for place in 0..self.phrases_at(hypothesis, pair) {
                let (at, words, hypothesis_words) = self.phrases[hypothesis][place];
                if at == reference {
                    let had = (in_hypothesis + hypothesis_words, in_reference + words);
                    self.grow(start, had, mismatches, pair, constraint);
                }
            }
            if !pair.matches(pair.words[hypothesis], reference, constraint) {
                if constraint != Constraint::AllowMismatch || mismatches > 0 {
                    return;
                }
                mismatches = 1;
                self.grow(start, (in_hypothesis + 1, in_reference), 1, pair, constraint);
                self.grow(start, (in_hypothesis, in_reference + 1), 1, pair, constraint);
            }
            if mismatches == 0 || in_hypothesis > 0 {
                self.offer(start, hypothesis, reference);
            }
        }
    }

    /// How many phrases start at a word of the hypothesis.
    fn phrases_at(&self, hypothesis: usize, pair: &Pair) -> usize {
        if pair.phrases.is_empty() { 0 } else { self.phrases[hypothesis].len() }
    }

    /// Lists the moves of a block that ends at these places, if it may be moved.
    fn offer(&mut self, start: Start, hypothesis: usize, reference: usize) {
        let has = |sums: &[u32], from: usize, to: usize| sums[from] != sums[to + 1];
        let aligned = self.of_reference[start.reference];
        let (first, last) = (start.hypothesis as i32, hypothesis as i32);
        let may_move = !(first..=last).contains(&aligned)
            && has(&self.wrong, start.hypothesis, hypothesis)
            && has(&self.reference_wrong, start.reference, reference)
            && has(&self.content, start.hypothesis, hypothesis)
            && has(&self.reference_content, start.reference, reference);
        if !may_move {
            return;
        }
        let length = (hypothesis - start.hypothesis).max(reference - start.reference) + 1;
        if start.reference == 0 {
            self.push(start.hypothesis, hypothesis, length, -1, -1);
        }
        let end = (start.reference + hypothesis - start.hypothesis + 1).min(self.of_reference.len());
        for place in start.reference.saturating_sub(1)..end {
            let target = self.of_reference[place];
            if target != first && (place == start.reference || target != aligned) {
                self.push(start.hypothesis, hypothesis, length, target, place as i32);
            }
        }
    }
}

fn push_sum(sums: &mut Vec<u32>, value: u32) {
    sums.push(sums.last().copied().unwrap_or(0) + value);
}
