//! Tallies of outputs; not every system needs to have translated every segment.
//!
//! Test sets are complete; sets of human judgements often have only the judged outputs. The work is spread over the
//! threads of the current rayon pool in batches of segments; the references of a segment are analysed once for all
//! systems, and a translation that several systems share is scored once.

use crate::error::Result;
use crate::metrics::{Metric, Segment, SharedMetric, Tally, prepare};
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::Arc;
use tercet_base::stop;

/// Segments per batch: enough to amortise a metric's buffers, few enough to keep all threads busy.
const BATCH: usize = 64;

/// The outputs of systems.
pub struct Outputs<'a, 't> {
    /// The references of each segment: `references[segment][reference]`. A segment without any is left out, unless no
    /// segment has one, and all metrics can do with the source.
    pub references: &'a [Vec<&'t str>],
    /// The source of each segment.
    pub sources: Option<&'a [&'t str]>,
    /// The number of systems.
    pub systems: usize,
    /// The output of a system for a segment, if there is one to score.
    pub output: &'a (dyn Fn(usize, usize) -> Option<&'t str> + Sync),
}

/// The tallies of one metric: `[system][segment]`, `None` where there was nothing to score.
pub type OutputTallies = Vec<Vec<Option<Tally>>>;

/// The metrics prepared for the references of all segments, and the tallies of each. `progress` advances by segments,
/// each once for all metrics and systems.
pub fn tally_outputs(
    outputs: &Outputs<'_, '_>,
    metrics: &[Arc<dyn Metric>],
    progress: Progress<'_>,
) -> Result<(Vec<SharedMetric>, Vec<OutputTallies>)> {
    let prepared = outputs.prepare(metrics, progress)?;
    let tallies = tally_with_prepared(outputs, &prepared, progress)?;
    warn_of_unfinished(&prepared, &tallies, progress)?;
    Ok((prepared, tallies))
}

impl Outputs<'_, '_> {
    /// The metrics, prepared for the references of all segments.
    pub(super) fn prepare(&self, metrics: &[Arc<dyn Metric>], progress: Progress<'_>) -> Result<Vec<SharedMetric>> {
        let references: Vec<&[&str]> =
            self.references.iter().map(Vec::as_slice).filter(|references| !references.is_empty()).collect();
        progress.stage("scoring", self.references.len(), "segments")?;
        metrics.iter().map(|metric| prepare(metric, &references)).collect()
    }
}

/// Warns of metrics that gave up on a part of a segment.
pub(super) fn warn_of_unfinished(
    prepared: &[SharedMetric],
    tallies: &[OutputTallies],
    progress: Progress<'_>,
) -> Result<()> {
    for (metric, tallies) in prepared.iter().zip(tallies) {
        let all = tallies.iter().flatten().flatten();
        if let count @ 1.. = all.filter(|tally| metric.is_unfinished(tally)).count() {
            progress.warn(&metric.unfinished_warning(count))?;
        }
    }
    Ok(())
}

/// The tallies by metrics that need no preparation, or are prepared already.
pub fn tally_with_prepared(
    outputs: &Outputs<'_, '_>,
    prepared: &[SharedMetric],
    progress: Progress<'_>,
) -> Result<Vec<OutputTallies>> {
    let segments = outputs.references.len();
    let by_source = outputs.sources.is_some()
        && outputs.references.iter().all(Vec::is_empty)
        && prepared.iter().all(|metric| metric.info().without_references.is_some());
    let starts: Vec<usize> = (0..segments).step_by(BATCH).collect();
    let batches: Vec<Vec<Vec<Option<Tally>>>> = starts
        .par_iter()
        .map(stop::carried(|&start: &usize| {
            let end = segments.min(start + BATCH);
            let batch = Batch::new(outputs, start, end, by_source);
            let tallies = prepared
                .iter()
                .map(|metric| {
                    let tallies = metric.tally(&batch.segments)?;
                    batch.check_finite(metric.as_ref(), &tallies, start)?;
                    Ok(batch.of_systems(&tallies))
                })
                .collect::<Result<_>>()?;
            progress.advance(end - start)?;
            Ok(tallies)
        }))
        .collect::<Result<_>>()?;
    Ok(by_system(batches, prepared.len(), outputs.systems))
}

/// A batch of segments with the distinct translations of each.
struct Batch<'a> {
    segments: Vec<Segment<'a>>,
    /// For each segment and system, in that order, which of `segments` holds its translation.
    judged_as: Vec<Option<usize>>,
    systems: usize,
}

impl<'a> Batch<'a> {
    fn new(outputs: &'a Outputs<'a, '_>, start: usize, end: usize, by_source: bool) -> Self {
        let mut batch = Batch { segments: Vec::new(), judged_as: Vec::new(), systems: outputs.systems };
        for i in start..end {
            let first = batch.segments.len();
            for system in 0..outputs.systems {
                let references = &outputs.references[i];
                let hypothesis = (outputs.output)(system, i).filter(|_| by_source || !references.is_empty());
                let Some(hypothesis) = hypothesis else {
                    batch.judged_as.push(None);
                    continue;
                };
                let seen = batch.segments[first..].iter().position(|known| known.hypothesis == hypothesis);
                batch.judged_as.push(Some(first + seen.unwrap_or(batch.segments.len() - first)));
                if seen.is_none() {
                    let source = outputs.sources.map(|sources| sources[i]);
                    batch.segments.push(Segment { hypothesis, references, source });
                }
            }
        }
        batch
    }

    /// Returns an error for a number that is none. `start` is how many segments come before the batch.
    fn check_finite(&self, metric: &dyn Metric, tallies: &[Tally], start: usize) -> Result<()> {
        for (number, tally) in tallies.iter().enumerate() {
            tally.check_finite(|| {
                let judged = self.judged_as.iter().position(|judged| *judged == Some(number)).unwrap_or(0);
                format!("{} of segment {}", metric.title(), start + judged / self.systems + 1)
            })?;
        }
        Ok(())
    }

    /// The tallies of all segments and systems, in that order, from those of the distinct translations.
    fn of_systems(&self, tallies: &[Tally]) -> Vec<Option<Tally>> {
        self.judged_as.iter().map(|judged| judged.map(|judged| tallies[judged].clone())).collect()
    }
}

fn by_system(batches: Vec<Vec<Vec<Option<Tally>>>>, metrics: usize, systems: usize) -> Vec<OutputTallies> {
    let mut sorted: Vec<OutputTallies> = (0..metrics).map(|_| vec![Vec::new(); systems]).collect();
    for batch in batches {
        for (of_metric, tallies) in sorted.iter_mut().zip(batch) {
            for (i, tally) in tallies.into_iter().enumerate() {
                of_metric[i % systems].push(tally);
            }
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Registry;

    #[test]
    fn missing_outputs_are_not_scored_and_change_nothing_else() {
        let references: Vec<Vec<&str>> = vec![vec!["the cat sat on the mat"], vec![], vec!["it rained all day"]];
        let systems = [[Some("the cat sat on a mat"), Some("x"), None], [Some("a cat sat"), None, Some("it rained")]];
        let run = |output: &(dyn Fn(usize, usize) -> Option<&'static str> + Sync)| {
            let outputs = Outputs { references: &references, sources: None, systems: 2, output };
            let metrics = [Registry::lexical().build("bleu").unwrap(), Registry::lexical().build("nist").unwrap()];
            tally_outputs(&outputs, &metrics, Progress::none()).unwrap().1
        };
        let sparse = run(&|system, segment| systems[system][segment]);
        let shape: Vec<Vec<bool>> =
            sparse[1].iter().map(|system| system.iter().map(Option::is_some).collect()).collect();
        assert_eq!(shape, [[true, false, false], [true, false, true]]);
        let full = run(&|system, segment| systems[system][segment].or(Some("something else")));
        assert_eq!(sparse[0][1][2], full[0][1][2]);
        assert_eq!(sparse[1][0][0], full[1][0][0]);
    }
}
