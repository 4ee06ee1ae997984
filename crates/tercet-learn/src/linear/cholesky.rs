//! Solves symmetric systems: A = L Lᵀ by blocks of columns, so that nearly all work is matrix products.

use super::dot;
use crate::matrix::{View, multiply};
use rayon::prelude::*;

/// Columns of a block.
const BLOCK: usize = 64;
/// Rows that one task updates.
const ROWS: usize = 128;

/// The solution of A x = b for a symmetric positive definite A (size × size), which is overwritten; `None` if A is not
/// positive definite.
pub(super) fn solve(a: &mut [f64], mut b: Vec<f64>) -> Option<Vec<f64>> {
    let size = b.len();
    factor(a, size)?;
    for row in 0..size {
        b[row] = (b[row] - dot(&a[row * size..][..row], &b[..row])) / a[row * size + row];
    }
    for row in (0..size).rev() {
        b[row] /= a[row * size + row];
        let value = b[row];
        b[..row].iter_mut().zip(&a[row * size..][..row]).for_each(|(sum, factor)| *sum -= factor * value);
    }
    Some(b)
}

/// Writes L over the lower triangle of A.
fn factor(a: &mut [f64], size: usize) -> Option<()> {
    for start in (0..size).step_by(BLOCK) {
        let end = size.min(start + BLOCK);
        factor_columns(a, size, start, end)?;
        update(a, size, start, end);
    }
    Some(())
}

/// L of the columns of a block, once the columns before it are subtracted.
fn factor_columns(a: &mut [f64], size: usize, start: usize, end: usize) -> Option<()> {
    let (top, below) = a.split_at_mut(end * size);
    for row in start..end {
        for column in start..=row {
            let [left, right] = [row, column].map(|row| &top[row * size + start..][..column - start]);
            let rest = top[row * size + column] - dot(left, right);
            top[row * size + column] = match row == column {
                true if rest > 0.0 => rest.sqrt(),
                true => return None,
                false => rest / top[column * size + column],
            };
        }
    }
    below.par_chunks_mut(size).for_each(|row| {
        for column in start..end {
            let products = dot(&row[start..column], &top[column * size + start..][..column - start]);
            row[column] = (row[column] - products) / top[column * size + column];
        }
    });
    Some(())
}

/// Subtracts the products of the block's columns from the rows below it.
fn update(a: &mut [f64], size: usize, start: usize, end: usize) {
    let width = end - start;
    let columns: Vec<f64> =
        (end..size).flat_map(|row| a[row * size + start..][..width].iter().map(|value| -value)).collect();
    a[end * size..].par_chunks_mut(ROWS * size).enumerate().for_each(|(part, rows)| {
        let first = part * ROWS;
        let count = rows.len() / size;
        // Only columns up to the diagonal are needed.
        let needed = (first + count).min(size - end);
        let left: Vec<f64> = columns[first * width..(first + count) * width].iter().map(|value| -value).collect();
        let right = View::new(&columns[..needed * width], needed, width).transposed();
        multiply(View::new(&left, count, width), right, 1.0, &mut rows[end..], size);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn systems_of_all_sizes_are_solved() {
        for size in [1, 2, 63, 64, 65, 200, 333] {
            let mut random = Random::stream(size as u64, "cholesky", 0);
            let mut uniform = || f64::from(random.uniform(-1.0, 1.0));
            let factor: Vec<f64> = (0..size * size).map(|_| uniform()).collect();
            let expected: Vec<f64> = (0..size).map(|_| uniform()).collect();
            let mut a = vec![0.0; size * size];
            for row in 0..size {
                for column in 0..size {
                    let product = dot(&factor[row * size..][..size], &factor[column * size..][..size]);
                    a[row * size + column] = product + f64::from(u8::from(row == column));
                }
            }
            let b: Vec<f64> = (0..size).map(|row| dot(&a[row * size..][..size], &expected)).collect();
            let found = solve(&mut a, b).unwrap();
            let farthest = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(farthest < 1e-8, "size {size}: {farthest:e}");
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_refused() {
        assert_eq!(solve(&mut [1.0, 2.0, 2.0, 1.0], vec![1.0, 1.0]), None);
    }
}
