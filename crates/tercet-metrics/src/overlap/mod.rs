//! Lexical overlap, Asiya's `Ol`: the words two lines have in common, of all words that either has (Giménez & Màrquez,
//! 2010).
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

use super::shared_words::SharedWords;
use super::word_options::{preparation, signed};
use super::{
    Component, FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Scale, Segment, Spec, Tally, by_references,
};
use crate::context::Context;
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::Preparation;
use std::path::PathBuf;
use std::sync::Arc;
use tercet_base::options;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "overlap",
    aliases: &[("ol", "overlap")],
    summary: "words in common, of all words of both lines: Asiya's Ol",
    citation: "Giménez & Màrquez, PBML 2010 (Asiya)",
    papers: &[PAPER],
    agrees_with: "Asiya's Ol",
    scale: Scale::One,
    options: OverlapOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 5.78786, log_likelihood: -0.6263, accuracy: 0.6385 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Overlap::in_context(options.typed(), registry.context())?)))
};

const PAPER: Paper = Paper { short: "Giménez and Màrquez, 2010", bibtex: include_str!("gimenez-2010-asiya.bib") };

options! {
    /// Options of [`Overlap`].
    pub struct OverlapOptions {
        tok: String = "none", "tokenizer";
        tok_model: Option<PathBuf> = "auto",
            "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200";
        lowercase: bool = "yes", "ignore case";
    }
}

counts! {
    /// Words in common and words of either line.
    struct OverlapCounts { matches, union }
}

/// Asiya's lexical overlap.
pub struct Overlap {
    preparation: Preparation,
    options: OverlapOptions,
}

impl Overlap {
    /// Overlap with these options. Returns an error if the tokenizer is not found.
    pub fn new(options: OverlapOptions) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: OverlapOptions, context: &Context) -> Result<Self> {
        let options = INFO.check(&options)?;
        let preparation = preparation(&options.tok, options.tok_model.as_deref(), options.lowercase, context)?;
        Ok(Overlap { preparation, options })
    }
}

impl Metric for Overlap {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        signed(self.options.spec(INFO.name), self.preparation.tokenizer)
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
        OverlapCounts::components(total)
    }
}

fn compare(hypothesis: &str, reference: &str) -> Tally {
    let SharedWords { matches, hypothesis, reference } =
        SharedWords::count(hypothesis.split_ascii_whitespace(), reference.split_ascii_whitespace());
    let [matches, union] = [matches, hypothesis + reference - matches].map(|count| count as f64);
    OverlapCounts { matches, union }.tally()
}

fn share(total: &Tally) -> f64 {
    let OverlapCounts { matches, union } = OverlapCounts::read(total);
    if union > 0.0 { matches / union } else { 0.0 }
}

#[cfg(test)]
mod tests;
