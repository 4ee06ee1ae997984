//! Means as numpy and Python compute them, to the last bit.
//!
//! [`mean`] is `numpy.mean`: pairwise summation (error O(log n) instead of O(n); Higham, 1993) in blocks of 128 with
//! eight running sums, in the precision of the numbers. [`exact_mean`] is `statistics.mean`: the rational mean, rounded
//! once.

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
    T::nearest(exact_quotient(values.iter().map(|&value| value.into()), values.len().max(1) as u64))
}

/// The sum of finite numbers, rounded once: it does not depend on their order.
pub fn exact_sum(values: impl Iterator<Item = f64>) -> f64 {
    exact_quotient(values, 1)
}

fn exact_quotient(values: impl Iterator<Item = f64>, divisor: u64) -> f64 {
    let (mut positive, mut negative) = (FixedPoint::default(), FixedPoint::default());
    for value in values {
        let sum = if value < 0.0 { &mut negative } else { &mut positive };
        sum.add(value.abs());
    }
    if positive.limbs.iter().rev().ge(negative.limbs.iter().rev()) {
        positive.minus(&negative).quotient(divisor)
    } else {
        -negative.minus(&positive).quotient(divisor)
    }
}

/// Enough for any sum of 2⁶³ doubles and 128 bits below the smallest double, so that quotients round correctly.
const LIMBS: usize = 37;
/// The exponent of the lowest bit.
const LOWEST: i32 = -1074 - 128;

/// A non-negative number with a fixed point: limbs of 64 bits, least significant first.
struct FixedPoint {
    limbs: [u64; LIMBS],
}

impl Default for FixedPoint {
    fn default() -> Self {
        FixedPoint { limbs: [0; LIMBS] }
    }
}

impl FixedPoint {
    fn add(&mut self, value: f64) {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        let shift = (exponent.max(1) - 1075 - LOWEST) as usize;
        let wide = u128::from(mantissa) << (shift % 64);
        let mut carry = wide;
        for limb in &mut self.limbs[shift / 64..] {
            if carry == 0 {
                break;
            }
            let sum = u128::from(*limb) + u128::from(carry as u64);
            *limb = sum as u64;
            carry = (carry >> 64) + (sum >> 64);
        }
    }

    fn minus(mut self, other: &FixedPoint) -> FixedPoint {
        let mut borrow = false;
        for (limb, &taken) in self.limbs.iter_mut().zip(&other.limbs) {
            let (difference, under) = limb.overflowing_sub(taken);
            let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
            *limb = difference;
            borrow = under || under_again;
        }
        self
    }

    /// Long division, rounded to the nearest double, halves to even.
    fn quotient(mut self, divisor: u64) -> f64 {
        let mut remainder = 0u128;
        for limb in self.limbs.iter_mut().rev() {
            let dividend = remainder << 64 | u128::from(*limb);
            *limb = (dividend / u128::from(divisor)) as u64;
            remainder = dividend % u128::from(divisor);
        }
        self.round(remainder != 0)
    }

    fn round(&self, rest: bool) -> f64 {
        let Some(top) = self.limbs.iter().rposition(|&limb| limb != 0) else {
            return 0.0;
        };
        let length = 64 * top + 64 - self.limbs[top].leading_zeros() as usize;
        // A double has 53 bits and none below 2^-1074.
        let cut = length.saturating_sub(53).max(128);
        let bit = |i: usize| self.limbs[i / 64] >> (i % 64) & 1 == 1;
        let mut mantissa = (cut..length).rev().fold(0u64, |m, i| m << 1 | u64::from(bit(i)));
        let below = rest || (0..cut - 1).any(bit);
        if bit(cut - 1) && (below || mantissa & 1 == 1) {
            mantissa += 1;
        }
        scale(mantissa as f64, cut as i32 + LOWEST)
    }
}

/// value · 2^exponent for an exponent of at least −1074, in two steps so that no power of two overflows or underflows.
fn scale(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half) * 2f64.powi(exponent - half)
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
        fn the_mean_of_equal_numbers_is_the_number(value in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL, n in 1usize..50) {
            prop_assert_eq!(exact_mean(&vec![value; n]), value);
        }
    }
}
