//! Matrices as 8-bit integers, a quarter of their size: symmetric, with one scale per row.
//!
//! ```text
//! s_i = max_j |w_ij| / 127,   q_ij = round(w_ij / s_i),   ŵ_ij = s_i q_ij,   |ŵ_ij − w_ij| ≤ s_i / 2
//! ```
//!
//! In the file `name` is a tensor of integers and `name:scales` has one number per row. Small tensors (biases, gains)
//! are not quantised: little would be saved, and their errors affect whole rows. A row of zeros has the scale 0. −128
//! is never written; reading it is an error. A tensor with a NaN or infinite number stays in single precision, and
//! reading it returns an error that names the number.

use super::{ModelFile, Numbers, Values};
use crate::error::Result;
use crate::parameters::{Parameters, Tensor};

/// The largest integer.
const MAX_INTEGER: f32 = 127.0;

/// The name of the scales of a tensor.
fn scales_of(name: &str) -> String {
    format!("{name}:scales")
}

impl ModelFile {
    /// Adds all tensors of a network, `prefix` before their names; those of more than `size` numbers as 8-bit integers.
    pub fn add_quantised_parameters(&mut self, prefix: &str, parameters: &Parameters, size: usize) {
        for tensor in parameters.tensors() {
            let name = format!("{prefix}{}", tensor.name);
            let finite = tensor.values.iter().all(|value| value.is_finite());
            if tensor.values.len() <= size || !finite {
                self.add(&name, tensor.shape.to_vec(), Values::F32(tensor.values.clone()));
                continue;
            }
            self.add_quantised(&name, tensor.shape, &tensor.values);
        }
    }

    /// Adds a matrix as 8-bit integers.
    pub fn add_quantised(&mut self, name: &str, shape: [usize; 2], values: &[f32]) {
        let (integers, scales) = quantise(values, shape);
        self.add(&scales_of(name), vec![scales.len()], Values::F32(scales));
        self.add(name, shape.to_vec(), Values::I8(integers));
    }

    /// The integers of a matrix that is stored so, and the scale of each row.
    pub fn quantised(&self, name: &str) -> Result<(&[i8], &[f32])> {
        let stored = self.tensor(name)?;
        let (Numbers::I8(integers), [rows, _]) = (stored.values, stored.shape) else {
            return Err(self.bad(format!("its tensor `{name}` is not a matrix of 8-bit integers")));
        };
        Ok((integers, self.scales(name, integers, *rows)?))
    }

    /// The scales of a matrix of so many rows, both checked.
    fn scales(&self, name: &str, integers: &[i8], rows: usize) -> Result<&[f32]> {
        // Without leaving the loop early, the compiler compares many at once.
        if integers.iter().fold(false, |found, q| found | (*q == i8::MIN)) {
            let at = integers.iter().position(|q| *q == i8::MIN).unwrap_or_default();
            let reason = format!(
                "number {at} of its tensor `{name}` (counted from 0) is −128, which is never written: take another copy"
            );
            return Err(self.bad(reason));
        }
        let scales = self.finite(&scales_of(name))?;
        if scales.len() != rows || scales.iter().any(|scale| *scale < 0.0) {
            let reason = format!(
                "its tensor `{}` has {} numbers, expected {rows}, none below 0: take another copy",
                scales_of(name),
                scales.len()
            );
            return Err(self.bad(reason));
        }
        Ok(scales)
    }

    /// Dequantises integers into a tensor, row by row.
    pub(super) fn dequantise(&self, name: &str, integers: &[i8], tensor: &mut Tensor) -> Result<()> {
        let [rows, width] = tensor.shape;
        let scales = self.scales(name, integers, rows)?;
        let width = width.max(1);
        let all = tensor.values.chunks_exact_mut(width).zip(integers.chunks_exact(width)).zip(scales);
        for ((row, integers), scale) in all {
            row.iter_mut().zip(integers).for_each(|(value, q)| *value = f32::from(*q) * scale);
        }
        Ok(())
    }
}

/// Integers and scales.
fn quantise(values: &[f32], [rows, width]: [usize; 2]) -> (Vec<i8>, Vec<f32>) {
    let mut integers = Vec::with_capacity(values.len());
    let mut scales = Vec::with_capacity(rows);
    for row in values.chunks_exact(width) {
        let scale = row.iter().fold(0.0, |most: f32, w| most.max(w.abs())) / MAX_INTEGER;
        let nearest = |w: &f32| {
            if scale > 0.0 { (w / scale).round().clamp(-MAX_INTEGER, MAX_INTEGER) as i8 } else { 0 }
        };
        integers.extend(row.iter().map(nearest));
        scales.push(scale);
    }
    (integers, scales)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Role;
    use tercet_math::random::Random;

    fn parameters() -> Parameters {
        let (random, mut parameters) = (&mut Random::stream(1, "test", 0), Parameters::default());
        let mut values: Vec<f32> = (0..6 * 40).map(|_| random.uniform(-2.0, 2.0)).collect();
        values[40..80].fill(0.0);
        values[80..120].iter_mut().for_each(|w| *w *= 1e-3);
        parameters.add("matrix", Role::Weight, [6, 40], values);
        parameters.add("bias", Role::Bias, [1, 40], vec![0.3; 40]);
        parameters
    }

    #[test]
    fn numbers_come_back_within_half_a_scale_and_small_tensors_to_the_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        let (parameters, mut file) = (parameters(), ModelFile::new("model"));
        file.add_quantised_parameters("net.", &parameters, 40);
        file.write(&path).unwrap();
        let file = ModelFile::read(&path, "model").unwrap();
        let back = file.parameters("net.", &parameters).unwrap();
        let rows = |p: &Parameters| p.tensors()[0].values.chunks(40).map(<[f32]>::to_vec).collect::<Vec<_>>();
        for (back, row) in rows(&back).iter().zip(rows(&parameters)) {
            let most = row.iter().fold(0.0, |most: f32, w| most.max(w.abs()));
            let error = back.iter().zip(&row).fold(0.0, |most: f32, (b, w)| most.max((b - w).abs()));
            assert!(error <= most / 254.0 * 1.001, "{error} of {most}");
        }
        assert_eq!(back.tensors()[1], parameters.tensors()[1]);
        // Quantising the result again loses nothing.
        let mut again = ModelFile::new("model");
        again.add_quantised_parameters("net.", &back, 40);
        assert_eq!(again.parameters("net.", &parameters).unwrap(), back);
        assert_eq!(again.tensor("net.matrix").unwrap(), file.tensor("net.matrix").unwrap());
    }

    #[test]
    fn a_byte_per_number_is_what_the_file_grows_by() {
        let folder = tempfile::tempdir().unwrap();
        let size = |rows: usize| {
            let (path, mut parameters) = (folder.path().join("model"), Parameters::default());
            parameters.add("matrix", Role::Embedding, [rows, 128], vec![0.5; rows * 128]);
            let mut file = ModelFile::new("model");
            file.add_quantised_parameters("", &parameters, 100);
            file.write(&path).unwrap();
            std::fs::metadata(&path).unwrap().len()
        };
        assert_eq!((size(2000) - size(1000)) / 1000, 128 + 4);
    }

    #[test]
    fn scales_that_are_missing_or_do_not_fit_are_named() {
        let (parameters, mut file) = (parameters(), ModelFile::new("model"));
        file.add_quantised_parameters("", &parameters, 40);
        let refused = |file: &ModelFile| file.parameters("", &parameters).unwrap_err().to_string();
        let mut bad = file.clone();
        bad.add("matrix:scales", vec![5], Values::F32(vec![1.0; 5]));
        assert!(refused(&bad).contains("`matrix:scales` has 5 numbers, expected 6, none below 0"), "{}", refused(&bad));
        bad.add("matrix:scales", vec![6], Values::F32(vec![-1.0; 6]));
        assert!(refused(&bad).contains("none below 0"), "{}", refused(&bad));
        bad.add("matrix:scales", vec![6], Values::F32(vec![f32::NAN; 6]));
        assert!(refused(&bad).contains("is NaN, which no network can use"), "{}", refused(&bad));
        bad.add("matrix:scales", vec![6], Values::I8(vec![1; 6]));
        assert!(refused(&bad).contains("is of 8-bit integers, expected single precision"), "{}", refused(&bad));
        let mut bad = ModelFile::new("model");
        bad.add("matrix", vec![6, 40], Values::I8(vec![1; 240]));
        assert!(refused(&bad).contains("it has no tensor `matrix:scales`"), "{}", refused(&bad));
        bad.add("matrix", vec![6, 40], Values::I8(vec![-128; 240]));
        assert!(
            refused(&bad).contains("number 0 of its tensor `matrix` (counted from 0) is −128"),
            "{}",
            refused(&bad)
        );
        bad.add("matrix", vec![40, 6], Values::I8(vec![1; 240]));
        assert!(refused(&bad).contains("has the shape [40, 6], expected [6, 40]"), "{}", refused(&bad));
    }

    #[test]
    fn what_is_not_finite_stays_to_be_named() {
        let (mut parameters, mut file) = (parameters(), ModelFile::new("model"));
        parameters.tensors_mut()[0].values[3] = f32::INFINITY;
        file.add_quantised_parameters("", &parameters, 40);
        let error = file.parameters("", &parameters).unwrap_err().to_string();
        assert!(error.contains("number 3 of its tensor `matrix` (counted from 0) is inf"), "{error}");
    }
}
