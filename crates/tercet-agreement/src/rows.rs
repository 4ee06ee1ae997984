//! The agreement of all metrics by one statistic: values, intervals, clusters.

use super::agreement::Agreement;
use super::clusters::{ClusterPlace, Protocol, cluster_places};
use super::draws::{Draws, interval_over_systems, percentile_interval};
use super::job::CorrelateJob;
use super::metric_on_set::MetricOnSet;
use super::statistic::Statistic;
use super::statistic_name::{GroupedStatistic, IntervalKind, StatisticName, Test};
use crate::corpora::Level;
use crate::error::Result;
use crate::progress::{Progress, Stopped};
use crate::statistics::correlation::{pearson_interval_fisher, pearson_interval_student};
use crate::statistics::{Calibration, Grouping};

/// What the rows of a statistic are computed from.
pub(super) struct Rows<'a> {
    pub(super) set: &'a str,
    pub(super) pair: &'a str,
    pub(super) level: Level,
    pub(super) chosen: GroupedStatistic,
    /// The name of the human scores.
    pub(super) human: &'a str,
    pub(super) metrics: Vec<&'a MetricOnSet>,
    pub(super) job: &'a CorrelateJob,
    /// Draws for intervals, if there are any.
    pub(super) draws: Option<&'a Draws<'a>>,
    pub(super) progress: Progress<'a>,
}

/// A metric with its value, calibration and cluster.
type Row<'a> = (((&'a &'a MetricOnSet, f64), Option<Calibration>), ClusterPlace);

impl Rows<'_> {
    /// A row for each metric that has scores of the kind.
    pub(super) fn compute(mut self, protocol: &Protocol<'_>) -> Result<Vec<Agreement>> {
        let (statistic, chosen) = (protocol.statistic(), self.chosen);
        self.metrics.retain(|metric| statistic.scores(metric).is_some());
        if statistic.n() == 0 {
            return Ok(Vec::new());
        }
        let metrics = &self.metrics;
        let value = |metric: &&MetricOnSet| statistic.calibrated(statistic.scores(metric).expect("filtered"));
        let (values, ties): (Vec<f64>, Vec<Option<Calibration>>) = metrics.iter().map(value).unzip();
        let pairs = metrics.len() * metrics.len().saturating_sub(1) / 2;
        let tests = if self.job.test == Test::None { 0 } else { pairs };
        self.progress.stage(chosen.name.name(), metrics.len() + tests, "intervals and tests")?;
        let places = cluster_places(protocol, chosen, metrics, &values, self.job, self.progress)?;
        let row = |row: Row<'_>| self.row(statistic, row);
        metrics.iter().zip(values).zip(ties).zip(places).map(row).collect()
    }

    fn row(&self, statistic: &dyn Statistic, (((metric, value), ties), place): Row<'_>) -> Result<Agreement> {
        let interval = self.interval(statistic, metric, value)?;
        let over_systems = match self.level {
            Level::System => self.interval_over_systems(statistic, metric, value)?,
            _ => None,
        };
        self.progress.advance(1)?;
        Ok(Agreement {
            set: self.set.to_owned(),
            pair: self.pair.to_owned(),
            level: self.level,
            statistic: self.chosen,
            human: self.human.to_owned(),
            metric: metric.metric.clone(),
            title: metric.title.clone(),
            signature: metric.signature.clone(),
            value,
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            over_systems,
            ties,
            n: statistic.n(),
            cluster: place.cluster,
            ahead_of: place.ahead_of,
        })
    }

    fn interval(
        &self,
        statistic: &dyn Statistic,
        metric: &MetricOnSet,
        value: f64,
    ) -> Result<Option<(f64, f64)>, Stopped> {
        if let Some(interval) = self.of_pearson(value, statistic.n()) {
            return Ok(Some(interval));
        }
        let replicates = self.draws.map(|draws| statistic.replicates(metric, draws)).transpose()?;
        Ok(replicates.flatten().and_then(|replicates| percentile_interval(&replicates)))
    }

    /// The interval that a formula gives for Pearson's r of `n` systems or outputs, if one is requested.
    fn of_pearson(&self, value: f64, n: usize) -> Option<(f64, f64)> {
        let GroupedStatistic { name, grouping, .. } = self.chosen;
        let is_pearson = name == StatisticName::Pearson && grouping == Grouping::None;
        let bounds = match self.job.interval {
            IntervalKind::Fisher if is_pearson => pearson_interval_fisher(value, n, 0.95),
            IntervalKind::Student if is_pearson => pearson_interval_student(value, n, 0.95),
            _ => return None,
        };
        Some((bounds.low, bounds.high))
    }

    fn interval_over_systems(
        &self,
        statistic: &dyn Statistic,
        metric: &MetricOnSet,
        value: f64,
    ) -> Result<Option<(f64, f64)>, Stopped> {
        if let Some(interval) = self.of_pearson(value, statistic.n()) {
            // NaN for three systems.
            return Ok(Some(interval).filter(|(low, _)| !low.is_nan()));
        }
        let (Some(scores), Some(draws)) = (statistic.scores(metric), self.draws) else { return Ok(None) };
        let values = statistic.on_drawn_systems(scores, draws)?;
        Ok(values.and_then(|values| interval_over_systems(&values)))
    }
}
