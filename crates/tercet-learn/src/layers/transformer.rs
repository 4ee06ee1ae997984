//! A layer of a transformer encoder (Vaswani et al., 2017; Devlin et al., 2019): attention and two products, each added to its
//! input and normalised.
//!
//! ```text
//! z = norm(x + W_o attention(W_q x, W_k x, W_v x)),   y = norm(z + W_2 gelu(W_1 z))        every W with its bias
//! ```

use super::attention::{Attention, DistanceBias};
use super::gelu::{gelu, gelu_backward};
use super::{Dense, LayerNorm, LayerNormWorkspace};
use crate::activation::Activation;
use crate::error::Result;
use crate::parameters::{Gradients, Parameters};
use std::sync::Arc;

/// Names of the tensors of a layer, without `.weight` and `.bias`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerTensors {
    /// W_q.
    pub query: String,
    /// W_k.
    pub key: String,
    /// W_v.
    pub value: String,
    /// W_o.
    pub attended: String,
    /// The first normalisation.
    pub after_attention: String,
    /// W_1.
    pub up: String,
    /// W_2.
    pub down: String,
    /// The second normalisation.
    pub after_all: String,
}

/// Gives the values of a tensor, by its name and shape.
pub(crate) type TensorSource<'a> = dyn FnMut(&str, [usize; 2]) -> Result<Vec<f32>> + 'a;

/// Sizes of a layer.
#[derive(Clone, Debug)]
pub(crate) struct LayerSizes {
    pub width: usize,
    pub inner: usize,
    pub heads: usize,
    pub epsilon: f32,
    pub bias: Option<Arc<DistanceBias>>,
}

#[derive(Clone, Debug)]
pub(crate) struct TransformerLayer {
    /// W_q, W_k, W_v.
    products: [Dense; 3],
    attention: Attention,
    attended: Dense,
    after_attention: LayerNorm,
    up: Dense,
    down: Dense,
    after_all: LayerNorm,
}

/// Results of the forward pass that the backward pass needs; `output` is y.
#[derive(Clone, Debug, Default)]
pub(crate) struct TransformerWorkspace {
    /// Q, K, V.
    products: [Vec<f32>; 3],
    weights: Vec<f32>,
    attended: Vec<f32>,
    sums: Vec<f32>,
    first_norm: LayerNormWorkspace,
    /// z.
    between: Vec<f32>,
    inner: Vec<f32>,
    active: Vec<f32>,
    second_norm: LayerNormWorkspace,
    pub output: Vec<f32>,
}

impl TransformerLayer {
    /// Adds the tensors of a layer, whose values `source` gives, to the parameters.
    pub fn new(
        parameters: &mut Parameters,
        names: &LayerTensors,
        sizes: &LayerSizes,
        source: &mut TensorSource<'_>,
    ) -> Result<Self> {
        let LayerSizes { width, inner, heads, epsilon, ref bias } = *sizes;
        let attention = Attention { heads, width, bias: bias.clone() };
        let mut dense = |name: &str, [inputs, outputs]: [usize; 2], parameters: &mut Parameters| {
            let weights = source(&format!("{name}.weight"), [outputs, inputs])?;
            let values = [weights, source(&format!("{name}.bias"), [1, outputs])?];
            Ok::<_, crate::error::Error>(Dense::with_values(
                parameters,
                name,
                [inputs, outputs],
                Activation::Identity,
                values,
            ))
        };
        let query = dense(&names.query, [width, width], parameters)?;
        let key = dense(&names.key, [width, width], parameters)?;
        let value = dense(&names.value, [width, width], parameters)?;
        let attended = dense(&names.attended, [width, width], parameters)?;
        let up = dense(&names.up, [width, inner], parameters)?;
        let down = dense(&names.down, [inner, width], parameters)?;
        let mut norm = |name: &str, parameters: &mut Parameters| {
            let values = [
                source(&format!("{name}.weight"), [1, width])?,
                source(&format!("{name}.bias"), [1, width])?,
            ];
            Ok::<_, crate::error::Error>(LayerNorm::with_values(parameters, name, epsilon, values))
        };
        let after_attention = norm(&names.after_attention, parameters)?;
        let after_all = norm(&names.after_all, parameters)?;
        let products = [query, key, value];
        Ok(TransformerLayer { products, attention, attended, after_attention, up, down, after_all })
    }

    /// y of the rows `x` of lists, to the workspace.
    pub fn forward(
        &self,
        parameters: &Parameters,
        x: &[f32],
        starts: &[usize],
        space: &mut TransformerWorkspace,
    ) {
        let TransformerWorkspace { products, weights, attended, sums, between, inner, active, .. } = space;
        for (dense, product) in self.products.iter().zip(products.iter_mut()) {
            dense.forward(parameters, x, product);
        }
        self.attention.forward(products.each_ref().map(|rows| &rows[..]), starts, weights, attended);
        self.attended.forward(parameters, attended, sums);
        add_to(sums, x);
        self.after_attention.forward(parameters, sums, &mut space.first_norm, between);
        self.up.forward(parameters, between, inner);
        gelu(inner, active);
        self.down.forward(parameters, active, sums);
        add_to(sums, between);
        self.after_all.forward(parameters, sums, &mut space.second_norm, &mut space.output);
    }

    /// Adds the gradients of all tensors, and returns those of `x`; `dy` is overwritten.
    pub fn backward(
        &self,
        parameters: &Parameters,
        x: &[f32],
        starts: &[usize],
        dy: &mut [f32],
        space: &TransformerWorkspace,
        gradients: &mut Gradients,
    ) -> Vec<f32> {
        let TransformerWorkspace { products, weights, attended, sums, between, inner, active, .. } = space;
        let mut sum_gradients = vec![0.0; x.len()];
        self.after_all.backward(parameters, dy, &space.second_norm, gradients, &mut sum_gradients);
        let mut d_inner = self.down.backward(parameters, active, sums, &mut sum_gradients.clone(), gradients);
        gelu_backward(inner, &mut d_inner);
        let mut d_between = self.up.backward(parameters, between, inner, &mut d_inner, gradients);
        add_to(&mut d_between, &sum_gradients);
        let mut dx = vec![0.0; x.len()];
        self.after_attention.backward(parameters, &mut d_between, &space.first_norm, gradients, &mut dx);
        let d_attended = self.attended.backward(parameters, attended, sums, &mut dx.clone(), gradients);
        let views = products.each_ref().map(|rows| &rows[..]);
        let mut d_products = self.attention.backward(views, starts, weights, &d_attended);
        for ((dense, product), d_product) in self.products.iter().zip(products).zip(&mut d_products) {
            add_to(&mut dx, &dense.backward(parameters, x, product, d_product, gradients));
        }
        dx
    }
}

/// Adds each number of `values` to that of `sums`.
pub(crate) fn add_to(sums: &mut [f32], values: &[f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{check_inputs, check_parameters, wave};

    #[test]
    fn gradients_agree_with_differences() {
        let name = |name: &str| name.to_owned();
        let names = LayerTensors {
            query: name("q"),
            key: name("k"),
            value: name("v"),
            attended: name("o"),
            after_attention: name("n"),
            up: name("u"),
            down: name("d"),
            after_all: name("m"),
        };
        let mut phase = 0.0;
        let mut source = |_: &str, [rows, columns]: [usize; 2]| {
            phase += 1.0;
            Ok(wave(rows * columns, phase).iter().map(|x| 0.5 * x).collect())
        };
        let sizes = LayerSizes { width: 4, inner: 5, heads: 2, epsilon: 1e-3, bias: None };
        let mut parameters = Parameters::default();
        let layer = TransformerLayer::new(&mut parameters, &names, &sizes, &mut source).unwrap();
        let (x, goal, starts) = (wave(20, 0.3), wave(20, 0.7), [0, 2, 5]);
        let loss = |parameters: &Parameters, x: &[f32]| {
            let mut space = TransformerWorkspace::default();
            layer.forward(parameters, x, &starts, &mut space);
            space.output.iter().zip(&goal).map(|(y, g)| f64::from(y * g)).sum()
        };
        let (mut space, mut gradients) = (TransformerWorkspace::default(), Gradients::zeros(&parameters));
        layer.forward(&parameters, &x, &starts, &mut space);
        let dx = layer.backward(&parameters, &x, &starts, &mut goal.clone(), &space, &mut gradients);
        check_inputs(&x, &dx, 2e-3, |x| loss(&parameters, x));
        check_parameters(&mut parameters, &gradients, 2e-3, |parameters| loss(parameters, &x));
    }
}
