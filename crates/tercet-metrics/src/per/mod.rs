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
//! Segments are equal to Sánchez-Martínez's PER.pl 1.0, which Asiya and Blend use (Blend's `nPER` is −1/100 of ours). Of a corpus
//! PER.pl compares the two total lengths, so that a surplus in one segment makes up for a lack in another; here surplus and
//! lack of every segment count.
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

use super::error_rate::{ErrorRate, LOWERCASE};
use super::shared_words::SharedWords;
use super::tokenizer_option::{TOK, TOK_MODEL};
use super::{Component, Direction, MetricInfo, Tally};
use crate::text::split_at_spaces;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "per",
    summary: "position-independent word error rate: words without a match in any order",
    citation: "Tillmann et al., Eurospeech 1997",
    agrees_with: "PER.pl 1.0 (segments)",
    direction: Direction::LowerIsBetter,
    options: &[TOK, TOK_MODEL, LOWERCASE],
    ..MetricInfo::new(|options, _| ErrorRate::build(&INFO, "PER", options, compare, components, None))
};

fn components(total: &Tally) -> Vec<Component> {
    let named = ["errors", "ref_len", "matches", "hyp_len"].iter().zip(total.iter());
    named.map(|(name, &value)| Component::new(*name, value)).collect()
}

/// Errors, reference length, matches, hypothesis length.
fn compare(hypothesis: &str, reference: &str) -> Tally {
    let SharedWords { matches, hypothesis, reference } =
        SharedWords::count(split_at_spaces(hypothesis), split_at_spaces(reference));
    let errors = hypothesis.max(reference) - matches;
    Tally::new([errors, reference, matches, hypothesis].map(|count| count as f64).into())
}

#[cfg(test)]
mod tests;
