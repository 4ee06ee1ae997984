//! Scores of a set's outputs and systems by metrics, computed from the texts; for scores from files see
//! `from_files.rs`.
//!
//! Scores of error rates are negated, so that higher is better. A system's score is the metric's corpus score of its
//! available outputs, not the mean of segment scores.

use super::set::JudgedSet;
use crate::error::Result;
use crate::metrics::{Metric, NamedMetric, Tally};
use crate::progress::Progress;
use crate::scoring::significance::{MetricTallies, Resampling, bootstrap};
use crate::scoring::{OutputTallies, Outputs, tally_outputs};
use std::sync::Arc;

/// One metric's scores on one set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricOnSet {
    /// The metric as requested, or its name in a score file.
    pub metric: String,
    /// What reports call it.
    pub title: String,
    /// The signature of its scores.
    pub signature: String,
    /// The factor that scores were multiplied by: −1 for error rates.
    pub sign: f64,
    /// The scores of outputs, system by system, NaN where there is none.
    pub segments: Option<Vec<f64>>,
    /// The scores of systems, NaN where there is none.
    pub systems: Option<Vec<f64>>,
    /// The scores of systems on draws of segments: `[system][draw]`.
    pub replicates: Option<Vec<Vec<f64>>>,
}

/// Which scores to compute besides those of judged outputs.
#[derive(Clone, Copy, Debug)]
pub struct ScoreOptions {
    /// Whether to score systems; if not, only judged outputs are scored.
    pub systems: bool,
    /// Resampling of system scores, if any.
    pub resampling: Option<Resampling>,
}

/// Computes metrics on the texts of a set. `progress` advances by segments.
pub fn score_texts(
    set: &JudgedSet<'_>,
    metrics: &[NamedMetric],
    wanted: ScoreOptions,
    progress: Progress<'_>,
) -> Result<Vec<MetricOnSet>> {
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let references = set.reference_lines()?;
    let sources = set.source_lines();
    let wants = |system: usize, segment: usize| wanted.systems || set.is_judged(system, segment);
    let outputs = Outputs {
        references: &references,
        sources: sources.as_deref(),
        systems: set.systems(),
        output: &|system, segment| set.output(system, segment).filter(|_| wants(system, segment)),
    };
    let shared: Vec<Arc<dyn Metric>> = metrics.iter().map(|named| Arc::clone(&named.metric)).collect();
    let (prepared, tallies) = tally_outputs(&outputs, &shared, progress)?;
    let count = references.iter().map(Vec::len).max().unwrap_or(0).to_string();
    let with_references = |metric: &dyn Metric| metric.signature().with("refs", &count).signed();
    let each = metrics.iter().zip(&prepared).zip(&tallies);
    each.map(|((named, metric), tallies)| {
        from_tallies(&named.name, with_references(metric.as_ref()), metric.as_ref(), tallies, wanted, progress)
    })
    .collect()
}

pub(super) fn from_tallies(
    name: &str,
    signature: String,
    metric: &dyn Metric,
    tallies: &OutputTallies,
    wanted: ScoreOptions,
    progress: Progress<'_>,
) -> Result<MetricOnSet> {
    let sign = metric.direction().sign();
    let score = |tally: &Option<Tally>| tally.as_ref().map_or(f64::NAN, |tally| sign * metric.segment_score(tally));
    let segments = tallies.iter().flatten().map(score).collect();
    let mut on_set = MetricOnSet {
        metric: name.to_owned(),
        title: metric.title(),
        signature,
        sign,
        segments: Some(segments),
        systems: None,
        replicates: None,
    };
    if wanted.systems {
        let total = |system: &Vec<Option<Tally>>| {
            let tallies = || system.iter().flatten();
            if tallies().next().is_none() { f64::NAN } else { sign * metric.score(&Tally::sum(tallies())) }
        };
        on_set.systems = Some(tallies.iter().map(total).collect());
        let resampled = |by: Resampling| replicates(metric, tallies, sign, &by, progress);
        on_set.replicates = wanted.resampling.map(resampled).transpose()?;
    }
    Ok(on_set)
}

/// The scores of systems on draws of segments; missing outputs add nothing.
fn replicates(
    metric: &dyn Metric,
    tallies: &OutputTallies,
    sign: f64,
    resampling: &Resampling,
    progress: Progress<'_>,
) -> Result<Vec<Vec<f64>>> {
    let width = tallies.iter().flatten().flatten().map(|tally| tally.len()).max().unwrap_or(0);
    if width == 0 {
        // There are no outputs at all.
        return Ok(vec![vec![f64::NAN; resampling.samples]; tallies.len()]);
    }
    let nothing = Tally::new(vec![0.0; width]);
    let filled: Vec<Vec<Tally>> = tallies
        .iter()
        .map(|system| system.iter().map(|tally| tally.clone().unwrap_or_else(|| nothing.clone())).collect())
        .collect();
    let measured = MetricTallies { metric, systems: filled.iter().map(Vec::as_slice).collect() };
    let bootstrapped = bootstrap(&[measured], resampling, progress)?;
    let turned = |replicates: Vec<f64>| replicates.into_iter().map(|score| sign * score).collect();
    Ok(bootstrapped[0].replicates.iter().map(|replicates| turned(replicates.to_double())).collect())
}
