//! Scores of metrics from files, assigned to the systems and segments of a set of judgements.
//!
//! Systems are found by name, or by the name of their file (`a/online-B.txt.gz` is `online-B`); if set and file have
//! one system each, they are taken to be the same. Segments are found by number if the names of the set's segments are
//! line numbers (from 1) that the file has; else a file must have as many scores as the set has segments, in the order
//! of the set's own files. A system's score is the one its file gives, or else the mean of its segment scores.
//!
//! Whether higher or lower is better: as the caller says; or as for tercet's metric of that name (`ter-refA` is TER) or
//! another tool's (`metricx-24`),
//! unless no score is above 0, since error rates are often negated for submission; or else higher is better. Scores
//! that come with a set are not negated, as in mt-metrics-eval.

use super::metric_on_set::{MetricOnSet, ScoreOptions, from_tallies};
use super::set::JudgedSet;
use crate::corpora::{Judgements, Level, MetricScores, metric_and_reference};
use crate::error::{Error, Result};
use crate::metrics::{Direction, Metric, Registry, Tally};
use crate::progress::Progress;
use crate::scoring::{ExternalScores, OutputTallies, direction_of_tool};
use foldhash::{HashMap, HashSet};

/// Which score belongs to which segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// By the numbers of segments, else as the set was read.
    ByNumber,
    /// The scores are part of the set, in its order.
    AsInTheSet,
}

/// Scores of segments that are known by the names of system and segment, laid out as a file of the set has them.
/// Systems that the set does not have are left out; a segment that it does not have is an error, and so is a second
/// score.
pub fn scores_by_name<'n>(
    judgements: &Judgements,
    metric: &str,
    scores: impl IntoIterator<Item = (&'n str, &'n str, f64)>,
) -> Result<MetricScores> {
    let length = judgements.segments.len();
    // As `segment_numbers` finds them in a file of this length.
    let numbers = numbers(&judgements.segments).filter(|numbers| numbers.iter().all(|place| *place < length));
    let places: HashMap<&str, usize> = judgements
        .segments
        .iter()
        .enumerate()
        .map(|(place, name)| (name.as_str(), numbers.as_ref().map_or(place, |numbers| numbers[place])))
        .collect();
    let mut found =
        MetricScores { metric: metric.to_owned(), level: Level::Segment, systems: Vec::new(), values: Vec::new() };
    let known: HashSet<&str> = judgements.systems.iter().map(String::as_str).collect();
    let mut rows: HashMap<&str, usize> = HashMap::default();
    for (system, segment, score) in scores.into_iter().filter(|(system, ..)| known.contains(system)) {
        let place = places.get(segment).copied().ok_or_else(|| {
            let (set, pair) = (&judgements.set, &judgements.pair);
            Error::Unusable(format!("{metric} has a score of segment {segment}, which {set} {pair} does not have"))
        })?;
        let row = *rows.entry(system).or_insert_with(|| {
            found.systems.push(system.to_owned());
            found.values.push(vec![None; length]);
            found.values.len() - 1
        });
        if found.values[row][place].replace(score).is_some() {
            let what = format!("{metric} has two scores of segment {segment} of {system}");
            return Err(Error::Unusable(what));
        }
    }
    Ok(found)
}

/// Scores from files on a set: those of segments, of systems, or both. Metrics without any of the set's systems
/// have neither. `direction` is the caller's choice for a metric, if any.
pub fn scores_from_files(
    set: &JudgedSet<'_>,
    (files, placement): (&[MetricScores], Placement),
    direction: &dyn Fn(&str) -> Option<Direction>,
    registry: &Registry,
    wanted: ScoreOptions,
    progress: Progress<'_>,
) -> Result<Vec<MetricOnSet>> {
    let mut names: Vec<&str> = Vec::new();
    for file in files.iter().filter(|file| matches!(file.level, Level::Segment | Level::System)) {
        if !names.contains(&file.metric.as_str()) {
            names.push(&file.metric);
        }
    }
    let one = |name: &&str| {
        let of: Vec<&MetricScores> = files.iter().filter(|file| file.metric == **name).collect();
        let direction = direction(name).unwrap_or_else(|| known_direction(name, &of, registry));
        on_set(set, &ExternalScores::new(name, direction, registry.find(name).ok()), (&of, placement), wanted, progress)
    };
    names.iter().map(one).collect()
}

/// The direction by the metric's name and its scores.
fn known_direction(name: &str, files: &[&MetricScores], registry: &Registry) -> Direction {
    let (base, _) = metric_and_reference(name);
    let known = registry.direction(base).or_else(|| direction_of_tool(base)).unwrap_or(Direction::HigherIsBetter);
    let scores = || files.iter().flat_map(|file| file.values.iter().flatten().flatten());
    if known == Direction::LowerIsBetter && scores().all(|score| *score <= 0.0) && scores().any(|score| *score < 0.0) {
        return Direction::HigherIsBetter;
    }
    known
}

fn on_set(
    set: &JudgedSet<'_>,
    metric: &ExternalScores,
    (files, placement): (&[&MetricScores], Placement),
    wanted: ScoreOptions,
    progress: Progress<'_>,
) -> Result<MetricOnSet> {
    let of = |level: Level| files.iter().copied().filter(move |file| file.level == level);
    let (name, segments) = (metric.title(), set.segments());
    let mut on_set = match placed(set, &name, (of(Level::Segment), placement), Level::Segment)? {
        Some(values) => {
            let tally = |&score: &f64| (!score.is_nan()).then(|| Tally::new(vec![score, 1.0]));
            let tallies: OutputTallies =
                values.chunks(segments.max(1)).map(|system| system.iter().map(tally).collect()).collect();
            from_tallies(&name, metric.signature().signed(), metric, &tallies, wanted, progress)?
        }
        None => MetricOnSet {
            metric: name.clone(),
            title: name.clone(),
            signature: metric.signature().signed(),
            sign: metric.direction().sign(),
            ..MetricOnSet::default()
        },
    };
    if let Some(systems) = placed(set, &name, (of(Level::System), placement), Level::System)?.filter(|_| wanted.systems)
    {
        on_set.systems = Some(systems.iter().map(|score| on_set.sign * score).collect());
        on_set.replicates = None;
    }
    Ok(on_set)
}

/// The values of files in the order of the set's systems and items; `None` if no file has any of its systems.
fn placed<'f>(
    set: &JudgedSet<'_>,
    name: &str,
    (files, placement): (impl Iterator<Item = &'f MetricScores>, Placement),
    level: Level,
) -> Result<Option<Vec<f64>>> {
    let items = if level == Level::Segment { set.segments() } else { 1 };
    let mut values = vec![f64::NAN; set.systems() * items];
    let mut seen = vec![false; set.systems()];
    for file in files {
        for (system, scores) in file.systems.iter().zip(&file.values) {
            let alone = file.systems.len() == 1 && set.systems() == 1;
            let Some(place) = set.system_named(system).or(alone.then_some(0)) else { continue };
            if std::mem::replace(&mut seen[place], true) {
                return Err(Error::Unusable(format!(
                    "{name} has {} scores for {system} twice: give one file, of one test set, for each metric",
                    level.code()
                )));
            }
            let numbers = match level {
                Level::Segment if placement == Placement::AsInTheSet => (0..scores.len()).collect(),
                Level::Segment => segment_numbers(set, name, scores.len())?,
                _ => vec![0],
            };
            for (value, number) in values[place * items..].iter_mut().zip(numbers) {
                *value = scores[number].unwrap_or(f64::NAN);
            }
        }
    }
    Ok(seen.contains(&true).then_some(values))
}

/// Which of a file's scores, from 0, belongs to each segment of the set.
pub(super) fn segment_numbers(set: &JudgedSet<'_>, name: &str, scores: usize) -> Result<Vec<usize>> {
    let segments = &set.judgements().segments;
    let numbered = numbers(segments);
    match numbered {
        Some(numbers) if numbers.iter().all(|number| *number < scores) => Ok(numbers),
        _ if scores == segments.len() => Ok(set.places_in_files().to_vec()),
        _ => Err(Error::Unusable(format!(
            "{name} has {scores} scores for each system, but {} {} has {} segments{}",
            set.name(),
            set.pair(),
            segments.len(),
            numbered
                .and_then(|numbers| numbers.into_iter().max())
                .map_or(String::new(), |last| { format!(", numbered up to {}", last + 1) })
        ))),
    }
}

/// The places, from 0, of segments whose names are all line numbers, from 1.
fn numbers(segments: &[String]) -> Option<Vec<usize>> {
    segments.iter().map(|name| name.parse().ok().and_then(|number: usize| number.checked_sub(1))).collect()
}
