//! Lexical overlap, Asiya's `Ol`: the words two lines have in common, of all words that either has (Giménez & Màrquez, 2010).
//!
//! ```text
//! Ol = Σ min(h(w), r(w)) / Σ max(h(w), r(w))        over all words w
//! ```
//!
//! with h(w) and r(w) how often hypothesis and reference have w: Jaccard's coefficient of the two bags of words.
//!
//! # Choices
//! - From 0 to 1, as in Asiya. A corpus is scored by the sums of both counts, as there.
//! - Case is ignored unless `lowercase=no`. Asiya's script lowercases ASCII letters only; here all letters.
//! - Words end at ASCII white space; Asiya expects tokenized text, `tok` tokenizes before.
//! - Of several references the one with the greatest overlap counts, the first of equals.
//! - Nothing against nothing, or against anything, is 0.
//!
//! # Agreement
//! Equal to the script `Ol.pl` in Blend's distribution, which is Asiya's function: to the 15 digits it prints.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let overlap = Registry::lexical().build("overlap")?;
//! let references = ["the cat sat on the mat"];
//! // "cat", "on", "the" and "mat" of seven: "the" counts twice, and so does "sat" against "sits".
//! let tallies = overlap.tally(&[Segment::new("The cat sits on mat", &references)])?;
//! assert_eq!(format!("{:.4}", overlap.score(&tallies[0])), "0.5714");
//! # Ok::<(), tercet_base::Error>(())
//! ```

use super::error_rate::LOWERCASE;
use super::shared_words::SharedWords;
use super::tokenizer_option::{TOK, TOK_MODEL, tokenizer};
use super::{Component, Metric, MetricInfo, OptionInfo, Options, Scale, Segment, Spec, Tally, by_references};
use crate::error::Result;
use crate::text::Preparation;
use std::sync::Arc;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "overlap",
    aliases: &[("ol", "overlap")],
    summary: "words in common, of all words of both lines: Asiya's Ol",
    citation: "Giménez & Màrquez, PBML 2010 (Asiya)",
    agrees_with: "Asiya's Ol",
    scale: Scale::One,
    options: &[TOK, TOK_MODEL, OptionInfo { default: "yes", ..LOWERCASE }],
    ..MetricInfo::new(|options, _| Ok(Arc::new(Overlap::new(options)?)))
};

struct Overlap {
    preparation: Preparation,
    options: Options,
}

impl Overlap {
    fn new(mut options: Options) -> Result<Self> {
        let tokenizer = tokenizer(&mut options)?;
        let preparation = Preparation { tokenizer, lowercase: options.flag(LOWERCASE.key) };
        Ok(Overlap { preparation, options })
    }
}

impl Metric for Overlap {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        self.options.spec()
    }

    fn title(&self) -> String {
        "Ol".to_owned()
    }

    /// Words in common and words of either line, for the best reference.
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let references = segments[0].references.iter();
            let references: Vec<_> = references.map(|line| self.preparation.apply(line)).collect();
            for segment in segments {
                let hypothesis = self.preparation.apply(segment.hypothesis);
                let compared = references.iter().map(|reference| compare(&hypothesis, reference));
                // The last of equals is taken, so they come in reverse.
                let best = compared.rev().max_by(|a, b| share(a).total_cmp(&share(b)));
                tallies.push(best.unwrap_or_else(|| compare(&hypothesis, "")));
            }
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        share(total)
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let named = ["matches", "union"].iter().zip(total.iter());
        named.map(|(name, &value)| Component::new(*name, value)).collect()
    }
}

fn compare(hypothesis: &str, reference: &str) -> Tally {
    let SharedWords { matches, hypothesis, reference } =
        SharedWords::count(hypothesis.split_ascii_whitespace(), reference.split_ascii_whitespace());
    Tally::new([matches, hypothesis + reference - matches].map(|count| count as f64).into())
}

fn share(total: &Tally) -> f64 {
    match total[..] {
        [matches, union] if union > 0.0 => matches / union,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests;
