//! Agreement with relative rankings: Kendall's τ as the metrics tasks of WMT08–16 defined it, segment by segment.
//!
//! Humans judged which of two outputs is better; their ties are left out. A metric agrees (concordant), disagrees
//! (discordant), or gives both outputs the same score (tied).
//!
//! ```text
//! WMT11, WMT12   τ = (C − D − T) / (C + D + T)     ties count against the metric
//! WMT13          τ = (C − D) / (C + D)             ties are left out
//! WMT14–16       τ = (C − D) / (C + D + T)         ties count for nothing
//! ```
//!
//! (Callison-Burch et al., 2012; Macháček & Bojar, 2013 and 2014, who compare the three.) All judgements of
//! a language pair are pooled; the same pair of outputs judged twice counts twice. [`TauDefinition::Accuracy`] is the
//! share of judgements the metric gets right, C / (C + D + T).
//!
//! Scores are compared in double precision; score files of the time had six digits or fewer, so published ties may
//! differ.

use super::draws::Draws;
use super::metric_on_set::MetricOnSet;
use super::statistic::Statistic;
use crate::corpora::{Comparison, Outcome};
use crate::progress::Stopped;

/// How ties of the metric are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TauDefinition {
    /// Ties count against the metric.
    Wmt12,
    /// Ties are left out.
    Wmt13,
    /// Ties count for nothing.
    Wmt14,
    /// Not a τ: the share of judgements the metric gets right.
    Accuracy,
}

/// How a metric sided with people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TauCounts {
    /// The metric prefers the same output.
    pub concordant: u64,
    /// The metric prefers the other output.
    pub discordant: u64,
    /// The metric gives both the same score.
    pub tied: u64,
}

impl TauCounts {
    /// The value by a definition; NaN if the denominator is 0.
    pub fn value(self, definition: TauDefinition) -> f64 {
        let (concordant, discordant, tied) = (self.concordant as f64, self.discordant as f64, self.tied as f64);
        let all = concordant + discordant + tied;
        match definition {
            TauDefinition::Wmt12 => (concordant - discordant - tied) / all,
            TauDefinition::Wmt13 => (concordant - discordant) / (concordant + discordant),
            TauDefinition::Wmt14 => (concordant - discordant) / all,
            TauDefinition::Accuracy => concordant / all,
        }
    }

    fn add(&mut self, other: TauCounts) {
        self.concordant += other.concordant;
        self.discordant += other.discordant;
        self.tied += other.tied;
    }

    /// Replaces a verdict by another; verdicts are 1, 0 or −1 as in [`RelativeRanking::outcomes`].
    pub(super) fn change(&mut self, from: i8, to: i8) {
        *self.count(from) -= 1;
        *self.count(to) += 1;
    }

    fn count(&mut self, verdict: i8) -> &mut u64 {
        match verdict {
            1 => &mut self.concordant,
            0 => &mut self.tied,
            _ => &mut self.discordant,
        }
    }

    fn cast(&mut self, better: f64, worse: f64) {
        match better.partial_cmp(&worse) {
            Some(std::cmp::Ordering::Greater) => self.concordant += 1,
            Some(std::cmp::Ordering::Less) => self.discordant += 1,
            Some(std::cmp::Ordering::Equal) => self.tied += 1,
            None => (),
        }
    }
}

/// Agreement with judgements of which of two outputs is better.
#[derive(Clone, Debug)]
pub struct RelativeRanking {
    definition: TauDefinition,
    /// (better, worse) as indices into a vector of scores, segment by segment.
    pairs: Vec<(u32, u32)>,
    /// The start of each segment's pairs, and the end of the last.
    starts: Vec<usize>,
    judged: Vec<bool>,
}

impl RelativeRanking {
    /// The strict judgements among these, of `systems` × `segments` outputs. Comparisons with an output
    /// that is not `usable` (without a text) are left out.
    pub fn new(
        definition: TauDefinition,
        comparisons: &[Comparison],
        systems: usize,
        segments: usize,
        usable: impl Fn(usize) -> bool,
    ) -> Self {
        let place = |system: usize, segment: usize| system * segments + segment;
        let mut by_segment: Vec<Vec<(u32, u32)>> = vec![Vec::new(); segments];
        let mut judged = vec![false; systems * segments];
        for comparison in comparisons {
            let (better, worse) = match comparison.outcome {
                Outcome::First => (comparison.first, comparison.second),
                Outcome::Second => (comparison.second, comparison.first),
                Outcome::Tie => continue,
            };
            let (better, worse) = (place(better, comparison.segment), place(worse, comparison.segment));
            if usable(better) && usable(worse) {
                (judged[better], judged[worse]) = (true, true);
                by_segment[comparison.segment].push((better as u32, worse as u32));
            }
        }
        let ends = by_segment.iter().scan(0, |end, pairs| {
            *end += pairs.len();
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        RelativeRanking { definition, pairs: by_segment.concat(), starts, judged }
    }

    /// Counts how a metric agrees with all judgements.
    pub fn votes(&self, scores: &[f64]) -> TauCounts {
        count(&self.pairs, scores)
    }

    /// Whether the metric gets each judgement right (1), wrong (−1) or ties (0), in the order of segments.
    pub fn outcomes(&self, scores: &[f64]) -> Vec<i8> {
        let sign = |&(better, worse): &(u32, u32)| {
            let (better, worse) = (scores[better as usize], scores[worse as usize]);
            i8::from(better > worse) - i8::from(better < worse)
        };
        self.pairs.iter().map(sign).collect()
    }

    /// The definition in use.
    pub fn definition(&self) -> TauDefinition {
        self.definition
    }
}

fn count(pairs: &[(u32, u32)], scores: &[f64]) -> TauCounts {
    let mut votes = TauCounts::default();
    for &(better, worse) in pairs {
        votes.cast(scores[better as usize], scores[worse as usize]);
    }
    votes
}

impl Statistic for RelativeRanking {
    fn n(&self) -> usize {
        self.pairs.len()
    }

    fn scores<'m>(&self, metric: &'m MetricOnSet) -> Option<&'m [f64]> {
        metric.segments.as_deref()
    }

    fn value(&self, scores: &[f64]) -> f64 {
        self.votes(scores).value(self.definition)
    }

    fn replicates(&self, metric: &MetricOnSet, draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        let Some(scores) = self.scores(metric) else { return Ok(None) };
        let by_segment: Vec<TauCounts> =
            self.starts.windows(2).map(|ends| count(&self.pairs[ends[0]..ends[1]], scores)).collect();
        let values = draws.map(|draw| {
            let mut votes = TauCounts::default();
            draw.iter().for_each(|&segment| votes.add(by_segment[segment as usize]));
            votes.value(self.definition)
        });
        values.map(Some)
    }

    fn judged(&self) -> &[bool] {
        &self.judged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five judgements of three systems on two segments, one of them a tie.
    fn judgements() -> Vec<Comparison> {
        let comparison = |segment, first, second, outcome| Comparison { segment, first, second, outcome };
        vec![
            comparison(0, 0, 1, Outcome::First),
            comparison(0, 2, 1, Outcome::Second),
            comparison(0, 0, 2, Outcome::First),
            comparison(1, 1, 2, Outcome::Tie),
            comparison(1, 0, 2, Outcome::First),
        ]
    }

    #[test]
    fn the_definitions_differ_in_the_metrics_ties_only() {
        // Systems by segments: right, wrong, right, and a tie.
        let scores = [0.9, 0.5, 0.1, 0.7, 0.2, 0.5];
        let value = |definition| RelativeRanking::new(definition, &judgements(), 3, 2, |_| true).value(&scores);
        assert_eq!(value(TauDefinition::Wmt12), 0.0);
        assert_eq!(value(TauDefinition::Wmt13), 1.0 / 3.0);
        assert_eq!(value(TauDefinition::Wmt14), 0.25);
        assert_eq!(value(TauDefinition::Accuracy), 0.5);
    }

    #[test]
    fn human_ties_and_outputs_without_a_text_are_left_out() {
        let ranking = RelativeRanking::new(TauDefinition::Wmt14, &judgements(), 3, 2, |place| place != 2);
        assert_eq!(ranking.n(), 2);
        assert_eq!(ranking.outcomes(&[3.0, 1.0, 0.0, 0.0, 2.0, 1.0]), [1, 0]);
        assert_eq!(ranking.judged(), [true, true, false, false, true, true]);
    }

    #[test]
    fn a_draw_counts_each_of_its_segments() {
        let ranking = RelativeRanking::new(TauDefinition::Wmt14, &judgements(), 3, 2, |_| true);
        let scores = [0.9, 0.5, 0.1, 0.7, 0.2, 0.5];
        let draws = Draws::new(50, 2, Some(1));
        let expected = draws.map(|draw| {
            let first = draw.iter().filter(|&&segment| segment == 0).count() as f64;
            first / (3.0 * first + (2.0 - first))
        });
        let expected = expected.unwrap();
        let metric = MetricOnSet { segments: Some(scores.to_vec()), ..MetricOnSet::default() };
        assert_eq!(ranking.replicates(&metric, &draws), Ok(Some(expected)));
    }
}
