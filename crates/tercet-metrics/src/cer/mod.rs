//! CER: character error rate, the word error rate of characters.
//!
//! ```text
//! CER = 100 · (S + D + I) / (H + S + D)
//! ```
//!
//! with H hits, S substitutions, D deletions and I insertions of characters in a shortest edit sequence from reference
//! to hypothesis.
//!
//! # Choices
//! - In per cent, as [`wer`](super::wer); jiwer's rates are 1/100 of ours.
//! - Characters are Unicode code points. White space counts, each as it stands, except at both ends of a line.
//! - Long lines as in [`wer`](super::wer), characters in place of words.
//! - Corpora, several references and empty lines as in [`wer`](super::wer).
//!
//! # Agreement
//! Equal to jiwer 4.0.0's `process_characters` with rapidfuzz 3.14.6 and the default transforms: counts exactly, rates
//! to 1e-9.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let cer = Registry::lexical().build("cer")?;
//! let references = ["ein Haus"];
//! let tallies = cer.tally(&[Segment::new("eine Maus", &references)])?;
//! assert_eq!(cer.score(&tallies[0]), 25.0);
//! # Ok::<(), tercet_base::Error>(())
//! ```

use super::error_rate::{ErrorRate, Errors, LEVENSHTEIN, Operations};
use super::word_options::Words;
use super::{Component, Direction, FittedSlope, MetricInfo, Tally};
use crate::context::Context;
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::text::{Preparation, Tokenizer, edit_operations, is_whitespace};
use std::sync::Arc;
use tercet_base::options;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "cer",
    summary: "character error rate: substitutions, deletions and insertions per reference character",
    citation: "Levenshtein 1966",
    papers: &[LEVENSHTEIN],
    agrees_with: "jiwer 4.0.0",
    direction: Direction::LowerIsBetter,
    options: CerOptions::TABLE,
    slope: Some(FittedSlope { slope: 0.05020, log_likelihood: -0.6309, accuracy: 0.6469 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, _| Ok(Arc::new(Cer::new(options.typed())?)))
};

options! {
    /// Options of [`Cer`].
    pub struct CerOptions {
        lowercase: bool = "no", "ignore case";
    }
}

impl Words for CerOptions {
    fn preparation(&self, _: &Context) -> Result<Preparation> {
        Ok(Preparation { tokenizer: Tokenizer::None, lowercase: self.lowercase })
    }
}

/// CER.
pub type Cer = ErrorRate<CharacterErrors>;

/// What [`Cer`] counts.
#[derive(Debug)]
pub enum CharacterErrors {}

impl Errors for CharacterErrors {
    type Options = CerOptions;

    const INFO: &'static MetricInfo = &INFO;
    const TITLE: &'static str = "CER";

    fn compare(hypothesis: &str, reference: &str) -> Tally {
        compare(hypothesis, reference)
    }

    fn components(total: &Tally) -> Vec<Component> {
        Operations::read(total).shown()
    }

    fn is_unfinished(tally: &Tally) -> bool {
        Operations::read(tally).unfinished > 0.0
    }
}

fn compare(hypothesis: &str, reference: &str) -> Tally {
    Operations::new(edit_operations(&characters(reference), &characters(hypothesis))).tally()
}

fn characters(line: &str) -> Vec<char> {
    line.trim_matches(is_whitespace).chars().collect()
}

#[cfg(test)]
mod tests;
