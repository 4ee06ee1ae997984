//! Scores of another tool as a metric: a segment's tally is (score, 1), a system's score the mean.

use crate::error::{Error, Result};
use crate::metrics::{Direction, Metric, MetricInfo, PeopleAgreeCurve, Scale, Segment, Spec, Tally, Target};

/// Tools whose metrics are better with lower scores; names of their metrics begin so.
const LOWER_IS_BETTER: [&str; 5] = ["metricx", "hter", "cter", "wer", "cer"];

/// How often people prefer the system with the better score, by metrics of other tools: parts of the name, the ceiling
/// and the slope of a logistic curve, and what a difference is multiplied by. Kocmi, Zouhar, Federmann and Post, ACL
/// 2024, *Navigating the Metrics Maze*, as in their tool `mt-thresholds`, which has points of 100 for scores from 0 to
/// 1.
const PUBLISHED: [(&[&str], f64, f64, f64); 7] = [
    (&["kiwi", "22"], 0.988_814, 2.719_281, 100.0),
    (&["kiwi", "23", "xxl"], 0.962_317, 1.282_658, 100.0),
    (&["kiwi", "23", "xl"], 0.963_908, 1.888_888, 100.0),
    (&["xcomet", "xxl"], 0.989_343, 1.162_953, 100.0),
    (&["xcomet", "xl"], 0.965_674, 1.453_560, 100.0),
    (&["bleurt", "20"], 0.983_333, 1.372_721, 100.0),
    // Behind those whose names have `comet` in them too.
    (&["comet", "22", "da"], 0.962_237, 2.835_919, 100.0),
];

/// The published curve of a metric of this name.
fn published(name: &str) -> Option<PeopleAgreeCurve> {
    let name = name.to_lowercase();
    let (_, ceiling, slope, factor) =
        PUBLISHED.iter().find(|(parts, ..)| parts.iter().all(|part| name.contains(part)))?;
    Some(PeopleAgreeCurve::logistic(*ceiling, slope * factor))
}

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

    /// As published for metrics of this name, whose scores are from 0 to 1.
    fn people_agree(&self, _target: Target) -> Option<PeopleAgreeCurve> {
        published(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_thresholds_are_those_of_the_paper() {
        let difference = |name: &str| published(name)?.difference(0.85, 1000);
        assert!((difference("wmt22-comet-da").unwrap() - 0.0071).abs() < 5e-5);
        assert!((difference("Unbabel/wmt22-cometkiwi-da").unwrap() - 0.0067).abs() < 5e-5);
        assert!((difference("XCOMET-XL").unwrap() - 0.0137).abs() < 5e-5);
        assert!((difference("bleurt-20").unwrap() - 0.0135).abs() < 5e-5);
        assert_eq!(difference("mine"), None);
    }
}
