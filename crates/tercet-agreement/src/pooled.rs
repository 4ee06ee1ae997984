//! Pairwise accuracy over several language pairs: the pairs of systems of all of them together (Kocmi et al., 2021; the
//! main table of WMT21–23).
//!
//! Systems are compared within their language pair only. Metrics that are missing in a pair are left out. Intervals
//! draw the segments of each language pair, if the scores of all of them come from segments; those over systems draw
//! the systems of each language pair.

use super::agreement::Agreement;
use super::clusters::Protocol;
use super::correlate::SystemScores;
use super::draws::Draws;
use super::job::CorrelateJob;
use super::metric_on_set::MetricOnSet;
use super::rows::Rows;
use super::statistic::{MIN_SYSTEMS, Statistic};
use super::statistic_name::{GroupedStatistic, IntervalKind, StatisticName, Test};
use super::system_level::distinct_pairs;
use crate::corpora::Level;
use crate::error::Result;
use crate::progress::{Progress, Stopped};
use crate::statistics::Grouping;
use crate::statistics::correlation::{PairwiseAccuracy, pairwise_accuracy};

/// Human scores of the systems of several language pairs, one after the other.
struct PooledAccuracy {
    human: Vec<f64>,
    human_replicates: Option<Vec<Vec<f64>>>,
    /// The number of systems of each language pair.
    sizes: Vec<usize>,
    judged: Vec<bool>,
}

impl PooledAccuracy {
    fn new(parts: &[SystemScores]) -> Self {
        let drawn = |part: &SystemScores| part.human_replicates.clone();
        PooledAccuracy {
            human: parts.iter().flat_map(|part| part.human.iter().copied()).collect(),
            human_replicates: parts.iter().map(drawn).collect::<Option<Vec<_>>>().map(|parts| parts.concat()),
            sizes: parts.iter().map(|part| part.human.len()).collect(),
            judged: vec![true; parts.iter().map(|part| part.human.len()).sum()],
        }
    }

    fn accuracy(&self, human: &[f64], scores: &[f64]) -> f64 {
        let mut start = 0;
        let of = |&size: &usize| {
            let part = start..start + size;
            start += size;
            pairwise_accuracy(&human[part.clone()], &scores[part])
        };
        self.sizes.iter().map(of).sum::<PairwiseAccuracy>().value()
    }
}

impl Statistic for PooledAccuracy {
    fn n(&self) -> usize {
        self.sizes.iter().map(|size| size * size.saturating_sub(1) / 2).sum()
    }

    fn scores<'m>(&self, metric: &'m MetricOnSet) -> Option<&'m [f64]> {
        metric.systems.as_deref()
    }

    fn value(&self, scores: &[f64]) -> f64 {
        self.accuracy(&self.human, scores)
    }

    fn on_drawn_systems(&self, scores: &[f64], draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        if self.human.len() < MIN_SYSTEMS || draws.is_empty() {
            return Ok(None);
        }
        let mut totals = vec![PairwiseAccuracy::default(); draws.len()];
        let mut start = 0;
        for (number, &size) in (0..).zip(&self.sizes) {
            let part = start..start + size;
            start += size;
            let (human, metric) = (&self.human[part.clone()], &scores[part]);
            let found = draws.of_part(size, number).map(|draw| distinct_pairs(human, metric, draw))?;
            totals.iter_mut().zip(found).for_each(|(total, found)| *total += found);
        }
        Ok(Some(totals.iter().map(PairwiseAccuracy::value).collect()))
    }

    fn replicates(&self, metric: &MetricOnSet, draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        let Some(metric) = metric.replicates.as_ref() else { return Ok(None) };
        let human = self.human_replicates.as_ref();
        let on_draw = |of: &[Vec<f64>], draw: usize| of.iter().map(|system| system[draw]).collect::<Vec<f64>>();
        let value = |draw: usize| {
            let people = human.map(|human| on_draw(human, draw));
            let (people, metric) = (people.as_ref().unwrap_or(&self.human), on_draw(metric, draw));
            match people.iter().chain(&metric).any(|score| score.is_nan()) {
                true => f64::NAN,
                false => self.accuracy(people, &metric),
            }
        };
        Ok(Some((0..draws.len()).map(value).collect()))
    }

    fn judged(&self) -> &[bool] {
        &self.judged
    }
}

/// A metric's scores on all language pairs; `None` if it is missing in one.
fn everywhere(metric: &MetricOnSet, parts: &[SystemScores]) -> Option<MetricOnSet> {
    let of = |part: &SystemScores| part.metrics.iter().find(|other| other.metric == metric.metric).cloned();
    let found: Vec<MetricOnSet> = parts.iter().map(of).collect::<Option<_>>()?;
    let systems: Vec<Vec<f64>> = found.iter().map(|metric| metric.systems.clone()).collect::<Option<_>>()?;
    let replicates: Option<Vec<Vec<Vec<f64>>>> = found.iter().map(|metric| metric.replicates.clone()).collect();
    Some(MetricOnSet {
        systems: Some(systems.concat()),
        replicates: replicates.map(|parts| parts.concat()),
        ..metric.clone()
    })
}

/// The accuracy over all language pairs of one set, if there are several; the pair is named `all`.
pub fn pooled_accuracy(parts: &[SystemScores], job: &CorrelateJob, progress: Progress<'_>) -> Result<Vec<Agreement>> {
    let [first, _, ..] = parts else { return Ok(Vec::new()) };
    let accuracy = PooledAccuracy::new(parts);
    let metrics: Vec<MetricOnSet> = first.metrics.iter().filter_map(|metric| everywhere(metric, parts)).collect();
    let test = if job.test == Test::None { Test::None } else { Test::Scores };
    let by_scores = CorrelateJob { test, ..job.clone() };
    // Systems were already scored on these draws: only their number is used.
    let draws =
        (job.interval != IntervalKind::None).then(|| Draws::new(job.resamples, 1, Some(job.seed)).stopped_by(progress));
    let rows = Rows {
        set: &first.set,
        pair: "all",
        level: Level::System,
        chosen: GroupedStatistic::new(StatisticName::Accuracy, Grouping::None),
        human: &first.human_name,
        metrics: metrics.iter().collect(),
        job: &by_scores,
        draws: draws.as_ref(),
        progress: progress.about("all language pairs"),
    };
    rows.compute(&Protocol::Other(&accuracy))
}
