//! GLEU, Google's BLEU for single sentences: the smaller of n-gram precision and recall (Wu et al., 2016).
//!
//! ```text
//! GLEU = min(P, R) = Σₙ m(n) / max( Σₙ h(n), Σₙ r(n) )        over the orders n from min_order to max_order
//! ```
//!
//! with m(n) the n-grams that hypothesis and reference share, each as often as both have it, and h(n) and r(n) all
//! n-grams of either.
//!
//! # Choices
//! - From 0 to 1, as in NLTK. A corpus is scored by the sums of both counts, as its authors do.
//! - Words are those of BLEU's usual tokenizer, as in `google_bleu` of the package evaluate; `tok=none` takes the words
//!   between spaces.
//! - Of several references the one with the highest share counts, the first of equals.
//! - A reference that has no n-gram, as the hypothesis has none, does not count: a segment without others is left out.
//!
//! # Agreement
//! Equal to NLTK 3.10.4 (`sentence_gleu`, `corpus_gleu`) on the same words, and to evaluate's `google_bleu`.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let gleu = Registry::lexical().build("gleu")?;
//! let references = ["the cat sat on the mat"];
//! // 8 of the reference's 18 n-grams: five words, and `the cat`, `cat sat`, `the cat sat`.
//! let tallies = gleu.tally(&[Segment::new("the cat sat by the mat", &references)])?;
//! assert_eq!(format!("{:.4}", gleu.score(&tallies[0])), "0.5000");
//! # Ok::<(), tercet_base::Error>(())
//! ```

use super::word_options::signed;
use super::{
    Component, FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Scale, Segment, Spec, Tally, Values,
    by_references,
};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::ngrams::ngram_count;
use crate::text::{NgramMatcher, Tokenizer};
use std::path::PathBuf;
use std::sync::Arc;
use tercet_base::options;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "gleu",
    aliases: &[("google-bleu", "gleu"), ("google_bleu", "gleu")],
    summary: "the smaller of n-gram precision and recall, for single sentences",
    citation: "Wu et al., 2016",
    papers: &[PAPER],
    agrees_with: "NLTK 3.10.4",
    scale: Scale::One,
    options: GleuOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 6.02179, log_likelihood: -0.6252, accuracy: 0.6429 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Gleu::in_context(options.typed(), registry.context())?)))
};

const PAPER: Paper = Paper { short: "Wu et al., 2016", bibtex: include_str!("wu-2016-google.bib") };

options! {
    /// Options of [`Gleu`].
    pub struct GleuOptions {
        tok: String = "13a", "tokenizer";
        tok_model: Option<PathBuf> = "auto",
            "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200";
        lowercase: bool = "no", "ignore case";
        min_order: usize [Values::Integer(1, 16)] = "1", "shortest n-gram";
        max_order: usize [Values::Integer(1, 16)] = "4", "longest n-gram";
    }
}

counts! {
    /// Shared n-grams, and those of the side that has more.
    struct GleuCounts { matches, ngrams }
}

/// GLEU.
pub struct Gleu {
    options: GleuOptions,
    tokenizer: Tokenizer,
}

impl Gleu {
    /// GLEU with these options. Returns an error if a value is not accepted, or the tokenizer is not found.
    pub fn new(options: GleuOptions) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: GleuOptions, context: &Context) -> Result<Self> {
        let options = INFO.check(&options)?;
        if options.min_order > options.max_order {
            let reason = "the shortest n-gram is longer than the longest".to_owned();
            return Err(Error::BadSpec { what: "metric", text: options.spec(INFO.name).to_string(), reason });
        }
        let tokenizer = Tokenizer::open(&options.tok, options.tok_model.as_deref(), context)?;
        Ok(Gleu { options, tokenizer })
    }

    /// How many n-grams a line of this length has.
    fn ngrams(&self, length: usize) -> usize {
        (self.options.min_order..=self.options.max_order).map(|order| ngram_count(length, order)).sum()
    }

    fn compare(&self, hypothesis: &str, matcher: &mut NgramMatcher, reference: usize) -> GleuCounts {
        let length = matcher.read_hypothesis(hypothesis);
        let NgramMatcher { symbols, ngrams, .. } = matcher;
        let mut matches = vec![0; self.options.max_order];
        ngrams.count_matches(symbols, &mut matches);
        let shared: u32 = matches[self.options.min_order - 1..].iter().sum();
        GleuCounts { matches: f64::from(shared), ngrams: self.ngrams(length).max(reference) as f64 }
    }
}

impl Metric for Gleu {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        signed(self.options.spec(INFO.name), self.tokenizer)
    }

    fn title(&self) -> String {
        "GLEU".to_owned()
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let analysed = |line: &&str| {
                let mut matcher = NgramMatcher::new(self.tokenizer, self.options.lowercase, self.options.max_order);
                let ngrams = self.ngrams(matcher.add_reference(line));
                (matcher, ngrams)
            };
            let mut references: Vec<(NgramMatcher, usize)> = segments[0].references.iter().map(analysed).collect();
            for segment in segments {
                let compared =
                    references.iter_mut().map(|(matcher, ngrams)| self.compare(segment.hypothesis, matcher, *ngrams));
                // The last of equals is taken, so they come in reverse.
                let best =
                    compared.rev().filter(|counts| counts.ngrams > 0.0).max_by(|a, b| share(a).total_cmp(&share(b)));
                tallies.push(best.unwrap_or_default().tally());
            }
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        share(&GleuCounts::read(total))
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        GleuCounts::components(total)
    }
}

fn share(counts: &GleuCounts) -> f64 {
    if counts.ngrams > 0.0 { counts.matches / counts.ngrams } else { 0.0 }
}

#[cfg(test)]
mod tests;
