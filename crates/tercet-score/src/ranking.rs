//! Systems in order of their scores, in groups that do not differ significantly.
//!
//! A view of an [`Evaluation`] with a paired test of all pairs. From the best system on, a system joins the current
//! group unless a member of the group is significantly better; otherwise it starts the next group. So no two systems of
//! a group differ significantly, but a system need not differ from all those of the groups above.
//!
//! A system's probability of winning is the mean, over segments and other systems, of the probability that people
//! prefer its translation to that of the other system:
//!
//! ```text
//! wins(a) = 1/(n·(m−1)) Σᵢ Σ_{b≠a} σ(strength(aᵢ) − strength(bᵢ))
//! ```
//!
//! for n segments and m systems; the strengths are [`Metric::strength`].

use super::SystemTallies;
use super::evaluation::Evaluation;
use crate::metrics::{Direction, Metric, logistic};
use crate::statistics::exact_sum::exact_sum;
use crate::statistics::significance::permutation::assign_ranks;
use rayon::prelude::*;

/// The place of a system in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedSystem {
    /// Its index in [`Evaluation::systems`].
    pub system: usize,
    /// Its place, from 1; equal scores share the better place.
    pub rank: usize,
    /// Its group, from 1; see [`Evaluation::ranking`].
    pub group: usize,
}

impl Evaluation {
    /// The systems by a metric, the best first; equal scores stay in their order. Groups of systems that do not differ
    /// significantly are numbered from 1: a system belongs to the group of the system above, unless a member of that
    /// group is significantly better. They need a paired test of all pairs; without one all systems are in one group.
    pub fn ranking(&self, column: usize) -> Vec<RankedSystem> {
        let order = self.order(column);
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &system)| places[system] = place);
        let mut p_values = vec![vec![1.0; order.len()]; order.len()];
        for found in self.comparisons.iter().filter(|of| of.column == column && of.is_significant()) {
            let [a, b] = [found.system, found.baseline].map(|system| places[system]);
            p_values[a.min(b)][a.max(b)] = 0.0;
        }
        let groups = assign_ranks(&p_values, 0.5);
        let score = |system: usize| self.columns[column].cells[system].score;
        let mut ranked: Vec<RankedSystem> = Vec::with_capacity(order.len());
        for (place, (system, group)) in order.into_iter().zip(groups).enumerate() {
            let above = ranked.last().filter(|above| score(above.system) == score(system));
            ranked.push(RankedSystem { system, rank: above.map_or(place + 1, |above| above.rank), group });
        }
        ranked
    }

    /// The indices of the systems by a metric, the best first; those whose score is not a number come last.
    pub fn order(&self, column: usize) -> Vec<usize> {
        let column = &self.columns[column];
        let score = |system: usize| match column.direction {
            Direction::HigherIsBetter => -column.cells[system].score,
            Direction::LowerIsBetter => column.cells[system].score,
        };
        let mut order: Vec<usize> = (0..self.systems.len()).collect();
        order.sort_by(|&a, &b| {
            let [a, b] = [a, b].map(score);
            a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(&b))
        });
        order
    }
}

/// The probability of winning of each system; `None` for one system, or if the strengths are not known.
pub(super) fn win_probabilities(metric: &dyn Metric, tallies: &SystemTallies) -> Option<Vec<f64>> {
    let strengths = |tallies: &Vec<_>| tallies.iter().map(|tally| metric.strength(tally)).collect();
    let strengths: Vec<Vec<f64>> = tallies.iter().map(strengths).collect::<Option<_>>()?;
    let segments = strengths.first().map_or(0, Vec::len);
    let others = strengths.len().saturating_sub(1);
    if segments * others == 0 {
        return None;
    }
    let of_system = |system: usize| {
        let others = strengths.iter().enumerate().filter(|(other, _)| *other != system);
        let against =
            |other: &Vec<f64>| exact_sum(strengths[system].iter().zip(other).map(|(own, other)| logistic(own - other)));
        exact_sum(others.map(|(_, other)| against(other)))
    };
    let sums: Vec<f64> = (0..strengths.len()).into_par_iter().map(of_system).collect();
    Some(sums.into_iter().map(|sum| sum / (segments * others) as f64).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Registry;
    use crate::progress::Progress;
    use crate::significance::Resampling;
    use crate::{CompareRequest, Corpus, EvaluateRequest, Paired, Pairs, System, Test, compare, evaluate};

    /// References, then outputs that drop a word in all, half, or a few of the segments.
    fn texts() -> Vec<(&'static str, Vec<String>)> {
        let line = |i: usize| format!("the bird number {i} sat on the roof of house {}", i % 7);
        let dropped = |i: usize, every: usize| match i % every {
            0 => line(i).replace(" roof", ""),
            _ => line(i),
        };
        let system = |every: usize| (0..60).map(|i| dropped(i, every)).collect();
        vec![
            ("ref", (0..60).map(line).collect()),
            ("bad", system(1)),
            ("good", system(20)),
            ("fair", system(15)),
            ("copy", system(15)),
        ]
    }

    fn evaluation(metric: &str) -> Evaluation {
        let texts = texts();
        let systems = texts[1..].iter().map(|(name, lines)| System::new(*name, lines)).collect();
        let corpus = Corpus::new(systems, texts[0].1.iter().map(|line| vec![line.as_str()]).collect()).unwrap();
        let resampling = Resampling { samples: 500, seed: Some(12345) };
        let paired = Paired { test: Test::Bootstrap, resampling, pairs: Pairs::All, holm: false };
        let request =
            EvaluateRequest { confidence: Some(resampling), paired: Some(paired), wins: true, ..Default::default() };
        evaluate(&corpus, &[Registry::lexical().named(metric, None).unwrap()], &request, Progress::none()).unwrap()
    }

    #[test]
    fn a_system_without_a_score_is_last() {
        for metric in ["chrf", "ter"] {
            let mut evaluation = evaluation(metric);
            evaluation.columns[0].cells[1].score = f64::NAN;
            assert_eq!(evaluation.order(0).last(), Some(&1), "{metric}");
        }
    }

    #[test]
    fn systems_are_in_order_and_groups_do_not_differ_significantly() {
        for metric in ["chrf", "ter"] {
            let evaluation = evaluation(metric);
            let ranking = evaluation.ranking(0);
            let shown: Vec<_> =
                ranking.iter().map(|of| (evaluation.systems[of.system].as_str(), of.rank, of.group)).collect();
            assert_eq!(shown, [("good", 1, 1), ("fair", 2, 1), ("copy", 2, 1), ("bad", 4, 2)], "{metric}");
        }
    }

    #[test]
    fn probabilities_of_winning_are_those_of_comparisons() {
        let evaluation = evaluation("chrf");
        let texts = texts();
        let chrf = Registry::lexical().preference("chrf", None).unwrap();
        let against = |other: usize| {
            let systems = [2, other].map(|i| System::new(texts[i].0, &texts[i].1)).to_vec();
            let corpus = Corpus::new(systems, texts[0].1.iter().map(|line| vec![line.as_str()]).collect()).unwrap();
            compare(&corpus, chrf.as_ref(), &CompareRequest::default(), Progress::none()).unwrap().mean
        };
        let expected = (against(1) + against(3) + against(4)) / 3.0;
        let wins: Vec<f64> = evaluation.columns[0].cells.iter().map(|cell| cell.wins.unwrap()).collect();
        assert!((wins[1] - expected).abs() < 1e-12, "{wins:?} {expected}");
        assert!((wins.iter().sum::<f64>() - 2.0).abs() < 1e-12, "half of all comparisons are won: {wins:?}");
    }
}
