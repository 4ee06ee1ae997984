//! WER: word error rate, the edits that turn the reference into the hypothesis, per word of the reference.
//!
//! ```text
//! WER = 100 · (S + D + I) / (H + S + D)        MER = 100 · (S + D + I) / (H + S + D + I)
//! WIP = 100 · H/|r| · H/|h|                    WIL = 100 − WIP
//! ```
//!
//! with H hits, S substitutions, D deletions and I insertions in a shortest edit sequence from reference r to
//! hypothesis h. The match error rate and the word information lost and preserved (Morris et al., 2004) are components.
//!
//! # Choices
//! - In per cent, as TER and as translation papers print it; jiwer's rates are 1/100 of ours. It may exceed 100.
//! - Words are separated by a space or by two or more white-space characters, as in jiwer: a single tab or no-break
//!   space does not separate them. `tok` tokenizes before.
//! - H, MER, WIL and WIP depend on which of several shortest sequences is used: rapidfuzz's, see
//!   `edit_operations`.
//! - Lines of more than 131,072 words that are also very different are compared in pieces, and the rate may be too
//!   high; see `edit_operations`. [`Metric::is_unfinished`](super::Metric::is_unfinished) says where.
//! - A corpus is scored by the sums of its counts, as jiwer scores lists.
//! - Of several references the one with the lowest rate counts, the first of equals (jiwer takes one).
//! - Without reference words each inserted word counts 100, MER is 100 and WIP 0; nothing against nothing has rates of
//!   0 and a WIP of 100. An empty hypothesis has a WIP of 0.
//!
//! # Agreement
//! Equal to jiwer 4.0.0 with rapidfuzz 3.14.6 and the default transforms: counts exactly, rates to 1e-9.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let wer = Registry::lexical().build("wer")?;
//! let references = ["the cat sat on the mat"];
//! let tallies = wer.tally(&[Segment::new("the cat on a mat today", &references)])?;
//! assert_eq!(format!("{:.1}", wer.score(&tallies[0])), "50.0");
//! # Ok::<(), tercet_base::Error>(())
//! ```

use super::error_rate::{ErrorRate, Errors, LEVENSHTEIN, Operations};
use super::word_options::WordOptions;
use super::{Component, Direction, FittedSlope, LanguageRules, MetricInfo, Tally};
use crate::spec::TypedOptions;
use crate::text::{edit_operations, split_at_spaces};
use std::sync::Arc;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "wer",
    summary: "word error rate: substitutions, deletions and insertions per reference word",
    citation: "Levenshtein 1966; Morris et al., Interspeech 2004 (MER, WIL)",
    papers: &[LEVENSHTEIN],
    agrees_with: "jiwer 4.0.0",
    direction: Direction::LowerIsBetter,
    options: WordOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 0.03156, log_likelihood: -0.6429, accuracy: 0.6268 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Wer::in_context(options.typed(), registry.context())?)))
};

/// WER.
pub type Wer = ErrorRate<WordErrors>;

/// What [`Wer`] counts.
#[derive(Debug)]
pub enum WordErrors {}

impl Errors for WordErrors {
    type Options = WordOptions;

    const INFO: &'static MetricInfo = &INFO;
    const TITLE: &'static str = "WER";

    fn compare(hypothesis: &str, reference: &str) -> Tally {
        compare(hypothesis, reference)
    }

    fn components(total: &Tally) -> Vec<Component> {
        components(total)
    }

    fn is_unfinished(tally: &Tally) -> bool {
        Operations::read(tally).unfinished > 0.0
    }
}

pub(super) fn compare(hypothesis: &str, reference: &str) -> Tally {
    let hypothesis: Vec<&str> = split_at_spaces(hypothesis).collect();
    let reference: Vec<&str> = split_at_spaces(reference).collect();
    Operations::new(edit_operations(&reference, &hypothesis)).tally()
}

fn components(total: &Tally) -> Vec<Component> {
    let operations = Operations::read(total);
    let preserved = operations.information_preserved();
    let mut components = operations.shown();
    components.push(Component::new("mer", operations.match_error_rate()));
    components.push(Component::new("wil", 100.0 * (1.0 - preserved)));
    components.push(Component::new("wip", 100.0 * preserved));
    components
}

#[cfg(test)]
mod tests;
