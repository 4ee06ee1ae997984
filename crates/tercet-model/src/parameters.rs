//! Learned parameters: named tensors in a fixed order, and gradients of the same shapes.
//!
//! Gradients of embedding matrices are sparse: [`RowGradient`] records which rows a batch touched, in the order they
//! were touched, so that the cost of a step depends on the batch, not on the vocabulary.

use crate::error::Result;
use crate::matrix::Matrix;
use std::sync::Arc;

/// What a tensor is used for; decides its weight decay and whether its gradient is sparse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A weight matrix: decays.
    Weight,
    /// A bias: decays only with `decay_biases` of the optimizer.
    Bias,
    /// An embedding matrix, one row per word: a row decays when a batch touches it.
    Embedding,
}

/// A named matrix (a vector has one row).
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Unique within its [`Parameters`].
    pub name: String,
    /// What the tensor is used for.
    pub role: Role,
    /// Rows and columns.
    pub shape: [usize; 2],
    /// Row by row.
    pub values: Vec<f32>,
    /// If present, weight decay pulls towards these values instead of towards zero.
    pub anchor: Option<Arc<[f32]>>,
    /// The learning rate is multiplied by this for the tensor.
    pub rate: f32,
}

/// The index of a tensor in its [`Parameters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorId(usize);

/// All tensors of a network, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    tensors: Vec<Tensor>,
}

impl Parameters {
    /// Adds a tensor.
    ///
    /// # Panics
    /// If the name is taken or the number of values does not match the shape.
    pub fn add(&mut self, name: &str, role: Role, shape: [usize; 2], values: Vec<f32>) -> TensorId {
        assert_eq!(values.len(), shape[0] * shape[1], "{name}: the number of values does not match the shape");
        assert!(self.by_name(name).is_none(), "{name}: the name is taken");
        self.tensors.push(Tensor { name: name.to_owned(), role, shape, values, anchor: None, rate: 1.0 });
        TensorId(self.tensors.len() - 1)
    }

    /// Makes weight decay pull the tensor towards its current values.
    pub fn anchor(&mut self, id: TensorId) {
        let tensor = &mut self.tensors[id.0];
        tensor.anchor = Some(tensor.values.as_slice().into());
    }

    /// The same for all weights and embedding matrices.
    pub fn anchor_weights(&mut self) {
        for tensor in self.tensors.iter_mut().filter(|tensor| tensor.role != Role::Bias) {
            tensor.anchor = Some(tensor.values.as_slice().into());
        }
    }

    /// All tensors, in order.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// All tensors, mutable.
    pub fn tensors_mut(&mut self) -> &mut [Tensor] {
        &mut self.tensors
    }

    /// A tensor's values.
    #[inline]
    pub fn values(&self, id: TensorId) -> &[f32] {
        &self.tensors[id.0].values
    }

    /// A tensor's values, mutable.
    pub fn values_mut(&mut self, id: TensorId) -> &mut [f32] {
        &mut self.tensors[id.0].values
    }

    /// The tensor of a name.
    pub fn by_name(&self, name: &str) -> Option<&Tensor> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }

    /// Number of learned values in all tensors.
    pub fn count(&self) -> usize {
        self.tensors.iter().map(|tensor| tensor.values.len()).sum()
    }

    /// Copies the values of other parameters with the same names and shapes; anchors stay.
    pub fn assign(&mut self, other: &Parameters) -> Result<()> {
        self.check_fits(other)?;
        for (mine, theirs) in self.tensors.iter_mut().zip(&other.tensors) {
            mine.values.copy_from_slice(&theirs.values);
        }
        Ok(())
    }

    /// Returns an error that names the first tensor whose name or shape differs.
    pub fn check_fits(&self, other: &Parameters) -> Result<()> {
        if self.tensors.len() != other.tensors.len() {
            return Err(
                tercet_math::Error::shape("parameters", count(self.tensors.len()), count(other.tensors.len())).into()
            );
        }
        for (mine, theirs) in self.tensors.iter().zip(&other.tensors) {
            if (&mine.name, mine.shape) != (&theirs.name, theirs.shape) {
                return Err(tercet_math::Error::shape("parameters", described(mine), described(theirs)).into());
            }
        }
        Ok(())
    }

    /// A copy of a tensor as a matrix.
    pub fn matrix(&self, id: TensorId) -> Matrix {
        let tensor = &self.tensors[id.0];
        Matrix::new(tensor.shape[0], tensor.shape[1], tensor.values.clone()).expect("tensors have their shape")
    }
}

fn count(tensors: usize) -> String {
    format!("{tensors} tensors")
}

fn described(tensor: &Tensor) -> String {
    format!("`{}` ({} × {})", tensor.name, tensor.shape[0], tensor.shape[1])
}

/// The gradient of one tensor.
#[derive(Clone, Debug)]
pub enum Gradient {
    /// One value per element.
    Dense(Vec<f32>),
    /// Values of the touched rows.
    Rows(RowGradient),
}

/// The gradient of an embedding matrix: only touched rows are not zero.
#[derive(Clone, Debug)]
pub struct RowGradient {
    width: usize,
    values: Vec<f32>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl RowGradient {
    fn new(rows: usize, width: usize) -> Self {
        RowGradient { width, values: vec![0.0; rows * width], touched: Vec::new(), is_touched: vec![false; rows] }
    }

    /// Adds values to a row.
    #[inline]
    pub fn add(&mut self, row: u32, values: &[f32]) {
        let at = row as usize;
        if !self.is_touched[at] {
            self.is_touched[at] = true;
            self.touched.push(row);
        }
        let mine = &mut self.values[at * self.width..(at + 1) * self.width];
        for (sum, value) in mine.iter_mut().zip(values) {
            *sum += value;
        }
    }

    /// The rows with a gradient, in the order they were touched.
    pub fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// All rows; zero where they were not touched.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The gradient of a row; zero if it was not touched.
    #[inline]
    pub fn row(&self, row: u32) -> &[f32] {
        &self.values[row as usize * self.width..(row as usize + 1) * self.width]
    }

    fn clear(&mut self) {
        for row in self.touched.drain(..) {
            self.is_touched[row as usize] = false;
            self.values[row as usize * self.width..(row as usize + 1) * self.width].fill(0.0);
        }
    }
}

/// Gradients of all tensors of some [`Parameters`], in their order.
#[derive(Clone, Debug)]
pub struct Gradients {
    gradients: Vec<Gradient>,
}

impl Gradients {
    /// Zeros in the shapes of these parameters.
    pub fn zeros(parameters: &Parameters) -> Self {
        let zero = |tensor: &Tensor| match tensor.role {
            Role::Embedding => Gradient::Rows(RowGradient::new(tensor.shape[0], tensor.shape[1])),
            Role::Weight | Role::Bias => Gradient::Dense(vec![0.0; tensor.values.len()]),
        };
        Gradients { gradients: parameters.tensors.iter().map(zero).collect() }
    }

    /// Sets all elements to zero.
    pub fn clear(&mut self) {
        for gradient in &mut self.gradients {
            match gradient {
                Gradient::Dense(values) => values.fill(0.0),
                Gradient::Rows(rows) => rows.clear(),
            }
        }
    }

    /// All gradients, in the order of the tensors.
    pub fn all(&self) -> &[Gradient] {
        &self.gradients
    }

    /// The gradient of a weight or bias, mutable.
    ///
    /// # Panics
    /// If the tensor is an embedding matrix.
    #[inline]
    pub fn dense(&mut self, id: TensorId) -> &mut [f32] {
        match &mut self.gradients[id.0] {
            Gradient::Dense(values) => values,
            Gradient::Rows(_) => panic!("an embedding matrix has a sparse gradient"),
        }
    }

    /// The gradient of an embedding matrix, mutable.
    ///
    /// # Panics
    /// If the tensor is a weight or bias.
    pub fn rows(&mut self, id: TensorId) -> &mut RowGradient {
        match &mut self.gradients[id.0] {
            Gradient::Rows(rows) => rows,
            Gradient::Dense(_) => panic!("only embedding matrices have sparse gradients"),
        }
    }

    /// The sum of the squares of all elements; rows in the order they were touched.
    pub fn squares(&self) -> f64 {
        let of = |values: &[f32]| values.iter().map(|g| f64::from(*g) * f64::from(*g)).sum::<f64>();
        let of_tensor = |gradient: &Gradient| match gradient {
            Gradient::Dense(values) => of(values),
            Gradient::Rows(rows) => rows.touched.iter().map(|row| of(rows.row(*row))).sum(),
        };
        self.gradients.iter().map(of_tensor).sum()
    }

    /// Multiplies all elements by a factor.
    pub fn scale(&mut self, factor: f32) {
        for gradient in &mut self.gradients {
            match gradient {
                Gradient::Dense(values) => values.iter_mut().for_each(|g| *g *= factor),
                Gradient::Rows(RowGradient { width, values, touched, .. }) => {
                    for row in touched {
                        let start = *row as usize * *width;
                        values[start..start + *width].iter_mut().for_each(|g| *g *= factor);
                    }
                }
            }
        }
    }

    /// Adds other gradients of the same parameters.
    pub fn add(&mut self, other: &Gradients) {
        for (mine, theirs) in self.gradients.iter_mut().zip(&other.gradients) {
            match (mine, theirs) {
                (Gradient::Dense(sums), Gradient::Dense(values)) => {
                    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                }
                (Gradient::Rows(sums), Gradient::Rows(rows)) => {
                    rows.touched.iter().for_each(|row| sums.add(*row, rows.row(*row)));
                }
                _ => unreachable!("gradients of the same parameters are stored alike"),
            }
        }
    }

    /// One number of the gradient of a tensor.
    pub fn element(&self, tensor: usize, at: usize) -> f32 {
        match &self.gradients[tensor] {
            Gradient::Dense(values) => values[at],
            Gradient::Rows(rows) => rows.values[at],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Parameters {
        let mut parameters = Parameters::default();
        parameters.add("words", Role::Embedding, [3, 2], vec![0.0; 6]);
        parameters.add("bias", Role::Bias, [1, 2], vec![1.0, 2.0]);
        parameters
    }

    #[test]
    fn only_touched_rows_have_gradients_and_clearing_forgets_them() {
        let mut gradients = Gradients::zeros(&parameters());
        let words = TensorId(0);
        gradients.rows(words).add(2, &[1.0, 2.0]);
        gradients.rows(words).add(0, &[5.0, 5.0]);
        gradients.rows(words).add(2, &[1.0, 1.0]);
        assert_eq!(gradients.rows(words).touched(), [2, 0]);
        assert_eq!(gradients.rows(words).row(2), [2.0, 3.0]);
        gradients.dense(TensorId(1))[1] = 4.0;
        gradients.clear();
        assert!(gradients.rows(words).touched().is_empty());
        assert_eq!(gradients.rows(words).row(2), [0.0, 0.0]);
        assert_eq!(gradients.element(1, 1), 0.0);
    }

    #[test]
    fn parameters_of_another_network_are_refused_by_name_and_shape() {
        let mut mine = parameters();
        let mut other = Parameters::default();
        other.add("words", Role::Embedding, [3, 4], vec![0.0; 12]);
        let error = mine.assign(&other).unwrap_err().to_string();
        assert_eq!(error, "parameters: expected 2 tensors, found 1 tensors");
        other.add("bias", Role::Bias, [1, 2], vec![1.0, 2.0]);
        let error = mine.assign(&other).unwrap_err().to_string();
        assert_eq!(error, "parameters: expected `words` (3 × 2), found `words` (3 × 4)");
    }
}
