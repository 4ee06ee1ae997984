//! METEOR's 23 statistics of a segment, their sum, and the score.

use super::alignment::AlignedPhrase;
use super::parameters::Parameters;
use super::words::Word;
use crate::Tally;
use std::fmt;

/// The number of statistics.
pub const LENGTH: usize = 23;

const CHUNKS: usize = 20;

/// METEOR's statistics of a segment, in the order in which it prints them: words of hypothesis and reference; function
/// words of both; for each of four modules the matched content words of both, then function words; chunks; matched
/// words of both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics(pub [f64; LENGTH]);

/// The parts of a score. Where METEOR divides by zero they are NaN and the score is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Weighted precision.
    pub precision: f64,
    /// Weighted recall.
    pub recall: f64,
    /// Their harmonic mean; not used in the score.
    pub f1: f64,
    /// Their mean weighted by α.
    pub f_mean: f64,
    /// The fragmentation penalty, as a share of the score.
    pub penalty: f64,
    /// The score, 0 to 1.
    pub score: f64,
}

impl Statistics {
    /// Counts an alignment.
    pub(super) fn count(hypothesis: &[Word], reference: &[Word], matches: &[AlignedPhrase], chunks: usize) -> Self {
        let mut counts = [0.0; LENGTH];
        for (side, words) in [hypothesis, reference].into_iter().enumerate() {
            counts[side] = words.len() as f64;
            counts[2 + side] = words.iter().filter(|word| word.is_function).count() as f64;
        }
        for found in matches {
            let sides = [&hypothesis[found.hypothesis.clone()], &reference[found.reference.clone()]];
            for (side, words) in sides.into_iter().enumerate() {
                for word in words {
                    counts[4 + 4 * found.stage + 2 * usize::from(word.is_function) + side] += 1.0;
                }
                counts[CHUNKS + 1 + side] += words.len() as f64;
            }
        }
        counts[CHUNKS] = chunks as f64;
        Statistics(counts)
    }

    /// Parses METEOR's output: 23 numbers separated by spaces. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let numbers: Vec<f64> = text.split_whitespace().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        Some(Statistics(numbers.try_into().ok()?))
    }

    /// The tally of a segment: one that is matched completely and in one piece has no chunks there. After the
    /// statistics comes the number of segments whose alignment reached a limit: here none.
    pub fn tally(&self) -> Tally {
        self.tally_of(false)
    }

    /// The same for an alignment that may have reached a limit.
    pub(super) fn tally_of(&self, unfinished: bool) -> Tally {
        let mut counts = self.0.to_vec();
        if self.is_perfect() {
            counts[CHUNKS] = 0.0;
        }
        counts.push(f64::from(u8::from(unfinished)));
        Tally::new(counts)
    }

    /// The statistics of a tally or a sum of tallies.
    pub fn from_tally(tally: &[f64]) -> Self {
        let mut counts = [0.0; LENGTH];
        counts.iter_mut().zip(tally).for_each(|(count, value)| *count = *value);
        Statistics(counts)
    }

    fn module(&self, stage: usize, function: bool, side: usize) -> f64 {
        self.0[4 + 4 * stage + 2 * usize::from(function) + side]
    }

    /// Matched words of all modules on one side.
    fn matched(&self, side: usize) -> f64 {
        (0..4).map(|stage| self.module(stage, false, side) + self.module(stage, true, side)).sum()
    }

    fn is_perfect(&self) -> bool {
        let complete = |side| self.matched(side) == self.0[side];
        complete(0) && complete(1) && self.0[CHUNKS] == 1.0
    }

    /// Chunks.
    pub fn chunks(&self) -> f64 {
        self.0[CHUNKS]
    }

    /// Matched words, hypothesis and reference.
    pub fn matched_words(&self) -> [f64; 2] {
        [self.0[CHUNKS + 1], self.0[CHUNKS + 2]]
    }

    /// The formula, in METEOR's order of operations.
    pub fn evaluate(&self, parameters: &Parameters) -> Evaluation {
        let Parameters { alpha, beta, gamma, delta, weights } = parameters;
        let [precision, recall] = [0, 1].map(|side| {
            let (length, function) = (self.0[side], self.0[2 + side]);
            let weighted_length = delta * (length - function) + (1.0 - delta) * function;
            let mut weighted = 0.0;
            for (is_function, share) in [(false, *delta), (true, 1.0 - delta)] {
                for (stage, weight) in weights.iter().enumerate() {
                    weighted += self.module(stage, is_function, side) * weight * share;
                }
            }
            weighted / weighted_length
        });
        let f_mean = 1.0 / ((1.0 - alpha) / precision + alpha / recall);
        let [hypothesis, reference] = self.matched_words();
        let fragmentation = if self.is_perfect() { 0.0 } else { self.chunks() / ((hypothesis + reference) / 2.0) };
        let penalty = gamma * fragmentation.powf(*beta);
        let score = f_mean * (1.0 - penalty);
        Evaluation {
            precision,
            recall,
            f1: 2.0 * precision * recall / (precision + recall),
            f_mean,
            penalty,
            score: if score.is_nan() { 0.0 } else { score.max(0.0) },
        }
    }
}

/// As METEOR's `-ssOut`.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, count) in self.0.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{}", JavaDouble(*count))?;
        }
        Ok(())
    }
}

/// A number as Java prints it, with the fewest digits that identify it.
pub struct JavaDouble(pub f64);

impl fmt::Display for JavaDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if self.0.is_infinite() {
            return f.write_str(if self.0 > 0.0 { "Infinity" } else { "-Infinity" });
        }
        if self.0.is_nan() || self.0 == 0.0 || (1e-3..1e7).contains(&size) {
            return write!(f, "{:?}", self.0);
        }
        let text = format!("{:e}", self.0);
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if digits.contains('.') { "" } else { ".0" };
        write!(f, "{digits}{point}E{exponent}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_as_java_prints_them() {
        let printed = [1.0, 0.1, 0.001, 0.0001, 1e7, 123456.75, f64::NAN, f64::INFINITY, 2.5e-8, 0.0]
            .map(|number| JavaDouble(number).to_string());
        assert_eq!(
            printed,
            ["1.0", "0.1", "0.001", "1.0E-4", "1.0E7", "123456.75", "NaN", "Infinity", "2.5E-8", "0.0"]
        );
    }

    #[test]
    fn a_printed_line_is_read_back_and_nothing_else() {
        let mut counts = [0.0; LENGTH];
        counts[3] = 2.0;
        let statistics = Statistics(counts);
        assert_eq!(Statistics::parse(&statistics.to_string()), Some(statistics));
        assert_eq!(Statistics::parse("1.0 2.0"), None);
        assert_eq!(Statistics::parse("x"), None);
    }
}
