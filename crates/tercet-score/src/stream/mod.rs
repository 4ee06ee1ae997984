//! Scores texts of any length batch by batch, on one machine or in parts on many.
//!
//! [`StreamScorer::tally`] tallies a batch on all threads, [`StreamScorer::segment_scores`] scores its segments, and
//! [`StreamScorer::add`] adds it to the sums of a system, [`PartialSums`], which do not grow. Sums of parts of a text
//! are [merged](PartialSums::merge) in any order, and [`StreamScorer::evaluate`] gives the scores of whole systems,
//! equal to the last bit to those of the text in one piece.
//!
//! ```
//! use tercet_metrics::Registry;
//! use tercet_base::progress::Progress;
//! use tercet_score::{Corpus, EvaluateRequest, StreamScorer, StreamedSystem, System};
//!
//! let scorer = StreamScorer::new(vec![Registry::lexical().named("chrf", None)?])?;
//! let mut sums = scorer.no_sums();
//! for (hypothesis, reference) in [("a cat sat", "the cat sat"), ("it rained", "it rained all day")] {
//!     let system = System { name: "a".to_owned(), hypotheses: vec![hypothesis] };
//!     let batch = Corpus::new(vec![system], vec![vec![reference]])?;
//!     let tallies = scorer.tally(&batch, Progress::none())?;
//!     scorer.add(&mut sums, 1, tallies.iter().map(|systems| &systems[0][0]));
//! }
//! let system = StreamedSystem::new("a", sums);
//! let result = scorer.evaluate(vec![system], &EvaluateRequest::default(), Progress::none())?;
//! assert_eq!(format!("{:.2}", result.columns[0].cells[0].score), "52.91");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod counted_ids;
mod partial_sums;
mod partial_test;
mod score_log;
#[cfg(test)]
mod tests;

pub use partial_sums::PartialSums;
pub use partial_test::PartialTest;
pub use score_log::{ScoreLog, ScoredBatch};

use super::evaluate::{EvaluateRequest, Scored, check_distinct, names_of};
use super::outputs::{Outputs, tally_with_prepared};
use super::{Corpus, Evaluation, ReferenceCount, SystemTallies, complete};
use crate::error::{Error, Result};
use crate::metrics::{NamedMetric, SharedMetric, Tally};
use crate::progress::Progress;
use std::sync::Arc;

/// Metrics that score a text in parts.
#[derive(Clone, Debug)]
pub struct StreamScorer {
    metrics: Vec<NamedMetric>,
}

/// A system whose text was scored in parts.
#[derive(Clone, Debug)]
pub struct StreamedSystem {
    /// The name in reports.
    pub name: String,
    /// The sums of all parts.
    pub sums: PartialSums,
    /// The tallies of all segments, for each metric, if intervals or tests are requested; they take memory for each
    /// segment.
    pub tallies: Vec<Vec<Tally>>,
}

impl StreamedSystem {
    /// A system of which only the sums were kept.
    pub fn new(name: impl Into<String>, sums: PartialSums) -> Self {
        StreamedSystem { name: name.into(), sums, tallies: Vec::new() }
    }
}

impl StreamScorer {
    /// Returns an error if a metric is given twice, or if its scores depend on the references of all segments, which
    /// are not known while the first ones are scored.
    pub fn new(metrics: Vec<NamedMetric>) -> Result<Self> {
        check_distinct(&metrics)?;
        for named in &metrics {
            if named.metric.prepare(&[&["a"]])?.is_some() {
                return Err(Error::BadRequest(format!(
                    "{} needs the references of all segments before it can score the first: score the text in one \
                     piece, from files of lines",
                    named.name
                )));
            }
        }
        Ok(StreamScorer { metrics })
    }

    /// The metrics, in the order given.
    pub fn metrics(&self) -> &[NamedMetric] {
        &self.metrics
    }

    /// The tallies of a batch of segments: `[metric][system][segment]`. `progress` advances by segments.
    pub fn tally(&self, batch: &Corpus<'_>, progress: Progress<'_>) -> Result<Vec<SystemTallies>> {
        let outputs = Outputs {
            references: batch.references(),
            sources: batch.sources(),
            systems: batch.systems().len(),
            output: &|system, segment| Some(batch.systems()[system].hypotheses[segment]),
        };
        let metrics: Vec<SharedMetric> = self.metrics.iter().map(|named| Arc::clone(&named.metric)).collect();
        Ok(complete(tally_with_prepared(&outputs, &metrics, progress)?))
    }

    /// The scores of segments from their tallies by one metric.
    pub fn segment_scores(&self, metric: usize, tallies: &[Tally]) -> Vec<f64> {
        tallies.iter().map(|tally| self.metrics[metric].metric.segment_score(tally)).collect()
    }

    /// The sums of no segments.
    pub fn no_sums(&self) -> PartialSums {
        PartialSums::new(self.metrics.iter().map(|named| named.metric.signature().to_string()).collect())
    }

    /// Adds the tallies of a segment, one by each metric, to the sums of a system.
    pub fn add<'t>(&self, sums: &mut PartialSums, references: usize, tallies: impl IntoIterator<Item = &'t Tally>) {
        sums.count(references);
        for ((i, named), tally) in self.metrics.iter().enumerate().zip(tallies) {
            sums.sums[i].add(tally);
            sums.unfinished[i] += u64::from(named.metric.is_unfinished(tally));
        }
    }

    /// The scores of systems from the sums of all parts of their texts. Segment scores are not repeated; intervals and
    /// tests need the tallies of all segments.
    pub fn evaluate(
        &self,
        systems: Vec<StreamedSystem>,
        request: &EvaluateRequest,
        progress: Progress<'_>,
    ) -> Result<Evaluation> {
        let names: Vec<String> = systems.iter().map(|system| system.name.clone()).collect();
        request.check(&names, &names_of(&self.metrics))?;
        self.check(&systems, request)?;
        let references = self.reference_count(&systems).map(|count| ("refs", count.to_string()));
        let segments = usize::try_from(systems[0].sums.segments).unwrap_or(usize::MAX);
        let mut scored: Vec<Scored<'_>> = Vec::new();
        for (i, named) in self.metrics.iter().enumerate() {
            let unfinished: u64 = systems.iter().map(|system| system.sums.unfinished[i]).sum();
            if unfinished > 0 {
                progress.warn(&named.metric.unfinished_warning(usize::try_from(unfinished).unwrap_or(usize::MAX)))?;
            }
            scored.push(Scored {
                name: named.name.clone(),
                metric: named.metric.as_ref(),
                qualifiers: references.as_slice(),
                totals: systems.iter().map(|system| system.sums.sums[i].total()).collect(),
                tallies: Vec::new(),
            });
        }
        for system in systems {
            for (scored, tallies) in scored.iter_mut().zip(system.tallies) {
                scored.tallies.push(tallies);
            }
        }
        request.assemble(names, (segments, request.language.as_ref().into()), &scored, None, progress)
    }

    /// How many references the segments of all systems have.
    fn reference_count(&self, systems: &[StreamedSystem]) -> Option<ReferenceCount> {
        let mut all = self.no_sums();
        let found = systems.iter().try_for_each(|system| all.merge(&system.sums));
        found.ok().and(all.references)
    }

    fn check(&self, systems: &[StreamedSystem], request: &EvaluateRequest) -> Result<()> {
        if systems.is_empty() || systems.iter().any(|system| system.sums.segments == 0) {
            return Err(Error::NoSegments);
        }
        let own = self.no_sums();
        systems.iter().try_for_each(|system| own.clone().merge(&system.sums))?;
        if request.segments || request.wins {
            let what = "scores of segments are given batch by batch, not at the end";
            return Err(Error::BadRequest(what.to_owned()));
        }
        let needs_tallies = request.needs_tallies();
        let has_tallies = |system: &StreamedSystem| {
            let segments = |tallies: &Vec<Tally>| tallies.len() as u64 == system.sums.segments;
            system.tallies.len() == self.metrics.len() && system.tallies.iter().all(segments)
        };
        if needs_tallies && !systems.iter().all(has_tallies) {
            let what = "intervals and tests need the tallies of all segments";
            return Err(Error::BadRequest(what.to_owned()));
        }
        if needs_tallies && systems.iter().any(|system| system.sums.segments != systems[0].sums.segments) {
            let what = "intervals and tests need the same segments of every system";
            return Err(Error::BadRequest(what.to_owned()));
        }
        Ok(())
    }
}
