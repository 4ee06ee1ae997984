//! The backward pass of a layer of a transformer encoder, whose forward pass is [`tercet_transformer::layer`].
//!
//! # Attention
//! The backward pass of attention of the rows of a list to each other, with several heads (Vaswani et al., 2017); the
//! forward pass is [`attend`](tercet_transformer::attention::attend).
//!
//! ```text
//! S = Q Kᵀ / √d + B,   A = softmax of each row of S,   Y = A V                 for each head of d numbers
//! dV = Aᵀ dY,   dA = dY Vᵀ,   dS = A ⊙ (dA − rows' sums of dA ⊙ A),   dQ = dS K / √d,   dK = dSᵀ Q / √d
//! ```
//!
//! B is a bias by head and by the distance of two rows, where there is one (MPNet); it is not learned.
//!
//! # Activation
//! The derivative of the activation of transformers, with the exact error function (Hendrycks & Gimpel, 2016).
//!
//! ```text
//! gelu(x) = x Φ(x),   gelu'(x) = Φ(x) + x φ(x),   Φ(x) = (1 + erf(x / √2)) / 2,   φ(x) = e^(−x²/2) / √(2π)
//! ```

use super::{Dense, LayerNorm, LayerNormWorkspace};
use crate::activation::{Activation, exp, normal_cdf};
use crate::error::Result;
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters};
use tercet_math::widest;
use tercet_transformer::Config;
use tercet_transformer::attention::RelativeBias;
use tercet_transformer::layer::{LayerSpace, LayerWeights, Map, Norm, apply};
use tercet_transformer::names::LayerNames;

/// Gives the values of a tensor, by its name and shape.
pub(crate) type TensorSource<'a> = dyn FnMut(&str, [usize; 2]) -> Result<Vec<f32>> + 'a;

/// The weights of a layer, which are learned.
#[derive(Clone, Debug)]
pub(crate) struct TransformerLayer {
    width: usize,
    inner: usize,
    heads: usize,
    /// W_q, W_k, W_v.
    products: [Dense; 3],
    attended: Dense,
    after_attention: LayerNorm,
    up: Dense,
    down: Dense,
    after_all: LayerNorm,
}

/// Results of the forward pass that the backward pass needs beside those in [`LayerSpace`].
#[derive(Debug, Default)]
pub(crate) struct KeptRows {
    /// A of each list and head.
    weights: Vec<f32>,
    first_norm: LayerNormWorkspace,
    /// z.
    between: Vec<f32>,
    /// W_1 z.
    inner: Vec<f32>,
    second_norm: LayerNormWorkspace,
    /// The rows after the last normalisation that was computed: y.
    output: Vec<f32>,
}

/// All results of the forward pass.
#[derive(Debug, Default)]
pub(crate) struct TransformerWorkspace(LayerSpace<KeptRows>);

impl TransformerWorkspace {
    /// y.
    pub fn output(&self) -> &[f32] {
        &self.0.weights.output
    }
}

/// A layer with the values of its weights.
struct Valued<'a> {
    layer: &'a TransformerLayer,
    parameters: &'a Parameters,
}

impl LayerWeights for Valued<'_> {
    type Space = KeptRows;

    const BLOCK: usize = usize::MAX;

    fn width(&self) -> usize {
        self.layer.width
    }

    fn inner(&self) -> usize {
        self.layer.inner
    }

    fn heads(&self) -> usize {
        self.layer.heads
    }

    fn map(&self, map: Map, rows: &[f32], outputs: &mut [f32], space: &mut KeptRows) {
        let Valued { layer, parameters } = *self;
        match map {
            Map::Products => {
                for (part, dense) in layer.products.iter().enumerate() {
                    dense.product(parameters, rows, &mut outputs[part * layer.width..], 3 * layer.width);
                }
            }
            Map::Attended => layer.attended.product(parameters, rows, outputs, layer.width),
            Map::Up => {
                layer.up.product(parameters, rows, outputs, layer.inner);
                rows.clone_into(&mut space.between);
                outputs.clone_into(&mut space.inner);
            }
            Map::Down => layer.down.product(parameters, rows, outputs, layer.width),
        }
    }

    fn normalise(&self, norm: Norm, rows: &mut [f32], space: &mut KeptRows) {
        let (norm, kept) = match norm {
            Norm::AfterAttention => (&self.layer.after_attention, &mut space.first_norm),
            Norm::AfterAll => (&self.layer.after_all, &mut space.second_norm),
        };
        norm.forward(self.parameters, rows, kept, &mut space.output);
        rows.copy_from_slice(&space.output);
    }

    fn attention_weights(space: &mut KeptRows) -> Option<&mut Vec<f32>> {
        Some(&mut space.weights)
    }
}

impl TransformerLayer {
    /// Adds the tensors of a layer of an encoder, counted from 0, to the parameters; `source` gives their values.
    pub fn new(
        parameters: &mut Parameters,
        config: &Config,
        number: usize,
        source: &mut TensorSource<'_>,
    ) -> Result<Self> {
        let names = LayerNames::new(config.family, number);
        let Config { width, inner, heads, .. } = *config;
        let mut dense = |name: &str, [inputs, outputs]: [usize; 2]| -> Result<Dense> {
            let weights = source(&format!("{name}.weight"), [outputs, inputs])?;
            let values = [weights, source(&format!("{name}.bias"), [1, outputs])?];
            Ok(Dense::with_values(parameters, name, [inputs, outputs], Activation::Identity, values))
        };
        let products = [
            dense(&names.query, [width, width])?,
            dense(&names.key, [width, width])?,
            dense(&names.value, [width, width])?,
        ];
        let attended = dense(&names.attended, [width, width])?;
        let up = dense(&names.up, [width, inner])?;
        let down = dense(&names.down, [inner, width])?;
        let after_attention = LayerNorm::from_source(parameters, &names.after_attention, config, source)?;
        let after_all = LayerNorm::from_source(parameters, &names.after_all, config, source)?;
        Ok(TransformerLayer { width, inner, heads, products, attended, after_attention, up, down, after_all })
    }

    /// y of the rows `x` of lists, to the workspace.
    pub fn forward(
        &self,
        parameters: &Parameters,
        x: &[f32],
        starts: &[usize],
        relative: Option<&RelativeBias>,
        space: &mut TransformerWorkspace,
    ) {
        let lengths: Vec<usize> = starts.windows(2).map(|ends| ends[1] - ends[0]).collect();
        space.0.weights.weights.clear();
        apply(&Valued { layer: self, parameters }, &mut x.to_vec(), &lengths, relative, &mut space.0);
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
        let LayerSpace { products, attended, inner: active, weights: kept, .. } = &space.0;
        let mut d_sums = vec![0.0; x.len()];
        self.after_all.backward(parameters, dy, &kept.second_norm, gradients, &mut d_sums);
        let mut d_inner = vec![0.0; active.len()];
        self.down.product_backward(parameters, active, &d_sums, self.width, gradients, &mut d_inner);
        gelu_backward(&kept.inner, &mut d_inner);
        let mut d_between = d_sums;
        self.up.product_backward(parameters, &kept.between, &d_inner, self.inner, gradients, &mut d_between);
        let mut dx = vec![0.0; x.len()];
        self.after_attention.backward(parameters, &mut d_between, &kept.first_norm, gradients, &mut dx);
        let mut d_attended = vec![0.0; x.len()];
        self.attended.product_backward(parameters, attended, &dx, self.width, gradients, &mut d_attended);
        let sizes = [self.heads, self.width];
        let d_products = attention_backward(products, sizes, starts, &kept.weights, &d_attended);
        for (part, dense) in self.products.iter().enumerate() {
            let d_product = d_products.get(part * self.width..).unwrap_or_default();
            dense.product_backward(parameters, x, d_product, 3 * self.width, gradients, &mut dx);
        }
        dx
    }
}

/// Adds each number of `values` to that of `sums`.
pub(crate) fn add_to(sums: &mut [f32], values: &[f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

/// The gradients of Q, K and V of the rows of lists, which are one after the other in a row of `products`; `weights`
/// are A, `dy` are the gradients of Y, whose rows have `width` numbers.
pub(crate) fn attention_backward(
    products: &[f32],
    [heads, width]: [usize; 2],
    starts: &[usize],
    weights: &[f32],
    dy: &[f32],
) -> Vec<f32> {
    let (d, stride) = (width / heads, 3 * width);
    let scale = 1.0 / (d as f32).sqrt();
    let mut gradients = vec![0.0; products.len()];
    let (mut ds, mut rest) = (Vec::new(), weights);
    for ends in starts.windows(2).filter(|ends| ends[1] > ends[0]) {
        let rows = ends[1] - ends[0];
        for head in 0..heads {
            let (own, after) = rest.split_at(rows * rows);
            rest = after;
            let place = |part: usize| ends[0] * stride + part * width + head * d;
            let [q, k, v] = [0, 1, 2].map(|part| View::strided(&products[place(part)..], rows, d, stride));
            let dy = View::strided(&dy[ends[0] * width + head * d..], rows, d, width);
            multiply(View::new(own, rows, rows).transposed(), dy, 0.0, &mut gradients[place(2)..], stride);
            ds.resize(rows * rows, 0.0);
            multiply(dy, v.transposed(), 0.0, &mut ds, rows);
            for (ds, a) in ds.chunks_exact_mut(rows).zip(own.chunks_exact(rows)) {
                let mean: f32 = ds.iter().zip(a).map(|(g, a)| g * a).sum();
                ds.iter_mut().zip(a).for_each(|(g, a)| *g = a * (*g - mean) * scale);
            }
            let ds = View::new(&ds, rows, rows);
            multiply(ds, k, 0.0, &mut gradients[place(0)..], stride);
            multiply(ds.transposed(), q, 0.0, &mut gradients[place(1)..], stride);
        }
    }
    gradients
}

/// 1 / √(2π).
const DENSITY: f32 = 0.398_942_3;

widest! {
    /// Multiplies gradients of outputs by the derivative.
    pub(super) fn gelu_backward(x: &[f32], dy: &mut [f32]) {
        for (dy, x) in dy.iter_mut().zip(x) {
            *dy *= normal_cdf(*x) + x * DENSITY * exp(-0.5 * x * x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activation::gelu;
    use crate::gradient_check::{check_inputs, check_layer, wave};
    use tercet_transformer::attention::{AttentionSpace, Heads, RELATIVE_BUCKETS, attend};
    use tercet_transformer::{Family, Pooling};

    #[test]
    fn gradients_agree_with_differences() {
        let config = Config {
            family: Family::Bert,
            layers: 1,
            width: 4,
            heads: 2,
            inner: 5,
            vocabulary: 1,
            positions: 1,
            window: 1,
            epsilon: 1e-3,
            pooling: Pooling::Mean,
            unit_length: false,
            padding: 0,
        };
        let mut phase = 0.0;
        let mut source = |_: &str, [rows, columns]: [usize; 2]| {
            phase += 1.0;
            Ok(wave(rows * columns, phase).iter().map(|x| 0.5 * x).collect())
        };
        let mut parameters = Parameters::default();
        let layer = TransformerLayer::new(&mut parameters, &config, 0, &mut source).unwrap();
        let (x, goal, starts) = (wave(20, 0.3), wave(20, 0.7), [0, 2, 5]);
        let forward = |parameters: &Parameters, x: &[f32], space: &mut TransformerWorkspace| {
            layer.forward(parameters, x, &starts, None, space);
            space.output().to_vec()
        };
        check_layer(&mut parameters, (&x, &goal), 2e-3, forward, |parameters, dy, space, gradients| {
            layer.backward(parameters, &x, &starts, dy, space, gradients)
        });
    }

    #[test]
    fn gradients_of_attention_agree_with_differences_with_and_without_a_bias() {
        let (starts, [heads, width]) = ([0, 3, 3, 4, 9], [2, 6]);
        let bias = RelativeBias::new(&wave(2 * RELATIVE_BUCKETS, 0.4), heads, 5);
        for relative in [None, Some(&bias)] {
            let (all, goal) = (wave(3 * 9 * width, 0.1), wave(9 * width, 0.9));
            let forward = |all: &[f32]| {
                let (mut weights, mut y, mut space) = (Vec::new(), vec![0.0; 9 * width], AttentionSpace::default());
                for ends in starts.windows(2) {
                    let heads = Heads { count: heads, width: width / heads, relative };
                    let (from, to) = (ends[0] * width, ends[1] * width);
                    let mut kept = vec![0.0; heads.count * (ends[1] - ends[0]).pow(2)];
                    attend(&all[3 * from..3 * to], heads, &mut space, &mut y[from..to], Some(&mut kept));
                    weights.extend(kept);
                }
                (weights, y)
            };
            let loss = |all: &[f32]| forward(all).1.iter().zip(&goal).map(|(y, g)| f64::from(y * g)).sum::<f64>();
            let (weights, _) = forward(&all);
            let gradients = attention_backward(&all, [heads, width], &starts, &weights, &goal);
            check_inputs(&all, &gradients, 2e-3, loss);
        }
    }

    #[test]
    fn gradients_of_gelu_agree_with_differences() {
        let x = [-6.0, -3.0, -1.0, -0.1, 0.0, 0.1, 0.5, 1.0, 2.0, 6.0];
        let mut gradients = [1.0; 10];
        gelu_backward(&x, &mut gradients);
        check_inputs(&x, &gradients, 2e-3, |x| {
            let mut y = x.to_vec();
            gelu(&mut y);
            y.iter().map(|y| f64::from(*y)).sum()
        });
    }
}
