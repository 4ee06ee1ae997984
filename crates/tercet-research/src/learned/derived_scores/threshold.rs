//! Algorithm 1: the largest variance with which the scores still agree with the rankings they come from.

use super::settings::EqualScores;

/// What τ says of two translations that were compared: the variance from which on both are kept, and whether the scores
/// agree with the judge (1), contradict (−1) or are equal (0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScoredComparison {
    pub(super) variance: f64,
    pub(super) verdict: i8,
}

/// The comparisons of kept translations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    agree: u64,
    contradict: u64,
    equal: u64,
}

impl Counts {
    pub(super) fn of(comparisons: &[ScoredComparison]) -> Self {
        let mut counts = Counts::default();
        comparisons.iter().for_each(|comparison| counts.add(comparison.verdict));
        counts
    }

    fn add(&mut self, verdict: i8) {
        match verdict {
            1 => self.agree += 1,
            0 => self.equal += 1,
            _ => self.contradict += 1,
        }
    }

    /// The number of comparisons.
    pub(super) fn total(self) -> usize {
        (self.agree + self.contradict + self.equal) as usize
    }

    /// Kendall's τ; `None` if there is nothing to divide by.
    pub(super) fn tau(self, equal: EqualScores) -> Option<f64> {
        let strict = self.agree + self.contradict;
        let all = if equal == EqualScores::InDenominator { strict + self.equal } else { strict };
        (all > 0).then(|| (self.agree as f64 - self.contradict as f64) / all as f64)
    }
}

/// A multiple of the step, without the error of repeated addition: 3 × 0.05 is 0.15.
fn multiple(count: u32, step: f64) -> f64 {
    (f64::from(count) * step * 1e9).round() / 1e9
}

/// The largest multiple of `step` such that τ of the translations with a lower variance is at least `minimum`, as it is
/// for all smaller multiples; 0 if there is none. Without comparisons nothing contradicts. Ends above `largest`, where
/// all are kept.
pub(super) fn threshold(
    comparisons: &mut [ScoredComparison],
    largest: f64,
    (minimum, step): (f64, f64),
    equal: EqualScores,
) -> f64 {
    comparisons.sort_unstable_by(|a, b| a.variance.total_cmp(&b.variance));
    let (mut counts, mut next, mut accepted) = (Counts::default(), 0, 0.0);
    for count in 1.. {
        let variance = multiple(count, step);
        while next < comparisons.len() && comparisons[next].variance < variance {
            counts.add(comparisons[next].verdict);
            next += 1;
        }
        if counts.tau(equal).is_some_and(|tau| tau < minimum) {
            break;
        }
        accepted = variance;
        if variance > largest {
            break;
        }
    }
    accepted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(list: &[(f64, i8)]) -> Vec<ScoredComparison> {
        list.iter().map(|&(variance, verdict)| ScoredComparison { variance, verdict }).collect()
    }

    #[test]
    fn the_threshold_grows_until_tau_is_too_low() {
        let mut list = scored(&[(0.25, -1), (0.0, 1), (0.1, 1), (0.15, 1), (0.3, 1)]);
        // Below 0.25 all three agree; below 0.30 one of four contradicts: τ = 0.5.
        assert_eq!(threshold(&mut list, 0.3, (0.78, 0.05), EqualScores::InDenominator), 0.25);
        assert_eq!(threshold(&mut list, 0.3, (0.5, 0.05), EqualScores::InDenominator), 0.35);
        assert_eq!(threshold(&mut scored(&[(0.0, -1)]), 1.0, (0.78, 0.05), EqualScores::LeftOut), 0.0);
        assert_eq!(threshold(&mut [], 0.62, (0.78, 0.05), EqualScores::LeftOut), 0.65);
    }

    #[test]
    fn equal_scores_are_in_the_denominator_or_left_out() {
        let counts = Counts::of(&scored(&[(0.0, 1), (0.0, 0), (0.0, 1), (0.0, -1)]));
        assert_eq!(counts.tau(EqualScores::InDenominator), Some(0.25));
        assert_eq!(counts.tau(EqualScores::LeftOut), Some(1.0 / 3.0));
        assert_eq!(Counts::of(&scored(&[(0.0, 0)])).tau(EqualScores::LeftOut), None);
    }
}
