//! MER: match error rate, the share of matches and errors that are errors (Morris et al., 2004).
//!
//! ```text
//! MER = 100 · (S + D + I) / (H + S + D + I)
//! ```
//!
//! with H hits, S substitutions, D deletions and I insertions in a shortest edit sequence, as in [`wer`](super::wer).
//!
//! # Choices
//! - In per cent. Words, corpora, several references and long lines as in [`wer`](super::wer); H depends on which of
//!   several shortest sequences is used, which is rapidfuzz's.
//! - torchmetrics divides by the length of the longer line instead, which is less where words are both inserted and
//!   deleted: `tercet.compat.torchmetrics` of the Python package has its figures.
//! - Nothing against nothing is 0.
//!
//! # Agreement
//! Equal to jiwer 4.0.0.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let mer = Registry::lexical().build("mer")?;
//! let references = ["the cat sat on the mat"];
//! let tallies = mer.tally(&[Segment::new("the cat on a mat today", &references)])?;
//! assert_eq!(format!("{:.2}", mer.score(&tallies[0])), "42.86");
//! # Ok::<(), tercet_base::Error>(())
//! ```

use super::error_rate::{ErrorRate, Operations, WordShare};
use super::word_options::WordOptions;
use super::{Direction, FittedSlope, LanguageRules, MetricInfo, Paper};
use crate::spec::TypedOptions;
use std::sync::Arc;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "mer",
    summary: "match error rate: the share of matches and errors that are errors",
    citation: "Morris et al., Interspeech 2004",
    papers: &[PAPER],
    agrees_with: "jiwer 4.0.0",
    direction: Direction::LowerIsBetter,
    options: WordOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 0.04996, log_likelihood: -0.6280, accuracy: 0.6382 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Mer::in_context(options.typed(), registry.context())?)))
};

pub(super) const PAPER: Paper = Paper { short: "Morris et al., 2004", bibtex: include_str!("morris-2004-wil.bib") };

/// MER.
pub type Mer = ErrorRate<MatchErrors>;

/// What [`Mer`] counts.
#[derive(Debug)]
pub enum MatchErrors {}

impl WordShare for MatchErrors {
    const INFO: &'static MetricInfo = &INFO;
    const TITLE: &'static str = "MER";

    fn share(operations: &Operations) -> f64 {
        operations.match_error_rate()
    }
}
