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
//! - Other tools divide by other lengths or count the surplus of the hypothesis only; this is the paper's wording.
//! - Without reference words each word of the hypothesis counts 100; nothing against nothing is 0.
//!
//! # Agreement
//! There is no standard tool for PER; the formula above is the definition.
//!
//! # Example
//! ```
//! use tercet::metrics::{self, Segment};
//!
//! let per = metrics::build("per")?;
//! let references = ["on the mat sat the cat"];
//! let tallies = per.tally(&[Segment::new("the cat sat on a mat", &references)])?;
//! assert_eq!(format!("{:.2}", per.score(&tallies[0])), "16.67");
//! # Ok::<(), tercet::Error>(())
//! ```

use super::error_rate::{ErrorRate, LOWERCASE, TOK};
use super::{Component, Direction, MetricInfo, Tally};
use crate::text::split_at_spaces;
use foldhash::HashMap;

/// The entry in [`METRICS`](super::METRICS).
pub static INFO: MetricInfo = MetricInfo {
    name: "per",
    summary: "position-independent word error rate: words without a match in any order",
    citation: "Tillmann et al., Eurospeech 1997",
    agrees_with: "its definition",
    direction: Direction::LowerIsBetter,
    options: &[TOK, LOWERCASE],
    ..MetricInfo::new(|options| ErrorRate::build("PER", options, compare, components, None))
};

fn components(total: &Tally) -> Vec<Component> {
    let named = ["errors", "ref_len", "matches", "hyp_len"].iter().zip(total.iter());
    named.map(|(name, &value)| Component::new(*name, value)).collect()
}

/// Errors, reference length, matches, hypothesis length.
fn compare(hypothesis: &str, reference: &str) -> Tally {
    let mut unmatched: HashMap<&str, usize> = HashMap::default();
    let (mut reference_length, mut hypothesis_length, mut matches) = (0usize, 0usize, 0usize);
    for word in split_at_spaces(reference) {
        *unmatched.entry(word).or_default() += 1;
        reference_length += 1;
    }
    for word in split_at_spaces(hypothesis) {
        hypothesis_length += 1;
        if let Some(left @ 1..) = unmatched.get_mut(word) {
            *left -= 1;
            matches += 1;
        }
    }
    let errors = hypothesis_length.max(reference_length) - matches;
    let counts = [errors, reference_length, matches, hypothesis_length];
    Tally::new(counts.iter().map(|&count| count as f64).collect())
}

#[cfg(test)]
mod tests;
