//! EED: extended edit distance, edits of characters with jumps at spaces and a cost for characters that are used more
//! than once (Stanchev et al., 2019).
//!
//! ```text
//! EED = min(1, ( e + ρ·v ) / ( |r| + ρ·v ))
//! ```
//!
//! with e the cost of the cheapest path through the characters of reference r, and v how often the path comes back to a
//! place of the hypothesis, or never comes to it. A path takes one character of the reference after the other: it pays
//! `insertion` for one that the hypothesis does not have, 1 for one that differs, `deletion` for a character of the
//! hypothesis that it leaves out, and `alpha` to jump to any place of the hypothesis after a space of the reference.
//!
//! # Choices
//! - From 0 to 1, lower is better; a line against itself does not score 0, since the path never comes to the place
//!   before its first character. A corpus scores the mean of its segments, as in the authors' program.
//! - v is counted as there: the cheapest place of each step is one that the path comes to.
//! - `lang=en` sets punctuation apart and joins numbers and some abbreviations as the authors' program does, with its
//!   effect that the character after `Mr ` is replaced by a full stop; a space is added at both ends. `lang=ja` is
//!   normalization form KC alone. The program has no other languages; they are scored as English.
//! - Of several references the one with the lowest distance counts, the first of equals. Without one, or against
//!   nothing, the distance is that of an empty reference.
//! - Lines whose lengths have a product above 2³² are not compared: their distance is 1, and
//!   [`Metric::is_unfinished`] says so.
//!
//! # Agreement
//! Equal to `extended_edit_distance` of torchmetrics 1.9.0, which is the authors' program, for segments; torchmetrics
//! sums up a corpus in single precision.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let eed = Registry::lexical().build("eed")?;
//! let references = ["It rained heavily all day."];
//! let tallies = eed.tally(&[Segment::new("All day, it rained heavily.", &references)])?;
//! assert_eq!(format!("{:.4}", eed.score(&tallies[0])), "0.3313");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod distance;
mod preparation;

use super::{
    Component, Direction, FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Scale, Segment, Spec, Tally,
    by_references,
};
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::tally::counts;
use distance::{Costs, distance};
use preparation::{prepare_english, prepare_japanese};
use std::sync::Arc;
use tercet_base::stop;
use tercet_base::{choices, options};

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "eed",
    summary: "character edits with jumps at spaces and a cost for repetitions",
    citation: "Stanchev et al., WMT 2019",
    papers: &[PAPER],
    agrees_with: "torchmetrics 1.9.0",
    direction: Direction::LowerIsBetter,
    scale: Scale::One,
    options: EedOptions::TABLE,
    language: LanguageRules {
        option: |language| (language.code() == "ja").then_some(("lang", "ja")),
        ..LanguageRules::NONE
    },
    slope: Some(FittedSlope { slope: 10.29042, log_likelihood: -0.5987, accuracy: 0.6740 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, _| Ok(Arc::new(Eed::new(options.typed())?)))
};

const PAPER: Paper = Paper { short: "Stanchev et al., 2019", bibtex: include_str!("stanchev-2019-eed.bib") };

choices! {
    /// How lines are prepared.
    pub enum EedLanguage: "language" {
        /// As English: punctuation is set apart.
        English = "en",
        /// As Japanese: characters that look the same are the same.
        Japanese = "ja",
    }
}

options! {
    /// Options of [`Eed`].
    pub struct EedOptions {
        lang: EedLanguage = "en", "how lines are prepared";
        alpha: f64 = "2", "cost of a jump";
        rho: f64 = "0.3", "cost of a place that is come to again, or never";
        deletion: f64 = "0.2", "cost of a character that only the hypothesis has";
        insertion: f64 = "1", "cost of a character that only the reference has";
    }
}

counts! {
    /// The distance and 1, then whether lines were too long.
    struct EedCounts { distance, segments, unfinished }
}

/// EED.
pub struct Eed {
    options: EedOptions,
}

impl Eed {
    /// EED with these options. Returns an error if a value is not accepted.
    pub fn new(options: EedOptions) -> Result<Self> {
        Ok(Eed { options: INFO.check(&options)? })
    }

    fn prepare(&self, line: &str) -> Vec<char> {
        stop::steps(16 * line.len());
        match self.options.lang {
            EedLanguage::English => prepare_english(line),
            EedLanguage::Japanese => prepare_japanese(line),
        }
    }

    fn costs(&self) -> Costs {
        let EedOptions { alpha, rho, deletion, insertion, .. } = self.options;
        Costs { jump: alpha, coverage: rho, deletion, insertion }
    }
}

impl Metric for Eed {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        self.options.spec(INFO.name)
    }

    fn title(&self) -> String {
        "EED".to_owned()
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let costs = self.costs();
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let mut references: Vec<Vec<char>> = segments[0].references.iter().map(|line| self.prepare(line)).collect();
            if references.is_empty() {
                references.push(self.prepare(""));
            }
            for segment in segments {
                let hypothesis = self.prepare(segment.hypothesis);
                let compared = references.iter().map(|reference| distance(&hypothesis, reference, &costs));
                let best = compared.min_by(|a, b| a.unwrap_or(1.0).total_cmp(&b.unwrap_or(1.0))).flatten();
                let unfinished = f64::from(u8::from(best.is_none()));
                tallies.push(EedCounts { distance: best.unwrap_or(1.0), segments: 1.0, unfinished }.tally());
            }
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn components(&self, _total: &Tally) -> Vec<Component> {
        Vec::new()
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        EedCounts::read(tally).unfinished > 0.0
    }
}

#[cfg(test)]
mod tests;
