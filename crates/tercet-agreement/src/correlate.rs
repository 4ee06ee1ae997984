//! Computes the agreement of metrics with a set of judgements.
//!
//! 1. The metrics are computed on the set's texts, or their scores are read from files.
//! 2. Outputs that were judged but lack a score by one of the metrics are left out for all of them, and counted in
//!    [`CorrelateResult::left_out`], so that all metrics of a table are compared on the same judgements.
//! 3. Every requested statistic, or all that the set allows, is computed for every metric, with its interval and, if
//!    requested, significance clusters.

use super::agreement::{Agreement, Points};
use super::clusters::Protocol;
use super::draws::Draws;
use super::from_files::{Placement, scores_from_files};
use super::human_systems::human_systems;
use super::in_order::in_order;
use super::job::CorrelateJob;
use super::metric_on_set::{MetricOnSet, ScoreOptions, score_texts};
use super::plan::Plan;
use super::post_edits::{PostEdits, find_post_edits};
use super::relative_ranking::RelativeRanking;
use super::rows::Rows;
use super::scored_segments::{Coefficient, ScoredSegments};
use super::set::JudgedSet;
use super::soft_accuracy::SoftAccuracy;
use super::statistic_name::{DARR_THRESHOLD, GroupedStatistic, IntervalKind, Missing, StatisticName, Test};
use super::system_level::{HumanSystems, SystemCoefficient, SystemLevel};
use super::systems;
use crate::corpora::{HumanScores, Judgements, Level, MetricScores};
use crate::error::{Error, Result};
use crate::metrics::{Direction, NamedMetric, Registry};
use crate::progress::Progress;
use crate::scoring::significance::Resampling;

/// The most numbers of drawn segments: four gigabytes.
const MAX_DRAWN: usize = 1 << 30;

/// The maximum number of pairs whose ties are calibrated: about two gigabytes.
const MAX_PAIRS: usize = 80_000_000;

/// The results for one set and language pair.
#[derive(Clone, Debug, Default)]
pub struct CorrelateResult {
    /// The values.
    pub agreements: Vec<Agreement>,
    /// Points for plots.
    pub points: Vec<Points>,
    /// The number of judged outputs without a score by one of the metrics, and of all judged outputs.
    pub left_out: (usize, usize),
    /// Metrics whose missing scores were set to 0, with the number of outputs, or of systems where they score only
    /// these.
    pub set_to_zero: Vec<(String, usize)>,
    /// At system level: systems without a human score or without a score by one of the metrics.
    pub systems_left_out: Vec<String>,
    /// Metrics in files that have none of the set's systems.
    pub unmatched: Vec<String>,
    /// Whether the references were made from the judged outputs, if metrics were computed with them.
    pub post_edits: Option<PostEdits>,
    /// Human and metric scores of systems, for statistics over several language pairs.
    pub systems: Option<SystemScores>,
}

/// Human and metric scores of systems.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemScores {
    /// The set.
    pub set: String,
    /// The name of the human scores.
    pub human_name: String,
    /// Human scores of the included systems.
    pub human: Vec<f64>,
    /// Human scores on draws of segments, `[system][draw]`, if they come from segments.
    pub human_replicates: Option<Vec<Vec<f64>>>,
    /// The metrics' scores of the same systems.
    pub metrics: Vec<MetricOnSet>,
}

/// Computes how well metrics, built already, and scores from files agree with the judgements of one set. Of the job,
/// neither files nor names of metrics are used.
pub fn correlate(
    judgements: &Judgements,
    files: &[MetricScores],
    metrics: &[NamedMetric],
    job: &CorrelateJob,
    registry: &Registry,
    progress: Progress<'_>,
) -> Result<CorrelateResult> {
    job.validate()?;
    let sorted = in_order(judgements);
    let judgements = sorted.judgements.as_ref();
    let set = JudgedSet::new(judgements, &job.references, job.include_human)?;
    let set = set.with_places_in_files(sorted.places);
    let about = format!("{} {}", set.name(), set.pair());
    let progress = progress.about(&about);
    let plan = Plan::new(&set, job)?;
    let resampling =
        (job.interval != IntervalKind::None).then_some(Resampling { samples: job.resamples, seed: Some(job.seed) });
    check_draws(&set, resampling.map_or(0, |by| by.samples))?;
    let wanted = ScoreOptions { systems: plan.systems(), resampling };
    let mut scored = score_texts(&set, metrics, wanted, progress)?;
    let direction =
        |name: &str| job.lower_is_better.iter().any(|lower| lower == name).then_some(Direction::LowerIsBetter);
    scored.extend(scores_from_files(&set, (files, Placement::ByNumber), &direction, registry, wanted, progress)?);
    if job.stored {
        let unchanged = |name: &str| direction(name).or(Some(Direction::HigherIsBetter));
        let stored = (judgements.metric_scores.as_slice(), Placement::AsInTheSet);
        scored.extend(scores_from_files(&set, stored, &unchanged, registry, wanted, progress)?);
    }
    if let Some(twice) = named_twice(&scored) {
        if metrics.iter().filter(|named| named.name == *twice).count() > 1 {
            return Err(Error::SameMetric { metric: twice.to_owned() });
        }
        return Err(Error::NameTwice { what: "metrics", name: twice.to_owned() });
    }
    let (scored, unmatched): (Vec<_>, Vec<_>) =
        scored.into_iter().partition(|metric| metric.segments.is_some() || metric.systems.is_some());
    let unmatched = unmatched.into_iter().map(|metric| metric.metric).collect();
    if scored.is_empty() {
        return Ok(CorrelateResult { unmatched, ..CorrelateResult::default() });
    }
    let mut scored = scored;
    let missing = if job.missing == Missing::Zero { fill_with_zeros(&set, &mut scored) } else { Vec::new() };
    let draws = resampling.map(|by| Draws::new(by.samples, set.segments(), by.seed).stopped_by(progress));
    let table = SetStatistics { set: &set, job, metrics: &scored, draws: draws.as_ref(), progress };
    let post_edits = if metrics.is_empty() { None } else { find_post_edits(&set) };
    Ok(CorrelateResult { unmatched, post_edits, set_to_zero: missing, ..table.fill(&plan)? })
}

/// Sets the scores that metrics lack to 0, as far as they score segments or systems at all. Returns the metrics, with
/// the number of judged outputs, or of systems, that lacked a score.
fn fill_with_zeros(set: &JudgedSet<'_>, metrics: &mut [MetricOnSet]) -> Vec<(String, usize)> {
    let segments = set.segments();
    let mut filled = Vec::new();
    for metric in metrics {
        let mut count = 0;
        for (place, score) in metric.segments.iter_mut().flatten().enumerate().filter(|(_, score)| score.is_nan()) {
            if set.is_judged(place / segments, place % segments) {
                *score = 0.0;
                count += 1;
            }
        }
        for (system, score) in metric.systems.iter_mut().flatten().enumerate().filter(|(_, score)| score.is_nan()) {
            if set.takes_part(system) {
                *score = 0.0;
                count += usize::from(metric.segments.is_none());
            }
        }
        if count > 0 {
            filled.push((metric.metric.clone(), count));
        }
    }
    filled
}

/// Returns an error for more draws than memory holds.
fn check_draws(set: &JudgedSet<'_>, draws: usize) -> Result<()> {
    let items = set.segments().max(set.systems()).max(1);
    if draws.saturating_mul(items) <= MAX_DRAWN {
        return Ok(());
    }
    let (name, pair, most) = (set.name(), set.pair(), MAX_DRAWN / items);
    Err(Error::Unusable(format!(
        "{name} {pair}: {draws} draws are too many (at most {most} for a set of this size; 1000 is usual)"
    )))
}

fn named_twice(metrics: &[MetricOnSet]) -> Option<&str> {
    let is_later = |(i, metric): (usize, &MetricOnSet)| {
        metrics[..i].iter().any(|earlier| earlier.metric == metric.metric).then_some(i)
    };
    metrics.iter().enumerate().find_map(is_later).map(|i| metrics[i].metric.as_str())
}

/// The inputs of all statistics of a set.
pub(super) struct SetStatistics<'a> {
    pub(super) set: &'a JudgedSet<'a>,
    pub(super) job: &'a CorrelateJob,
    pub(super) metrics: &'a [MetricOnSet],
    pub(super) draws: Option<&'a Draws<'a>>,
    pub(super) progress: Progress<'a>,
}

impl SetStatistics<'_> {
    fn fill(&self, plan: &Plan) -> Result<CorrelateResult> {
        let mut finding = CorrelateResult { left_out: self.left_out(), ..CorrelateResult::default() };
        let human = match plan.systems() {
            true => {
                let CorrelateJob { method, resamples: runs, seed, .. } = *self.job;
                let method = systems::RankRequest { runs, seed, ..systems::RankRequest::new(method) };
                let name = self.job.human.as_deref();
                human_systems(self.set, name, &method, self.draws, self.progress)?
            }
            false => None,
        };
        for &(level, chosen) in &plan.entries {
            finding.agreements.extend(match (level, &human) {
                (Level::Segment, _) => self.segment_level(chosen)?,
                (_, Some(human)) => self.system_level(chosen, human)?,
                (_, None) => Vec::new(),
            });
        }
        if plan.entries.iter().any(|(level, _)| *level == Level::Segment) {
            finding.points.extend(self.segment_points());
        }
        if let Some(human) = &human {
            finding.points.extend(self.system_points(human));
            finding.systems = Some(self.system_scores(human));
            let lacking = |system: &usize| {
                let scored = !human.scores[*system].is_nan() && self.has_system_scores(*system);
                self.set.takes_part(*system) && !scored
            };
            let names = &self.set.judgements().systems;
            finding.systems_left_out = (0..names.len()).filter(lacking).map(|system| names[system].clone()).collect();
        }
        Ok(finding)
    }

    /// Whether every metric that scores segments has a score for this output.
    fn usable(&self, place: usize) -> bool {
        let segments = self.set.segments();
        self.set.takes_part(place / segments.max(1))
            && self.metrics.iter().filter_map(|metric| metric.segments.as_ref()).all(|scores| !scores[place].is_nan())
    }

    fn left_out(&self) -> (usize, usize) {
        let segments = self.set.segments();
        let judged =
            (0..self.set.systems() * segments).filter(|place| self.set.is_judged(place / segments, place % segments));
        judged.fold((0, 0), |(missing, all), place| (missing + usize::from(!self.usable(place)), all + 1))
    }

    fn segment_level(&self, chosen: GroupedStatistic) -> Result<Vec<Agreement>> {
        let (systems, segments) = (self.set.systems(), self.set.segments());
        if let Some(definition) = chosen.name.tau() {
            let comparisons = &self.set.judgements().comparisons;
            let usable = |place: usize| self.usable(place);
            let ranking = RelativeRanking::new(definition, comparisons, systems, segments, usable);
            return self.rows(Level::Segment, chosen, "rankings").compute(&Protocol::Ranking(&ranking));
        }
        let coefficient = chosen.name.coefficient(chosen.threshold, chosen.epsilon);
        let Some(coefficient) = coefficient else { return Ok(Vec::new()) };
        let human = self.human_for(coefficient)?;
        let scores = ScoredSegments::new(coefficient, chosen.grouping, systems, self.gold(human));
        let scores = scores.averaged(chosen.average);
        self.check_size(chosen, &scores)?;
        self.rows(Level::Segment, chosen, &human.name).compute(&Protocol::Scores(&scores))
    }

    /// Fails if the pairs would not fit into memory: calibration keeps all of them, a test by scores four times as
    /// many.
    fn check_size(&self, chosen: GroupedStatistic, scores: &ScoredSegments) -> Result<()> {
        let limit = if self.job.test == Test::Scores { MAX_PAIRS / 4 } else { MAX_PAIRS };
        let pairs = scores.pairs();
        if scores.is_calibrated() && pairs > limit {
            return Err(Error::BadRequest(format!(
                "{} over {pairs} pairs of {} {} would not fit into memory: group by item, or \
                 leave ties as they are ({}-plain)",
                chosen.name,
                self.set.name(),
                self.set.pair(),
                chosen.name
            )));
        }
        Ok(())
    }

    /// The human scores of segments; for DARR, whose threshold is in points, raw ones.
    fn human_for(&self, coefficient: Coefficient) -> Result<&HumanScores> {
        let asked = self.job.human.as_deref();
        let of = |name: Option<&str>| self.set.human_scores(Level::Segment, name);
        let first = of(asked).expect("planned only where there are scores");
        let Coefficient::Darr { threshold } = coefficient else { return Ok(first) };
        let raw = if asked.is_some() { None } else { ["raw", "wmt-raw", "da"].iter().find_map(|name| of(Some(name))) };
        let chosen = raw.unwrap_or(first);
        let span = chosen.values.iter().flatten().flatten().fold(0.0_f64, |span, score| span.max(score.abs()));
        if threshold == DARR_THRESHOLD && span < threshold {
            return Err(Error::BadRequest(format!(
                "darr needs scores at least {threshold} points apart, but `{}` of {} {} has none \
                 (it needs raw scores from 0 to 100; or another threshold)",
                chosen.name,
                self.set.name(),
                self.set.pair()
            )));
        }
        Ok(chosen)
    }

    /// Human scores of all usable outputs, higher being better.
    pub(super) fn gold(&self, human: &HumanScores) -> Vec<Option<f64>> {
        let sign = if human.higher_is_better { 1.0 } else { -1.0 };
        let score =
            |(place, score): (usize, &Option<f64>)| score.filter(|_| self.usable(place)).map(|score| sign * score);
        human.values.iter().flatten().enumerate().map(score).collect()
    }

    fn system_level(&self, chosen: GroupedStatistic, human: &HumanSystems) -> Result<Vec<Agreement>> {
        let coefficient = match chosen.name {
            StatisticName::Pearson => SystemCoefficient::Pearson,
            StatisticName::Spearman => SystemCoefficient::Spearman,
            StatisticName::KendallB => SystemCoefficient::KendallB,
            StatisticName::KendallC => SystemCoefficient::KendallC,
            StatisticName::Accuracy => SystemCoefficient::Accuracy,
            StatisticName::SoftAccuracy => return self.soft_accuracy(chosen),
            _ => return Ok(Vec::new()),
        };
        let level = SystemLevel::new(coefficient, human, |system| self.has_system_scores(system));
        self.rows(Level::System, chosen, &human.name).compute(&Protocol::Other(&level))
    }

    fn soft_accuracy(&self, chosen: GroupedStatistic) -> Result<Vec<Agreement>> {
        let Some(human) = self.set.human_scores(Level::Segment, self.job.human.as_deref()) else {
            return Ok(Vec::new());
        };
        let soft = SoftAccuracy::new(self.set.systems(), &self.gold(human));
        if !soft.is_possible() {
            return Ok(Vec::new());
        }
        self.rows(Level::System, chosen, &human.name).compute(&Protocol::Other(&soft))
    }

    fn has_system_scores(&self, system: usize) -> bool {
        self.metrics.iter().filter_map(|metric| metric.systems.as_ref()).all(|scores| !scores[system].is_nan())
    }

    /// The rows of one statistic.
    fn rows<'h>(&'h self, level: Level, chosen: GroupedStatistic, human: &'h str) -> Rows<'h> {
        let (set, pair, metrics) = (self.set.name(), self.set.pair(), self.metrics.iter().collect());
        let SetStatistics { job, draws, progress, .. } = *self;
        Rows { set, pair, level, chosen, human, metrics, job, draws, progress }
    }

    fn system_scores(&self, human: &HumanSystems) -> SystemScores {
        let part = |system: &usize| !human.scores[*system].is_nan() && self.has_system_scores(*system);
        let systems: Vec<usize> = (0..human.scores.len()).filter(part).collect();
        let pick = |scores: &[f64]| systems.iter().map(|&system| scores[system]).collect::<Vec<f64>>();
        let drawn = |of: &Vec<Vec<f64>>| systems.iter().map(|&system| of[system].clone()).collect::<Vec<_>>();
        let of = |metric: &MetricOnSet| {
            Some(MetricOnSet {
                systems: Some(pick(metric.systems.as_deref()?)),
                replicates: metric.replicates.as_ref().map(drawn),
                segments: None,
                ..metric.clone()
            })
        };
        SystemScores {
            set: self.set.name().to_owned(),
            human_name: human.name.clone(),
            human: pick(&human.scores),
            human_replicates: human.replicates.as_ref().map(drawn),
            metrics: self.metrics.iter().filter_map(of).collect(),
        }
    }
}
