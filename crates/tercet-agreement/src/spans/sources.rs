//! Where the spans of a metric come from: a metric of tercet that marks words, or a file of another tool.

use super::counts::{Marked, marked};
use crate::corpora::{MetricRun, Severity};
use crate::error::{Error, Result};
use crate::from_files::segment_numbers;
use crate::given_scores::{names_of_segments, system_of};
use crate::metrics::{MarkWords, NamedMetric, Registry, Segment, WordMarks};
use crate::progress::Progress;
use crate::set::JudgedSet;
use rayon::prelude::*;

/// Outputs per batch, as in scoring.
const BATCH: usize = 64;

/// The spans of one metric on one set.
pub(super) struct MetricSpans {
    pub(super) metric: String,
    pub(super) title: String,
    pub(super) signature: String,
    /// Spans by place of the output, system by system; `None` where the metric says nothing.
    pub(super) spans: Vec<Option<Vec<Marked>>>,
    /// Whether the spans have severities.
    pub(super) has_severities: bool,
}

/// Returns an error for a metric that marks no words.
pub(super) fn check_marks(named: &NamedMetric, registry: &Registry) -> Result<()> {
    if named.metric.marker().is_some() {
        return Ok(());
    }
    let marks = |name: &&str| registry.build(name).is_ok_and(|metric| metric.marker().is_some());
    let known: Vec<&str> = DEFAULT_MARKERS.iter().copied().filter(marks).collect();
    Err(Error::BadRequest(format!(
        "{} marks no words of translations (metrics that do: {}; or give a file of spans)",
        named.name,
        known.join(", ")
    )))
}

/// The metrics of tercet that mark words.
pub(super) const DEFAULT_MARKERS: [&str; 3] = ["siamese", "meteor", "ter"];

/// Marks the words of these outputs, each given as `(segment, system)`, segment by segment.
pub(super) fn of_metric(
    set: &JudgedSet<'_>,
    named: &NamedMetric,
    outputs: &[(usize, usize)],
    severity: Option<Severity>,
    progress: Progress<'_>,
) -> Result<MetricSpans> {
    let metric = named.metric.as_ref();
    let marker = metric.marker().expect("checked before");
    let (references, sources) = (set.reference_lines()?, set.source_lines());
    let can_be_marked = |(segment, system): &(usize, usize)| {
        !references[*segment].is_empty() && set.output(*system, *segment).is_some()
    };
    let outputs: Vec<(usize, usize)> = outputs.iter().copied().filter(can_be_marked).collect();
    progress.stage("marking words", outputs.len(), "outputs")?;
    let batch = |batch: &[(usize, usize)]| {
        let text = |&(segment, system): &(usize, usize)| {
            let hypothesis = set.output(system, segment).unwrap_or_default();
            let source = sources.as_ref().map(|sources| sources[segment]);
            Segment { hypothesis, references: &references[segment], source }
        };
        let texts: Vec<Segment<'_>> = batch.iter().map(text).collect();
        let found = marker.mark(&texts)?;
        progress.advance(batch.len())?;
        let spans = |(text, marks): (&Segment<'_>, &WordMarks)| spans_of(text.hypothesis, marks, marker, severity);
        Ok(texts.iter().zip(&found).map(spans).collect())
    };
    let batches = outputs.par_chunks(BATCH).map(batch).collect::<Result<Vec<Vec<Vec<Marked>>>>>()?;
    let mut spans = vec![None; set.systems() * set.segments()];
    for (&(segment, system), found) in outputs.iter().zip(batches.into_iter().flatten()) {
        spans[system * set.segments() + segment] = Some(found);
    }
    let count = references.iter().map(Vec::len).max().unwrap_or(0).to_string();
    Ok(MetricSpans {
        metric: named.name.clone(),
        title: metric.title(),
        signature: metric.signature().with("refs", &count).signed(),
        spans,
        has_severities: severity.is_some(),
    })
}

/// The spans of wrong words, in characters.
fn spans_of(line: &str, marks: &WordMarks, marker: &dyn MarkWords, severity: Option<Severity>) -> Vec<Marked> {
    let is_error = |code: char| marker.kinds().iter().any(|kind| kind.code == code && kind.is_error);
    let mut bytes: Vec<std::ops::Range<usize>> = Vec::new();
    for mark in marks.hypothesis_marks.iter().filter(|mark| is_error(mark.code)) {
        match bytes.last_mut() {
            Some(last) if line[last.end..mark.bytes.start].chars().all(char::is_whitespace) => {
                last.end = mark.bytes.end
            }
            _ => bytes.push(mark.bytes.clone()),
        }
    }
    let (mut place, mut at) = (0, 0);
    let mut character = |byte: usize| {
        place += line[at..byte].chars().count();
        at = byte;
        place
    };
    let error = |bytes: std::ops::Range<usize>| crate::corpora::ErrorSpan {
        place: Some(character(bytes.start)..character(bytes.end)),
        severity,
        ..Default::default()
    };
    marked(&bytes.into_iter().map(error).collect::<Vec<_>>())
}

/// The spans of a file on a set; `None` if it has none of the set's outputs. The spans of several runs are put
/// together.
pub(super) fn of_file(set: &JudgedSet<'_>, run: &MetricRun, severity: Option<Severity>) -> Result<Option<MetricSpans>> {
    let judgements = set.judgements();
    let Some(ratings) = &run.ratings else { return Ok(None) };
    let length = run.scores.values.first().map_or(0, Vec::len);
    // The segment of the set that each segment of the file is.
    let mut segments = vec![None; length];
    match names_of_segments(run, judgements) {
        Some(names) => {
            let places: foldhash::HashMap<&str, usize> =
                judgements.segments.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
            segments.iter_mut().zip(&names).for_each(|(segment, name)| *segment = places.get(name.as_str()).copied());
        }
        None => {
            let numbers = segment_numbers(set, &run.scores.metric, length)?;
            numbers.into_iter().enumerate().for_each(|(place, number)| segments[number] = Some(place));
        }
    }
    let systems: Vec<Option<usize>> =
        run.scores.systems.iter().map(|name| set.system_named(system_of(name, run, judgements))).collect();
    let mut spans: Vec<Option<Vec<Marked>>> = vec![None; set.systems() * set.segments()];
    let mut has_severities = false;
    for rating in &ratings.ratings {
        let (Some(system), Some(segment)) = (systems[rating.system], segments[rating.segment]) else { continue };
        let mut errors = rating.errors.clone();
        errors.iter_mut().for_each(|error| error.severity = error.severity.or(severity));
        has_severities |= errors.iter().any(|error| error.severity.is_some());
        spans[system * set.segments() + segment].get_or_insert_default().extend(marked(&errors));
    }
    let found = spans.iter().any(Option::is_some);
    Ok(found.then(|| MetricSpans {
        metric: run.scores.metric.clone(),
        title: run.scores.metric.clone(),
        signature: String::new(),
        spans,
        has_severities,
    }))
}
