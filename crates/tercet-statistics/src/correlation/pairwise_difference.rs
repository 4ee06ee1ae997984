//! Pairwise-difference Pearson: Pearson's r between the differences gᵢ − gⱼ and mᵢ − mⱼ of all pairs within groups,
//! taken together (`--pdp` of mt-metrics-eval's `mtme`).
//!
//! Each pair is included in both directions, so the differences have mean 0, and over the ordered pairs of a group of n
//!
//! ```text
//! Σᵢⱼ (gᵢ − gⱼ)(mᵢ − mⱼ) = 2n Σᵢ (gᵢ − ḡ)(mᵢ − m̄)
//! ```
//!
//! which makes r a ratio of sums over groups, computed without enumerating pairs. Scores are first divided by a power
//! of two near the largest, so that squares neither underflow nor overflow.
//!
//! # Agreement
//! mt-metrics-eval 68a481a's `Pearson(average_by, pdp=True)` up to rounding. The p-value is Pearson's for all n²
//! ordered pairs, i = j included, as there; since they are not independent it is far too small.

use super::Grouped;
use super::grouped::each_group;
use super::pearson::p_value;
use crate::Grouping;

/// Pearson's r of the differences within the groups of `systems` × items scores, stored system by system. Where it is
/// undefined the result is 0 with n = 0, as in [`grouped`](super::grouped); else n = 1.
///
/// # Panics
/// If the rows do not have the same length, or it is not a multiple of `systems`.
pub fn pairwise_difference_pearson(
    grouping: Grouping,
    systems: usize,
    gold: &[Option<f64>],
    metric: &[f64],
) -> Grouped {
    let gold_scale = scale(gold.iter().copied().flatten());
    let metric_scale = scale(gold.iter().zip(metric).filter(|(gold, _)| gold.is_some()).map(|(_, &score)| score));
    let (mut pairs, mut products) = (0, [0.0; 3]);
    each_group(grouping, systems, gold, metric, |gold, metric| {
        pairs += gold.len() * gold.len();
        let (gold, metric) = (Deviations::new(gold, gold_scale), Deviations::new(metric, metric_scale));
        for (total, (x, y)) in products.iter_mut().zip([(&gold, &metric), (&gold, &gold), (&metric, &metric)]) {
            *total += x.values.len() as f64 * x.product(y);
        }
    });
    let [both, in_gold, in_metric] = products;
    if in_gold == 0.0 || in_metric == 0.0 {
        return Grouped::default();
    }
    let value = (both / in_gold.sqrt() / in_metric.sqrt()).clamp(-1.0, 1.0);
    if value.is_nan() { Grouped::default() } else { Grouped { value, p: p_value(value, pairs), n: 1 } }
}

/// The largest power of two that is not above the largest number.
fn scale(values: impl Iterator<Item = f64>) -> f64 {
    let largest = values.fold(f64::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
    f64::from_bits(largest.to_bits() >> 52 << 52)
}

/// Deviations from the mean; exactly 0 if all numbers are equal.
struct Deviations {
    values: Vec<f64>,
}

impl Deviations {
    fn new(values: &[f64], scale: f64) -> Deviations {
        let first = values.first().map_or(0.0, |first| first / scale);
        let mut values: Vec<f64> = values.iter().map(|value| value / scale - first).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter_mut().for_each(|value| *value -= mean);
        Deviations { values }
    }

    fn product(&self, other: &Deviations) -> f64 {
        self.values.iter().zip(&other.values).map(|(a, b)| a * b).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correlation::pearson;

    #[test]
    fn it_is_pearson_of_all_ordered_pairs_within_items() {
        let gold = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0].map(Some);
        let metric = [0.2, 0.7, 0.1, 0.8, 0.2, 0.8, 0.1, 0.8, 0.3];
        let (mut gold_differences, mut metric_differences) = (Vec::new(), Vec::new());
        for item in Grouping::Item.groups(3, &gold) {
            for (&i, &j) in item.iter().flat_map(|i| item.iter().map(move |j| (i, j))) {
                gold_differences.push(gold[i].unwrap() - gold[j].unwrap());
                metric_differences.push(metric[i] - metric[j]);
            }
        }
        let long_way = pearson(&gold_differences, &metric_differences);
        let ours = pairwise_difference_pearson(Grouping::Item, 3, &gold, &metric);
        assert!((ours.value - long_way.value).abs() < 1e-15);
        assert!((ours.p - long_way.p).abs() < 1e-13);
        assert_eq!(ours.n, 1);
    }

    #[test]
    fn the_scale_does_not_matter() {
        let (gold, metric) = ([1.0, 2.0, 5.0, 4.0], [0.3, 0.2, 0.9, 0.4]);
        let r = |by: f64| {
            pairwise_difference_pearson(Grouping::Item, 2, &gold.map(|gold| Some(gold * by)), &metric.map(|m| m / by))
        };
        assert!((r(1e200).value - r(1.0).value).abs() < 1e-15 && (r(1e-200).value - r(1.0).value).abs() < 1e-15);
        assert!(r(1.0).value > 0.5);
    }

    #[test]
    fn items_that_all_systems_translate_alike_have_no_differences() {
        let constant = [0.1, 0.7, 0.1, 0.7, 0.1, 0.7];
        let gold = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(Some);
        assert_eq!(pairwise_difference_pearson(Grouping::Item, 3, &gold, &constant), Grouped::default());
        assert_eq!(pairwise_difference_pearson(Grouping::Item, 3, &[None; 6], &constant), Grouped::default());
    }
}
