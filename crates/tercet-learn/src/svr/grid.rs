//! Settings by cross-validation over a grid.

use super::kernel::{Kernel, KernelMatrix, Products};
use super::{SvrSettings, check_targets, smo};
use crate::error::Result;
use crate::model_selection::{Folds, cross_validate};
use crate::progress::Progress;
use rayon::prelude::*;

/// All combinations of some values of C, ε and γ. Default: those of RUSE (Shimanaka et al., 2018, sec. 4).
#[derive(Clone, Debug, PartialEq)]
pub struct SvrGrid {
    /// C: the weight of errors above ε.
    pub c: Vec<f64>,
    /// ε: errors up to this one cost nothing.
    pub epsilon: Vec<f64>,
    /// γ of the RBF kernel; without one the kernel is linear.
    pub gamma: Vec<f64>,
}

impl Default for SvrGrid {
    fn default() -> Self {
        let values = vec![0.01, 0.1, 1.0, 10.0];
        SvrGrid { c: values.clone(), epsilon: values.clone(), gamma: values }
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
