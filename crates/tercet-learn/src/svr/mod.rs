//! ε-support vector regression (Drucker et al., NIPS 1996; Chang & Lin, 2011): a function that is within ε of most
//! targets.
//!
//! ```text
//! f(x) = Σ (α_i − α*_i) K(x_i, x) − ρ
//! ```
//!
//! # Choices
//! The dual problem is solved by sequential minimal optimisation with LIBSVM's choice of variables and stopping rule
//! (`smo.rs`). The kernel is computed for all pairs of rows at once from one matrix product ([`Products`]), which a
//! whole grid with all folds shares. Memory: 8 bytes for each pair of rows, and 4 for each kernel that is in use.
//!
//! # Agreement
//! Equal to scikit-learn 1.9.1 and LIBSVM 3.37 on `golden/svr`: predictions within 1e-6, the same number of support
//! vectors.
//!
//! # Example
//! ```
//! use tercet_math::Matrix;
//! use tercet_base::progress::Progress;
//! use tercet_learn::svr::{Kernel, SvrModel, SvrSettings};
//!
//! let features = Matrix::from_rows(&[[0.0], [1.0], [2.0], [3.0]])?;
//! let settings = SvrSettings { kernel: Kernel::Linear, c: 10.0, epsilon: 0.1, ..SvrSettings::default() };
//! let model = SvrModel::fit(&features, &[0.0, 2.0, 4.0, 6.0], &settings, Progress::none())?;
//! let predicted = model.predict(&Matrix::from_rows(&[[10.0]])?)?;
//! assert!((predicted[0] - 20.0).abs() < 1.0);
//! # Ok::<(), tercet_learn::Error>(())
//! ```

mod kernel;
mod libsvm;
mod smo;

pub use kernel::{Kernel, Products};

use crate::error::{Error, Result};
use crate::matrix::{Matrix, View, multiply};
use crate::model_file::{ModelFile, Values};
use crate::model_selection::{Folds, cross_validate};
use crate::progress::Progress;
use crate::warning::Warning;
use kernel::KernelMatrix;
use rayon::prelude::*;

/// Rows that are predicted together.
const BATCH: usize = 64;

tercet_base::defaults! {
    /// The kernel and the constants of a regression. Default: those of scikit-learn, but for γ = 0.1.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SvrSettings {
        /// How similar two rows are.
        pub kernel: Kernel = Kernel::Rbf { gamma: 0.1 },
        /// C: the weight of errors above ε.
        pub c: f64 = 1.0,
        /// ε: errors up to this one cost nothing.
        pub epsilon: f64 = 0.1,
        /// The violation of the optimality conditions at which the search ends.
        pub tolerance: f64 = 1e-3,
    }
}

impl SvrSettings {
    /// Returns an error if a number is out of its range.
    pub fn check(&self) -> Result<()> {
        self.kernel.check()?;
        Error::check_above_zero("C", self.c)?;
        Error::check_at_least_zero("epsilon", self.epsilon)?;
        Error::check_above_zero("tolerance", self.tolerance)
    }
}

/// A fitted regression.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrModel {
    kernel: Kernel,
    vectors: Matrix<f64>,
    /// |x|² of each support vector.
    squares: Vec<f64>,
    coefficients: Vec<f64>,
    intercept: f64,
}

impl SvrModel {
    /// Fits a regression of the targets on the features, one row for each target.
    pub fn fit(
        features: &Matrix<f64>,
        targets: &[f64],
        settings: &SvrSettings,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let products = Products::new(features, progress)?;
        Self::fit_products(features, &products, targets, settings, progress)
    }

    /// The same with products that were computed before.
    pub fn fit_products(
        features: &Matrix<f64>,
        products: &Products,
        targets: &[f64],
        settings: &SvrSettings,
        progress: Progress<'_>,
    ) -> Result<Self> {
        settings.check()?;
        check_targets(targets, features.rows())?;
        if products.rows() != features.rows() {
            return Err(Error::shape("products", features.rows(), products.rows()));
        }
        let kernel = products.kernel(settings.kernel);
        let solution = smo::solve(&kernel, targets, vec![true; targets.len()], settings, progress)?;
        if !solution.converged {
            progress.warn(&Warning::NotConverged { what: "the support vector regression".to_owned() })?;
        }
        let is_support = |row: &usize| solution.coefficients[*row] != 0.0;
        let support: Vec<usize> = (0..targets.len()).filter(is_support).collect();
        let rows: Vec<&[f64]> = support.iter().map(|&row| features.row(row)).collect();
        let vectors = match rows.is_empty() {
            true => Matrix::zeros(0, features.columns()),
            false => Matrix::from_rows(&rows)?,
        };
        let coefficients = support.iter().map(|&row| solution.coefficients[row]).collect();
        Ok(Self::from_parts(settings.kernel, vectors, coefficients, -solution.rho))
    }

    fn from_parts(kernel: Kernel, vectors: Matrix<f64>, coefficients: Vec<f64>, intercept: f64) -> Self {
        let square = |row: &[f64]| row.iter().map(|value| value * value).sum();
        let squares = (0..vectors.rows()).map(|row| square(vectors.row(row))).collect();
        SvrModel { kernel, vectors, squares, coefficients, intercept }
    }

    /// The kernel.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Number of features.
    pub fn features(&self) -> usize {
        self.vectors.columns()
    }

    /// α − α* of each support vector.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The support vectors, one per row.
    pub fn vectors(&self) -> &Matrix<f64> {
        &self.vectors
    }

    /// −ρ.
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// The prediction for each row of features; it does not depend on the other rows.
    pub fn predict(&self, features: &Matrix<f64>) -> Result<Vec<f64>> {
        if features.columns() != self.features() {
            return Err(Error::shape("features", format!("{} columns", self.features()), features.columns()));
        }
        features.check_finite("features")?;
        let starts: Vec<usize> = (0..features.rows()).step_by(BATCH).collect();
        let batches: Vec<Vec<f64>> = starts.par_iter().map(|&start| self.predict_batch(features, start)).collect();
        Ok(batches.concat())
    }

    fn predict_batch(&self, features: &Matrix<f64>, start: usize) -> Vec<f64> {
        let (columns, support) = (self.features(), self.coefficients.len());
        let end = features.rows().min(start + BATCH);
        let rows = View::new(features.values(), features.rows(), columns).rows(start, end - start);
        let mut products = vec![0.0; (end - start) * support];
        multiply(rows, View::new(self.vectors.values(), support, columns).transposed(), 0.0, &mut products, support);
        let predicted = |row: usize| {
            let square: f64 = features.row(start + row).iter().map(|value| value * value).sum();
            let products = &products[row * support..(row + 1) * support];
            let terms = products.iter().zip(&self.squares).zip(&self.coefficients);
            let sum: f64 = terms.map(|((xy, yy), weight)| weight * self.kernel.value(square, *yy, *xy)).sum();
            sum + self.intercept
        };
        (0..end - start).map(predicted).collect()
    }

    /// Adds the model to a file, support vectors in single precision.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        let gamma = match self.kernel {
            Kernel::Linear => "linear".to_owned(),
            Kernel::Rbf { gamma } => format!("rbf {gamma}"),
        };
        file.set(&format!("{prefix}kernel"), &gamma);
        file.set(&format!("{prefix}intercept"), &self.intercept.to_string());
        let shape = vec![self.vectors.rows(), self.vectors.columns()];
        let values = self.vectors.values().iter().map(|value| *value as f32).collect();
        file.add(&format!("{prefix}vectors"), shape, Values::F32(values));
        let coefficients = Values::F64(self.coefficients.clone());
        file.add(&format!("{prefix}coefficients"), vec![self.coefficients.len()], coefficients);
    }

    /// Reads a model from a file.
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let written = file.get(&format!("{prefix}kernel"))?;
        let kernel = match (written, written.strip_prefix("rbf ").map(str::parse)) {
            ("linear", _) => Kernel::Linear,
            (_, Some(Ok(gamma))) => Kernel::Rbf { gamma },
            _ => {
                return Err(file.bad(format!("its kernel is `{written}`, expected linear or rbf with γ")).into());
            }
        };
        kernel.check().map_err(|error| file.bad(error.to_string()))?;
        let intercept = file.number(&format!("{prefix}intercept"))?;
        let coefficients = file.f64(&format!("{prefix}coefficients"))?.to_vec();
        let name = format!("{prefix}vectors");
        let &[rows, columns] = file.tensor(&name)?.shape else {
            return Err(file.bad(format!("tensor `{name}` is not a table")).into());
        };
        if rows != coefficients.len() {
            return Err(file
                .bad(format!("it has {} coefficients for {rows} support vectors", coefficients.len()))
                .into());
        }
        let values = file.f32(&name)?.iter().map(|value| f64::from(*value)).collect();
        Ok(Self::from_parts(kernel, Matrix::new(rows, columns, values)?, coefficients, intercept))
    }
}

/// Returns an error if there are no targets, not as many as rows, or one that is NaN or infinite.
pub(crate) fn check_targets(targets: &[f64], rows: usize) -> Result<()> {
    if targets.is_empty() {
        return Err(Error::Empty { what: "the list of targets".to_owned() });
    }
    if targets.len() != rows {
        return Err(Error::shape("targets", format!("{rows} (one for each row of features)"), targets.len()));
    }
    match targets.iter().position(|target| !target.is_finite()) {
        None => Ok(()),
        Some(example) => {
            let reason = format!("target {} is not a finite number", targets[example]);
            Err(Error::BadExample { example, reason })
        }
    }
}

tercet_base::defaults! {
    /// All combinations of some values of C, ε and γ. Default: those of RUSE (Shimanaka et al., 2018, sec. 4).
    #[derive(Clone, Debug, PartialEq)]
    pub struct SvrGrid {
        /// C: the weight of errors above ε.
        pub c: Vec<f64> = vec![0.01, 0.1, 1.0, 10.0],
        /// ε: errors up to this one cost nothing.
        pub epsilon: Vec<f64> = vec![0.01, 0.1, 1.0, 10.0],
        /// γ of the RBF kernel; without one the kernel is linear.
        pub gamma: Vec<f64> = vec![0.01, 0.1, 1.0, 10.0],
    }
}

impl SvrGrid {
    /// All settings, in the order γ, C, ε.
    pub fn points(&self) -> Vec<SvrSettings> {
        let kernels: Vec<Kernel> = match self.gamma.is_empty() {
            true => vec![Kernel::Linear],
            false => self.gamma.iter().map(|&gamma| Kernel::Rbf { gamma }).collect(),
        };
        let point = |kernel, c, epsilon| SvrSettings { kernel, c, epsilon, ..SvrSettings::default() };
        let of_c = |kernel, c| self.epsilon.iter().map(move |&epsilon| point(kernel, c, epsilon));
        let of_kernel = |kernel| self.c.iter().flat_map(move |&c| of_c(kernel, c));
        kernels.into_iter().flat_map(of_kernel).collect()
    }
}

/// The mean squared error of each point in cross-validation. Points with the same kernel should be neighbours: it is
/// computed once for them. `progress` counts folds of all points.
///
/// # Errors
/// If a setting is out of its range, the sizes differ, a target is NaN or infinite, or `progress` stops the search.
pub fn search_grid(
    products: &Products,
    targets: &[f64],
    points: &[SvrSettings],
    folds: &Folds,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    check(products, targets, points, folds)?;
    progress.stage("cross-validation", points.len() * folds.count(), "folds")?;
    let mut errors = Vec::with_capacity(points.len());
    for points in points.chunk_by(|a, b| a.kernel == b.kernel) {
        let kernel = products.kernel(points[0].kernel);
        errors.extend(cross_validate(points.len(), folds, progress, |point, fold| {
            let predictions = predict_fold(&kernel, targets, &points[point], folds, fold, progress)?;
            Ok(folds.squared_error(fold, &predictions, targets))
        })?);
    }
    Ok(errors)
}

/// A prediction for each example by the regression of the fold that holds it out.
pub fn predict_held_out(
    products: &Products,
    targets: &[f64],
    settings: &SvrSettings,
    folds: &Folds,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    check(products, targets, &[*settings], folds)?;
    let kernel = products.kernel(settings.kernel);
    let by_fold = |fold| predict_fold(&kernel, targets, settings, folds, fold, progress);
    let predictions = (0..folds.count()).into_par_iter().map(by_fold).collect::<Result<Vec<_>>>()?;
    Ok(folds.collect(&predictions))
}

/// The predictions of a fold's regression for all examples.
fn predict_fold(
    kernel: &KernelMatrix,
    targets: &[f64],
    settings: &SvrSettings,
    folds: &Folds,
    fold: usize,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    let used = (0..targets.len()).map(|example| !folds.is_held_out(example, fold)).collect();
    Ok(smo::solve(kernel, targets, used, settings, progress)?.predictions)
}

fn check(products: &Products, targets: &[f64], points: &[SvrSettings], folds: &Folds) -> Result<()> {
    check_targets(targets, products.rows())?;
    folds.check(targets.len())?;
    points.iter().try_for_each(SvrSettings::check)
}

#[cfg(test)]
mod tests;
