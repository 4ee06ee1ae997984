//! PER: position-independent word error rate (Tillmann et al., 1997).
//!
//! ```text
//! PER = 100 · (max(|h|, |r|) − m) / |r|
//! ```
//!
//! with m the words of hypothesis h matched with words of reference r at any position. Words left over on both
//! sides count as substitutions, the surplus of the longer side as deletions or insertions.
//!
//! # Choices
//! - In per cent. Words, corpora and several references as in [`wer`](super::wer), which is never lower.
//! - Some tools divide by other lengths or count the surplus of the hypothesis only; this is the paper's wording.
//! - Without reference words each word of the hypothesis counts 100; nothing against nothing is 0.
//!
//! # Agreement
//! Segments are equal to Sánchez-Martínez's PER.pl 1.0, which Asiya and Blend use (Blend's `nPER` is −1/100 of ours).
//! Of a corpus PER.pl compares the two total lengths, so that a surplus in one segment makes up for a lack in another;
//! here surplus and lack of every segment count.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let per = Registry::lexical().build("per")?;
//! let references = ["on the mat sat the cat"];
//! let tallies = per.tally(&[Segment::new("the cat sat on a mat", &references)])?;
//! assert_eq!(format!("{:.2}", per.score(&tallies[0])), "16.67");
//! # Ok::<(), tercet_base::Error>(())
//! ```

use super::error_rate::{ErrorRate, Errors};
use super::shared_words::SharedWords;
use super::word_options::WordOptions;
use super::{Component, Direction, FittedSlope, LanguageRules, MetricInfo, Paper, Tally};
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::split_at_spaces;
use std::sync::Arc;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "per",
    summary: "position-independent word error rate: words without a match in any order",
    citation: "Tillmann et al., Eurospeech 1997",
    papers: &[PAPER],
    agrees_with: "PER.pl 1.0 (segments)",
    direction: Direction::LowerIsBetter,
    options: WordOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 0.03254, log_likelihood: -0.6460, accuracy: 0.6256 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Per::in_context(options.typed(), registry.context())?)))
};

const PAPER: Paper = Paper { short: "Tillmann et al., 1997", bibtex: include_str!("tillmann-1997-per.bib") };

/// PER.
pub type Per = ErrorRate<UnorderedErrors>;

/// What [`Per`] counts.
#[derive(Debug)]
pub enum UnorderedErrors {}

impl Errors for UnorderedErrors {
    type Options = WordOptions;

    const INFO: &'static MetricInfo = &INFO;
    const TITLE: &'static str = "PER";

    fn compare(hypothesis: &str, reference: &str) -> Tally {
        compare(hypothesis, reference)
    }

    fn components(total: &Tally) -> Vec<Component> {
        PerCounts::components(total)
    }
}

counts! {
    struct PerCounts { errors, ref_len, matches, hyp_len }
}

fn compare(hypothesis: &str, reference: &str) -> Tally {
    let SharedWords { matches, hypothesis, reference } =
        SharedWords::count(split_at_spaces(hypothesis), split_at_spaces(reference));
    let errors = hypothesis.max(reference) - matches;
    let [errors, ref_len, matches, hyp_len] = [errors, reference, matches, hypothesis].map(|count| count as f64);
    PerCounts { errors, ref_len, matches, hyp_len }.tally()
}

#[cfg(test)]
mod tests;
