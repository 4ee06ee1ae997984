//! Functions of single numbers and of rows, written so that the compiler vectorises them.

use crate::instructions::widest;
use tercet_learn::normal_cdf;

/// Partial sums of a row, so that sums do not depend on the width of the processor's registers.
pub(crate) const LANES: usize = 8;

/// eˣ for x ≤ 0 and down to −87, below which it is 0; relative error below 2e-7.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // Adding and subtracting 1.5·2²³ rounds to a whole number without a call.
    const ROUND: f32 = 12_582_912.0;
    let clamped = if x > -87.0 { x } else { -87.0 };
    let shifted = clamped * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let rest = (clamped - whole * LN2_HIGH) - whole * LN2_LOW;
    // The Taylor series: |rest| ≤ 0.35.
    let mut series = 1.0 / 5040.0;
    for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = series * rest + factor;
    }
    let power = f32::from_bits(((shifted.to_bits() as i32) << 23).wrapping_add(0x3f80_0000) as u32);
    let value = series * power;
    if x < -87.0 { 0.0 } else { value }
}

widest! {
    /// GELU with the exact error function, in place.
    pub(crate) fn gelu(values: &mut [f32]) {
        for value in values {
            *value *= normal_cdf(*value);
        }
    }
}

/// Adds up partial sums in a fixed order.
#[inline(always)]
pub(crate) fn total(lanes: [f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The sum of a function of each value, in fixed partial sums.
#[inline(always)]
pub(crate) fn sum_of(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, value)| *lane += of(*value));
    }
    lanes.iter_mut().zip(rest).for_each(|(lane, value)| *lane += of(*value));
    total(lanes)
}

/// The largest absolute value; 0 of an empty row.
#[inline(always)]
pub(crate) fn largest_absolute(row: &[f32]) -> f32 {
    const LANES: usize = 64;
    let larger = |one: f32, other: f32| if one > other { one } else { other };
    let mut lanes = [0.0f32; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, number)| *lane = larger(number.abs(), *lane));
    }
    lanes.iter_mut().zip(rest).for_each(|(lane, number)| *lane = larger(number.abs(), *lane));
    for half in [32, 16, 8, 4, 2, 1] {
        let (first, second) = lanes.split_at_mut(half);
        first.iter_mut().zip(second).for_each(|(lane, other)| *lane = larger(*other, *lane));
    }
    lanes[0]
}

widest! {
    /// Layer normalisation of every row, in place.
    pub(crate) fn normalise_rows(rows: &mut [f32], scale: &[f32], shift: &[f32], epsilon: f32) {
        let width = scale.len();
        for row in rows.chunks_exact_mut(width) {
            let mean = sum_of(row, |value| value) / width as f32;
            let variance = sum_of(row, |value| (value - mean) * (value - mean)) / width as f32;
            let factor = 1.0 / (variance + epsilon).sqrt();
            for ((value, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                *value = (*value - mean) * factor * scale + shift;
            }
        }
    }
}

widest! {
    /// Adds each number of `other` to that of `values`.
    pub(crate) fn add(values: &mut [f32], other: &[f32]) {
        values.iter_mut().zip(other).for_each(|(value, other)| *value += other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_close_to_the_library_and_zero_far_below() {
        for step in 0..8700 {
            let x = -(step as f32) / 100.0;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 3e-7, "{x}");
        }
        assert_eq!((exp(0.0), exp(-90.0), exp(f32::NEG_INFINITY)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn the_largest_absolute_value_is_found_at_any_place_of_any_length() {
        assert_eq!(largest_absolute(&[]), 0.0);
        for length in [1, 5, 63, 64, 65, 128, 200] {
            for place in 0..length {
                let mut row = vec![0.5; length];
                row[place] = -2.0;
                assert_eq!(largest_absolute(&row), 2.0, "{place} of {length}");
            }
        }
    }

    #[test]
    fn gelu_is_that_of_pytorch() {
        // torch.nn.functional.gelu(torch.tensor([-6., -3., -1., -.1, 0., .1, .5, 1., 2., 6.]))
        let mut values = [-6.0, -3.0, -1.0, -0.1, 0.0, 0.1, 0.5, 1.0, 2.0, 6.0];
        gelu(&mut values);
        let expected = [
            -5.919_257_4e-9,
            -0.004_049_694,
            -0.158_655_25,
            -0.046_017_22,
            0.0,
            0.053_982_78,
            0.345_731_23,
            0.841_344_8,
            1.954_499_7,
            6.0,
        ];
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() < 2e-6, "{value} {expected}");
        }
    }

    #[test]
    fn rows_are_normalised_each_by_itself() {
        let mut rows = [1.0, 2.0, 3.0, 10.0, 10.0, 40.0];
        normalise_rows(&mut rows, &[1.0, 1.0, 2.0], &[0.0, 0.5, 0.0], 0.0);
        let root = 1.5f32.sqrt();
        let half = 0.5f32.sqrt();
        let expected = [-root, 0.5, 2.0 * root, -half, 0.5 - half, 4.0 * half];
        for (value, expected) in rows.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-6, "{rows:?}");
        }
    }
}
