//! Agreement of spans as a use case.

use super::counts::{Marked, SpanCounts, marked};
use super::examples::{SpanExample, SpansOfMetric, pieces};
use super::sources::{DEFAULT_MARKERS, MetricSpans, check_marks, of_file, of_metric};
use crate::corpora::{
    JudgementFields, Judgements, MarkedText, MetricRun, Rating, Ratings, Severity, read_metric_scores, select_rows,
};
use crate::draws::{Draws, percentile_interval};
use crate::error::{Error, Result};
use crate::in_order::in_order;
use crate::job::{MAX_DRAWS, for_target, warn_of_metrics};
use crate::metrics::{NamedMetric, Registry};
use crate::progress::Progress;
use crate::set::JudgedSet;
use crate::text::Language;
use crate::warning::{Done, Warning};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

tercet_base::defaults! {
    /// Do metrics mark what people mark? The default: the metrics of tercet that mark words, against all ratings with
    /// marked errors, with 1000 bootstrap draws.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct SpansJob {
        /// Folders or files of human judgements.
        pub judgements: Vec<PathBuf> = Vec::new(),
        /// The fields of the judgements, if they are rows with other than the usual names.
        pub fields: JudgementFields = JudgementFields::default(),
        /// Only these language pairs; if empty, all.
        pub pairs: Vec<String> = Vec::new(),
        /// Metrics that mark words. If there are none, and no files, siamese, METEOR and TER.
        pub metrics: Vec<String> = Vec::new(),
        /// Files of spans by other metrics.
        pub spans: Vec<PathBuf> = Vec::new(),
        /// Which ratings, by name; if not given, all with marked errors.
        pub human: Option<String> = None,
        /// Which references; if empty, refA, ref or the first by name.
        pub references: Vec<String> = Vec::new(),
        /// Whether human translations are included as systems.
        pub include_human: bool = false,
        /// The severity of a metric's spans that have none.
        pub severity: Option<Severity> = None,
        /// How many outputs on which people and the first metric differ most are shown, of each set.
        pub top: usize = 20,
        /// The number of draws for intervals.
        pub resamples: usize = crate::scoring::RESAMPLES,
        /// Their seed.
        pub seed: u64 = crate::scoring::SEED,
    }
}

/// What was measured, and examples.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SpansReport {
    /// The job.
    pub job: SpansJob,
    /// One for each set, kind of ratings and metric.
    pub agreements: Vec<SpanAgreement>,
    /// Outputs on which people and the first metric differ most, those with most differing characters first.
    pub examples: Vec<SpanExample>,
}

tercet_base::choices! {
    /// Whose spans are compared with those of people.
    pub enum SpanMarker: "marker" {
        /// A metric's.
        Metric = "metric",
        /// Another rater's.
        Rater = "another rater",
        /// Every character is marked.
        Everything = "everything",
        /// No character is marked.
        Nothing = "nothing",
    }
}

/// Precision, recall and F1; what is not defined is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PrecisionRecall {
    /// The share of what was marked that people marked.
    pub precision: Option<f64>,
    /// The share of what people marked that was marked.
    pub recall: Option<f64>,
    /// The harmonic mean of both.
    pub f1: Option<f64>,
    /// The lower end of the 95% interval of F1.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// How far the spans of a metric agree with those of people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpanAgreement {
    /// The set.
    pub set: String,
    /// The language pair.
    pub pair: String,
    /// The kind of ratings.
    pub human: String,
    /// Whose spans they are.
    pub marker: SpanMarker,
    /// The metric as requested, or the name of its file; for others what they are.
    pub metric: String,
    /// What reports call it.
    pub title: String,
    /// The signature of the metric; empty for others.
    pub signature: String,
    /// The number of outputs, once for each rater.
    pub outputs: usize,
    /// The number of spans that people marked.
    pub human_spans: usize,
    /// The number of spans that were compared with them.
    pub spans: usize,
    /// By characters.
    pub characters: PrecisionRecall,
    /// By characters, with severities; `None` for spans without.
    pub with_severity: Option<PrecisionRecall>,
    /// By matched spans.
    pub matched: PrecisionRecall,
    /// By matched spans, with severities.
    pub matched_severity: Option<PrecisionRecall>,
    /// The mean F1 of outputs.
    pub mean_f1: f64,
    /// The same with severities.
    pub mean_f1_severity: Option<f64>,
}

impl SpansJob {
    /// Returns an error for settings that cannot be met.
    pub fn validate(&self) -> Result<()> {
        match (1..=MAX_DRAWS).contains(&self.resamples) {
            true => Ok(()),
            false => Err(Error::out_of_range("resamples", format!("a number from 1 to {MAX_DRAWS}"), self.resamples)),
        }
    }

    /// Compares spans.
    pub fn run(&self, registry: &Registry, progress: Progress<'_>) -> Result<Done<SpansReport>> {
        let mut job = self.clone();
        if job.metrics.is_empty() && job.spans.is_empty() {
            let known = DEFAULT_MARKERS.iter().filter(|name| registry.find(name).is_ok());
            job.metrics = known.map(|name| (*name).to_owned()).collect();
        }
        let metrics = job.metrics.iter().map(|name| registry.named(name, None)).collect::<Result<Vec<_>>>()?;
        job.run_with(&metrics, registry, progress)
    }

    /// The same with metrics that are built already, in place of those that the job names.
    pub fn run_with(
        &self,
        metrics: &[NamedMetric],
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<SpansReport>> {
        Done::collect(progress, |progress| {
            self.validate()?;
            metrics.iter().try_for_each(|named| check_marks(named, registry))?;
            let mut runs = Vec::new();
            for path in &self.spans {
                let read = read_metric_scores(path)?;
                let marks = |run: &MetricRun| run.ratings.as_ref().is_some_and(marks_errors);
                if !read.iter().any(marks) {
                    let what = "it has no marked errors: expected xCOMET's JSON, or rows with a field spans or errors";
                    return Err(Error::bad_file(path, what));
                }
                runs.extend(read);
            }
            let job = SpansJob { metrics: metrics.iter().map(|named| named.name.clone()).collect(), ..self.clone() };
            let mut report = SpansReport { job, ..SpansReport::default() };
            let mut without = Vec::new();
            for source in select_rows(&self.judgements, &self.pairs, &self.fields)? {
                let judgements = source.read()?;
                let before = report.agreements.len();
                self.add_set(&judgements, (metrics, registry), &runs, &mut report, progress)?;
                if report.agreements.len() == before {
                    without.push(format!("{} {}", judgements.set, judgements.pair).trim_end().to_owned());
                }
            }
            match report.agreements.is_empty() {
                true => Err(Error::Unusable(format!(
                    "nothing to compare in {}: there must be errors that people marked in outputs, with a text and a \
                     reference of each output or a file of spans of these outputs",
                    without.join(", ")
                ))),
                false => Ok(report),
            }
        })
    }

    fn add_set(
        &self,
        judgements: &Judgements,
        (metrics, registry): (&[NamedMetric], &Registry),
        runs: &[MetricRun],
        report: &mut SpansReport,
        progress: Progress<'_>,
    ) -> Result<()> {
        let is_chosen =
            |ratings: &&Ratings| marks_errors(ratings) && self.human.as_ref().is_none_or(|name| *name == ratings.name);
        if !judgements.ratings.iter().any(|ratings| is_chosen(&ratings)) {
            return Ok(());
        }
        let sorted = in_order(judgements);
        let judgements = sorted.judgements.as_ref();
        let set = JudgedSet::new(judgements, &self.references, self.include_human)?;
        let set = set.with_places_in_files(sorted.places.clone());
        let about = format!("{} {}", set.name(), set.pair());
        let progress = progress.about(&about);
        let language = Language::target(set.pair()).ok();
        let metrics = for_target(metrics, registry, language.as_ref())?;
        warn_of_metrics(judgements, &metrics, language.as_ref(), progress)?;
        let mut found = Vec::new();
        let has_references = judgements.texts.as_ref().is_some_and(|texts| !texts.references.is_empty());
        let rated = rated_outputs(&set, judgements.ratings.iter().filter(is_chosen));
        for named in metrics.iter().filter(|_| has_references) {
            found.push(of_metric(&set, named, &rated, self.severity, progress)?);
        }
        for run in runs.iter().filter(|run| run.pair.is_empty() || run.pair == judgements.pair) {
            found.extend(of_file(&set, run, self.severity)?);
        }
        for ratings in judgements.ratings.iter().filter(is_chosen).filter(|_| !found.is_empty()) {
            Compared { job: self, set: &set, ratings, metrics: &found, progress }.add(report)?;
        }
        Ok(())
    }
}

/// Whether an error has a place in an output.
fn marks_errors(ratings: &Ratings) -> bool {
    ratings.ratings.iter().any(|rating| rating.errors.iter().any(is_in_output))
}

fn is_in_output(error: &crate::corpora::ErrorSpan) -> bool {
    error.side == MarkedText::Output && error.place.is_some()
}

/// The rated outputs, segment by segment.
fn rated_outputs<'r>(set: &JudgedSet<'_>, ratings: impl Iterator<Item = &'r Ratings>) -> Vec<(usize, usize)> {
    let rated = ratings.flat_map(|ratings| &ratings.ratings).map(|rating| (rating.segment, rating.system));
    let mut rated: Vec<(usize, usize)> = rated.filter(|(_, system)| set.takes_part(*system)).collect();
    rated.sort_unstable();
    rated.dedup();
    rated
}

/// One kind of ratings of a set, and the spans of metrics.
struct Compared<'a> {
    job: &'a SpansJob,
    set: &'a JudgedSet<'a>,
    ratings: &'a Ratings,
    metrics: &'a [MetricSpans],
    progress: Progress<'a>,
}

impl Compared<'_> {
    fn add(&self, report: &mut SpansReport) -> Result<()> {
        let of_systems: Vec<&Rating> =
            self.ratings.ratings.iter().filter(|rating| self.set.takes_part(rating.system)).collect();
        let is_marked = |rating: &&Rating| self.metrics.iter().all(|metric| metric.spans[self.place(rating)].is_some());
        let used: Vec<&Rating> = of_systems.iter().copied().filter(is_marked).collect();
        if used.len() < of_systems.len() {
            let set = format!("{} {}", self.set.name(), self.set.pair());
            let outputs = of_systems.len() - used.len();
            self.progress.warn(&Warning::OutputsLeftOut { set, outputs, judged: of_systems.len() })?;
        }
        if used.is_empty() {
            return Ok(());
        }
        let unplaced = used.iter().flat_map(|rating| &rating.errors).filter(|error| !is_in_output(error)).count();
        if unplaced > 0 {
            let set = format!("{} {}", self.set.name(), self.set.pair());
            self.progress.warn(&Warning::ErrorsWithoutPlace { set, errors: unplaced })?;
        }
        let human: Vec<Vec<Marked>> = used.iter().map(|rating| marked(&rating.errors)).collect();
        let lengths: Vec<usize> = used.iter().zip(&human).map(|(rating, spans)| self.length(rating, spans)).collect();
        let draws = Draws::new(self.job.resamples, self.set.segments(), Some(self.job.seed)).stopped_by(self.progress);
        let mut of_first: Vec<SpanCounts> = Vec::new();
        for metric in self.metrics {
            let counts = |(i, rating): (usize, &&Rating)| {
                let spans = metric.spans[self.place(rating)].as_deref().unwrap_or_default();
                (rating.segment, SpanCounts::of(&human[i], spans, lengths[i]))
            };
            let counts: Vec<(usize, SpanCounts)> = used.iter().enumerate().map(counts).collect();
            if of_first.is_empty() {
                of_first = counts.iter().map(|(_, counts)| *counts).collect();
            }
            let of_metric = self.agreement(SpanMarker::Metric, &counts, metric.has_severities, &draws)?;
            report.agreements.push(SpanAgreement {
                metric: metric.metric.clone(),
                title: metric.title.clone(),
                signature: metric.signature.clone(),
                ..of_metric
            });
        }
        self.add_others(&used, &human, &lengths, &draws, report)?;
        self.add_examples(&used, &human, &of_first, report);
        Ok(())
    }

    fn place(&self, rating: &Rating) -> usize {
        rating.system * self.set.segments() + rating.segment
    }

    /// The characters of an output; where its text is not known, as many as are marked.
    fn length(&self, rating: &Rating, human: &[Marked]) -> usize {
        let of_metrics = self.metrics.iter().filter_map(|metric| metric.spans[self.place(rating)].as_deref());
        let ends = of_metrics.flatten().chain(human).map(|span| span.place.end);
        let text = self.set.output(rating.system, rating.segment);
        text.map_or_else(|| ends.max().unwrap_or(0), |text| text.chars().count())
    }

    /// Another rater, and marks without any thought.
    fn add_others(
        &self,
        used: &[&Rating],
        human: &[Vec<Marked>],
        lengths: &[usize],
        draws: &Draws<'_>,
        report: &mut SpansReport,
    ) -> Result<()> {
        let has_severities = human.iter().flatten().any(|span| span.severity.is_some());
        // Ratings are sorted by output, so that those of one output are neighbours.
        let mut of_raters = Vec::new();
        let (mut start, mut end) = (0, 0);
        for (i, rating) in used.iter().enumerate() {
            if i == end {
                start = i;
                end += used[i..].iter().take_while(|other| self.place(other) == self.place(rating)).count();
            }
            let others = (start..end).filter(|&other| used[other].rater != rating.rater);
            of_raters
                .extend(others.map(|other| (rating.segment, SpanCounts::of(&human[i], &human[other], lengths[i]))));
        }
        let whole = |length: usize| {
            let severity = if has_severities { Some(super::counts::Class::Major) } else { None };
            if length == 0 { Vec::new() } else { vec![Marked { place: 0..length, severity }] }
        };
        let of_all = |spans: &dyn Fn(usize) -> Vec<Marked>| -> Vec<(usize, SpanCounts)> {
            let counts = |i: usize| SpanCounts::of(&human[i], &spans(lengths[i]), lengths[i]);
            used.iter().enumerate().map(|(i, rating)| (rating.segment, counts(i))).collect()
        };
        let all = [
            (SpanMarker::Rater, of_raters),
            (SpanMarker::Everything, of_all(&whole)),
            (SpanMarker::Nothing, of_all(&|_| Vec::new())),
        ];
        for (marker, counts) in all.iter().filter(|(_, counts)| !counts.is_empty()) {
            report.agreements.push(self.agreement(*marker, counts, has_severities, draws)?);
        }
        Ok(())
    }

    fn agreement(
        &self,
        marker: SpanMarker,
        counts: &[(usize, SpanCounts)],
        has_severities: bool,
        draws: &Draws<'_>,
    ) -> Result<SpanAgreement> {
        let mut of_segments = vec![SpanCounts::default(); self.set.segments()];
        counts.iter().for_each(|(segment, counts)| of_segments[*segment].add(counts));
        let total = |segments: &mut dyn Iterator<Item = usize>| {
            let mut total = SpanCounts::default();
            segments.for_each(|segment| total.add(&of_segments[segment]));
            total
        };
        let all = total(&mut (0..of_segments.len()));
        let drawn = draws.map(|draw| total(&mut draw.iter().map(|&segment| segment as usize)))?;
        let measured = |of: fn(&SpanCounts) -> PrecisionRecall| {
            let values: Vec<f64> = drawn.iter().map(|counts| of(counts).f1.unwrap_or(f64::NAN)).collect();
            let (low, high) = percentile_interval(&values).unzip();
            PrecisionRecall { low, high, ..of(&all) }
        };
        Ok(SpanAgreement {
            set: self.set.name().to_owned(),
            pair: self.set.pair().to_owned(),
            human: self.ratings.name.clone(),
            marker,
            metric: marker.name().to_owned(),
            title: marker.name().to_owned(),
            signature: String::new(),
            outputs: all.outputs as usize,
            human_spans: all.human_spans as usize,
            spans: all.marked_spans as usize,
            characters: measured(|of| ratios([of.both; 2], of.human, of.marked)),
            with_severity: has_severities.then(|| measured(|of| ratios([of.both_severity; 2], of.human, of.marked))),
            matched: measured(|of| ratios(of.matched, of.human_spans, of.marked_spans)),
            matched_severity: has_severities
                .then(|| measured(|of| ratios(of.matched_severity, of.human_spans, of.marked_spans))),
            mean_f1: all.f1 / all.outputs,
            mean_f1_severity: has_severities.then(|| all.f1_severity / all.outputs),
        })
    }

    /// The outputs on which people and the first metric differ in most characters.
    fn add_examples(&self, used: &[&Rating], human: &[Vec<Marked>], counts: &[SpanCounts], report: &mut SpansReport) {
        let differing = |i: usize| (counts[i].human + counts[i].marked - 2.0 * counts[i].both) as usize;
        let mut order: Vec<usize> = (0..used.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(differing(i)), i));
        let mut shown: Vec<usize> = Vec::new();
        for &i in &order {
            if shown.len() == self.job.top {
                break;
            }
            if !shown.iter().any(|&other| self.place(used[other]) == self.place(used[i])) {
                shown.push(i);
            }
        }
        let references = self.set.reference_lines().unwrap_or_default();
        let sources = self.set.source_lines();
        for i in shown {
            let Rating { system, segment, .. } = *used[i];
            let Some(text) = self.set.output(system, segment) else { continue };
            let people = (0..used.len()).filter(|&other| self.place(used[other]) == self.place(used[i]));
            let person = |other: usize| SpansOfMetric {
                name: self.ratings.rater(used[other]).unwrap_or(&self.ratings.name).to_owned(),
                is_person: true,
                pieces: pieces(text, &human[other]),
            };
            let metric = |metric: &MetricSpans| SpansOfMetric {
                name: metric.title.clone(),
                is_person: false,
                pieces: pieces(text, metric.spans[self.place(used[i])].as_deref().unwrap_or_default()),
            };
            report.examples.push(SpanExample {
                set: self.set.name().to_owned(),
                pair: self.set.pair().to_owned(),
                system: self.set.judgements().systems[system].clone(),
                segment: self.set.judgements().segments[segment].clone(),
                source: sources.as_ref().map(|sources| sources[segment].to_owned()),
                reference: references.get(segment).and_then(|of| of.first()).map(|text| (*text).to_owned()),
                spans: people.map(person).chain(self.metrics.iter().map(metric)).collect(),
            });
        }
    }
}

/// Precision, recall and F1 from what both have (as people's part, and as the metric's), what people have and what the
/// metric has. F1 of characters is the same whether it is computed from the counts or from precision and recall.
fn ratios([of_human, of_metric]: [f64; 2], human: f64, metric: f64) -> PrecisionRecall {
    let share = |part: f64, all: f64| (all > 0.0).then(|| part / all);
    let (precision, recall) = (share(of_metric, metric), share(of_human, human));
    let f1 = match (precision, recall) {
        (None, None) => None,
        (Some(precision), Some(recall)) if precision + recall > 0.0 => {
            Some(2.0 * precision * recall / (precision + recall))
        }
        _ => Some(0.0),
    };
    PrecisionRecall { precision, recall, f1, low: None, high: None }
}
