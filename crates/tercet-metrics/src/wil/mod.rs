//! WIL and WIP: word information lost and preserved (Morris et al., 2004).
//!
//! ```text
//! WIP = 100 · H/|r| · H/|h|        WIL = 100 − WIP
//! ```
//!
//! with H the hits in a shortest edit sequence of reference r and hypothesis h, as in [`wer`](super::wer).
//!
//! # Choices
//! - In per cent; of WIP higher is better. Words, corpora and long lines as in [`wer`](super::wer); H depends on which
//!   of several shortest sequences is used, which is rapidfuzz's. Of several references the best one counts.
//! - torchmetrics takes the length of the longer line less the edits for H: `tercet.compat.torchmetrics` of the Python
//!   package has its figures.
//! - Nothing against nothing is preserved.
//!
//! # Agreement
//! Equal to jiwer 4.0.0.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let registry = Registry::lexical();
//! let references = ["the cat sat on the mat"];
//! let segment = Segment::new("the cat on a mat today", &references);
//! for (name, expected) in [("wil", "55.56"), ("wip", "44.44")] {
//!     let metric = registry.build(name)?;
//!     assert_eq!(format!("{:.2}", metric.score(&metric.tally(&[segment.clone()])?[0])), expected);
//! }
//! # Ok::<(), tercet_base::Error>(())
//! ```

use super::error_rate::{ErrorRate, Operations, WordShare};
use super::mer::PAPER;
use super::word_options::WordOptions;
use super::{Direction, FittedSlope, LanguageRules, MetricInfo};
use crate::spec::TypedOptions;
use std::sync::Arc;

/// The entry of WIL in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "wil",
    summary: "word information lost between reference and hypothesis",
    citation: "Morris et al., Interspeech 2004",
    papers: &[PAPER],
    agrees_with: "jiwer 4.0.0",
    direction: Direction::LowerIsBetter,
    options: WordOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 0.05049, log_likelihood: -0.6285, accuracy: 0.6344 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Wil::in_context(options.typed(), registry.context())?)))
};

/// The entry of WIP.
pub static WIP: MetricInfo = MetricInfo {
    name: "wip",
    summary: "word information preserved between reference and hypothesis",
    citation: "Morris et al., Interspeech 2004",
    papers: &[PAPER],
    agrees_with: "jiwer 4.0.0",
    options: WordOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 0.05049, log_likelihood: -0.6285, accuracy: 0.6344 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Wip::in_context(options.typed(), registry.context())?)))
};

/// WIL.
pub type Wil = ErrorRate<InformationLost>;

/// WIP.
pub type Wip = ErrorRate<InformationPreserved>;

/// What [`Wil`] counts.
#[derive(Debug)]
pub enum InformationLost {}

/// What [`Wip`] counts.
#[derive(Debug)]
pub enum InformationPreserved {}

impl WordShare for InformationLost {
    const INFO: &'static MetricInfo = &INFO;
    const TITLE: &'static str = "WIL";

    fn share(operations: &Operations) -> f64 {
        100.0 * (1.0 - operations.information_preserved())
    }
}

impl WordShare for InformationPreserved {
    const INFO: &'static MetricInfo = &WIP;
    const TITLE: &'static str = "WIP";

    fn share(operations: &Operations) -> f64 {
        100.0 * operations.information_preserved()
    }
}

#[cfg(test)]
mod tests;
