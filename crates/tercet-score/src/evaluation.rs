//! The result of scoring: every system by every metric, with intervals and paired tests.

use super::alignment::AlignedSegment;
use super::documents::{Document, ResampleBy};
use super::evaluate::Paired;
use super::gate::GateResult;
use crate::metrics::{Component, Direction, PeopleAgree, PeopleAgreeCurve, Scale};
use crate::statistics::significance::bootstrap::Interval;
use serde::{Deserialize, Serialize};

/// Scores of systems by metrics; what reports print.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The systems, in the order given.
    pub systems: Vec<String>,
    /// The number of segments.
    pub segments: usize,
    /// The documents in the order of their first segments, if their scores were requested.
    #[serde(default)]
    pub documents: Vec<Document>,
    /// One for each metric, in the order given.
    pub columns: Vec<Column>,
    /// Results of the paired test, metric by metric.
    pub comparisons: Vec<PairedResult>,
    /// The paired test, if one was requested.
    pub test: Option<Paired>,
    /// What intervals and tests drew as a whole.
    #[serde(default)]
    pub resample_by: ResampleBy,
    /// What the segments of each system were made of, if outputs had segments of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alignment: Vec<AlignedSegment>,
    /// Whether the conditions of the gate hold, if there were any.
    pub gate: Option<GateResult>,
}

/// One metric's scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// The metric as requested, for machine-readable formats.
    pub metric: String,
    /// The usual spelling of the metric, for tables.
    pub title: String,
    /// The signature of the scores.
    pub signature: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// The range of the scores.
    pub scale: Scale,
    /// One for each system.
    pub cells: Vec<Cell>,
}

/// One system's score by one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The score of the whole system.
    pub score: f64,
    /// Its bootstrap mean and 95% interval, if requested.
    pub interval: Option<Interval>,
    /// The mean probability that people prefer its translation to another system's, if requested and known.
    pub wins: Option<f64>,
    /// How often people agree that it is better than the system that comes next by this metric, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people_agree: Option<PeopleAgree>,
    /// Its components.
    pub components: Vec<Component>,
    /// The score of each segment, if requested.
    pub segments: Vec<f64>,
    /// The components of each segment's score, if requested.
    pub segment_components: Vec<Vec<Component>>,
    /// The score of each document, if requested.
    #[serde(default)]
    pub documents: Vec<f64>,
    /// The components of each document's score, if requested.
    #[serde(default)]
    pub document_components: Vec<Vec<Component>>,
}

/// The result of a paired test of a system against a baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedResult {
    /// The index of the metric in [`Evaluation::columns`].
    pub column: usize,
    /// The index of the system.
    pub system: usize,
    /// The index of the baseline.
    pub baseline: usize,
    /// The system's score minus the baseline's.
    pub delta: f64,
    /// The p-value.
    #[serde(rename = "p")]
    pub p_value: f64,
    /// The p-value adjusted for the number of tests with this metric, if requested.
    #[serde(rename = "p_holm")]
    pub adjusted: Option<f64>,
    /// The number of segments whose scores are not the same for both systems. The test rests on these alone.
    pub differing_segments: usize,
    /// How often people prefer the system with the better score where scores differ so much, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people_agree: Option<PeopleAgree>,
}

impl Evaluation {
    /// The paired test in words, and what is compared; empty if there was none.
    pub fn describe_test(&self) -> Option<String> {
        self.test.as_ref().map(|test| test.describe(self.resample_by))
    }

    /// The paired test in words, with its size and seed.
    pub fn describe_resampling(&self) -> Option<String> {
        self.test.as_ref().map(|test| test.describe_resampling(self.resample_by))
    }

    /// Puts the systems in order by a metric, the best first; those with equal scores stay in their order.
    pub fn sort_by_metric(&mut self, column: usize) {
        let order = self.order(column);
        self.systems = order.iter().map(|&system| self.systems[system].clone()).collect();
        for column in &mut self.columns {
            column.cells = order.iter().map(|&system| column.cells[system].clone()).collect();
        }
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &system)| places[system] = place);
        for comparison in &mut self.comparisons {
            (comparison.system, comparison.baseline) = (places[comparison.system], places[comparison.baseline]);
        }
        self.comparisons.sort_by_key(|comparison| (comparison.column, comparison.system, comparison.baseline));
    }
}

impl Evaluation {
    /// Adds how often people agree, by the curve of each metric.
    pub(super) fn add_people_agree(&mut self, curves: impl Iterator<Item = Option<PeopleAgreeCurve>>) {
        let segments = self.segments;
        for (number, curve) in curves.enumerate() {
            let Some(curve) = curve else { continue };
            let share = |difference: f64| curve.share(difference, segments);
            for comparison in self.comparisons.iter_mut().filter(|of| of.column == number) {
                comparison.people_agree = share(comparison.delta);
            }
            let metric = &self.columns[number].metric;
            for check in self.gate.iter_mut().flat_map(|gate| &mut gate.checks) {
                if check.metric.as_ref() == Some(metric) {
                    check.add_people_agree(check.delta.and_then(share));
                }
            }
            for pair in self.order(number).windows(2) {
                let cells = &mut self.columns[number].cells;
                cells[pair[0]].people_agree = share(cells[pair[0]].score - cells[pair[1]].score);
            }
        }
    }
}

impl PairedResult {
    /// Whether there is a difference and p < 0.05; the adjusted p-value is used if there is one.
    pub fn is_significant(&self) -> bool {
        self.delta != 0.0 && self.adjusted.unwrap_or(self.p_value) < 0.05
    }
}

impl Column {
    /// The metric as requested, and its usual spelling.
    pub(super) fn names(&self) -> (&str, String) {
        (&self.metric, self.title.clone())
    }

    /// At most `count` segments of a system, numbered from 0, with the worst scores, the worst first; scores of
    /// segments must have been requested.
    pub fn worst_segments(&self, system: usize, count: usize) -> Vec<usize> {
        let scores = &self.cells[system].segments;
        let mut order: Vec<usize> = (0..scores.len()).collect();
        let sign = self.direction.sign();
        order.sort_by(|&one, &other| (sign * scores[one]).total_cmp(&(sign * scores[other])));
        order.truncate(count);
        order
    }

    /// The best score, if there are at least two systems.
    pub fn best(&self) -> Option<f64> {
        let scores = self.cells.iter().map(|cell| cell.score);
        if self.cells.len() < 2 {
            return None;
        }
        match self.direction {
            Direction::HigherIsBetter => scores.max_by(f64::total_cmp),
            Direction::LowerIsBetter => scores.min_by(f64::total_cmp),
        }
    }
}
