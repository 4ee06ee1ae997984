//! chrF and chrF++: F-score of character n-grams, with word n-grams for the latter (Popović, 2015 and 2017).
//!
//! ```text
//! chrFβ = 100 · (1 + β²) · P·R / (β²·P + R)
//! ```
//!
//! with P and R the precision and recall of n-grams, averaged over the orders.
//!
//! # Choices
//! - Orders for which hypothesis or reference has no n-grams stay out of the averages; with `eps_smoothing` every order
//!   counts, with a tiny value in place of what is undefined, and F is averaged (chrF++.py, NLTK, Moses).
//! - White space is ignored unless `whitespace=yes`. Words end at white space; one punctuation mark is split off at the
//!   end of a word or, if there is none, at its start.
//! - Of several references the one with the best F counts, the first of equals.
//!
//! # Agreement
//! Equal to sacreBLEU 2.6.0 to 1e-9, its single-precision bootstrap included.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let chrf = Registry::lexical().build("chrf++")?;
//! let references = ["the cat sat on the mat"];
//! let tallies = chrf.tally(&[Segment::new("the cats sat on a mat", &references)])?;
//! assert_eq!((chrf.title().as_str(), format!("{:.2}", chrf.score(&tallies[0]))), ("chrF2++", "49.81".to_owned()));
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod counts;

use super::{Component, FittedSlope, Metric, MetricInfo, Paper, Resampled, Sacrebleu, Segment, Spec, Tally, Values};
use crate::error::{Error, Result};
use crate::spec::TypedOptions;
use counts::Counter;
use std::ops::{Add, Div, Mul};
use std::sync::Arc;
use tercet_base::options;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "chrf",
    summary: "F-score of character n-grams; chrF++ (word_order=2) adds word n-grams",
    aliases: &[
        ("chrf++", "chrf:word_order=2"),
        ("chrfpp", "chrf:word_order=2"),
        ("chrf2", "chrf:beta=2"),
        ("chrf2++", "chrf:beta=2,word_order=2"),
    ],
    citation: "Popović, WMT 2015 and 2017",
    papers: &[PAPER, WITH_WORDS],
    agrees_with: "sacreBLEU 2.6.0",
    options: ChrfOptions::TABLE,
    slope: Some(FittedSlope { slope: 0.08039, log_likelihood: -0.6054, accuracy: 0.6677 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, _| Ok(Arc::new(Chrf::new(options.typed())?)))
};

const PAPER: Paper = Paper { short: "Popović, 2015", bibtex: include_str!("popovic-2015-chrf.bib") };

const WITH_WORDS: Paper = Paper { short: "Popović, 2017", bibtex: include_str!("popovic-2017-chrf.bib") };

options! {
    /// Options of [`Chrf`].
    pub struct ChrfOptions {
        char_order: usize [Values::Integer(0, 64)] = "6", "longest character n-gram";
        word_order: usize [Values::Integer(0, 64)] = "0", "longest word n-gram; 2 makes chrF++";
        beta: f64 = "2", "how much more recall counts than precision";
        lowercase: bool = "no", "ignore case";
        whitespace: bool = "no", "count white space as characters";
        eps_smoothing: bool = "no", "smooth as chrF++.py, NLTK and Moses do";
    }
}

/// chrF and chrF++.
///
/// ```
/// use tercet_metrics::{Chrf, ChrfOptions, Metric, Segment};
///
/// let chrf = Chrf::new(ChrfOptions { word_order: 2, ..ChrfOptions::default() })?;
/// assert_eq!((chrf.title().as_str(), chrf.corpus_score(&[Segment::new("a cat", &["a cat"])])?), ("chrF2++", 100.0));
/// # Ok::<(), tercet_base::Error>(())
/// ```
pub struct Chrf {
    options: ChrfOptions,
    counter: Counter,
    f_score: FScore,
}

/// The n-grams of one order.
#[derive(Clone, Copy)]
struct OrderCounts<T> {
    hypothesis: T,
    reference: T,
    matches: T,
}

impl<T: Copy> OrderCounts<T> {
    /// The names of the numbers in components.
    const NAMES: [&'static str; 3] = ["hyp", "ref", "matches"];

    /// The counts of each order of a tally.
    fn read(tally: &[T]) -> impl Iterator<Item = Self> {
        let orders = tally.as_chunks().0.iter();
        orders.map(|&[hypothesis, reference, matches]| OrderCounts { hypothesis, reference, matches })
    }

    fn numbers(self) -> [T; 3] {
        [self.hypothesis, self.reference, self.matches]
    }

    fn push_to(self, tally: &mut Vec<T>) {
        tally.extend(self.numbers());
    }
}

/// How counts become a score.
#[derive(Clone, Copy)]
struct FScore {
    orders: usize,
    beta: f64,
    eps_smoothing: bool,
}

impl Chrf {
    /// chrF with these options. Returns an error if a value is not accepted.
    pub fn new(options: ChrfOptions) -> Result<Self> {
        let options = INFO.check(&options)?;
        let ChrfOptions { char_order, word_order, beta, lowercase, whitespace, eps_smoothing } = options;
        if char_order + word_order == 0 {
            return Err(Error::BadRequest("metric `chrf`: char_order and word_order cannot both be 0".to_owned()));
        }
        let f_score = FScore { orders: char_order + word_order, beta, eps_smoothing };
        let counter = Counter { char_order, word_order, lowercase, whitespace, f_score };
        Ok(Chrf { options, counter, f_score })
    }
}

impl Metric for Chrf {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        self.options.spec(INFO.name)
    }

    fn title(&self) -> String {
        format!("chrF{}{}", self.options.beta, "+".repeat(self.counter.word_order))
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        Ok(self.counter.tally(batch))
    }

    fn score(&self, total: &Tally) -> f64 {
        self.f_score.double(total)
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let mut components = Vec::new();
        for (i, counts) in OrderCounts::read(total).enumerate() {
            let char_order = self.counter.char_order;
            let (kind, n) = if i < char_order { ("char", i + 1) } else { ("word", i + 1 - char_order) };
            for (name, value) in OrderCounts::<f64>::NAMES.iter().zip(counts.numbers()) {
                components.push(Component::new(format!("{kind}_{name}_{n}"), value));
            }
        }
        components
    }

    fn sacrebleu(&self) -> Option<&dyn Sacrebleu> {
        Some(self)
    }
}

impl Sacrebleu for Chrf {
    fn score_single(&self, sums: &[f32]) -> Option<Resampled> {
        Some(self.f_score.single(sums))
    }
}

impl FScore {
    fn double(self, counts: &[f64]) -> f64 {
        self.score(counts, self.beta * self.beta, 1e-16).unwrap_or(0.0)
    }

    /// sacreBLEU's bootstrap computes in single precision to the end, except that a score without matches is a double
    /// zero and one that results from smoothing alone is double, too.
    fn single(self, counts: &[f32]) -> Resampled {
        let smoothed =
            |order: OrderCounts<f32>| order.matches == 0.0 && (order.hypothesis > 0.0) == (order.reference > 0.0);
        if self.eps_smoothing && OrderCounts::read(counts).all(smoothed) {
            let counts: Vec<f64> = counts.iter().copied().map(f64::from).collect();
            return Resampled::Double(self.double(&counts));
        }
        match self.score(counts, (self.beta * self.beta) as f32, 1e-16) {
            Some(score) => Resampled::Single(score),
            None => Resampled::Double(0.0),
        }
    }

    /// The score of the counts of all orders, `None` where nothing matches at all.
    fn score<T>(self, counts: &[T], factor: T, eps: T) -> Option<T>
    where
        T: Copy + PartialOrd + Add<Output = T> + Mul<Output = T> + Div<Output = T> + From<u16>,
    {
        let number = |n: u16| T::from(n);
        let zero = number(0);
        let (mut score, mut precisions, mut recalls, mut effective) = (zero, zero, zero, 0u16);
        for OrderCounts { hypothesis, reference, matches } in OrderCounts::read(counts) {
            let precision = if hypothesis > zero { matches / hypothesis } else { eps };
            let recall = if reference > zero { matches / reference } else { eps };
            let denominator = factor * precision + recall;
            let f = if denominator > zero { (number(1) + factor) * precision * recall / denominator } else { eps };
            score = score + f;
            if hypothesis > zero && reference > zero {
                precisions = precisions + precision;
                recalls = recalls + recall;
                effective += 1;
            }
        }
        if self.eps_smoothing {
            return Some(number(100) * score / number(self.orders as u16));
        }
        if effective == 0 {
            return None;
        }
        let (precision, recall) = (precisions / number(effective), recalls / number(effective));
        if precision + recall > zero {
            let f = (number(1) + factor) * precision * recall / (factor * precision + recall);
            Some(number(100) * f)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests;
