//! The average of a coefficient over systems or items.
//!
//! ```text
//! value = Σ_g w_g c_g / Σ_g w_g
//! ```
//!
//! over the groups in which the coefficient is defined; all weights are 1, except that
//! [`KendallLike`] weighs by its pairs.
//!
//! # Agreement
//! mt-metrics-eval 68a481a's `AverageCorrelation`, including its special cases. If any gold score is missing, groups
//! with fewer than two are left out before the coefficient is computed, and so are never counted as zero; if none is
//! missing, short groups are passed to it as they are. If no group is left the result is 0 with weight 0. P-values are
//! averaged like values, which has little meaning.

use super::{Correlation, KendallLike};
use crate::Grouping;

/// How groups count in which the coefficient is undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// They are ignored.
    #[default]
    LeftOut,
    /// They count as 0 (`replace_nans_with_zeros`).
    Zero,
}

/// The coefficient of one group and its weight in the average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The coefficient; NaN where it is not defined.
    pub value: f64,
    /// Its p-value; 0 for coefficients without.
    pub p: f64,
    /// 1 for most coefficients.
    pub weight: u64,
}

impl From<f64> for Term {
    fn from(value: f64) -> Term {
        Term { value, p: 0.0, weight: 1 }
    }
}

impl From<Correlation> for Term {
    fn from(Correlation { value, p }: Correlation) -> Term {
        Term { value, p, weight: 1 }
    }
}

impl From<KendallLike> for Term {
    fn from(counts: KendallLike) -> Term {
        Term { value: counts.value(), p: 0.0, weight: counts.pairs() }
    }
}

/// An average over groups.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grouped {
    /// The average coefficient; 0 if `n` is.
    pub value: f64,
    /// The average p-value.
    pub p: f64,
    /// The sum of the weights: usually the number of groups in the average.
    pub n: u64,
}

/// The average of a coefficient over the groups of `systems` × items scores, stored system by system.
///
/// `coefficient` receives the gold and metric scores of each group, without those that have no gold score:
///
/// ```
/// use tercet_statistics::Grouping;
/// use tercet_statistics::correlation::{PairCounts, Undefined, grouped, pearson};
///
/// let gold = [Some(1.0), Some(2.0), Some(3.0), Some(1.0), Some(2.0), None];
/// let metric = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
/// let within_items = grouped(Grouping::Item, 3, &gold, &metric, Undefined::LeftOut, pearson);
/// assert_eq!((format!("{:.2}", within_items.value).as_str(), within_items.n), ("-0.25", 2));
/// let accuracy = |gold: &[f64], metric: &[f64]| PairCounts::new(gold, metric, 0.0).acc_23();
/// assert_eq!(grouped(Grouping::Item, 3, &gold, &metric, Undefined::LeftOut, accuracy).value, 1.0 / 3.0);
/// ```
///
/// # Panics
/// If the rows do not have the same length, or it is not a multiple of `systems`.
pub fn grouped<T: Into<Term>>(
    grouping: Grouping,
    systems: usize,
    gold: &[Option<f64>],
    metric: &[f64],
    undefined: Undefined,
    mut coefficient: impl FnMut(&[f64], &[f64]) -> T,
) -> Grouped {
    let fewest = if gold.iter().all(Option::is_some) { 0 } else { 2 };
    let (mut value, mut p, mut n) = (0.0, 0.0, 0);
    each_group(grouping, systems, gold, metric, |gold, metric| {
        if gold.len() < fewest {
            return;
        }
        let term = coefficient(gold, metric).into();
        if !term.value.is_nan() {
            value += term.weight as f64 * term.value;
            p += term.weight as f64 * term.p;
            n += term.weight;
        } else if undefined == Undefined::Zero {
            n += term.weight;
        }
    });
    if n == 0 { Grouped::default() } else { Grouped { value: value / n as f64, p: p / n as f64, n } }
}

/// Calls a function with the gold and metric scores of each group, in the order of [`Grouping::groups`].
///
/// # Panics
/// As [`grouped`].
pub(super) fn each_group(
    grouping: Grouping,
    systems: usize,
    gold: &[Option<f64>],
    metric: &[f64],
    mut show: impl FnMut(&[f64], &[f64]),
) {
    assert_eq!(gold.len(), metric.len(), "rows of different length");
    let items = gold.len().checked_div(systems).unwrap_or(0);
    let fits = grouping == Grouping::None || systems * items == gold.len();
    assert!(fits, "{} scores of {systems} systems are no matrix", gold.len());
    for places in grouping.groups(systems, gold) {
        let (judged, scores): (Vec<f64>, Vec<f64>) =
            places.iter().filter_map(|&place| Some((gold[place]?, metric[place]))).unzip();
        show(&judged, &scores);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correlation::{kendall_like, pearson};

    const GOLD: [Option<f64>; 6] = [Some(1.0), Some(2.0), None, Some(3.0), Some(5.0), None];
    const METRIC: [f64; 6] = [0.1, 0.2, 0.3, 0.4, 0.4, 0.6];

    fn sizes(grouping: Grouping, gold: &[Option<f64>]) -> Vec<usize> {
        let mut sizes = Vec::new();
        each_group(grouping, 2, gold, &METRIC, |gold, metric| {
            assert_eq!(gold.len(), metric.len());
            sizes.push(gold.len());
        });
        sizes
    }

    #[test]
    fn groups_are_those_of_the_grouping() {
        for grouping in [Grouping::None, Grouping::System, Grouping::Item] {
            let expected: Vec<usize> = grouping.groups(2, &GOLD).iter().map(Vec::len).collect();
            assert_eq!(sizes(grouping, &GOLD), expected);
        }
        assert_eq!(sizes(Grouping::Item, &GOLD), [2, 2, 0]);
    }

    #[test]
    fn undefined_groups_are_left_out_or_count_as_zero() {
        // The second system's metric scores are constant.
        let average = |undefined| grouped(Grouping::System, 2, &GOLD, &METRIC, undefined, pearson);
        assert_eq!(average(Undefined::LeftOut), Grouped { value: 1.0, p: 1.0, n: 1 });
        assert_eq!(average(Undefined::Zero), Grouped { value: 0.5, p: 0.5, n: 2 });
    }

    #[test]
    fn short_groups_are_never_zero_where_judgements_are_missing() {
        let average =
            |gold: &[Option<f64>]| grouped(Grouping::Item, 2, gold, &METRIC, Undefined::Zero, |_, _| f64::NAN);
        assert_eq!(average(&GOLD).n, 2);
        assert_eq!(average(&[Some(1.0); 6]).n, 3);
        assert_eq!(grouped(Grouping::System, 6, &[Some(1.0); 6], &METRIC, Undefined::Zero, pearson).n, 6);
    }

    #[test]
    fn pairs_weigh_in_the_kendall_like_average() {
        let like = |gold: &[f64], metric: &[f64]| kendall_like(gold, metric, 1.0);
        let gold = [1.0, 2.0, 3.0, 9.0, 9.0, 8.0].map(Some);
        let average = grouped(Grouping::System, 2, &gold, &METRIC, Undefined::LeftOut, like);
        // Three pairs in order, and two of which none is.
        assert_eq!((average.value, average.n), ((3.0 - 2.0) / 5.0, 5));
    }

    #[test]
    fn without_groups_the_answer_is_zero_of_none() {
        let nobody = grouped(Grouping::Item, 2, &[None; 6], &METRIC, Undefined::Zero, pearson);
        assert_eq!(nobody, Grouped::default());
    }

    #[test]
    #[should_panic(expected = "6 scores of 4 systems are no matrix")]
    fn what_is_no_matrix_is_refused() {
        grouped(Grouping::Item, 4, &GOLD, &METRIC, Undefined::LeftOut, pearson);
    }
}
