//! Common code of error rates: errors per unit of the reference, in per cent, for the reference with the lowest rate.
//!
//! A tally starts with the errors and the length of the reference; the rest depends on the metric. An empty reference
//! counts as one unit, so that no rate is undefined (as in jiwer).

use super::tokenizer_option::{TOK, tokenizer};
use super::{
    Component, Metric, MetricInfo, OptionInfo, Options, Segment, Spec, Tally, Values, by_references,
};
use crate::error::Result;
use crate::text::{EditOperations, Preparation, Tokenizer};
use std::sync::Arc;

pub(super) const LOWERCASE: OptionInfo =
    OptionInfo { key: "lowercase", values: Values::Flag, default: "no", help: "ignore case" };

/// A metric that counts errors.
pub(super) struct ErrorRate {
    info: &'static MetricInfo,
    title: &'static str,
    /// The tally of a prepared hypothesis against a prepared reference.
    compare: fn(&str, &str) -> Tally,
    components: fn(&Tally) -> Vec<Component>,
    /// The number in a tally that is 1 if the comparison reached a limit.
    unfinished: Option<usize>,
    preparation: Preparation,
    options: Options,
}

impl ErrorRate {
    /// Without an option `tok`, lines are not tokenized.
    pub(super) fn build(
        info: &'static MetricInfo,
        title: &'static str,
        mut options: Options,
        compare: fn(&str, &str) -> Tally,
        components: fn(&Tally) -> Vec<Component>,
        unfinished: Option<usize>,
    ) -> Result<Arc<dyn Metric>> {
        let tokenizer = if options.declares(TOK.key) { tokenizer(&mut options)? } else { Tokenizer::None };
        let preparation = Preparation { tokenizer, lowercase: options.flag(LOWERCASE.key) };
        Ok(Arc::new(ErrorRate { info, title, compare, components, unfinished, preparation, options }))
    }
}

impl Metric for ErrorRate {
    fn info(&self) -> &MetricInfo {
        self.info
    }

    fn signature(&self) -> Spec {
        self.options.spec()
    }

    fn title(&self) -> String {
        self.title.to_owned()
    }

    /// The tally with the lowest rate of each segment, the first of equals. A segment without references is compared with an
    /// empty one.
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let references = segments[0].references.iter();
            let references: Vec<_> = references.map(|line| self.preparation.apply(line)).collect();
            for segment in segments {
                let hypothesis = self.preparation.apply(segment.hypothesis);
                let compared = references.iter().map(|reference| (self.compare)(&hypothesis, reference));
                let best = compared.min_by(|a, b| percent(a).total_cmp(&percent(b)));
                tallies.push(best.unwrap_or_else(|| (self.compare)(&hypothesis, "")));
            }
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        percent(total)
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        self.unfinished.and_then(|place| tally.get(place)).is_some_and(|unfinished| *unfinished > 0.0)
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        (self.components)(total)
    }
}

/// The rate of a tally or a sum of tallies; 0 for an empty one.
fn percent(total: &Tally) -> f64 {
    match total[..] {
        [errors, reference, ..] => 100.0 * errors / reference.max(1.0),
        _ => 0.0,
    }
}

/// A tally of counted operations: edits, reference length, hits, substitutions, deletions, insertions, and whether a limit
/// was reached.
pub(super) struct Operations {
    pub(super) edits: f64,
    pub(super) reference: f64,
    pub(super) hypothesis: f64,
    pub(super) hits: f64,
    substitutions: f64,
    deletions: f64,
    insertions: f64,
}

impl Operations {
    /// The place of [`ErrorRate::unfinished`] in a tally.
    pub(super) const UNFINISHED: usize = 6;

    pub(super) fn tally(counted: EditOperations) -> Tally {
        let reference = counted.hits + counted.substitutions + counted.deletions;
        let counts = [
            counted.edits(),
            reference,
            counted.hits,
            counted.substitutions,
            counted.deletions,
            counted.insertions,
            usize::from(!counted.exact),
        ];
        Tally::new(counts.iter().map(|&count| count as f64).collect())
    }

    pub(super) fn read(total: &Tally) -> Self {
        let count = |i: usize| total.get(i).copied().unwrap_or(0.0);
        Operations {
            edits: count(0),
            reference: count(1),
            hypothesis: count(2) + count(3) + count(5),
            hits: count(2),
            substitutions: count(3),
            deletions: count(4),
            insertions: count(5),
        }
    }

    pub(super) fn components(&self) -> Vec<Component> {
        vec![
            Component::new("hits", self.hits),
            Component::new("substitutions", self.substitutions),
            Component::new("deletions", self.deletions),
            Component::new("insertions", self.insertions),
            Component::new("hyp_len", self.hypothesis),
            Component::new("ref_len", self.reference),
        ]
    }
}
