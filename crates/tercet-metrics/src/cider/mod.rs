//! CIDEr-D: how much the n-grams of a hypothesis are those of its references, rare ones counting more (Vedantam et al.,
//! 2015).
//!
//! ```text
//! CIDEr-D = 10/N Σₙ 1/m Σⱼ exp( −(l(h) − l(rⱼ))² / 2σ² ) · Σ_w min(gₕ(w), gⱼ(w)) · gⱼ(w) / ( ‖gₕ‖ ‖gⱼ‖ )
//! g(w) = how often the line has w · log( segments / segments whose references have w )
//! ```
//!
//! over the n-grams w of each order n up to N, for the m references rⱼ of a segment, with l the length of a line.
//!
//! # Choices
//! - The weights need the references of every segment: only a metric that was [prepared](Metric::prepare) for them can
//!   tally. A corpus of one segment scores 0, since all its n-grams are in all segments.
//! - From 0 to 10. A corpus scores the mean of its segments.
//! - l counts pairs of neighbouring words, as pycocoevalcap does, and the mean over orders is taken in place of the
//!   sum.
//! - Words end at white space, as there, where captions are tokenized before; `tok` tokenizes.
//! - An n-gram that no reference has weighs as much as one of a single segment.
//!
//! # Agreement
//! Equal to the class `Cider` of pycocoevalcap 1.2, which computes CIDEr-D.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let cider = Registry::lexical().build("cider")?;
//! let (first, second) = (["a man rides a horse", "a rider on a horse"], ["two dogs play in the snow"]);
//! let segments = [Segment::new("a man on a horse", &first), Segment::new("two dogs in the snow", &second)];
//! assert_eq!(format!("{:.4}", cider.corpus_score(&segments)?), "4.2129");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod vectors;

use super::word_options::{preparation, signed};
use super::{
    FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Scale, Segment, Spec, Tally, Values, by_references,
};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::{Preparation, split};
use std::path::PathBuf;
use std::sync::Arc;
use tercet_base::options;
use vectors::{Frequencies, Line};

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "cider",
    aliases: &[("cider-d", "cider")],
    summary: "n-grams shared with all references, rare ones counting more",
    citation: "Vedantam et al., CVPR 2015",
    papers: &[PAPER],
    agrees_with: "pycocoevalcap 1.2",
    scale: Scale::One,
    options: CiderOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 0.54798, log_likelihood: -0.6315, accuracy: 0.6347 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Cider::in_context(options.typed(), registry.context())?)))
};

const PAPER: Paper = Paper { short: "Vedantam et al., 2015", bibtex: include_str!("vedantam-2015-cider.bib") };

options! {
    /// Options of [`Cider`].
    pub struct CiderOptions {
        tok: String = "none", "tokenizer";
        tok_model: Option<PathBuf> = "auto",
            "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200";
        lowercase: bool = "no", "ignore case";
        max_order: usize [Values::Integer(1, 16)] = "4", "longest n-gram";
        sigma: f64 = "6", "the difference of lengths that costs 39 per cent";
    }
}

counts! {
    /// The score and 1.
    struct CiderCounts { score, segments }
}

/// CIDEr-D. Its weights depend on the references of all segments: see [`Metric::prepare`].
pub struct Cider {
    options: CiderOptions,
    preparation: Preparation,
    frequencies: Option<Frequencies>,
}

impl Cider {
    /// CIDEr-D with these options. Returns an error if a value is not accepted, or the tokenizer is not found.
    pub fn new(options: CiderOptions) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: CiderOptions, context: &Context) -> Result<Self> {
        let options = INFO.check(&options)?;
        if options.sigma == 0.0 {
            let reason = "sigma must be above 0".to_owned();
            return Err(Error::BadSpec { what: "metric", text: options.spec(INFO.name).to_string(), reason });
        }
        let preparation = preparation(&options.tok, options.tok_model.as_deref(), options.lowercase, context)?;
        Ok(Cider { options, preparation, frequencies: None })
    }

    fn compare(&self, hypothesis: &Line, references: &[Line]) -> CiderCounts {
        let mut by_order = vec![0.0; self.options.max_order];
        for reference in references {
            let distance = hypothesis.length() - reference.length();
            let penalty = std::f64::consts::E.powf(-(distance * distance) / (2.0 * self.options.sigma.powi(2)));
            for (sum, similarity) in by_order.iter_mut().zip(hypothesis.similarities(reference)) {
                *sum += similarity * penalty;
            }
        }
        let mean = by_order.iter().sum::<f64>() / by_order.len() as f64;
        CiderCounts { score: 10.0 * (mean / references.len().max(1) as f64), segments: 1.0 }
    }
}

impl Metric for Cider {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        signed(self.options.spec(INFO.name), self.preparation.tokenizer)
    }

    fn title(&self) -> String {
        "CIDEr-D".to_owned()
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Metric>>> {
        let mut frequencies = Frequencies::new(self.options.max_order);
        for references in references {
            frequencies.start_segment();
            for line in *references {
                frequencies.add(split(&self.preparation.apply(line)));
            }
        }
        let (options, preparation) = (self.options.clone(), self.preparation);
        Ok(Some(Arc::new(Cider { options, preparation, frequencies: Some(frequencies) })))
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let unprepared = Error::NotPrepared { metric: INFO.name, ngram: None };
        let frequencies = self.frequencies.as_ref().ok_or(unprepared)?;
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let mut unknown = frequencies.unknown_words();
            let mut analysed = |line: &str| frequencies.line(split(&self.preparation.apply(line)), &mut unknown);
            let references: Vec<Line> = segments[0].references.iter().map(|line| analysed(line)).collect();
            for segment in segments {
                tallies.push(self.compare(&analysed(segment.hypothesis), &references).tally());
            }
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }
}

#[cfg(test)]
mod tests;
