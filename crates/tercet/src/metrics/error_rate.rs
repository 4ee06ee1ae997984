//! What the error rates share: errors per unit of the reference, in per cent, against the reference that suits best.
//!
//! A tally of an error rate starts with its errors and what they are counted against; what follows is the metric's.
//! Against nothing, errors count as against one unit, so that no rate is undefined (jiwer does the same).

use super::{Component, OptionInfo, Options, Segment, Tally, Values, by_references};
use crate::error::Result;
use crate::text::{EditOperations, Preparation, Tokenizer};

pub(super) const TOK: OptionInfo = OptionInfo {
    key: "tok",
    values: Values::Text,
    default: "none",
    help: "tokenizer: see `tercet tokenize --list`",
};

pub(super) const LOWERCASE: OptionInfo =
    OptionInfo { key: "lowercase", values: Values::Flag, default: "no", help: "ignore case" };

/// What [`TOK`] and [`LOWERCASE`] ask for.
pub(super) fn preparation(options: &Options) -> Result<Preparation> {
    Ok(Preparation {
        tokenizer: Tokenizer::from_name(options.text("tok"))?,
        lowercase: options.flag("lowercase"),
    })
}

/// One tally a segment: that of its lowest rate, the first of equals. `compare` is given hypothesis and reference,
/// prepared; a segment without references is compared with the empty one.
pub(super) fn tally_best(
    batch: &[Segment<'_>],
    preparation: Preparation,
    compare: impl Fn(&str, &str) -> Tally,
) -> Vec<Tally> {
    let mut tallies = Vec::with_capacity(batch.len());
    for segments in by_references(batch) {
        let references = segments[0].references.iter();
        let references: Vec<_> = references.map(|line| preparation.apply(line)).collect();
        for segment in segments {
            let hypothesis = preparation.apply(segment.hypothesis);
            let compared = references.iter().map(|reference| compare(&hypothesis, reference));
            let best = compared.min_by(|a, b| percent(a).total_cmp(&percent(b)));
            tallies.push(best.unwrap_or_else(|| compare(&hypothesis, "")));
        }
    }
    tallies
}

/// The rate of a tally, or of a sum of them; of nothing at all, 0.
pub(super) fn percent(total: &Tally) -> f64 {
    match total[..] {
        [errors, reference, ..] => 100.0 * errors / reference.max(1.0),
        _ => 0.0,
    }
}

/// A tally of counted operations: edits, reference length, hits, substitutions, deletions, insertions.
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
    pub(super) fn tally(counted: EditOperations) -> Tally {
        let reference = counted.hits + counted.substitutions + counted.deletions;
        let counts = [
            counted.edits(),
            reference,
            counted.hits,
            counted.substitutions,
            counted.deletions,
            counted.insertions,
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
