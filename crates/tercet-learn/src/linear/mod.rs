//! Linear functions of features, w · x + b, and two ways to learn them: ridge regression on targets ([`ridge`]) and a
//! ranking SVM on pairs of which one is better ([`ranking_svm`]).

pub mod ranking_svm;
pub mod ridge;

use crate::error::{Error, Result};
use crate::matrix::Matrix;
use crate::model_file::{ModelFile, Values};

/// A linear function.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearModel {
    /// w.
    pub weights: Vec<f64>,
    /// b.
    pub intercept: f64,
}

impl LinearModel {
    /// The value for each row of features.
    pub fn predict(&self, features: &Matrix<f64>) -> Result<Vec<f64>> {
        if features.columns() != self.weights.len() {
            let expected = format!("{} columns", self.weights.len());
            return Err(Error::shape("features", expected, features.columns()));
        }
        features.check_finite("features")?;
        Ok((0..features.rows()).map(|row| self.value(features.row(row))).collect())
    }

    fn value(&self, row: &[f64]) -> f64 {
        dot(&self.weights, row) + self.intercept
    }

    /// Adds the function to a file.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        file.set(&format!("{prefix}intercept"), &self.intercept.to_string());
        let weights = Values::F64(self.weights.clone());
        file.add(&format!("{prefix}weights"), vec![self.weights.len()], weights);
    }

    /// Reads a function from a file.
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let weights = file.f64(&format!("{prefix}weights"))?.to_vec();
        Ok(LinearModel { weights, intercept: file.number(&format!("{prefix}intercept"))? })
    }
}

/// a · b, summed in eight parts, so that it is vectorised.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}
