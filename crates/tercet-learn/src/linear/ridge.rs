//! Ridge regression (Hoerl & Kennard, 1970): min |y − X w − b|² + λ |w|².
//!
//! With more features than rows the system of the rows is solved, otherwise that of the features. The intercept b is
//! not penalised. Features of very different sizes are penalised differently: see
//! [`FeatureScaling`](crate::feature_scaling::FeatureScaling).
//!
//! Systems are symmetric and are solved as A = L Lᵀ by blocks of columns, so that nearly all work is matrix products.

use super::{LinearModel, dot};
use crate::error::{Error, Result};
use crate::matrix::{Matrix, View, multiply};
use crate::model_selection::Folds;
use crate::progress::Progress;
use crate::svr::check_targets;
use rayon::prelude::*;

/// Rows of the system that one task computes.
const ROWS: usize = 128;

/// Fits w and b with the penalty λ, a number above 0.
pub fn fit(features: &Matrix<f64>, targets: &[f64], penalty: f64) -> Result<LinearModel> {
    check(features, targets, &[penalty])?;
    Prepared::new(features, targets, &(0..targets.len()).collect::<Vec<_>>()).solve(penalty)
}

/// The mean squared error of each penalty in cross-validation. `progress` counts folds.
pub fn search_penalties(
    features: &Matrix<f64>,
    targets: &[f64],
    penalties: &[f64],
    folds: &Folds,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    check(features, targets, penalties)?;
    folds.check(targets.len())?;
    progress.stage("cross-validation", folds.count(), "folds")?;
    let mut sums = vec![0.0; penalties.len()];
    // One fold after the other: each uses all threads, and its system may be large.
    for fold in 0..folds.count() {
        let prepared = Prepared::new(features, targets, &folds.learned(fold));
        for (sum, &penalty) in sums.iter_mut().zip(penalties) {
            progress.check()?;
            let predictions = prepared.solve(penalty)?.predict(features)?;
            *sum += folds.squared_error(fold, &predictions, targets) / folds.count() as f64;
        }
        progress.advance(1)?;
    }
    Ok(sums)
}

fn check(features: &Matrix<f64>, targets: &[f64], penalties: &[f64]) -> Result<()> {
    check_targets(targets, features.rows())?;
    features.check_finite("features")?;
    penalties.iter().try_for_each(|penalty| Error::check_above_zero("penalty", *penalty))
}

/// The system of some rows, to be solved for several penalties.
struct Prepared {
    means: Vec<f64>,
    mean_target: f64,
    /// Features without their means.
    centred: Matrix<f64>,
    /// X Xᵀ if there are more features than rows, otherwise Xᵀ X; without the penalty.
    system: Vec<f64>,
    right: Vec<f64>,
    is_of_rows: bool,
}

impl Prepared {
    fn new(features: &Matrix<f64>, targets: &[f64], rows: &[usize]) -> Self {
        let (count, columns) = (rows.len(), features.columns());
        let mut means = vec![0.0; columns];
        for &row in rows {
            means.iter_mut().zip(features.row(row)).for_each(|(mean, value)| *mean += value / count as f64);
        }
        let mut centred = Matrix::zeros(count, columns);
        for (place, &row) in rows.iter().enumerate() {
            let values = features.row(row).iter().zip(&means);
            centred.row_mut(place).iter_mut().zip(values).for_each(|(centred, (value, mean))| *centred = value - mean);
        }
        let mean_target = rows.iter().map(|&row| targets[row]).sum::<f64>() / count as f64;
        let targets: Vec<f64> = rows.iter().map(|&row| targets[row] - mean_target).collect();
        let is_of_rows = columns > count;
        let x = View::new(centred.values(), count, columns);
        let (system, right) = match is_of_rows {
            true => (products(x, x.transposed(), count), targets),
            false => {
                let mut right = vec![0.0; columns];
                multiply(x.transposed(), View::new(&targets, count, 1), 0.0, &mut right, 1);
                (products(x.transposed(), x, columns), right)
            }
        };
        Prepared { means, mean_target, centred, system, right, is_of_rows }
    }

    fn solve(&self, penalty: f64) -> Result<LinearModel> {
        let (mut system, size) = (self.system.clone(), self.right.len());
        (0..size).for_each(|place| system[place * size + place] += penalty);
        let Some(solution) = solve(&mut system, self.right.clone()) else {
            return Err(Error::setting("penalty", penalty, "a larger number: the system has no unique solution"));
        };
        let weights = match self.is_of_rows {
            true => {
                let mut weights = vec![0.0; self.means.len()];
                let x = View::new(self.centred.values(), size, self.means.len());
                multiply(x.transposed(), View::new(&solution, size, 1), 0.0, &mut weights, 1);
                weights
            }
            false => solution,
        };
        let intercept = self.mean_target - dot(&weights, &self.means);
        Ok(LinearModel { weights, intercept })
    }
}

/// A symmetric product, size × size, by blocks of rows on all threads.
fn products(a: View<'_, f64>, b: View<'_, f64>, size: usize) -> Vec<f64> {
    let mut product = vec![0.0; size * size];
    product.par_chunks_mut(ROWS * size.max(1)).enumerate().for_each(|(part, rows)| {
        let first = part * ROWS;
        multiply(a.rows(first, rows.len() / size), b, 0.0, rows, size);
    });
    product
}

/// Columns of a block of the Cholesky factor.
const BLOCK: usize = 64;

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

    fn problem(rows: usize, columns: usize) -> (Matrix<f64>, Vec<f64>) {
        let mut random = Random::stream(2, "ridge", 0);
        let mut uniform = || f64::from(random.uniform(-1.0, 1.0));
        let features = Matrix::new(rows, columns, (0..rows * columns).map(|_| uniform()).collect()).unwrap();
        let targets = (0..rows).map(|row| features.row(row).iter().sum::<f64>() + 3.0 + uniform()).collect();
        (features, targets)
    }

    /// sklearn.linear_model.Ridge(alpha=0.5).fit([[0, 1], [1, 3], [2, 2], [4, 0]], [1, 3, 2, 5]), scikit-learn 1.9.1.
    #[test]
    fn weights_are_those_of_scikit_learn() {
        let features = Matrix::from_rows(&[[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [4.0, 0.0]]).unwrap();
        let model = fit(&features, &[1.0, 3.0, 2.0, 5.0], 0.5).unwrap();
        let expected = [0.8770226537216829, 0.10355987055016183, 1.0598705501618122];
        for (found, expected) in model.weights.iter().chain([&model.intercept]).zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn both_systems_give_the_same_weights() {
        for (rows, columns) in [(30, 31), (31, 31), (150, 20)] {
            let (features, targets) = problem(rows, columns);
            let model = fit(&features, &targets, 0.1).unwrap();
            // The gradient of the objective is 0.
            let predictions = model.predict(&features).unwrap();
            for column in 0..columns {
                let errors = predictions.iter().zip(&targets).enumerate();
                let gradient: f64 =
                    errors.map(|(row, (found, target))| (found - target) * features.row(row)[column]).sum();
                assert!((gradient + 0.1 * model.weights[column]).abs() < 1e-9, "{rows} × {columns}: {gradient}");
            }
            let errors: f64 = predictions.iter().zip(&targets).map(|(found, target)| found - target).sum();
            assert!(errors.abs() < 1e-9);
        }
    }

    #[test]
    fn constant_features_get_no_weight() {
        let features = Matrix::from_rows(&[[1.0, 7.0], [2.0, 7.0], [3.0, 7.0]]).unwrap();
        let model = fit(&features, &[1.0, 2.0, 3.0], 1e-6).unwrap();
        assert_eq!(model.weights[1], 0.0);
        assert!((model.predict(&features).unwrap()[2] - 3.0).abs() < 1e-5);
    }

    #[test]
    fn the_penalty_is_chosen_on_held_out_rows() {
        let (features, targets) = problem(40, 30);
        let folds = Folds::contiguous(40, 5).unwrap();
        let errors = search_penalties(&features, &targets, &[1e-6, 1.0, 1e6], &folds, Progress::none()).unwrap();
        assert!(errors[1] < errors[0] && errors[1] < errors[2], "{errors:?}");
        let error = search_penalties(&features, &targets, &[0.0], &folds, Progress::none()).unwrap_err();
        assert_eq!(error.to_string(), "setting `penalty` cannot be 0: expected a number above 0");
    }

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
