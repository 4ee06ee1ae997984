//! GTM, the General Text Matcher: F-measure of matched words in which longer runs count more (Melamed et al., 2003;
//! Turian et al., 2003).
//!
//! ```text
//! MMS = (Σ lengthᵉ over the runs of a matching)^(1/e)
//! P = MMS / |h|        R = MMS / |r|        GTM-e = 2·P·R / (P + R)
//! ```
//!
//! A run is a sequence of words that hypothesis h and reference r both have without a gap. The longest run is taken
//! first, then the longest of what no taken word belongs to, and so on. With e = 1 this is the F-measure of words in
//! any order; greater exponents reward runs.
//!
//! # Choices
//! - From 0 to 1, as the tool prints it. `gtm-1`, `gtm-2`, `gtm-3` are the exponents of Asiya and Blend.
//! - Of runs with the same length the one that starts last in the hypothesis is taken first, then the one that starts
//!   last in the reference, as in the tool. To exchange hypothesis and reference may therefore change the score if e >
//!   1.
//! - Several references: a run may be in any of them, each word of each reference is used once, the matching ends at
//!   the lesser of
//!   |h| and the mean length of the references, and |r| is that mean. As in the tool.
//! - A corpus is scored from the sums of MMS, |h| and |r|, as the tool scores documents.
//! - Words end at ASCII white space, case matters, as in the tool; `tok` and `lowercase` prepare lines before.
//! - Lines with more than 2²¹ pairs of equal words, some 10,000 words of ordinary text, are cut into equally many
//!   pieces, which are matched one by one, unless e = 1 or one line equals the other: MMS may then be too small, and
//!   [`Metric::is_unfinished`] says so.
//!
//! # Agreement
//! Equal to GTM 1.4 in all printed digits.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let gtm = Registry::lexical().build("gtm-2")?;
//! let references = ["the cat sat on the mat"];
//! // Runs of 3 and 2 words: MMS is the root of 9 + 4.
//! let tallies = gtm.tally(&[Segment::new("the mat the cat sat", &references)])?;
//! assert_eq!(format!("{:.4}", gtm.score(&tallies[0])), "0.6556");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod matching;

use super::word_options::{preparation, signed};
use super::{
    Component, FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Scale, Segment, Spec, Tally, Values,
    by_references,
};
use crate::context::Context;
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::Preparation;
use crate::text::ngrams::Words;
use matching::{BREAK, Matching};
use std::path::PathBuf;
use std::sync::Arc;
use tercet_base::options;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "gtm",
    aliases: &[("gtm-1", "gtm:e=1"), ("gtm-2", "gtm:e=2"), ("gtm-3", "gtm:e=3")],
    summary: "F-measure of matched words; with e above 1 longer runs of them count more",
    citation: "Melamed et al., NAACL 2003; Turian et al., MT Summit 2003",
    papers: &[PAPER],
    agrees_with: "GTM 1.4",
    scale: Scale::One,
    options: GtmOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 5.30483, log_likelihood: -0.6294, accuracy: 0.6376 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Gtm::in_context(options.typed(), registry.context())?)))
};

const PAPER: Paper = Paper { short: "Turian et al., 2003", bibtex: include_str!("turian-2003-gtm.bib") };

options! {
    /// Options of [`Gtm`].
    pub struct GtmOptions {
        exponent as "e": f64 [Values::Number(1.0)] = "1", "exponent of the lengths of runs";
        tok: String = "none", "tokenizer";
        tok_model: Option<PathBuf> = "auto",
            "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200";
        lowercase: bool = "no", "ignore case";
    }
}

counts! {
    /// MMS, the two lengths, and whether a limit was reached.
    struct GtmCounts { matching, hyp_len, ref_len, unfinished }
}

/// GTM.
pub struct Gtm {
    preparation: Preparation,
    options: GtmOptions,
}

/// The references of a segment as numbers.
struct References {
    words: Words,
    /// All references, with [`BREAK`] after each.
    numbers: Vec<u32>,
    mean_length: f64,
}

impl Gtm {
    /// GTM with these options. Returns an error if a value is not accepted, or the tokenizer is not found.
    pub fn new(options: GtmOptions) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: GtmOptions, context: &Context) -> Result<Self> {
        let options = INFO.check(&options)?;
        let preparation = preparation(&options.tok, options.tok_model.as_deref(), options.lowercase, context)?;
        Ok(Gtm { preparation, options })
    }

    fn read(&self, references: &[&str]) -> References {
        let (mut words, mut numbers) = (Words::default(), Vec::new());
        for line in references {
            let line = self.preparation.apply(line);
            numbers.extend(line.split_ascii_whitespace().map(|word| words.learn(word)));
            numbers.push(BREAK);
        }
        let total = numbers.len() - references.len();
        References { words, numbers, mean_length: total as f64 / references.len().max(1) as f64 }
    }

    /// MMS, the two lengths, and whether a limit was reached.
    fn compare(&self, hypothesis: &str, references: &References) -> Tally {
        let line = self.preparation.apply(hypothesis);
        let hypothesis: Vec<u32> = line.split_ascii_whitespace().map(|word| references.words.get(word)).collect();
        let length = hypothesis.len() as f64;
        let matching =
            Matching::new(&hypothesis, &references.numbers, self.options.exponent, length.min(references.mean_length));
        let unfinished = f64::from(u8::from(!matching.exact));
        let ref_len = references.mean_length;
        GtmCounts { matching: matching.size, hyp_len: length, ref_len, unfinished }.tally()
    }
}

impl Metric for Gtm {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        signed(self.options.spec(INFO.name), self.preparation.tokenizer)
    }

    fn title(&self) -> String {
        format!("GTM-{}", self.options.exponent)
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let references = self.read(segments[0].references);
            tallies.extend(segments.iter().map(|segment| self.compare(segment.hypothesis, &references)));
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        let [precision, recall] = precision_and_recall(total);
        if precision + recall > 0.0 { 2.0 * (precision * recall) / (precision + recall) } else { 0.0 }
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        GtmCounts::read(tally).unfinished > 0.0
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let [precision, recall] = precision_and_recall(total);
        let counts = GtmCounts::read(total);
        vec![
            Component::new("precision", precision),
            Component::new("recall", recall),
            Component::new("matching", counts.matching),
            Component::new("hyp_len", counts.hyp_len),
            Component::new("ref_len", counts.ref_len),
        ]
    }
}

fn precision_and_recall(total: &Tally) -> [f64; 2] {
    let GtmCounts { matching, hyp_len, ref_len, .. } = GtmCounts::read(total);
    [hyp_len, ref_len].map(|length| if length > 0.0 { matching / length } else { 0.0 })
}

#[cfg(test)]
mod tests;
