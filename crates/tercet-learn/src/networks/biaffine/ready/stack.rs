//! The layers of the encoder for inference: one fused loop after every product.
//!
//! Products of dense layers with transposed weights; several layers with the same input are one product.

use super::heads::best;
use crate::activation::sigmoid;
use crate::layers::{Dense, LayerNorm, normalise, set_zeros};
use crate::loss::softmax;
use crate::matrix::{View, multiply};
use crate::networks::biaffine::{Analysis, BiaffineNetwork};
use crate::networks::lists::ListNetwork;
use crate::networks::lists::encoder::Recurrent;
use crate::parameters::Parameters;
use tercet_math::widest;

/// Layer normalisation with a copy of its weights.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    gain: Vec<f32>,
    bias: Vec<f32>,
}

impl Normal {
    pub fn new(layer: &LayerNorm, parameters: &Parameters) -> Self {
        let [gain, bias] = layer.tensors().map(|id| parameters.values(id).to_vec());
        Normal { gain, bias }
    }

    /// Normalises every row of `x`, to `u`.
    pub fn apply(&self, x: &[f32], u: &mut Vec<f32>) {
        u.resize(x.len(), 0.0);
        let d = self.gain.len();
        let rows = x.chunks_exact(d).zip(u.chunks_exact_mut(d));
        rows.for_each(|(x, u)| normalise(x, &self.gain, &self.bias, u));
    }
}

/// A recurrent layer.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    units: usize,
    pub normal: Normal,
    pub gates: Product,
    projection: Option<Product>,
}

impl Layer {
    pub fn new(layer: &Recurrent, network: &BiaffineNetwork) -> Self {
        let parameters = network.parameters();
        Layer {
            units: network.shape().encoder.units,
            normal: Normal::new(&layer.norm, parameters),
            gates: Product::new(&[layer.sru.gates()], parameters),
            projection: layer.projection.as_ref().map(|layer| Product::new(&[layer], parameters)),
        }
    }

    /// Adds the output of the layer to `x`; `z` are the products of its gates.
    pub fn recur(&self, z: &[f32], starts: &[usize], x: &mut [f32], state: &mut Vec<f32>, y: &mut Vec<f32>) {
        let Some(projection) = &self.projection else { return self.recur_into(z, starts, x, state) };
        set_zeros(y, z.len() / 3);
        self.recur_into(z, starts, y, state);
        projection.add(y, x);
        let bias = projection.bias();
        for row in x.chunks_exact_mut(bias.len()) {
            row.iter_mut().zip(bias).for_each(|(x, b)| *x += b);
        }
    }

    /// Adds h ⊙ sig(o) to `sums` (rows × 2H), list by list in both directions.
    fn recur_into(&self, z: &[f32], starts: &[usize], sums: &mut [f32], state: &mut Vec<f32>) {
        state.resize(self.units, 0.0);
        recur_lists(self, z, starts, sums, state);
    }

    /// One row of the units from `first`: f(s − g) + g is f s + (1 − f) g.
    #[inline(always)]
    fn step(&self, z: &[f32], row: usize, first: usize, state: &mut [f32], sums: &mut [f32]) {
        let (n, width) = (self.units, 2 * self.units);
        let z = &z[row * 3 * width..(row + 1) * 3 * width];
        let part = |of: usize| (&z[of * width + first..][..n], &self.gates.bias()[of * width + first..][..n]);
        let ((g, bias_g), (f, bias_f), (o, bias_o)) = (part(0), part(1), part(2));
        let (state, sums) = (&mut state[..n], &mut sums[row * width + first..][..n]);
        for i in 0..n {
            let (g, f) = (g[i] + bias_g[i], sigmoid(f[i] + bias_f[i]));
            state[i] = f * (state[i] - g) + g;
            sums[i] += state[i] * sigmoid(o[i] + bias_o[i]);
        }
    }
}

widest! {
    /// Computes all lists of a batch.
    fn recur_lists(layer: &Layer, z: &[f32], starts: &[usize], sums: &mut [f32], state: &mut [f32]) {
        for list in starts.windows(2) {
            state.fill(0.0);
            for row in list[0]..list[1] {
                layer.step(z, row, 0, state, sums);
            }
            state.fill(0.0);
            for row in (list[0]..list[1]).rev() {
                layer.step(z, row, layer.units, state, sums);
            }
        }
    }
}

/// Prediction of tags.
#[derive(Clone, Debug)]
pub(super) struct Tagging {
    tags: usize,
    normal: Normal,
    /// Tags, then fine tags.
    scores: Product,
    /// Tags × d.
    vectors: Vec<f32>,
}

impl Tagging {
    pub fn new(network: &BiaffineNetwork) -> Self {
        let (parameters, tagger) = (network.parameters(), &network.encoder.tagger);
        let layers: Vec<_> = std::iter::once(&tagger.output).chain(&tagger.fine).collect();
        Tagging {
            tags: network.shape().encoder.tags,
            normal: Normal::new(&tagger.norm, parameters),
            scores: Product::new(&layers, parameters),
            vectors: parameters.values(tagger.embedding).to_vec(),
        }
    }

    /// Appends the tags of all items, and adds the vectors of probable tags to `x`.
    pub fn apply(&self, starts: &[usize], x: &mut [f32], u: &mut Vec<f32>, z: &mut Vec<f32>, analysis: &mut Analysis) {
        self.normal.apply(x, u);
        self.scores.apply(u, z);
        let (width, tags) = (self.scores.outputs(), self.tags);
        for list in starts.windows(2) {
            for (place, row) in z[list[0] * width..list[1] * width].chunks_exact_mut(width).enumerate() {
                row.iter_mut().zip(self.scores.bias()).for_each(|(x, b)| *x += b);
                let (coarse, fine) = row.split_at_mut(tags);
                if place > 0 {
                    analysis.tags.push(best(coarse).0 as u16);
                    if !fine.is_empty() {
                        analysis.fine_tags.push(best(fine).0 as u16);
                    }
                }
                softmax(coarse);
            }
        }
        let d = self.vectors.len() / tags;
        let probabilities = View::strided(z, x.len() / d, tags, width);
        multiply(probabilities, View::new(&self.vectors, tags, d), 1.0, x, d);
    }
}

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
