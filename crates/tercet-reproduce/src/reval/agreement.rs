//! Figures of a metric on one language pair.
//!
//! `cs-en tau`, `cs-en pearson`, `cs-en spearman`, `cs-en expected wins` (Pearson's r with these), `cs-en interval`
//! (half of the width of the 95% interval of Pearson's r).

use super::human::Human;
use super::test_sets::{TestPair, TestSet};
use crate::finished::Figures;
use tercet::meta_evaluation::{HumanSystems, RelativeRanking, Statistic, SystemCoefficient, SystemLevel};

/// Scores of a metric on a language pair; higher is better, NaN where there is none.
pub(super) struct PairScores {
    /// Of outputs, system by system.
    pub(super) segments: Vec<f64>,
    /// Of systems.
    pub(super) systems: Vec<f64>,
}

impl PairScores {
    /// Scores of systems as the mean of the scores of their outputs.
    pub(super) fn with_means(segments: Vec<f64>, systems: usize) -> Self {
        let mean = |outputs: &[f64]| {
            let known = || outputs.iter().filter(|score| !score.is_nan());
            known().sum::<f64>() / known().count() as f64
        };
        let systems = segments.chunks(segments.len() / systems.max(1)).map(mean).collect();
        PairScores { segments, systems }
    }
}

/// All figures of a metric.
pub(super) fn figures(set: TestSet, pair: &TestPair, human: &Human, scores: &PairScores) -> Figures {
    let of = |human: &HumanSystems, coefficient: SystemCoefficient| {
        let usable = |system: usize| !scores.systems[system].is_nan();
        SystemLevel::new(coefficient, human, usable).value(&scores.systems)
    };
    let figures = [
        ("tau", tau(set, pair, &scores.segments)),
        ("pearson", of(&human.scores, SystemCoefficient::Pearson)),
        ("spearman", of(&human.scores, SystemCoefficient::Spearman)),
        ("expected wins", of(&human.expected_wins, SystemCoefficient::Pearson)),
        ("interval", half_width(&drawn(&human.expected_wins, |human| of(human, SystemCoefficient::Pearson)))),
    ];
    figures.into_iter().map(|(name, value)| (format!("{} {name}", pair.pair), value)).collect()
}

fn tau(set: TestSet, pair: &TestPair, scores: &[f64]) -> f64 {
    let judgements = &pair.judgements;
    let (systems, segments) = (judgements.systems.len(), judgements.segments.len());
    let usable = |place: usize| !scores[place].is_nan();
    RelativeRanking::new(set.tau(), &judgements.comparisons, systems, segments, usable).value(scores)
}

/// A value for each draw of people's scores.
fn drawn(human: &HumanSystems, value: impl Fn(&HumanSystems) -> f64) -> Vec<f64> {
    let Some(replicates) = &human.replicates else { return Vec::new() };
    let draws = replicates.first().map_or(0, Vec::len);
    let of = |draw: usize| {
        let scores = replicates.iter().map(|system| system[draw]).collect();
        value(&HumanSystems { name: human.name.clone(), sign: human.sign, scores, replicates: None })
    };
    (0..draws).map(of).collect()
}

/// Half of the width of the middle 95%; NaN if there are no values.
fn half_width(values: &[f64]) -> f64 {
    let mut known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    known.sort_by(f64::total_cmp);
    let cut = known.len() / 40;
    match known.get(cut..known.len() - cut) {
        Some([first, .., last]) => (last - first) / 2.0,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_means_of_their_outputs() {
        let scores = PairScores::with_means(vec![1.0, f64::NAN, 3.0, 2.0, f64::NAN, f64::NAN], 3);
        assert_eq!(scores.systems[..2], [1.0, 2.5]);
        assert!(scores.systems[2].is_nan());
    }

    #[test]
    fn the_interval_is_the_middle_of_the_draws() {
        let values: Vec<f64> = (0..=80).map(f64::from).collect();
        assert_eq!(half_width(&values), 38.0);
        assert!(half_width(&[]).is_nan() && half_width(&[1.0]).is_nan());
    }
}
