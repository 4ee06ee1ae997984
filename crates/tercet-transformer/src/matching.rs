//! Greedy matching of token vectors: for each token of a line, the highest cosine with any token of another line.

use tercet_base::stop;
use tercet_math::widest;

/// Partial sums of a product.
const LANES: usize = 16;

/// Rows that are matched between two looks at whether to stop.
const ROWS: usize = 64;

/// The best matches of two lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BestCosines {
    /// For each row of the first line, the highest product with a row of the second; 0 if that has no rows.
    pub first: Vec<f32>,
    /// The reverse.
    pub second: Vec<f32>,
}

/// Matches rows of `width` numbers, which have length 1.
///
/// # Panics
/// If the width is 0.
pub fn best_cosines(first: &[f32], second: &[f32], width: usize) -> BestCosines {
    let (rows, others) = (first.len() / width, second.len() / width);
    if rows == 0 || others == 0 {
        return BestCosines { first: vec![0.0; rows], second: vec![0.0; others] };
    }
    let mut best = BestCosines { first: vec![f32::NEG_INFINITY; rows], second: vec![f32::NEG_INFINITY; others] };
    for (first, best_first) in first.chunks(ROWS * width).zip(best.first.chunks_mut(ROWS)) {
        stop::steps(first.len() * others / LANES);
        matches(first, second, width, best_first, &mut best.second);
    }
    best
}

widest! {
    pub(crate) fn matches(
        first: &[f32],
        second: &[f32],
        width: usize,
        best_first: &mut [f32],
        best_second: &mut [f32],
    ) {
        for (row, best) in first.chunks_exact(width).zip(best_first) {
            for (other, best_other) in second.chunks_exact(width).zip(best_second.iter_mut()) {
                let product = dot(row, other);
                *best = best.max(product);
                *best_other = best_other.max(product);
            }
        }
    }
}

widest! {
    /// The product of a row with each row of a matrix.
    pub(crate) fn products(matrix: &[f32], row: &[f32], outputs: &mut [f32]) {
        for (weights, output) in matrix.chunks_exact(row.len()).zip(outputs) {
            *output = dot(weights, row);
        }
    }
}

/// The products of a row with the rows of a matrix, each in the same partial sums on every processor.
pub fn matrix_times_row(matrix: &[f32], row: &[f32]) -> Vec<f32> {
    let mut outputs = vec![0.0; matrix.len() / row.len()];
    products(matrix, row, &mut outputs);
    outputs
}

/// The product of two rows, in partial sums that the compiler keeps in registers.
#[inline(always)]
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (one, other) in ones.zip(others) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Scales rows of `width` numbers to length 1.
pub fn scale_rows(rows: &mut [f32], width: usize) {
    for row in rows.chunks_exact_mut(width) {
        let length = dot(row, row).sqrt().max(1e-12);
        row.iter_mut().for_each(|number| *number /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_finds_its_best_partner_in_both_directions() {
        let first = [1.0, 0.0, 0.6, 0.8];
        let second = [0.0, 1.0, 0.8, 0.6, -1.0, 0.0];
        let best = best_cosines(&first, &second, 2);
        assert_eq!(best.first, [0.8, 0.96000004]);
        assert_eq!(best.second, [0.8, 0.96000004, -0.6]);
        let none = best_cosines(&first, &[], 2);
        assert_eq!((none.first, none.second), (vec![0.0, 0.0], vec![]));
    }

    #[test]
    fn rows_are_scaled_and_zeros_stay() {
        let mut rows = [3.0, 4.0, 0.0, 0.0];
        scale_rows(&mut rows, 2);
        assert_eq!(rows, [0.6, 0.8, 0.0, 0.0]);
        assert_eq!(matrix_times_row(&[1.0, 2.0, 3.0, 4.0], &[1.0, -1.0]), [-1.0, -1.0]);
    }
}
