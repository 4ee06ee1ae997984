//! The result of scoring: every system by every metric, and how sure the differences are.

use super::evaluate::Paired;
use crate::metrics::{Component, Direction};
use crate::statistics::significance::bootstrap::Interval;

/// Scores of systems by metrics; what reports print.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The systems, in the order given.
    pub systems: Vec<String>,
    /// One for each metric, in the order given.
    pub columns: Vec<Column>,
    /// Paired comparisons, metric by metric.
    pub comparisons: Vec<PairedResult>,
    /// What kind of comparisons they are.
    pub test: Option<Paired>,
}

/// One metric's scores.
#[derive(Clone, Debug)]
pub struct Column {
    /// The metric as it was asked for; what machines read.
    pub metric: String,
    /// The metric as people write it.
    pub title: String,
    /// What exactly the scores are.
    pub signature: String,
    /// Which end of the scale is good.
    pub direction: Direction,
    /// One for each system.
    pub cells: Vec<Cell>,
}

/// One system's score by one metric.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The score of the whole system.
    pub score: f64,
    /// Its bootstrap mean and 95% interval, if asked for.
    pub interval: Option<Interval>,
    /// Its parts.
    pub components: Vec<Component>,
    /// The score of each segment, if asked for.
    pub segments: Vec<f64>,
    /// The parts of each segment's score, if asked for.
    pub segment_components: Vec<Vec<Component>>,
}

/// A system held against another.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedResult {
    /// Which column.
    pub column: usize,
    /// Which system.
    pub system: usize,
    /// The system it is held against.
    pub baseline: usize,
    /// Its score less the other's.
    pub delta: f64,
    /// The probability of a difference as large if the systems were alike.
    pub p: f64,
    /// The same, adjusted for the number of comparisons by this metric, if asked for.
    pub adjusted: Option<f64>,
}

impl PairedResult {
    /// Whether there is a difference and chance makes one as large in fewer than 5 of 100 cases. The adjusted p-value
    /// counts if there is one. Equal systems never differ, though the resampling tests give them the smallest p.
    pub fn is_significant(&self) -> bool {
        self.delta != 0.0 && self.adjusted.unwrap_or(self.p) < 0.05
    }
}

impl Column {
    /// The best score, if there is more than one system to be best among.
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
