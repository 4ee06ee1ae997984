//! NIST: n-gram precision in which rare n-grams count more (Doddington, 2002).
//!
//! ```text
//! NIST = Σₙ ( Σ of Info(w₁…wₙ) over the n-grams that match / n-grams of the hypothesis ) · exp( β · log² min(1, c/r) )
//! Info(w₁…wₙ) = log₂( occurrences of w₁…wₙ₋₁ / occurrences of w₁…wₙ )                                      (eq. 2, 3)
//! ```
//!
//! with occurrences in all references of all segments (of any word, for n = 1), c the words of the hypothesis, r those
//! of its references on average, and β such that c/r = 2/3 costs half the score. The scale is mteval's: 0 and up.
//!
//! # Choices
//! - The weights need the references of every segment: only a metric that was [prepared](Metric::prepare) for them can
//!   tally. Matches are clipped as in BLEU, by the most generous reference.
//! - Segments may differ in how many references they have: r adds up the averages of each.
//! - mteval treats the word `0` as no word when it is all of w₁…wₙ₋₁ (to Perl it is false), and divides by the
//!   number of words; so do we.
//! - `version=nltk` is NLTK's `corpus_nist`: each order takes the reference with the most information per n-gram (of
//!   equals the one with more, then the longer one) with its own counts and length, and `0` is a word like any other.
//!   With one reference that is the only difference. Where NLTK divides by zero, a score is 0.
//! - mteval fails on a segment whose references are all empty. Here it scores 0, as does the empty hypothesis.
//!
//! # Agreement
//! Equal to mteval-v13a.pl, for segments and systems and for every order up to the 9 it prints. Its flags are
//! `lowercase=no` (`-c`), `tok=mteval-intl` (`--international-tokenization`) and `tok=mteval-intl+nonascii` (with
//! `-e`). With `version=nltk` equal to NLTK 3.10.4 on the same words.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let nist = Registry::lexical().build("nist")?;
//! let (first, second) = (["Good morning, everyone."], ["It is raining again this morning."]);
//! let score = nist.corpus_score(&[
//!     Segment::new("Good morning, everybody.", &first),
//!     Segment::new("It is raining again this morning.", &second),
//! ])?;
//! assert_eq!(format!("{score:.4}"), "3.1529");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod counts;
mod information;

use super::language::{no_spaces, tokenizes_at_spaces};
use super::word_options::signed;
use super::{Component, FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Segment, Spec, Tally, Values};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::spec::TypedOptions;
use crate::text::Tokenizer;
use counts::Counter;
use information::Information;
use std::path::PathBuf;
use std::sync::Arc;
use tercet_base::{choices, options};

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "nist",
    summary: "n-gram precision in which rare n-grams count more",
    citation: "Doddington, HLT 2002",
    papers: &[PAPER],
    agrees_with: "mteval-v13a, NLTK 3.10.4",
    options: NistOptions::TABLE,
    language: LanguageRules {
        option: |language| {
            let tokenizer = Tokenizer::MtevalIntlNonascii.name();
            language.is_unsegmented().then_some(("tok", tokenizer))
        },
        problem: |signature, _, unsegmented| {
            let by_spaces = unsegmented && tokenizes_at_spaces(signature);
            by_spaces.then(|| no_spaces(Some("tok=mteval-intl+nonascii")))
        },
        ..LanguageRules::NONE
    },
    slope: Some(FittedSlope { slope: 0.39217, log_likelihood: -0.6220, accuracy: 0.6468 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Nist::in_context(options.typed(), registry.context())?)))
};

const PAPER: Paper = Paper { short: "Doddington, 2002", bibtex: include_str!("doddington-2002.bib") };

choices! {
    /// Whose computation it is.
    pub enum NistVersion: "version" {
        /// The program of NIST.
        Mteval = "mteval",
        /// NLTK's function, which takes one reference for each order.
        Nltk = "nltk",
    }
}

options! {
    /// Options of [`Nist`].
    pub struct NistOptions {
        tok: String = "mteval", "tokenizer";
        tok_model: Option<PathBuf> = "auto",
            "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200";
        lowercase: bool = "yes", "ignore case";
        max_order: usize [Values::Integer(1, 9)] = "5", "longest n-gram";
        version: NistVersion = "mteval", "how several references count, and the word 0";
    }
}

/// NIST. Its weights depend on the references of all segments: see [`Metric::prepare`].
pub struct Nist {
    options: NistOptions,
    counter: Counter,
    information: Option<Information>,
}

impl Nist {
    /// NIST with these options. Returns an error if a value is not accepted, or the tokenizer is not found.
    pub fn new(options: NistOptions) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: NistOptions, context: &Context) -> Result<Self> {
        let options = INFO.check(&options)?;
        let counter = Counter {
            tokenizer: Tokenizer::open(&options.tok, options.tok_model.as_deref(), context)?,
            lowercase: options.lowercase,
            max_order: options.max_order,
            nltk: options.version == NistVersion::Nltk,
        };
        Ok(Nist { options, counter, information: None })
    }
}

impl Metric for Nist {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        signed(self.options.spec(INFO.name), self.counter.tokenizer)
    }

    fn title(&self) -> String {
        "NIST".to_owned()
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Metric>>> {
        let information = Some(self.counter.information_of(references));
        Ok(Some(Arc::new(Nist { options: self.options.clone(), counter: self.counter.clone(), information })))
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let unprepared = Error::NotPrepared { metric: INFO.name, ngram: None };
        let information = self.information.as_ref().ok_or(unprepared)?;
        self.counter.tally(batch, information)
    }

    fn score(&self, total: &Tally) -> f64 {
        let counts = Counts::new(total);
        counts.informations().sum::<f64>() * counts.length_penalty()
    }

    /// mteval's tables: what each order adds to the score, and the score up to it; then lengths and bits.
    fn components(&self, total: &Tally) -> Vec<Component> {
        let counts = Counts::new(total);
        let penalty = counts.length_penalty();
        let mut components = Vec::new();
        let mut by_order = |name: &str, values: &mut dyn Iterator<Item = f64>| {
            let named = values.enumerate();
            components.extend(named.map(|(i, value)| Component::new(format!("{name}_{}", i + 1), value)));
        };
        let mut sum = 0.0;
        by_order("individual", &mut counts.informations().map(|bits| bits * penalty));
        by_order(
            "cumulative",
            &mut counts.informations().map(|bits| {
                sum += bits;
                sum * penalty
            }),
        );
        by_order("matched_bits", &mut counts.matched_bits.iter().copied());
        by_order("totals", &mut counts.totals.iter().copied());
        components.push(Component::new("hyp_len", counts.hypothesis_length()));
        components.push(Component::new("ref_len", counts.reference_length));
        components.push(Component::new("ratio", counts.ratio()));
        components.push(Component::new("length_penalty", penalty));
        components
    }
}

/// A tally read as NIST's counts. The sum of no tallies is all zeros.
#[derive(Clone, Copy, Default)]
struct Counts<'a> {
    /// The mean length of the references.
    reference_length: f64,
    /// The bits of matched n-grams, by order.
    matched_bits: &'a [f64],
    /// The n-grams of the hypothesis, by order.
    totals: &'a [f64],
}

impl<'a> Counts<'a> {
    fn new(tally: &'a [f64]) -> Self {
        let Some((&reference_length, by_order)) = tally.split_first() else { return Counts::default() };
        let (matched_bits, totals) = by_order.split_at(by_order.len() / 2);
        Counts { reference_length, matched_bits, totals }
    }

    /// A tally; `add_bits` adds those of matched n-grams, by order.
    fn tally(
        reference_length: f64,
        totals: impl ExactSizeIterator<Item = f64>,
        add_bits: impl FnOnce(&mut [f64]) -> Result<()>,
    ) -> Result<Tally> {
        let mut numbers = vec![0.0; 1 + totals.len()];
        numbers[0] = reference_length;
        add_bits(&mut numbers[1..])?;
        numbers.extend(totals);
        Ok(Tally::new(numbers))
    }

    fn hypothesis_length(self) -> f64 {
        self.totals.first().copied().unwrap_or(0.0)
    }

    /// Bits per n-gram of the hypothesis, by order.
    fn informations(self) -> impl Iterator<Item = f64> {
        let orders = self.matched_bits.iter().zip(self.totals);
        orders.map(|(bits, total)| bits / total.max(1.0))
    }

    fn ratio(self) -> f64 {
        if self.reference_length > 0.0 { self.hypothesis_length() / self.reference_length } else { 0.0 }
    }

    /// 1 for hypotheses at least as long as their references, a half at two thirds, 0 for nothing.
    fn length_penalty(self) -> f64 {
        let ratio = self.ratio();
        if ratio >= 1.0 {
            return 1.0;
        }
        if ratio <= 0.0 {
            return 0.0;
        }
        let beta = -0.5f64.ln() / 1.5f64.ln() / 1.5f64.ln();
        (-beta * ratio.ln() * ratio.ln()).exp()
    }
}

#[cfg(test)]
mod tests;
