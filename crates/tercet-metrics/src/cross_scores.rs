//! Scores of lines with each other as references, for minimum Bayes risk.

use super::{Metric, Segment};
use crate::error::Result;
use rayon::prelude::*;
use tercet_base::stop;

/// The segment scores of n lines with each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrossScores {
    /// n² scores: of all lines with the first line as the only reference, then with the second, …
    pub scores: Vec<f64>,
    /// How many of them [are unfinished](Metric::is_unfinished).
    pub unfinished: usize,
}

impl CrossScores {
    /// The scores of one line, with each line as reference.
    pub fn row(&self, hypothesis: usize, lines: usize) -> impl Iterator<Item = f64> {
        self.scores.iter().skip(hypothesis).step_by(lines.max(1)).copied()
    }
}

/// By the tallies of the metric, so that each reference is analysed once.
pub(super) fn by_tallies<M: Metric + ?Sized>(metric: &M, lines: &[&str]) -> Result<CrossScores> {
    let with_reference = |reference: &&str| {
        let references = [*reference];
        let segments: Vec<Segment<'_>> = lines.iter().map(|line| Segment::new(line, &references)).collect();
        let tallies = metric.tally(&segments)?;
        tallies.iter().try_for_each(|tally| tally.check_finite(|| metric.title()))?;
        let scores: Vec<f64> = tallies.iter().map(|tally| metric.segment_score(tally)).collect();
        Ok((scores, tallies.iter().filter(|tally| metric.is_unfinished(tally)).count()))
    };
    let found = lines.par_iter().map(stop::carried(with_reference)).collect::<Result<Vec<_>>>()?;
    let unfinished = found.iter().map(|(_, unfinished)| unfinished).sum();
    Ok(CrossScores { scores: found.into_iter().flat_map(|(scores, _)| scores).collect(), unfinished })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    #[test]
    fn every_line_is_scored_with_every_line() {
        let lines = ["the cat sat on the mat", "a cat sat", "the cat sat on the mat"];
        let ter = Registry::lexical().build("ter").unwrap();
        let found = ter.cross_scores(&lines).unwrap();
        for (i, hypothesis) in lines.iter().enumerate() {
            for (j, reference) in lines.iter().enumerate() {
                let expected = ter.segment_scores(&[Segment::new(hypothesis, &[*reference])]).unwrap()[0];
                assert_eq!(found.scores[j * 3 + i], expected);
                assert_eq!(found.row(i, 3).nth(j), Some(expected));
            }
        }
        assert_eq!(ter.cross_scores(&[]).unwrap(), CrossScores::default());
    }
}
