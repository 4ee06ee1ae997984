//! METEOR's 23 statistics of a segment, their sum, and the score.

use super::alignment::AlignedPhrase;
use super::parameters::Parameters;
use super::words::Word;
use crate::Tally;
use std::fmt;

/// The number of statistics.
pub const LENGTH: usize = 23;

/// The words that one module matched: of the hypothesis and of the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MatchedWords {
    /// Content words.
    pub content: [f64; 2],
    /// Function words.
    pub function: [f64; 2],
}

/// METEOR's statistics of a segment: each pair of numbers is of the hypothesis and of the reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Words.
    pub words: [f64; 2],
    /// Function words among them.
    pub function_words: [f64; 2],
    /// Matched words of each module.
    pub modules: [MatchedWords; 4],
    /// Chunks.
    pub chunks: f64,
    /// Matched words.
    pub matched: [f64; 2],
}

/// The parts of a score. Where METEOR divides by zero they are NaN and the score is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
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
        let mut counts = Statistics { chunks: chunks as f64, ..Statistics::default() };
        for (side, words) in [hypothesis, reference].into_iter().enumerate() {
            counts.words[side] = words.len() as f64;
            counts.function_words[side] = words.iter().filter(|word| word.is_function).count() as f64;
        }
        for found in matches {
            let sides = [&hypothesis[found.hypothesis.clone()], &reference[found.reference.clone()]];
            let MatchedWords { content, function } = &mut counts.modules[found.stage];
            for (side, words) in sides.into_iter().enumerate() {
                for word in words {
                    let kind = if word.is_function { &mut *function } else { &mut *content };
                    kind[side] += 1.0;
                }
                counts.matched[side] += words.len() as f64;
            }
        }
        counts
    }

    /// Parses METEOR's output: 23 numbers separated by spaces. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let numbers: Vec<f64> = text.split_whitespace().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        (numbers.len() == LENGTH).then(|| Statistics::from_tally(&numbers))
    }

    /// The tally of a segment: one that is matched completely and in one piece has no chunks there. After the
    /// statistics comes the number of segments whose alignment reached a limit: here none.
    pub fn tally(&self) -> Tally {
        self.tally_with(false)
    }

    /// The same for an alignment that may have reached a limit.
    pub(super) fn tally_with(&self, unfinished: bool) -> Tally {
        let chunks = if self.is_perfect() { 0.0 } else { self.chunks };
        let mut counts = Statistics { chunks, ..self.clone() }.numbers().collect::<Vec<_>>();
        counts.push(f64::from(u8::from(unfinished)));
        Tally::new(counts)
    }

    /// The number of segments of a tally whose alignment reached a limit.
    pub(super) fn unfinished(tally: &[f64]) -> f64 {
        tally.get(LENGTH).copied().unwrap_or_default()
    }

    /// The statistics of a tally or a sum of tallies.
    pub fn from_tally(tally: &[f64]) -> Self {
        let mut numbers = tally.iter().copied();
        let mut number = || numbers.next().unwrap_or_default();
        let mut sides = || [number(), number()];
        let (words, function_words) = (sides(), sides());
        let modules = [(); 4].map(|()| MatchedWords { content: sides(), function: sides() });
        Statistics { words, function_words, modules, chunks: number(), matched: [number(), number()] }
    }

    /// The numbers in the order in which METEOR prints them.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let modules = self.modules.iter().flat_map(|module| [module.content, module.function]);
        let before = [self.words, self.function_words].into_iter().chain(modules).flatten();
        before.chain([self.chunks]).chain(self.matched)
    }

    /// Matched words of all modules on one side.
    fn matched_by_modules(&self, side: usize) -> f64 {
        self.modules.iter().map(|module| module.content[side] + module.function[side]).sum()
    }

    fn is_perfect(&self) -> bool {
        let complete = |side| self.matched_by_modules(side) == self.words[side];
        complete(0) && complete(1) && self.chunks == 1.0
    }

    /// The formula, in METEOR's order of operations.
    pub fn evaluate(&self, parameters: &Parameters) -> Evaluation {
        let Parameters { alpha, beta, gamma, delta, weights } = parameters;
        let [precision, recall] = [0, 1].map(|side| {
            let (length, function) = (self.words[side], self.function_words[side]);
            let weighted_length = delta * (length - function) + (1.0 - delta) * function;
            let mut weighted = 0.0;
            let modules = || self.modules.iter().zip(weights);
            modules().for_each(|(module, weight)| weighted += module.content[side] * weight * delta);
            modules().for_each(|(module, weight)| weighted += module.function[side] * weight * (1.0 - delta));
            weighted / weighted_length
        });
        let f_mean = 1.0 / ((1.0 - alpha) / precision + alpha / recall);
        let [hypothesis, reference] = self.matched;
        let fragmentation = if self.is_perfect() { 0.0 } else { self.chunks / ((hypothesis + reference) / 2.0) };
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
        for (i, count) in self.numbers().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{}", JavaDouble(count))?;
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
        let statistics = Statistics { function_words: [0.0, 2.0], ..Statistics::default() };
        assert_eq!(Statistics::parse(&statistics.to_string()), Some(statistics));
        assert_eq!(Statistics::parse("1.0 2.0"), None);
        assert_eq!(Statistics::parse("x"), None);
    }
}
