//! Pearson's product-moment correlation (Pearson, 1895).
//!
//! ```text
//! r = Σ (xᵢ − x̄)(yᵢ − ȳ) / √( Σ (xᵢ − x̄)² · Σ (yᵢ − ȳ)² )
//! ```
//!
//! Between unrelated normal rows of length n, (r + 1)/2 follows the beta distribution with both parameters n/2 − 1,
//! which is where the p-value comes from (Student's t with n − 2 degrees of freedom gives the same).
//!
//! # Agreement
//! scipy 1.17's `pearsonr`: the same scaling before squares are taken, so that numbers of 1e±200 neither overflow nor
//! underflow, and the same order of operations except in the last sum, which scipy leaves to BLAS. So the last bits of
//! r may differ, and with them the p-value where r is close to ±1; up to |r| = 0.9999 it is the same to 1e-10 of
//! itself. A constant row gives NaN, as in mt-metrics-eval; two pairs give ±1 and p = 1; fewer give NaN, where scipy
//! raises an error.

use super::{Correlation, is_constant};
use crate::distributions::beta;
use crate::summation::mean;

/// Pearson's r of two rows.
///
/// # Panics
/// If they differ in length.
pub fn pearson(x: &[f64], y: &[f64]) -> Correlation {
    let value = pearson_value(x, y);
    match x.len() {
        _ if value.is_nan() => Correlation::UNDEFINED,
        2 => Correlation { value, p: 1.0 },
        n => Correlation { value, p: p_value(value, n) },
    }
}

/// The coefficient alone.
///
/// # Panics
/// If the rows differ in length.
pub fn pearson_value(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len(), "rows of different length");
    if x.len() < 2 || is_constant(x) || is_constant(y) {
        return f64::NAN;
    }
    let (x, y) = (Centred::new(x), Centred::new(y));
    let sum: f64 = x.values.iter().zip(y.values).map(|(&a, &b)| x.unit(a) * y.unit(b)).sum();
    let value = sum.clamp(-1.0, 1.0);
    if x.values.len() == 2 { value.round() } else { value }
}

/// The two-sided p-value of r over n pairs.
pub(super) fn p_value(r: f64, n: usize) -> f64 {
    let (shape, x) = (n as f64 / 2.0 - 1.0, (r.abs() + 1.0) / 2.0);
    2.0 * beta::regularised(shape, shape, x, 1.0 - x).1
}

/// A row with its mean and the Euclidean norm of its deviations.
struct Centred<'a> {
    values: &'a [f64],
    mean: f64,
    norm: f64,
}

impl<'a> Centred<'a> {
    fn new(values: &'a [f64]) -> Self {
        let mean = mean(values);
        let largest = values.iter().fold(0.0f64, |largest, &value| {
            let deviation = (value - mean).abs();
            if deviation > largest || deviation.is_nan() { deviation } else { largest }
        });
        let square = |&value: &f64| {
            let scaled = (value - mean) / largest;
            scaled * scaled
        };
        Centred { values, mean, norm: largest * pairwise_sum_of(values, &square).sqrt() }
    }

    /// The deviation of a value in units of the norm.
    fn unit(&self, value: f64) -> f64 {
        (value - self.mean) / self.norm
    }
}

/// [`pairwise_sum`](crate::summation::pairwise_sum) of `term` of each value, without storing the terms.
fn pairwise_sum_of(values: &[f64], term: &impl Fn(&f64) -> f64) -> f64 {
    const LANES: usize = 8;
    const BLOCK: usize = 128;
    if values.len() > BLOCK {
        let half = values.len() / 2;
        let (left, right) = values.split_at(half - half % LANES);
        return pairwise_sum_of(left, term) + pairwise_sum_of(right, term);
    }
    let (whole, rest) = values.split_at(values.len() / LANES * LANES);
    let mut lanes = [0.0; LANES];
    for chunk in whole.chunks_exact(LANES) {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += term(value);
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, value| sum + term(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_perfect_and_its_mirror_the_opposite() {
        let x = [1.0, 2.0, 4.0, 8.0];
        assert!((pearson(&x, &x.map(|x| 3.0 * x - 7.0)).value - 1.0).abs() < 1e-15);
        assert!((pearson(&x, &x.map(|x| -x)).value + 1.0).abs() < 1e-15);
    }

    #[test]
    fn the_coefficient_and_its_probability_are_those_of_scipy() {
        // scipy.stats.pearsonr([1, 2, 3, 4, 5], [10, 9, 2.5, 6, 4])
        let ours = pearson(&[1.0, 2.0, 3.0, 4.0, 5.0], &[10.0, 9.0, 2.5, 6.0, 4.0]);
        assert!((ours.value - -0.7426106572325056).abs() < 1e-15);
        assert!((ours.p - 0.15055580885344547).abs() < 1e-15);
    }

    #[test]
    fn rows_without_variation_have_no_correlation() {
        assert!(pearson(&[0.1, 0.1, 0.1], &[1.0, 2.0, 3.0]).value.is_nan());
        assert!(pearson(&[1.0, 2.0, 3.0], &[7.0, 7.0, 7.0]).p.is_nan());
        assert!(pearson(&[1.0], &[2.0]).value.is_nan());
        assert!(pearson(&[], &[]).value.is_nan());
        assert!(pearson(&[1.0, f64::NAN, 3.0], &[1.0, 2.0, 3.0]).value.is_nan());
    }

    #[test]
    fn two_pairs_have_p_one() {
        assert_eq!(pearson(&[0.1, 0.3], &[5.0, 4.9]), Correlation { value: -1.0, p: 1.0 });
    }

    #[test]
    fn the_scale_does_not_matter() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.5], [2.0, 1.0, 3.0, 3.5]);
        let plain = pearson(&x, &y).value;
        assert!((pearson(&x.map(|x| x * 1e300), &y.map(|y| y * 1e-300)).value - plain).abs() < 1e-15);
    }
}
