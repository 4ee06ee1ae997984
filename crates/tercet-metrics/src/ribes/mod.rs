//! RIBES: the order of the words that hypothesis and reference share, by rank correlation (Isozaki et al., 2010).
//!
//! ```text
//! RIBES = NKT · P^α · BP^β        NKT = (τ + 1) / 2        BP = min(1, exp(1 − |r| / |h|))
//! ```
//!
//! with τ Kendall's rank correlation of the places that the words of the hypothesis have in the reference, and P the
//! share of the hypothesis's words that have such a place.
//!
//! # Choices
//! - A word that both lines have once stands for itself. Any other is found by the shortest run of words around it that
//!   both lines have once: to its right or to its left, by one word, then two, and so on, to its right first. Words
//!   that
//!   cannot be told apart have no place.
//! - With fewer than two places NKT is 0: a line of one word scores 0 against itself, as in NLTK.
//! - NLTK, and so this metric, looks at runs of up to max(i, |h| − i + 1) words for word i of the hypothesis and no
//!   more
//!   than the reference has, so that in lines of repeated words some places are not found.
//! - From 0 to 1. A corpus scores the mean of its segments. Of several references the one with the best score counts.
//! - Words end at white space, as in NLTK's and its authors' programs; `tok` tokenizes before.
//! - Runs are found by sorting the suffixes of both lines, so that long lines are no problem; NLTK refuses those of
//!   more
//!   than 2,000 words.
//!
//! # Agreement
//! Equal to NLTK 3.10.4 (`sentence_ribes`, `corpus_ribes`), whose τ counts all pairs of places, as the authors' script
//! does; versions of NLTK before 3.10 counted only pairs inside of runs.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let ribes = Registry::lexical().build("ribes")?;
//! // The paper's example: all words are right and their order is not.
//! let references = ["he was interested in world history because he read the book"];
//! let hypothesis = "he read the book because he was interested in world history";
//! let tallies = ribes.tally(&[Segment::new(hypothesis, &references)])?;
//! assert_eq!(format!("{:.3}", ribes.score(&tallies[0])), "0.382");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod places;
mod unique_runs;

use super::word_options::{preparation, signed};
use super::{
    Component, FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Scale, Segment, Spec, Tally, by_references,
};
use crate::context::Context;
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::ngrams::Words;
use crate::text::{Preparation, split};
use places::{increasing_pairs, places};
use std::path::PathBuf;
use std::sync::Arc;
use tercet_base::options;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "ribes",
    summary: "rank correlation of the order of shared words, for distant languages",
    citation: "Isozaki et al., EMNLP 2010",
    papers: &[PAPER],
    agrees_with: "NLTK 3.10.4",
    scale: Scale::One,
    options: RibesOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 2.62234, log_likelihood: -0.6661, accuracy: 0.6276 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Ribes::in_context(options.typed(), registry.context())?)))
};

const PAPER: Paper = Paper { short: "Isozaki et al., 2010", bibtex: include_str!("isozaki-2010-ribes.bib") };

options! {
    /// Options of [`Ribes`].
    pub struct RibesOptions {
        tok: String = "none", "tokenizer";
        tok_model: Option<PathBuf> = "auto",
            "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200";
        lowercase: bool = "no", "ignore case";
        alpha: f64 = "0.25", "exponent of the share of words with a place";
        beta: f64 = "0.1", "exponent of the brevity penalty";
    }
}

counts! {
    /// The score and 1; then the parts of the score.
    struct RibesCounts { score, segments, kendall, precision, brevity_penalty }
}

/// RIBES.
pub struct Ribes {
    options: RibesOptions,
    preparation: Preparation,
}

impl Ribes {
    /// RIBES with these options. Returns an error if a value is not accepted, or the tokenizer is not found.
    pub fn new(options: RibesOptions) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: RibesOptions, context: &Context) -> Result<Self> {
        let options = INFO.check(&options)?;
        let preparation = preparation(&options.tok, options.tok_model.as_deref(), options.lowercase, context)?;
        Ok(Ribes { options, preparation })
    }

    fn compare(&self, hypothesis: &[u32], reference: &[u32]) -> RibesCounts {
        if hypothesis.is_empty() {
            return RibesCounts { segments: 1.0, ..RibesCounts::default() };
        }
        let length = hypothesis.len() as f64;
        let places = places(hypothesis, reference);
        let kendall = match places.len() {
            0 | 1 => 0.0,
            n => {
                let pairs = (n as f64) * (n - 1) as f64 / 2.0;
                let tau = 2.0 * increasing_pairs(&places) as f64 / pairs - 1.0;
                f64::midpoint(tau, 1.0)
            }
        };
        let brevity_penalty = (1.0 - reference.len() as f64 / length).exp().min(1.0);
        let precision = places.len() as f64 / length;
        let score = kendall * precision.powf(self.options.alpha) * brevity_penalty.powf(self.options.beta);
        RibesCounts { score, segments: 1.0, kendall, precision, brevity_penalty }
    }
}

impl Metric for Ribes {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        signed(self.options.spec(INFO.name), self.preparation.tokenizer)
    }

    fn title(&self) -> String {
        "RIBES".to_owned()
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let mut words = Words::default();
            let mut numbered = |line: &str| -> Vec<u32> {
                split(&self.preparation.apply(line)).map(|word| words.learn(word)).collect()
            };
            let references: Vec<Vec<u32>> = segments[0].references.iter().map(|line| numbered(line)).collect();
            for segment in segments {
                let hypothesis = numbered(segment.hypothesis);
                let compared = references.iter().map(|reference| self.compare(&hypothesis, reference));
                // The last of equals is taken, so they come in reverse.
                let best = compared.rev().max_by(|a, b| a.score.total_cmp(&b.score));
                tallies.push(best.unwrap_or(RibesCounts { segments: 1.0, ..RibesCounts::default() }).tally());
            }
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    /// The means of the parts.
    fn components(&self, total: &Tally) -> Vec<Component> {
        let RibesCounts { segments, kendall, precision, brevity_penalty, .. } = RibesCounts::read(total);
        let parts = [("kendall", kendall), ("precision", precision), ("brevity_penalty", brevity_penalty)];
        parts.map(|(name, sum)| Component::new(name, sum / segments.max(1.0))).into()
    }
}

#[cfg(test)]
mod tests;
