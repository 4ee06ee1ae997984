//! Scores of another tool as a metric: a segment's tally is (score, 1), a system's score the mean.

use crate::error::{Error, Result};
use crate::metrics::{Direction, Metric, MetricInfo, Scale, Segment, Spec, Tally};

/// Tools whose metrics are better with lower scores; names of their metrics begin so.
const LOWER_IS_BETTER: [&str; 5] = ["metricx", "hter", "cter", "wer", "cer"];

/// Whether higher or lower scores of a metric of another tool are better, if its name says so.
pub fn direction_of_tool(name: &str) -> Option<Direction> {
    let name = name.to_lowercase();
    let is_lower = LOWER_IS_BETTER.iter().any(|tool| {
        name.strip_prefix(tool).is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_lowercase()))
    });
    is_lower.then_some(Direction::LowerIsBetter)
}

/// A metric whose segment scores were computed by another tool.
pub struct ExternalScores {
    name: String,
    info: MetricInfo,
}

impl ExternalScores {
    /// A metric of this name, whose scores were read from a file. What is `known` of a metric of that name holds for
    /// them too; scores of other metrics may be of any size and are treated as small ones, since too many decimals hide
    /// nothing.
    pub fn new(name: &str, direction: Direction, known: Option<&MetricInfo>) -> Self {
        let info = MetricInfo {
            direction,
            scale: known.map_or(Scale::One, |known| known.scale),
            slope: known.filter(|known| known.name == name).and_then(|known| known.slope),
            ..MetricInfo::new(|_, _| Err(Error::Unusable("scores of files are not built by name".to_owned())))
        };
        ExternalScores { name: name.to_owned(), info }
    }

    /// The tallies of one system's segment scores.
    pub fn tallies(scores: &[f64]) -> Vec<Tally> {
        scores.iter().map(|&score| Tally::new(vec![score, 1.0])).collect()
    }
}

impl Metric for ExternalScores {
    fn info(&self) -> &MetricInfo {
        &self.info
    }

    fn signature(&self) -> Spec {
        Spec::new(&self.name).with("scores", "given")
    }

    fn title(&self) -> String {
        self.name.clone()
    }

    fn tally(&self, _batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        Err(Error::Unusable(format!("`{}` is a file of scores: it cannot score new translations", self.name)))
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }
}
