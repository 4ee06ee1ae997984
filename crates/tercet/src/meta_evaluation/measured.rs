//! What metrics made of a set of judgements: scores of its outputs and systems, computed from the texts or found in
//! files.
//!
//! Scores are turned so that more is better. A system's score is the metric's score of all its outputs that are there
//! (BLEU of the corpus, not the mean of segments), or the one its file gives, or the mean of the file's segment scores.

use super::set::JudgedSet;
use crate::corpora::{Level, MetricScores};
use crate::error::{Error, Result};
use crate::metrics::{self, Direction, Metric, Tally};
use crate::scoring::significance::{Measured, Resampling, bootstrap};
use crate::scoring::{GivenScores, OutputTallies, Outputs, tally_outputs};

/// One metric's scores on one set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricOnSet {
    /// The metric as it was asked for, or as its file calls it.
    pub metric: String,
    /// What exactly its scores are.
    pub signature: String,
    /// −1 for error rates: what the scores were multiplied by.
    pub sign: f64,
    /// The scores of outputs, system by system, NaN where there is none.
    pub segments: Option<Vec<f64>>,
    /// The scores of systems, NaN where there is none.
    pub systems: Option<Vec<f64>>,
    /// The scores of systems on draws of segments: `[system][draw]`.
    pub replicates: Option<Vec<Vec<f64>>>,
}

/// What is wanted of the metrics.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Scores of systems. Without them, only outputs that were judged are scored.
    pub systems: bool,
    /// Scores of systems on draws.
    pub resampling: Option<Resampling>,
}

/// Computes metrics, written as `name:key=value`, on the texts of a set. `progress` hears of segments.
pub fn score_texts(
    set: &JudgedSet<'_>,
    names: &[String],
    wanted: Wanted,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<MetricOnSet>> {
    let mut metrics: Vec<Box<dyn Metric>> =
        names.iter().map(|name| metrics::build(name)).collect::<Result<_>>()?;
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
    let tallies = tally_outputs(&outputs, &mut metrics, progress)?;
    let count = references.iter().map(Vec::len).max().unwrap_or(0).to_string();
    let with_references = |metric: &dyn Metric| metric.signature().with("refs", &count).to_string();
    let each = names.iter().zip(&metrics).zip(&tallies);
    each.map(|((name, metric), tallies)| {
        from_tallies(name, with_references(metric.as_ref()), metric.as_ref(), tallies, wanted)
    })
    .collect()
}

fn from_tallies(
    name: &str,
    signature: String,
    metric: &dyn Metric,
    tallies: &OutputTallies,
    wanted: Wanted,
) -> Result<MetricOnSet> {
    let sign = sign(metric.direction());
    let score =
        |tally: &Option<Tally>| tally.as_ref().map_or(f64::NAN, |tally| sign * metric.segment_score(tally));
    let segments = tallies.iter().flatten().map(score).collect();
    let mut on_set = MetricOnSet {
        metric: name.to_owned(),
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
        on_set.replicates =
            wanted.resampling.map(|resampling| replicates(metric, tallies, sign, &resampling)).transpose()?;
    }
    Ok(on_set)
}

/// The scores of systems on draws of segments; what was not judged adds nothing.
fn replicates(
    metric: &dyn Metric,
    tallies: &OutputTallies,
    sign: f64,
    resampling: &Resampling,
) -> Result<Vec<Vec<f64>>> {
    let width = tallies.iter().flatten().flatten().map(|tally| tally.len()).max().unwrap_or(0);
    let nothing = Tally::new(vec![0.0; width]);
    let filled: Vec<Vec<Tally>> = tallies
        .iter()
        .map(|system| system.iter().map(|tally| tally.clone().unwrap_or_else(|| nothing.clone())).collect())
        .collect();
    let measured = Measured { metric, systems: filled.iter().map(Vec::as_slice).collect() };
    let bootstrapped = bootstrap(&[measured], resampling)?;
    let turned = |replicates: Vec<f64>| replicates.into_iter().map(|score| sign * score).collect();
    Ok(bootstrapped[0].replicates.iter().map(|replicates| turned(replicates.to_double())).collect())
}

/// Scores from files on a set: those of segments, of systems, or both. Systems are found by name; where the set has only
/// one, a file's only one is it. Metrics that score none of the set's systems have neither kind of scores. `direction` is
/// that of metrics tercet does not know.
pub fn scores_from_files(
    set: &JudgedSet<'_>,
    files: &[MetricScores],
    direction: &dyn Fn(&str) -> Option<Direction>,
    wanted: Wanted,
) -> Result<Vec<MetricOnSet>> {
    let mut names: Vec<&str> = Vec::new();
    for file in files.iter().filter(|file| matches!(file.level, Level::Segment | Level::System)) {
        if !names.contains(&file.metric.as_str()) {
            names.push(&file.metric);
        }
    }
    let one = |name: &&str| {
        let of = |level: Level| files.iter().filter(move |file| file.level == level && file.metric == **name);
        given(set, name, of(Level::Segment), of(Level::System), direction(name), wanted)
    };
    names.iter().map(one).collect()
}

fn given<'f>(
    set: &JudgedSet<'_>,
    name: &str,
    of_segments: impl Iterator<Item = &'f MetricScores>,
    of_systems: impl Iterator<Item = &'f MetricScores>,
    direction: Option<Direction>,
    wanted: Wanted,
) -> Result<MetricOnSet> {
    let known = || metrics::build(name).map_or(Direction::HigherIsBetter, |metric| metric.direction());
    let direction = direction.unwrap_or_else(known);
    let metric = GivenScores::new(name, direction);
    let segments = set.segments();
    let values = placed(set, name, of_segments, segments)?;
    let mut on_set = match values {
        Some(values) => {
            let tallies: OutputTallies = values
                .chunks(segments.max(1))
                .map(|system| system.iter().map(|&score| given_tally(score)).collect())
                .collect();
            from_tallies(name, metric.signature().to_string(), &metric, &tallies, wanted)?
        }
        None => MetricOnSet {
            metric: name.to_owned(),
            signature: metric.signature().to_string(),
            sign: sign(direction),
            segments: None,
            systems: None,
            replicates: None,
        },
    };
    if let Some(systems) = placed(set, name, of_systems, 1)?.filter(|_| wanted.systems) {
        on_set.systems = Some(systems.iter().map(|score| on_set.sign * score).collect());
        on_set.replicates = None;
    }
    Ok(on_set)
}

fn given_tally(score: f64) -> Option<Tally> {
    (!score.is_nan()).then(|| Tally::new(vec![score, 1.0]))
}

/// The values of files with so many items to a system, in the order of the set's systems; `None` if there is no file.
fn placed<'f>(
    set: &JudgedSet<'_>,
    name: &str,
    files: impl Iterator<Item = &'f MetricScores>,
    items: usize,
) -> Result<Option<Vec<f64>>> {
    let mut values = vec![f64::NAN; set.systems() * items];
    let mut any = false;
    for file in files {
        for (system, scores) in file.systems.iter().zip(&file.values) {
            let alone = file.systems.len() == 1 && set.systems() == 1;
            let Some(place) = set.system_named(system).or(alone.then_some(0)) else { continue };
            any = true;
            if scores.len() != items {
                return Err(Error::Unusable(format!(
                    "{name} has {} scores for {system}, but {} {} has {items} segments",
                    scores.len(),
                    set.name(),
                    set.pair()
                )));
            }
            for (value, score) in values[place * items..].iter_mut().zip(scores) {
                *value = score.unwrap_or(f64::NAN);
            }
        }
    }
    Ok(any.then_some(values))
}

fn sign(direction: Direction) -> f64 {
    match direction {
        Direction::HigherIsBetter => 1.0,
        Direction::LowerIsBetter => -1.0,
    }
}
