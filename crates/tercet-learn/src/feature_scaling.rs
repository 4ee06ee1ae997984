//! Scaling of features before a regression.
//!
//! A feature x becomes (x − shift) · factor. With *block* scaling, features come in blocks, such as the dimensions of a
//! vector; a block is multiplied by one factor, after which the sum of the variances of its features is 1. So a vector
//! of 1,536 numbers does not outweigh a metric, and its dimensions keep their relation.
//!
//! A feature, or block, that is constant becomes 0.

use crate::error::{Error, Result};
use crate::matrix::Matrix;
use crate::model_file::{ModelFile, Values};

tercet_base::choices! {
    /// How features are scaled.
    pub enum Scaling: "scaling" = Block {
        /// Not at all.
        None = "none",
        /// Each to the range from −1 to 1.
        Range = "range",
        /// Each to mean 0 and variance 1.
        Standard = "standard",
        /// Each to mean 0, each block to the variance 1. Default.
        Block = "block",
    }
}

/// Shifts and factors of features.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureScaling {
    shifts: Vec<f64>,
    factors: Vec<f64>,
}

impl FeatureScaling {
    /// The scaling of a table; `blocks` are the numbers of features of each block, in order.
    ///
    /// # Errors
    /// If there is no row, a feature is NaN or infinite, or the blocks do not have all features.
    pub fn fit(features: &Matrix<f64>, blocks: &[usize], scaling: Scaling) -> Result<Self> {
        let columns = features.columns();
        if features.rows() == 0 {
            return Err(Error::Empty { what: "the table of features".to_owned() });
        }
        features.check_finite("features")?;
        if blocks.iter().sum::<usize>() != columns {
            return Err(Error::shape("features of all blocks", columns, blocks.iter().sum::<usize>()));
        }
        let (shifts, spreads) = match scaling {
            Scaling::None => (vec![0.0; columns], vec![1.0; columns]),
            Scaling::Range => ranges(features),
            Scaling::Standard | Scaling::Block => moments(features),
        };
        let mut factors: Vec<f64> = spreads.iter().copied().map(inverse).collect();
        if scaling == Scaling::Block {
            let mut start = 0;
            for &size in blocks {
                let block = start..start + size;
                let variance: f64 = spreads[block.clone()].iter().map(|deviation| deviation * deviation).sum();
                factors[block].fill(inverse(variance.sqrt()));
                start += size;
            }
        }
        Ok(FeatureScaling { shifts, factors })
    }

    /// Number of features.
    pub fn features(&self) -> usize {
        self.shifts.len()
    }

    /// Scales a table, rounded to single precision, in which support vectors are stored.
    pub fn apply(&self, features: &mut Matrix<f64>) -> Result<()> {
        if features.columns() != self.features() {
            return Err(Error::shape("features", format!("{} columns", self.features()), features.columns()));
        }
        for row in 0..features.rows() {
            let scales = self.shifts.iter().zip(&self.factors);
            features.row_mut(row).iter_mut().zip(scales).for_each(|(value, (shift, factor))| {
                *value = f64::from(((*value - shift) * factor) as f32);
            });
        }
        Ok(())
    }

    /// Adds the scaling to a file.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        for (name, values) in [("shifts", &self.shifts), ("factors", &self.factors)] {
            file.add(&format!("{prefix}{name}"), vec![values.len()], Values::F64(values.clone()));
        }
    }

    /// Reads a scaling from a file.
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let values = |name: &str| Ok::<_, Error>(file.f64(&format!("{prefix}{name}"))?.to_vec());
        let (shifts, factors) = (values("shifts")?, values("factors")?);
        match shifts.len() == factors.len() {
            true => Ok(FeatureScaling { shifts, factors }),
            false => Err(file.bad(format!("it has {} shifts but {} factors", shifts.len(), factors.len())).into()),
        }
    }
}

/// 1/x, but 0 for the spread of a constant feature.
fn inverse(spread: f64) -> f64 {
    if spread > 0.0 { 1.0 / spread } else { 0.0 }
}

/// Means and standard deviations of the columns. Differences that are within rounding of the mean count as none.
fn moments(features: &Matrix<f64>) -> (Vec<f64>, Vec<f64>) {
    let (rows, columns) = (features.rows(), features.columns());
    let mut means = vec![0.0; columns];
    for row in 0..rows {
        means.iter_mut().zip(features.row(row)).for_each(|(mean, value)| *mean += value / rows as f64);
    }
    let mut variances = vec![0.0; columns];
    for row in 0..rows {
        let values = features.row(row).iter().zip(&means);
        variances.iter_mut().zip(values).for_each(|(sum, (value, mean))| *sum += (value - mean).powi(2) / rows as f64);
    }
    let is_rounding = |deviation: f64, mean: f64| deviation <= mean.abs() * 1e-12;
    let deviations = variances.iter().zip(&means).map(|(variance, mean)| {
        let deviation = variance.sqrt();
        if is_rounding(deviation, *mean) { 0.0 } else { deviation }
    });
    let deviations = deviations.collect();
    (means, deviations)
}

/// Middles and half widths of the ranges of the columns.
fn ranges(features: &Matrix<f64>) -> (Vec<f64>, Vec<f64>) {
    let (mut low, mut high) = (features.row(0).to_vec(), features.row(0).to_vec());
    for row in 1..features.rows() {
        for (column, &value) in features.row(row).iter().enumerate() {
            (low[column], high[column]) = (low[column].min(value), high[column].max(value));
        }
    }
    low.iter().zip(&high).map(|(low, high)| (low / 2.0 + high / 2.0, high / 2.0 - low / 2.0)).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(scaling: Scaling) -> Matrix<f64> {
        let mut features = Matrix::from_rows(&[[0.0, 1.0, 5.0], [2.0, 5.0, 5.0], [4.0, 9.0, 5.0]]).unwrap();
        let fitted = FeatureScaling::fit(&features, &[2, 1], scaling).unwrap();
        fitted.apply(&mut features).unwrap();
        features
    }

    #[test]
    fn features_and_blocks_are_scaled_and_constant_ones_become_zero() {
        assert_eq!(scaled(Scaling::Range).values(), [-1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
        let standard = scaled(Scaling::Standard);
        let deviation = (8.0f64 / 3.0).sqrt();
        assert!((standard.row(2)[0] - 2.0 / deviation).abs() < 1e-6 && standard.row(2)[2] == 0.0);
        let block = scaled(Scaling::Block);
        let variance: f64 = block.values().iter().map(|value| value * value / 3.0).sum();
        assert!((variance - 1.0).abs() < 1e-6);
        assert!((block.row(2)[1] / block.row(2)[0] - 2.0).abs() < 1e-6);
        assert_eq!(scaled(Scaling::None).row(1), [2.0, 5.0, 5.0]);
    }

    #[test]
    fn a_feature_that_varies_only_by_rounding_is_constant() {
        let mut features = Matrix::from_rows(&[[0.1 + 0.2], [0.3], [0.3]]).unwrap();
        let fitted = FeatureScaling::fit(&features, &[1], Scaling::Standard).unwrap();
        fitted.apply(&mut features).unwrap();
        assert_eq!(features.values(), [0.0; 3]);
    }

    #[test]
    fn bad_tables_are_named() {
        let features = Matrix::from_rows(&[[0.0, f64::NAN]]).unwrap();
        let refused = |blocks: &[usize], features: &Matrix<f64>| {
            FeatureScaling::fit(features, blocks, Scaling::Block).unwrap_err().to_string()
        };
        assert!(refused(&[2], &features).contains("column 1: NaN"));
        assert!(refused(&[3], &Matrix::zeros(1, 2)).contains("features of all blocks: expected 2, found 3"));
        assert!(refused(&[], &Matrix::zeros(0, 0)).contains("nothing to learn from"));
        assert!("blocks".parse::<Scaling>().unwrap_err().to_string().contains("none, range, standard, block"));
    }

    #[test]
    fn a_stored_scaling_is_the_same() {
        let features = Matrix::from_rows(&[[0.0, 1.0], [2.0, 5.0]]).unwrap();
        let fitted = FeatureScaling::fit(&features, &[1, 1], Scaling::Block).unwrap();
        let mut file = ModelFile::new("test");
        fitted.store("scaling.", &mut file);
        assert_eq!(FeatureScaling::stored("scaling.", &file).unwrap(), fitted);
    }
}
