//! Functions of rows, whose sums are taken in a fixed number of parts: so digits do not depend on the width of
//! registers.

use crate::widest;

/// Partial sums of a row, so that sums do not depend on the width of the processor's registers.
pub const LANES: usize = 8;

/// Adds up partial sums in a fixed order.
#[inline(always)]
pub fn total(lanes: [f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The sum of a function of each value, in fixed partial sums.
#[inline(always)]
pub fn sum_of(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
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
pub fn largest_absolute(row: &[f32]) -> f32 {
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
    pub fn normalise_rows(rows: &mut [f32], scale: &[f32], shift: &[f32], epsilon: f32) {
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
    pub fn add(values: &mut [f32], other: &[f32]) {
        values.iter_mut().zip(other).for_each(|(value, other)| *value += other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
