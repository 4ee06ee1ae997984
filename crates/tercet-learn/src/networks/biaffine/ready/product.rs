//! Products of dense layers with transposed weights; several layers with the same input are one product.

use crate::layers::Dense;
use crate::matrix::{View, multiply};
use crate::parameters::Parameters;

/// W (inputs × outputs) and b. The bias is added by the caller, in its next loop over the numbers.
#[derive(Clone, Debug)]
pub(super) struct Product {
    inputs: usize,
    outputs: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Product {
    /// Joins layers with the same inputs; their outputs are concatenated.
    pub fn new(layers: &[&Dense], parameters: &Parameters) -> Self {
        let bias: Vec<f32> = layers.iter().flat_map(|layer| parameters.values(layer.bias())).copied().collect();
        let rows: Vec<f32> = layers.iter().flat_map(|layer| parameters.values(layer.weight())).copied().collect();
        let (outputs, inputs) = (bias.len(), rows.len() / bias.len());
        let weights = (0..inputs).flat_map(|i| rows.iter().skip(i).step_by(inputs).copied()).collect();
        Product { inputs, outputs, weights, bias }
    }

    pub fn outputs(&self) -> usize {
        self.outputs
    }

    pub fn bias(&self) -> &[f32] {
        &self.bias
    }

    /// x W (rows × outputs), without the bias, to `y`, which is overwritten.
    pub fn apply(&self, x: &[f32], y: &mut Vec<f32>) {
        let rows = x.len() / self.inputs;
        self.apply_strided(x, rows, self.inputs, y);
    }

    /// The same for rows that are `stride` numbers apart.
    pub fn apply_strided(&self, x: &[f32], rows: usize, stride: usize, y: &mut Vec<f32>) {
        y.resize(rows * self.outputs, 0.0);
        let weights = View::new(&self.weights, self.inputs, self.outputs);
        multiply(View::strided(x, rows, self.inputs, stride), weights, 0.0, y, self.outputs);
    }

    /// y + x W.
    pub fn add(&self, x: &[f32], y: &mut [f32]) {
        let rows = x.len() / self.inputs;
        let weights = View::new(&self.weights, self.inputs, self.outputs);
        multiply(View::new(x, rows, self.inputs), weights, 1.0, y, self.outputs);
    }
}
