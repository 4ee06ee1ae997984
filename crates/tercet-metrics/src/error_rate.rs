//! Common code of error rates: errors per unit of the reference, in per cent, for the reference with the lowest rate.
//!
//! A tally starts with the errors and the length of the reference; the rest depends on the metric. An empty reference
//! counts as one unit, so that no rate is undefined (as in jiwer).

use super::word_options::{WordOptions, Words, signed};
use super::{Component, Metric, MetricInfo, Paper, Segment, Spec, Tally, by_references, wer};
use crate::context::Context;
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::{EditOperations, Preparation};

/// Errors that are counted between two lines.
pub trait Errors: Send + Sync + 'static {
    /// The options of the metric.
    type Options: Words;

    /// The entry in a [`Registry`](super::Registry).
    const INFO: &'static MetricInfo;

    /// The usual spelling.
    const TITLE: &'static str;

    /// The tally of a prepared hypothesis against a prepared reference.
    fn compare(hypothesis: &str, reference: &str) -> Tally;

    /// The score of a tally or a sum of tallies. Default: errors per unit of the reference, in per cent.
    fn score(total: &Tally) -> f64 {
        percent(total)
    }

    /// The components of a tally.
    fn components(total: &Tally) -> Vec<Component>;

    /// Whether a comparison reached a limit.
    fn is_unfinished(_tally: &Tally) -> bool {
        false
    }
}

/// A metric that counts errors.
pub struct ErrorRate<E: Errors> {
    options: E::Options,
    preparation: Preparation,
}

impl<E: Errors> ErrorRate<E> {
    /// An error rate with these options. Returns an error if the tokenizer is not found.
    pub fn new(options: E::Options) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: E::Options, context: &Context) -> Result<Self> {
        let options = E::INFO.check(&options)?;
        Ok(ErrorRate { preparation: options.preparation(context)?, options })
    }
}

impl<E: Errors> Metric for ErrorRate<E> {
    fn info(&self) -> &MetricInfo {
        E::INFO
    }

    fn signature(&self) -> Spec {
        signed(self.options.spec(E::INFO.name), self.preparation.tokenizer)
    }

    fn title(&self) -> String {
        E::TITLE.to_owned()
    }

    /// The tally of each segment with the best score, the first of equals. A segment without references is compared
    /// with an empty one.
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let badness = |tally: &Tally| -E::INFO.direction.sign() * E::score(tally);
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let references = segments[0].references.iter();
            let references: Vec<_> = references.map(|line| self.preparation.apply(line)).collect();
            for segment in segments {
                let hypothesis = self.preparation.apply(segment.hypothesis);
                let compared = references.iter().map(|reference| E::compare(&hypothesis, reference));
                let best = compared.min_by(|a, b| badness(a).total_cmp(&badness(b)));
                tallies.push(best.unwrap_or_else(|| E::compare(&hypothesis, "")));
            }
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        E::score(total)
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        E::is_unfinished(tally)
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        E::components(total)
    }
}

/// The rate of a tally or a sum of tallies; 0 for an empty one.
fn percent(total: &Tally) -> f64 {
    match total[..] {
        [errors, reference, ..] => 100.0 * errors / reference.max(1.0),
        _ => 0.0,
    }
}

counts! {
    /// Counted operations, and whether a limit was reached.
    pub(super) struct Operations { edits, reference, hits, substitutions, deletions, insertions, unfinished }
}

impl Operations {
    pub(super) fn new(counted: EditOperations) -> Self {
        let count = |count: usize| count as f64;
        Operations {
            edits: count(counted.edits()),
            reference: count(counted.hits + counted.substitutions + counted.deletions),
            hits: count(counted.hits),
            substitutions: count(counted.substitutions),
            deletions: count(counted.deletions),
            insertions: count(counted.insertions),
            unfinished: f64::from(u8::from(!counted.exact)),
        }
    }

    /// The length of the hypothesis.
    pub(super) fn hypothesis(&self) -> f64 {
        self.hits + self.substitutions + self.insertions
    }

    /// The match error rate, in per cent.
    pub(super) fn match_error_rate(&self) -> f64 {
        100.0 * self.edits / (self.hits + self.edits).max(1.0)
    }

    /// The share of word information preserved, 0 to 1.
    pub(super) fn information_preserved(&self) -> f64 {
        let (hypothesis, reference) = (self.hypothesis(), self.reference);
        if hypothesis == 0.0 && reference == 0.0 {
            1.0
        } else {
            self.hits / reference.max(1.0) * (self.hits / hypothesis.max(1.0))
        }
    }

    /// The counts as all metrics of operations show them.
    pub(super) fn shown(&self) -> Vec<Component> {
        vec![
            Component::new("hits", self.hits),
            Component::new("substitutions", self.substitutions),
            Component::new("deletions", self.deletions),
            Component::new("insertions", self.insertions),
            Component::new("hyp_len", self.hypothesis()),
            Component::new("ref_len", self.reference),
        ]
    }
}

/// A share of the operations of a shortest edit sequence of words, as [`wer`](super::wer) counts them.
pub(super) trait WordShare: Send + Sync + 'static {
    const INFO: &'static MetricInfo;
    const TITLE: &'static str;

    /// In per cent.
    fn share(operations: &Operations) -> f64;
}

impl<S: WordShare> Errors for S {
    type Options = WordOptions;

    const INFO: &'static MetricInfo = S::INFO;
    const TITLE: &'static str = S::TITLE;

    fn compare(hypothesis: &str, reference: &str) -> Tally {
        wer::compare(hypothesis, reference)
    }

    fn score(total: &Tally) -> f64 {
        if total.is_empty() { 0.0 } else { S::share(&Operations::read(total)) }
    }

    fn components(total: &Tally) -> Vec<Component> {
        Operations::read(total).shown()
    }

    fn is_unfinished(tally: &Tally) -> bool {
        Operations::read(tally).unfinished > 0.0
    }
}

/// The distance that errors are counted by.
pub(crate) const LEVENSHTEIN: Paper =
    Paper { short: "Levenshtein, 1966", bibtex: include_str!("levenshtein-1966.bib") };
