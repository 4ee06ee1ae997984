//! Spearman's rank correlation (Spearman, 1904): Pearson's r of the ranks, equal numbers sharing the mean of theirs.
//!
//! ```text
//! t = ρ √( (n−2) / ((1+ρ)(1−ρ)) )  of n − 2 degrees of freedom
//! ```
//!
//! # Agreement
//! scipy 1.17's `spearmanr`, to the last bit of the coefficient: twice a rank's distance from the mean rank is an
//! integer, so the sums are exact in any order, and the few roundings after them are numpy's `corrcoef`. That is why a
//! perfect order can come out as 0.9999999999999999 with a p-value that is small and not 0: both tools do so. A
//! constant row, NaN among the numbers and fewer than two pairs give NaN; two pairs have no p-value.

use super::Correlation;
use super::order::sort_places;
use crate::distributions::student;

/// Spearman's ρ of two rows.
///
/// # Panics
/// If they differ in length.
pub fn spearman(x: &[f64], y: &[f64]) -> Correlation {
    let value = spearman_value(x, y);
    if value.is_nan() {
        return Correlation::UNDEFINED;
    }
    let freedom = x.len() as f64 - 2.0;
    let t = value * (freedom / ((value + 1.0) * (1.0 - value))).sqrt();
    Correlation { value, p: 2.0 * student::survival(t.abs(), freedom) }
}

/// The coefficient alone.
///
/// # Panics
/// If the rows differ in length.
pub fn spearman_value(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len(), "rows of different length");
    if x.iter().chain(y).any(|value| value.is_nan()) {
        return f64::NAN;
    }
    let mut sorted = Vec::new();
    let (x, y) = (rank_deviations(x, &mut sorted), rank_deviations(y, &mut sorted));
    let product = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(&a, &b)| i128::from(a) * i128::from(b)).sum();
    spearman_of_sums(x.len() as u64, product(&x, &y), product(&x, &x), product(&y, &y))
}

/// Twice the distance of each rank from the mean rank.
fn rank_deviations(row: &[f64], sorted: &mut Vec<(u64, u32)>) -> Vec<i64> {
    sort_places(row, sorted);
    let (mut deviations, mut first) = (vec![0; row.len()], 0);
    for run in sorted.chunk_by(|a, b| a.0 == b.0) {
        let last = first + run.len() - 1;
        for &(_, place) in run {
            deviations[place as usize] = (first + last) as i64 + 1 - row.len() as i64;
        }
        first = last + 1;
    }
    deviations
}

/// `numpy.corrcoef` of `n` pairs of ranks, from the sums of the products of their deviations, twice each: of x and y,
/// of x, of y. NaN for constant or short rows.
pub(crate) fn spearman_of_sums(n: u64, product: i128, x: i128, y: i128) -> f64 {
    if n < 2 || x == 0 || y == 0 {
        return f64::NAN;
    }
    let factor = 1.0 / (n as f64 - 1.0);
    let covariance = |sum: i128| sum as f64 / 4.0 * factor;
    let value = covariance(product) / covariance(y).sqrt() / covariance(x).sqrt();
    value.clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_share_the_mean_of_their_ranks() {
        // Ranks 1, 3, 3, 3, 5: their mean is 3.
        assert_eq!(rank_deviations(&[0.5, 2.0, 2.0, 2.0, 9.0], &mut Vec::new()), [-4, 0, 0, 0, 4]);
    }

    #[test]
    fn the_coefficient_and_its_probability_are_those_of_scipy() {
        // scipy.stats.spearmanr([1, 2, 2, 4, 5, 6], [2, 1, 3, 3, 9, 4])
        let ours = spearman(&[1.0, 2.0, 2.0, 4.0, 5.0, 6.0], &[2.0, 1.0, 3.0, 3.0, 9.0, 4.0]);
        assert_eq!(ours.value, 0.8088235294117647);
        assert!((ours.p - 0.051329063199674334).abs() < 1e-15);
    }

    #[test]
    fn constant_rows_and_nan_have_no_correlation() {
        assert!(spearman(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]).value.is_nan());
        assert!(spearman(&[1.0, f64::NAN, 3.0], &[1.0, 2.0, 3.0]).value.is_nan());
        assert!(spearman(&[1.0], &[1.0]).p.is_nan());
        assert!(spearman(&[1.0, 2.0], &[4.0, 3.0]).p.is_nan());
        assert_eq!(spearman(&[1.0, 2.0, f64::INFINITY], &[1.0, 2.0, 3.0]), Correlation { value: 1.0, p: 0.0 });
    }
}
