//! Agreement of raters as a use case.

use super::ceiling::{Ceiling, ceiling_of_identical, ceiling_of_raters};
use super::krippendorff::UnitSums;
use super::statistics::{RaterStatistics, of_raters};
use super::{RatedUnit, mean, units};
use crate::corpora::{JudgementFields, Judgements, Level, MetricRun, Ratings, read_metric_scores, select_rows};
use crate::draws::Draws;
use crate::error::{Error, Result};
use crate::in_order::in_order;
use crate::job::MAX_DRAWS;
use crate::progress::Progress;
use crate::warning::Done;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

tercet_base::defaults! {
    /// How far raters agree: of human judgements, or of the runs of a metric. The default: all ratings, with 1000
    /// bootstrap draws.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct RatersJob {
        /// Folders or files of human judgements.
        pub judgements: Vec<PathBuf> = Vec::new(),
        /// Files of scores by metrics that were run several times.
        pub scores: Vec<PathBuf> = Vec::new(),
        /// The fields of the judgements, if they are rows with other than the usual names.
        pub fields: JudgementFields = JudgementFields::default(),
        /// Only these language pairs; if empty, all.
        pub pairs: Vec<String> = Vec::new(),
        /// The number of draws for the interval of Krippendorff's α.
        pub resamples: usize = crate::scoring::RESAMPLES,
        /// Their seed.
        pub seed: u64 = crate::scoring::SEED,
    }
}

/// The raters of one kind of judgement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatersReport {
    /// The set, or the metric's file.
    pub set: String,
    /// The language pair.
    pub pair: String,
    /// What was judged, such as `mqm`.
    pub name: String,
    /// The number of outputs with a score by a known rater.
    pub outputs: usize,
    /// The number of those that several raters judged.
    pub shared: usize,
    /// Krippendorff's α; `None` if it is not defined.
    pub alpha: Option<f64>,
    /// The lower end of its 95% interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The standard deviation of scores of the same output.
    pub spread: Option<f64>,
    /// The ceiling by raters of the same output.
    pub by_raters: Option<Ceiling>,
    /// The ceiling by identical outputs.
    pub by_identical: Option<Ceiling>,
    /// The raters.
    pub raters: Vec<RaterStatistics>,
}

/// Krippendorff's α with its interval.
#[derive(Clone, Copy, Debug, Default)]
struct Alpha {
    value: Option<f64>,
    interval: Option<(f64, f64)>,
}

impl RatersJob {
    /// Returns an error for settings that cannot be met.
    pub fn validate(&self) -> Result<()> {
        match (1..=MAX_DRAWS).contains(&self.resamples) {
            true => Ok(()),
            false => Err(Error::out_of_range("resamples", format!("a number from 1 to {MAX_DRAWS}"), self.resamples)),
        }
    }

    /// Measures how far the raters of all sets agree. Nothing with raters at all is an error.
    pub fn run(&self, progress: Progress<'_>) -> Result<Done<Vec<RatersReport>>> {
        Done::collect(progress, |progress| {
            self.validate()?;
            let mut reports = Vec::new();
            let mut without = Vec::new();
            if !self.judgements.is_empty() {
                for source in select_rows(&self.judgements, &self.pairs, &self.fields)? {
                    let judgements = source.read()?;
                    let found = self.of_set(&judgements, progress)?;
                    if found.is_empty() {
                        without.push(format!("{} {}", judgements.set, judgements.pair).trim_end().to_owned());
                    }
                    reports.extend(found);
                }
            }
            for path in &self.scores {
                let runs = read_metric_scores(path)?;
                for run in &runs {
                    match self.of_runs(run, progress)? {
                        Some(report) => reports.push(report),
                        None => without.push(run.scores.metric.clone()),
                    }
                }
            }
            match reports.is_empty() {
                true => Err(Error::Unusable(format!(
                    "no raters are named in {}: judgements need a rater, or identical outputs of several systems, and \
                     scores of metrics several runs",
                    without.join(", ")
                ))),
                false => Ok(reports),
            }
        })
    }

    fn of_set(&self, judgements: &Judgements, progress: Progress<'_>) -> Result<Vec<RatersReport>> {
        let sorted = in_order(judgements);
        let judgements = sorted.judgements.as_ref();
        let mut reports = Vec::new();
        for ratings in judgements.ratings.iter().filter(|ratings| !ratings.raters.is_empty()) {
            reports.push(self.report(judgements, ratings, progress)?);
        }
        for scores in judgements.scores.iter().filter(|scores| scores.level == Level::Segment) {
            let by_identical = ceiling_of_identical(judgements, scores);
            match reports.iter_mut().find(|report| report.name == scores.name) {
                Some(report) => report.by_identical = by_identical,
                None if by_identical.is_some() => {
                    let nobody = Ratings { name: scores.name.clone(), ..Ratings::default() };
                    reports.push(RatersReport { by_identical, ..self.report(judgements, &nobody, progress)? });
                }
                None => {}
            }
        }
        Ok(reports)
    }

    /// The runs of a metric; `None` if there is one.
    fn of_runs(&self, run: &MetricRun, progress: Progress<'_>) -> Result<Option<RatersReport>> {
        let Some(ratings) = run.ratings.as_ref().filter(|ratings| ratings.raters.len() > 1) else { return Ok(None) };
        let judgements = Judgements {
            set: run.scores.metric.clone(),
            pair: run.pair.clone(),
            systems: run.scores.systems.clone(),
            segments: (0..run.scores.values.first().map_or(0, Vec::len)).map(|place| (place + 1).to_string()).collect(),
            ..Judgements::default()
        };
        self.report(&judgements, ratings, progress).map(Some)
    }

    fn report(&self, judgements: &Judgements, ratings: &Ratings, progress: Progress<'_>) -> Result<RatersReport> {
        let units = units(ratings);
        let shared: Vec<&RatedUnit> = units.iter().filter(|unit| unit.scores.len() > 1).collect();
        let Alpha { value: alpha, interval } = self.alpha(&shared, judgements.segments.len(), progress)?;
        let deviations = |unit: &&RatedUnit| {
            let scores: Vec<f64> = unit.scores.iter().map(|(_, score)| *score).collect();
            let center = mean(scores.clone());
            scores.iter().map(|score| (score - center).powi(2)).sum::<f64>() / (scores.len() - 1) as f64
        };
        let spread = (!shared.is_empty()).then(|| mean(shared.iter().map(deviations).collect()).sqrt());
        Ok(RatersReport {
            set: judgements.set.clone(),
            pair: judgements.pair.clone(),
            name: ratings.name.clone(),
            outputs: units.len(),
            shared: shared.len(),
            alpha,
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            spread,
            by_raters: ceiling_of_raters(&units),
            by_identical: None,
            raters: of_raters(&units, &ratings.raters),
        })
    }

    /// Krippendorff's α, and its interval by draws of segments.
    fn alpha(&self, shared: &[&RatedUnit], segments: usize, progress: Progress<'_>) -> Result<Alpha> {
        let scores = |unit: &RatedUnit| unit.scores.iter().map(|(_, score)| *score).collect::<Vec<f64>>();
        let all: Vec<f64> = shared.iter().flat_map(|unit| scores(unit)).collect();
        if all.is_empty() {
            return Ok(Alpha::default());
        }
        let center = mean(all);
        let mut of_segments = vec![UnitSums::default(); segments];
        for unit in shared {
            of_segments[unit.segment].add(&UnitSums::new(&scores(unit), center));
        }
        let alpha_of = |drawn: &mut dyn Iterator<Item = usize>| {
            let mut total = UnitSums::default();
            drawn.for_each(|segment| total.add(&of_segments[segment]));
            total.alpha()
        };
        let alpha = Some(alpha_of(&mut (0..segments))).filter(|alpha| !alpha.is_nan());
        let draws = Draws::new(self.resamples, segments, Some(self.seed)).stopped_by(progress);
        let drawn = draws.map(|draw| alpha_of(&mut draw.iter().map(|&segment| segment as usize)))?;
        let mut values: Vec<f64> = drawn.into_iter().filter(|value| !value.is_nan()).collect();
        values.sort_unstable_by(f64::total_cmp);
        let interval = (!values.is_empty() && alpha.is_some()).then(|| {
            let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
            (at(0.025), at(0.975))
        });
        Ok(Alpha { value: alpha, interval })
    }
}
