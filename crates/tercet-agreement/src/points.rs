//! Scores of metrics and humans as points of a plot.

use super::agreement::{Point, Points};
use super::correlate::SetStatistics;
use super::metric_on_set::MetricOnSet;
use super::system_level::HumanSystems;
use crate::corpora::Level;

impl SetStatistics<'_> {
    pub(super) fn segment_points(&self) -> Vec<Points> {
        let Some(human) = self.set.human_scores(Level::Segment, self.job.human.as_deref()) else {
            return Vec::new();
        };
        let (gold, judgements) = (self.gold(human), self.set.judgements());
        let point = |metric: &MetricOnSet, place: usize, human: f64| Point {
            human,
            metric: metric.sign * metric.segments.as_ref().map_or(f64::NAN, |scores| scores[place]),
            system: judgements.systems[place / self.set.segments()].clone(),
            segment: Some(judgements.segments[place % self.set.segments()].clone()),
        };
        let turn = if human.higher_is_better { 1.0 } else { -1.0 };
        let judged = || gold.iter().enumerate().filter_map(|(place, human)| Some((place, turn * (*human)?)));
        let points = |metric: &MetricOnSet| judged().map(|(place, human)| point(metric, place, human)).collect();
        self.metrics
            .iter()
            .filter(|metric| metric.segments.is_some())
            .map(|metric| self.points(Level::Segment, &human.name, metric, points(metric)))
            .collect()
    }

    pub(super) fn system_points(&self, human: &HumanSystems) -> Vec<Points> {
        let names = &self.set.judgements().systems;
        let points = |metric: &MetricOnSet, scores: &[f64]| -> Vec<Point> {
            let both = |system: &usize| !human.scores[*system].is_nan() && !scores[*system].is_nan();
            let point = |system: usize| Point {
                human: human.sign * human.scores[system],
                metric: metric.sign * scores[system],
                system: names[system].clone(),
                segment: None,
            };
            (0..names.len()).filter(both).map(point).collect()
        };
        let of = |metric: &MetricOnSet| {
            let points = points(metric, metric.systems.as_deref()?);
            Some(self.points(Level::System, &human.name, metric, points))
        };
        self.metrics.iter().filter_map(of).collect()
    }

    fn points(&self, level: Level, human: &str, metric: &MetricOnSet, points: Vec<Point>) -> Points {
        Points {
            set: self.set.name().to_owned(),
            pair: self.set.pair().to_owned(),
            level,
            human: human.to_owned(),
            metric: metric.metric.clone(),
            lower_is_better: metric.sign < 0.0,
            points,
        }
    }
}
