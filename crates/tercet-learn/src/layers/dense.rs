//! A dense layer: y = g(W x + b), W of outputs × inputs.

use crate::activation::Activation;
use crate::initialisation::{fan_in_uniform, glorot_uniform};
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;

#[derive(Clone, Debug)]
pub struct Dense {
    inputs: usize,
    outputs: usize,
    activation: Activation,
    weight: TensorId,
    bias: TensorId,
}

impl Dense {
    /// Adds `name.weight` (Glorot) and `name.bias` (zero) to the parameters.
    pub fn new(
        parameters: &mut Parameters,
        name: &str,
        [inputs, outputs]: [usize; 2],
        activation: Activation,
        random: &mut Random,
    ) -> Self {
        let weights = glorot_uniform(inputs * outputs, inputs, outputs, random);
        Dense::with_values(parameters, name, [inputs, outputs], activation, [weights, vec![0.0; outputs]])
    }

    /// The same, with weights and biases as Torch draws them.
    pub fn new_as_torch(
        parameters: &mut Parameters,
        name: &str,
        [inputs, outputs]: [usize; 2],
        activation: Activation,
        random: &mut Random,
    ) -> Self {
        let values = [inputs * outputs, outputs].map(|count| fan_in_uniform(count, inputs, random));
        Dense::with_values(parameters, name, [inputs, outputs], activation, values)
    }

    /// The same, with given weights and biases.
    pub fn with_values(
        parameters: &mut Parameters,
        name: &str,
        [inputs, outputs]: [usize; 2],
        activation: Activation,
        [weights, biases]: [Vec<f32>; 2],
    ) -> Self {
        let weight = parameters.add(&format!("{name}.weight"), Role::Weight, [outputs, inputs], weights);
        let bias = parameters.add(&format!("{name}.bias"), Role::Bias, [1, outputs], biases);
        Dense { inputs, outputs, activation, weight, bias }
    }

    /// Number of learned values of a layer of this size.
    pub(crate) fn count(inputs: u64, outputs: u64) -> u64 {
        (inputs + 1).saturating_mul(outputs)
    }

    /// W, outputs × inputs.
    pub(crate) fn weight(&self) -> TensorId {
        self.weight
    }

    /// b.
    pub(crate) fn bias(&self) -> TensorId {
        self.bias
    }

    /// y of every row of `x` (rows × inputs), to `y` (rows × outputs).
    pub fn forward(&self, parameters: &Parameters, x: &[f32], y: &mut Vec<f32>) {
        let rows = x.len() / self.inputs.max(1);
        y.clear();
        (0..rows).for_each(|_| y.extend_from_slice(parameters.values(self.bias)));
        let weights = View::new(parameters.values(self.weight), self.outputs, self.inputs);
        multiply(View::new(x, rows, self.inputs), weights.transposed(), 1.0, y, self.outputs);
        self.activation.apply(y);
    }

    /// W x + b of every row of `x`, to rows of `y` that start `stride` numbers after each other.
    pub fn product(&self, parameters: &Parameters, x: &[f32], y: &mut [f32], stride: usize) {
        let bias = parameters.values(self.bias);
        y.chunks_mut(stride).for_each(|row| row[..self.outputs].copy_from_slice(bias));
        let weights = View::new(parameters.values(self.weight), self.outputs, self.inputs);
        let x = View::new(x, x.len() / self.inputs, self.inputs);
        multiply(x, weights.transposed(), 1.0, y, stride);
    }

    /// Adds the gradients of weights and biases, and those of `x` to `dx`, given those of W x + b, in rows of this
    /// stride.
    pub fn product_backward(
        &self,
        parameters: &Parameters,
        x: &[f32],
        dy: &[f32],
        stride: usize,
        gradients: &mut Gradients,
        dx: &mut [f32],
    ) {
        let rows = x.len() / self.inputs;
        for g in dy.chunks(stride) {
            gradients.dense(self.bias).iter_mut().zip(&g[..self.outputs]).for_each(|(sum, g)| *sum += g);
        }
        let deltas = View::strided(dy, rows, self.outputs, stride);
        let sums = gradients.dense(self.weight);
        multiply(deltas.transposed(), View::new(x, rows, self.inputs), 1.0, sums, self.inputs);
        let weights = View::new(parameters.values(self.weight), self.outputs, self.inputs);
        multiply(deltas, weights, 1.0, dx, self.inputs);
    }

    /// Adds the gradients of weights and biases, and returns those of `x`; `dy` is overwritten.
    pub fn backward(
        &self,
        parameters: &Parameters,
        x: &[f32],
        y: &[f32],
        dy: &mut [f32],
        gradients: &mut Gradients,
    ) -> Vec<f32> {
        dy.iter_mut().zip(y).for_each(|(g, y)| *g *= self.activation.derivative(*y));
        let mut dx = vec![0.0; x.len()];
        self.product_backward(parameters, x, dy, self.outputs, gradients, &mut dx);
        dx
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::check_layer;

    #[test]
    fn gradients_agree_with_differences_for_every_activation_and_shape() {
        let activations = [Activation::Identity, Activation::Tanh, Activation::Relu, Activation::Sigmoid];
        for (seed, activation) in activations.into_iter().enumerate() {
            for [inputs, outputs, rows] in [[3, 2, 4], [1, 5, 1], [7, 1, 3]] {
                let mut random = Random::stream(seed as u64, "test", 0);
                let mut parameters = Parameters::default();
                let layer = Dense::new(&mut parameters, "layer", [inputs, outputs], activation, &mut random);
                parameters.values_mut(layer.bias).iter_mut().for_each(|b| *b = random.uniform(0.3, 0.6));
                let x: Vec<f32> = (0..rows * inputs).map(|_| random.uniform(-1.0, 1.0)).collect();
                let weights: Vec<f32> = (0..rows * outputs).map(|i| (i % 3) as f32 - 0.5).collect();
                let forward = |parameters: &Parameters, x: &[f32], y: &mut Vec<f32>| {
                    layer.forward(parameters, x, y);
                    y.clone()
                };
                check_layer(&mut parameters, (&x, &weights), 2e-3, forward, |parameters, dy, y, gradients| {
                    layer.backward(parameters, &x, y, dy, gradients)
                });
            }
        }
    }
}
