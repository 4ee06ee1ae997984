//! The best tie threshold of many draws at once.
//!
//! In a draw, the difference between two scores of a group is one of four: each of the two scores is the first metric's
//! or the second's. All these differences are sorted once, the largest first. With the largest as the threshold every
//! pair is a tie, and the right ones are those that are tied in gold too, the same in all draws. Then the threshold
//! decreases: at every step a pair stops being a tie, in the draws whose coins chose that difference, and is now right
//! where it was wrong (+) or wrong where it was right (−); steps that change nothing are left out. The highest sum
//! reached is the value of the best threshold.
//!
//! At equal differences the minus steps come first. Sums between the first and the last of them belong to no
//! threshold; going down before up, they never exceed both ends, so the maximum may be taken after every step.
//!
//! Draws are processed in parallel lanes, a byte of 0 or 255 per coin, which compilers vectorise. Sums of single steps
//! are kept in bytes for 127 steps, then added to the total; sums of weighted steps as integers in single precision
//! while they are below 2²⁴, or in double precision below 2⁵³.

use super::coins::BLOCK;
use crate::summation::Real;

/// The coins of one score: 255 for heads, 0 for tails.
type Row = [u8; LANES];
const LANES: usize = 32;

/// The change of one pair from one threshold to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The two indices. The lowest bit is set if the score is the second metric's; the highest bit of the first
    /// if the step is up.
    left: u32,
    right: u32,
}

const UP: u32 = 1 << 31;

impl Step {
    /// The indices (below 2³⁰) of the two scores, and whether each is the second metric's.
    pub(super) fn new(left: (usize, bool), right: (usize, bool), up: bool) -> Self {
        let code = |(place, second): (usize, bool)| (place as u32) << 1 | u32::from(second);
        debug_assert!(left.0 < 1 << 30 && right.0 < 1 << 30, "indices have 30 bits");
        Step { left: code(left) | if up { UP } else { 0 }, right: code(right) }
    }

    /// The two indices.
    pub(super) fn places(self) -> (usize, usize) {
        ((self.left & !UP) as usize >> 1, self.right as usize >> 1)
    }

    fn is_up(self) -> bool {
        self.left & UP != 0
    }

    /// Masks to XOR with the coins of both scores, so that 255 means "this score is used".
    fn choices(self) -> (u8, u8) {
        let mask = |code: u32| if code & 1 == 1 { 255 } else { 0 };
        (mask(self.left), mask(self.right))
    }
}

/// The sorted steps and the sum they start from.
pub(super) struct ThresholdSweep {
    /// The largest difference first; of equal ones, minus first.
    pub(super) steps: Vec<Step>,
    /// The weight of each step, if not 1.
    pub(super) weights: Option<Vec<f64>>,
    /// The sum with all pairs tied.
    pub(super) start: i64,
}

impl ThresholdSweep {
    /// The highest sums of the first and of the second metric in up to 64 draws: bit d of a score's word says whether
    /// both metrics keep this score in draw d.
    pub(super) fn best(&self, tosses: &[u64], draws: usize) -> Vec<[i64; 2]> {
        let mut best = Vec::with_capacity(BLOCK);
        let mut rows = vec![[0; LANES]; tosses.len()];
        for offset in (0..draws).step_by(LANES) {
            for (row, word) in rows.iter_mut().zip(tosses) {
                *row = spread((word >> offset) as u32);
            }
            let found = match &self.weights {
                None => self.best_of_ones(&rows),
                Some(weights) => self.best_of_weighted(weights, &rows),
            };
            best.extend(found);
        }
        best.truncate(draws);
        best
    }

    fn best_of_ones(&self, rows: &[Row]) -> [[i64; 2]; LANES] {
        let mut totals = [[self.start; 2]; LANES];
        let mut best = totals;
        for steps in self.steps.chunks(127) {
            let (sums, highest) = sums_of_ones(steps, rows);
            for lane in 0..LANES {
                for metric in 0..2 {
                    let total = totals[lane][metric];
                    best[lane][metric] = best[lane][metric].max(total + i64::from(highest[metric][lane]) - MIDDLE);
                    totals[lane][metric] = total + i64::from(sums[metric][lane]) - MIDDLE;
                }
            }
        }
        best
    }

    /// In single precision where no weight is large, else in double precision.
    fn best_of_weighted(&self, weights: &[f64], rows: &[Row]) -> [[i64; 2]; LANES] {
        let largest = weights.iter().copied().fold(0.0, f64::max);
        if largest <= SINGLE / 64.0 {
            self.best_in::<f32>(weights, SINGLE, rows)
        } else {
            self.best_in::<f64>(weights, DOUBLE, rows)
        }
    }

    /// With sums of a type that represents all integers up to `room`.
    fn best_in<T: Real>(&self, weights: &[f64], room: f64, rows: &[Row]) -> [[i64; 2]; LANES] {
        let mut totals = [[self.start; 2]; LANES];
        let mut best = totals;
        let mut from = 0;
        while from < weights.len() {
            let end = from + fitting(&weights[from..], room);
            let (sums, highest) = sums_of_weighted::<T>(&self.steps[from..end], &weights[from..end], rows);
            for lane in 0..LANES {
                for metric in 0..2 {
                    let total = totals[lane][metric];
                    best[lane][metric] = best[lane][metric].max(total + highest[metric][lane].into() as i64);
                    totals[lane][metric] = total + sums[metric][lane].into() as i64;
                }
            }
            from = end;
        }
        best
    }
}

/// Single and double precision represent all integers up to these.
const SINGLE: f64 = 16_777_216.0;
const DOUBLE: f64 = 9_007_199_254_740_992.0;

/// How many of the weights, at least one, have a sum up to `room`.
fn fitting(weights: &[f64], room: f64) -> usize {
    let mut sum = 0.0;
    let fits = weights.iter().take_while(|&&weight| {
        sum += weight;
        sum <= room
    });
    fits.count().max(1)
}

/// The sums of weighted steps and their maxima, for the first and the second metric.
fn sums_of_weighted<T: Real>(steps: &[Step], weights: &[f64], rows: &[Row]) -> ([[T; LANES]; 2], [[T; LANES]; 2]) {
    let nothing = T::default();
    let (mut first, mut second) = ([nothing; LANES], [nothing; LANES]);
    let (mut highest, mut highest_second) = (first, second);
    for (&step, &weight) in steps.iter().zip(weights) {
        let (left, right) = step.places();
        let (choice_left, choice_right) = step.choices();
        let (left, right) = (&rows[left], &rows[right]);
        let worth = T::nearest(if step.is_up() { weight } else { -weight });
        for lane in 0..LANES {
            let (a, b) = (left[lane] ^ choice_left, right[lane] ^ choice_right);
            first[lane] = first[lane] + if a & b != 0 { worth } else { nothing };
            second[lane] = second[lane] + if a | b == 0 { worth } else { nothing };
            highest[lane] = if first[lane] > highest[lane] { first[lane] } else { highest[lane] };
            highest_second[lane] =
                if second[lane] > highest_second[lane] { second[lane] } else { highest_second[lane] };
        }
    }
    ([first, second], [highest, highest_second])
}

/// The zero of sums kept in bytes.
const MIDDLE: i64 = 128;

/// The sums of up to 127 steps and their maxima, for the first and the second metric.
fn sums_of_ones(steps: &[Step], rows: &[Row]) -> ([Row; 2], [Row; 2]) {
    let (mut first, mut second) = ([MIDDLE as u8; LANES], [MIDDLE as u8; LANES]);
    let (mut highest, mut highest_second) = (first, second);
    for &step in steps {
        let (left, right) = step.places();
        let (choice_left, choice_right) = step.choices();
        let (left, right) = (&rows[left], &rows[right]);
        let worth = if step.is_up() { 1 } else { 255 };
        for lane in 0..LANES {
            let (a, b) = (left[lane] ^ choice_left, right[lane] ^ choice_right);
            first[lane] = first[lane].wrapping_add(a & b & worth);
            second[lane] = second[lane].wrapping_add(!(a | b) & worth);
            highest[lane] = highest[lane].max(first[lane]);
            highest_second[lane] = highest_second[lane].max(second[lane]);
        }
    }
    ([first, second], [highest, highest_second])
}

/// Expands bits to bytes of 0 or 255.
fn spread(bits: u32) -> Row {
    std::array::from_fn(|lane| if bits >> lane & 1 == 1 { 255 } else { 0 })
}
