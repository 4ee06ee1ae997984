//! Layer normalisation (Ba, Kiros & Hinton, 2016): every row is scaled to mean 0 and variance 1, then gain and bias.
//!
//! ```text
//! y = γ ⊙ (x − μ) / √(σ² + ε) + β,   μ and σ² (of the population) over the D numbers of a row,  ε = 1e-5 unless given
//! ```
//!
//! As PyTorch's `LayerNorm`. γ starts at 1, β at 0; neither decays. Sums are taken in 16 lanes, so that the compiler
//! can vectorise them; the result of a row does not depend on other rows.

use super::TensorSource;
use crate::error::Result;
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use tercet_transformer::Config;

/// ε, PyTorch's default.
const EPSILON: f32 = 1e-5;

/// Number of partial sums.
const LANES: usize = 16;

#[derive(Clone, Debug)]
pub struct LayerNorm {
    width: usize,
    epsilon: f32,
    gain: TensorId,
    bias: TensorId,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct LayerNormWorkspace {
    /// (x − μ) / √(σ² + ε).
    normal: Vec<f32>,
    /// 1 / √(σ² + ε) of every row.
    scales: Vec<f32>,
}

/// Σ f(xᵢ, yᵢ), in lanes.
#[inline(always)]
fn sum(x: &[f32], y: &[f32], f: impl Fn(f32, f32) -> f32) -> f32 {
    let ((xs, x), (ys, y)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let mut lanes = [0.0; LANES];
    for (x, y) in xs.iter().zip(ys) {
        for lane in 0..LANES {
            lanes[lane] += f(x[lane], y[lane]);
        }
    }
    let rest: f32 = x.iter().zip(y).map(|(x, y)| f(*x, *y)).sum();
    lanes.iter().sum::<f32>() + rest
}

/// μ and 1 / √(σ² + ε) of a row.
#[inline(always)]
fn moments(row: &[f32], epsilon: f32) -> (f32, f32) {
    let share = 1.0 / row.len() as f32;
    let mean = sum(row, row, |x, _| x) * share;
    let variance = sum(row, row, |x, _| (x - mean) * (x - mean)) * share;
    (mean, 1.0 / (variance + epsilon).sqrt())
}

/// y of one row.
#[inline(always)]
pub(crate) fn normalise(row: &[f32], gain: &[f32], bias: &[f32], y: &mut [f32]) {
    let (mean, scale) = moments(row, EPSILON);
    for (((y, x), gain), bias) in y.iter_mut().zip(row).zip(gain).zip(bias) {
        *y = (x - mean) * scale * gain + bias;
    }
}

impl LayerNorm {
    /// Adds `name.gain` (one) and `name.bias` (zero) to the parameters.
    pub fn new(parameters: &mut Parameters, name: &str, width: usize) -> Self {
        let gain = parameters.add(&format!("{name}.gain"), Role::Bias, [1, width], vec![1.0; width]);
        let bias = parameters.add(&format!("{name}.bias"), Role::Bias, [1, width], vec![0.0; width]);
        LayerNorm { width, epsilon: EPSILON, gain, bias }
    }

    /// Adds `name.weight` and `name.bias` of an encoder, whose values `source` gives, to the parameters.
    pub fn from_source(
        parameters: &mut Parameters,
        name: &str,
        &Config { width, epsilon, .. }: &Config,
        source: &mut TensorSource<'_>,
    ) -> Result<Self> {
        let mut add = |name: String| -> Result<TensorId> {
            let values = source(&name, [1, width])?;
            Ok(parameters.add(&name, Role::Bias, [1, width], values))
        };
        let (gain, bias) = (add(format!("{name}.weight"))?, add(format!("{name}.bias"))?);
        Ok(LayerNorm { width, epsilon, gain, bias })
    }

    /// γ and β.
    pub(crate) fn tensors(&self) -> [TensorId; 2] {
        [self.gain, self.bias]
    }

    /// y of every row of `x`, to `y`.
    pub fn forward(&self, parameters: &Parameters, x: &[f32], space: &mut LayerNormWorkspace, y: &mut Vec<f32>) {
        let (gain, bias) = (parameters.values(self.gain), parameters.values(self.bias));
        space.normal.clear();
        space.normal.extend_from_slice(x);
        space.scales.clear();
        y.clear();
        for row in space.normal.chunks_exact_mut(self.width) {
            let (mean, scale) = moments(row, self.epsilon);
            row.iter_mut().for_each(|x| *x = (*x - mean) * scale);
            space.scales.push(scale);
            y.extend(row.iter().zip(gain).zip(bias).map(|((x, gain), bias)| x * gain + bias));
        }
    }

    /// Adds the gradients of γ and β, and those of `x` to `dx`; `dy` is overwritten.
    pub fn backward(
        &self,
        parameters: &Parameters,
        dy: &mut [f32],
        space: &LayerNormWorkspace,
        gradients: &mut Gradients,
        dx: &mut [f32],
    ) {
        let d = self.width;
        for (g, x) in dy.chunks_exact(d).zip(space.normal.chunks_exact(d)) {
            gradients.dense(self.bias).iter_mut().zip(g).for_each(|(sum, g)| *sum += g);
            let gains = gradients.dense(self.gain).iter_mut().zip(g).zip(x);
            gains.for_each(|((sum, g), x)| *sum += g * x);
        }
        let (gain, share) = (parameters.values(self.gain), 1.0 / d as f32);
        let rows = dy.chunks_exact_mut(d).zip(space.normal.chunks_exact(d)).zip(dx.chunks_exact_mut(d));
        for (((g, x), dx), scale) in rows.zip(&space.scales) {
            g.iter_mut().zip(gain).for_each(|(g, gain)| *g *= gain);
            let (mean, slope) = (sum(g, x, |g, _| g) * share, sum(g, x, |g, x| g * x) * share);
            for ((dx, g), x) in dx.iter_mut().zip(&*g).zip(x) {
                *dx += scale * (g - mean - x * slope);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{assert_all_close, check_layer, wave};

    fn layer(width: usize) -> (Parameters, LayerNorm) {
        let mut parameters = Parameters::default();
        let layer = LayerNorm::new(&mut parameters, "norm", width);
        parameters.values_mut(layer.gain).copy_from_slice(&wave(width, 0.2));
        parameters.values_mut(layer.bias).copy_from_slice(&wave(width, 0.3));
        (parameters, layer)
    }

    #[test]
    fn rows_are_pytorchs() {
        // torch.nn.functional.layer_norm(wave(6, .1).reshape(2, 3), [3], wave(3, .2), wave(3, .3)), PyTorch 2.15
        let (parameters, layer) = layer(3);
        let (mut y, x) = (Vec::new(), wave(6, 0.1));
        layer.forward(&parameters, &x, &mut LayerNormWorkspace::default(), &mut y);
        assert_all_close(&y, &EXPECTED);
        let mut row = [0.0; 3];
        normalise(&x[..3], &wave(3, 0.2), &wave(3, 0.3), &mut row);
        assert_all_close(&row, &EXPECTED[..3]);
    }

    const EXPECTED: [f32; 6] = [0.0279541, 1.0763813, 2.0381218, 0.5312222, 0.8989198, -0.2675413];

    #[test]
    fn gradients_agree_with_differences_for_widths_around_the_lanes() {
        for (width, rows) in [(2, 3), (16, 2), (19, 2), (33, 1)] {
            let (mut parameters, layer) = layer(width);
            let (x, weights) = (wave(rows * width, 0.1), wave(rows * width, 0.9));
            let forward = |parameters: &Parameters, x: &[f32], space: &mut LayerNormWorkspace| {
                let mut y = Vec::new();
                layer.forward(parameters, x, space, &mut y);
                y
            };
            check_layer(&mut parameters, (&x, &weights), 2e-3, forward, |parameters, dy, space, gradients| {
                let mut dx = vec![0.0; x.len()];
                layer.backward(parameters, dy, space, gradients, &mut dx);
                dx
            });
        }
    }
}
