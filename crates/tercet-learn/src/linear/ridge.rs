//! Ridge regression (Hoerl & Kennard, 1970): min |y − X w − b|² + λ |w|².
//!
//! With more features than rows the system of the rows is solved, otherwise that of the features. The intercept b is
//! not penalised. Features of very different sizes are penalised differently: see
//! [`FeatureScaling`](crate::feature_scaling::FeatureScaling).

use super::{LinearModel, cholesky, dot};
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
    match penalties.iter().find(|penalty| !(**penalty > 0.0 && penalty.is_finite())) {
        Some(penalty) => Err(Error::setting("penalty", penalty, "a number above 0")),
        None => Ok(()),
    }
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
        let Some(solution) = cholesky::solve(&mut system, self.right.clone()) else {
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
}
