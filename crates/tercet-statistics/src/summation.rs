//! Means as numpy and Python compute them, to the last bit.
//!
//! [`mean`] is `numpy.mean`: pairwise summation (error O(log n) instead of O(n); Higham, 1993) in blocks of 128 with
//! eight running sums, in the precision of the numbers. [`exact_mean`] is `statistics.mean`: the rational mean, rounded
//! once.

use super::exact_sum::ExactSum;
use std::ops::{Add, Div, Mul, Sub};

/// Single or double precision.
pub trait Real:
    Copy
    + PartialOrd
    + Default
    + Into<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The nearest number of this precision.
    fn nearest(value: f64) -> Self;
}

impl Real for f32 {
    fn nearest(value: f64) -> f32 {
        value as f32
    }
}

impl Real for f64 {
    fn nearest(value: f64) -> f64 {
        value
    }
}

/// `numpy.mean` of contiguous numbers.
pub fn mean<T: Real>(values: &[T]) -> T {
    pairwise_sum(values) / T::nearest(values.len() as f64)
}

/// `numpy.sum` of contiguous numbers.
pub fn pairwise_sum<T: Real>(values: &[T]) -> T {
    const LANES: usize = 8;
    const BLOCK: usize = 128;
    let add = |sum: T, &value: &T| sum + value;
    if values.len() < LANES {
        values.iter().fold(T::default(), add)
    } else if values.len() <= BLOCK {
        let (whole, rest) = values.split_at(values.len() / LANES * LANES);
        let mut lanes = [T::default(); LANES];
        for chunk in whole.chunks_exact(LANES) {
            for (lane, &value) in lanes.iter_mut().zip(chunk) {
                *lane = *lane + value;
            }
        }
        let [a, b, c, d, e, f, g, h] = lanes;
        rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), add)
    } else {
        let half = values.len() / 2;
        let (left, right) = values.split_at(half - half % LANES);
        pairwise_sum(left) + pairwise_sum(right)
    }
}

/// Python's `statistics.mean` of finite numbers: exact, then rounded to double and from there to the precision of
/// the numbers. 0 if there are none.
pub fn exact_mean<T: Real>(values: &[T]) -> T {
    let sum: ExactSum = values.iter().map(|&value| value.into()).collect();
    T::nearest(sum.quotient(values.len().max(1) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_exact_mean_is_rounded_once() {
        assert_eq!(exact_mean(&[0.1; 3]), 0.1);
        assert_eq!(exact_mean(&[1e300, 1.0, -1e300]), 1.0 / 3.0);
        assert_eq!(exact_mean(&[-0.1f64; 7]), -0.1);
        assert_eq!(exact_mean(&[5e-324, 0.0]), 0.0);
        assert_eq!(exact_mean(&[5e-324, 1e-323]), 1e-323);
        assert_eq!(exact_mean::<f64>(&[]), 0.0);
    }

    #[test]
    fn a_rounded_mean_keeps_its_precision() {
        assert_eq!(mean(&[16_777_216.0f32, 1.0, 1.0]), 5_592_405.5);
        assert_eq!(mean(&[16_777_216.0f64, 1.0, 1.0]), 16_777_218.0 / 3.0);
    }

    proptest! {
        #[test]
        fn the_mean_of_whole_numbers_is_exact(values in prop::collection::vec(0u32..1_000_000, 1..2000)) {
            let sum: u64 = values.iter().map(|&value| u64::from(value)).sum();
            let expected = sum as f64 / values.len() as f64;
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            prop_assert_eq!(exact_mean(&values), expected);
            prop_assert_eq!(mean(&values), expected);
        }

        #[test]
        fn the_exact_mean_does_not_depend_on_the_order(mut values in prop::collection::vec(-1e9f64..1e9, 1..50)) {
            let forwards = exact_mean(&values);
            values.reverse();
            prop_assert_eq!(exact_mean(&values), forwards);
        }

        #[test]
        fn the_mean_of_equal_numbers_is_the_number(
            value in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL,
            n in 1usize..50,
        ) {
            prop_assert_eq!(exact_mean(&vec![value; n]), value);
        }
    }
}
