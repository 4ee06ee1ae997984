//! Min–max normalisation to [−1, 1] (Guzmán et al., 2017, sec. 4.4 and 5.6).
//!
//! ```text
//! x′ = 2 (x − low) / (high − low) − 1
//! ```
//!
//! `low` and `high` are the minimum and maximum of each feature and dimension on the training data, separately for
//! translations and references.
//!
//! # Choices
//! Values outside of the training range are not clipped, which would make ties. A feature without variation is 0.

use super::features::Column;
use crate::error::{Error, Result};
use tercet_math::Matrix;
use tercet_model::model_file::{ModelFile, Values};

/// The range of each feature or dimension.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MinMax {
    ranges: Vec<[f64; 2]>,
}

impl MinMax {
    fn sized(columns: usize) -> Self {
        MinMax { ranges: vec![[f64::INFINITY, f64::NEG_INFINITY]; columns] }
    }

    /// How many features or dimensions.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    fn see(&mut self, column: usize, value: f64) {
        let [low, high] = &mut self.ranges[column];
        (*low, *high) = (low.min(value), high.max(value));
    }

    /// The ranges of features over these rows.
    pub fn of_columns<'a>(sets: impl Iterator<Item = (&'a [Column], &'a [bool])>) -> Self {
        let mut all = MinMax::default();
        for (columns, used) in sets {
            if all.ranges.is_empty() {
                all = MinMax::sized(columns.len());
            }
            for (number, column) in columns.iter().enumerate() {
                let rows = column.values.iter().zip(used).filter(|(_, used)| **used);
                rows.for_each(|(value, _)| all.see(number, *value));
            }
        }
        all
    }

    /// The ranges of dimensions over these rows of matrices, which are concatenated.
    pub fn of_matrices<'a>(sets: impl Iterator<Item = (Vec<&'a Matrix>, &'a [bool])>) -> Self {
        let mut all = MinMax::default();
        for (matrices, used) in sets {
            if all.ranges.is_empty() {
                all = MinMax::sized(matrices.iter().map(|matrix| matrix.columns()).sum());
            }
            for row in (0..used.len()).filter(|row| used[*row]) {
                let values = matrices.iter().flat_map(|matrix| matrix.row(row));
                values.enumerate().for_each(|(column, value)| all.see(column, f64::from(*value)));
            }
        }
        all
    }

    /// A value of a feature or dimension, normalised.
    pub fn apply(&self, column: usize, value: f64) -> f32 {
        let [low, high] = self.ranges[column];
        if high > low { (2.0 * (value - low) / (high - low) - 1.0) as f32 } else { 0.0 }
    }

    /// Adds the ranges to a model file.
    pub fn store(&self, name: &str, file: &mut ModelFile) {
        file.add(name, vec![self.ranges.len(), 2], Values::F64(self.ranges.concat()));
    }

    /// The ranges in a model file.
    pub fn stored(name: &str, file: &ModelFile) -> Result<Self> {
        let shape = &file.tensor(name)?.shape;
        let ranges: Vec<[f64; 2]> = file.f64(name)?.as_chunks().0.to_vec();
        if *shape != [ranges.len(), 2] || ranges.iter().any(|[low, high]| low > high) {
            return Err(Error::Unusable(format!("its tensor `{name}` holds no ranges: its shape is {shape:?}")));
        }
        Ok(MinMax { ranges })
    }
}

/// Returns an error that names the first value that is NaN or infinite.
pub(super) fn check_finite(columns: &[Column], set: &str) -> Result<()> {
    for column in columns {
        if let Some(row) = column.values.iter().position(|value| !value.is_finite()) {
            let (name, value) = (&column.name, column.values[row]);
            let what =
                format!("{set}: the feature {name} of translation {} is {value}, expected a finite number", row + 1);
            return Err(Error::Unusable(what));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_training_range_becomes_minus_one_to_one_and_nothing_is_clipped() {
        let columns = [
            Column { name: "a".to_owned(), values: vec![0.0, 10.0, 99.0] },
            Column { name: "b".to_owned(), values: vec![3.0, 3.0, 4.0] },
        ];
        let scaling = MinMax::of_columns([(&columns[..], &[true, true, false][..])].into_iter());
        let applied = |column, values: [f64; 3]| values.map(|value| scaling.apply(column, value));
        assert_eq!(applied(0, [0.0, 5.0, 20.0]), [-1.0, 0.0, 3.0]);
        assert_eq!(applied(1, [3.0, 4.0, -9.0]), [0.0; 3]);
        let mut file = ModelFile::new("model");
        scaling.store("range", &mut file);
        assert_eq!(MinMax::stored("range", &file).unwrap(), scaling);
    }

    #[test]
    fn a_feature_that_is_nan_is_named() {
        let column = Column { name: "bleu".to_owned(), values: vec![1.0, f64::NAN] };
        let error = check_finite(&[column], "wmt12-rr cs-en").unwrap_err().to_string();
        assert_eq!(error, "wmt12-rr cs-en: the feature bleu of translation 2 is NaN, expected a finite number");
    }
}
