//! A wide convolution with max pooling over time (Guzmán et al., 2017, eq. 7–8; Kalchbrenner et al., 2014).
//!
//! ```text
//! h_t = g(u · x_{t−L+1 : t} + b),  t = 1 … T + L − 1,   m = max_t h_t       for each of N filters u ∈ ℝ^{L·D}
//! ```
//!
//! Vectors before the first word and after the last are zero, so that every filter reaches the words at both ends and
//! a map has T + L − 1 positions.
//!
//! # Choices
//! The paper's μ_p is a maximum over each window of p positions, whose number varies with T, while the layer above
//! wants a vector of fixed length: the maximum is taken over all windows, that is over time, which p does not change.
//! The bias is one per filter. g is monotone, so the maximum is taken before it; of equal maxima the first learns.
//! A list without words gives zeros, not g(b).
//!
//! # Speed
//! Lists are laid one after another with L − 1 zero vectors between, so the windows of all lists are rows (that
//! overlap) of one matrix, and all maps are one product.

use crate::activation::Activation;
use crate::initialisation::glorot_uniform;
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;

/// The layer.
#[derive(Clone, Debug)]
pub struct Convolution {
    dimensions: usize,
    filters: usize,
    length: usize,
    activation: Activation,
    weight: TensorId,
    bias: TensorId,
}

/// What a pass forward leaves for the pass backward.
#[derive(Clone, Debug, Default)]
pub struct ConvolutionWorkspace {
    /// All lists with zeros between.
    padded: Vec<f32>,
    /// Windows × filters.
    maps: Vec<f32>,
    /// The window of every maximum: lists × filters.
    winners: Vec<u32>,
    /// Lists × filters.
    pooled: Vec<f32>,
    padded_gradients: Vec<f32>,
}

impl Convolution {
    /// Adds `name.weight` (filters × length·D, Glorot) and `name.bias` (zero) to the parameters.
    pub fn new(
        parameters: &mut Parameters,
        name: &str,
        dimensions: usize,
        [filters, length]: [usize; 2],
        activation: Activation,
        random: &mut Random,
    ) -> Self {
        let width = length * dimensions;
        let weights = glorot_uniform(filters * width, width, filters, random);
        let weight = parameters.add(&format!("{name}.weight"), Role::Weight, [filters, width], weights);
        let bias = parameters.add(&format!("{name}.bias"), Role::Bias, [1, filters], vec![0.0; filters]);
        Convolution { dimensions, filters, length, activation, weight, bias }
    }

    /// Numbers per list.
    pub fn width(&self) -> usize {
        self.filters
    }

    /// The pooled maps of every list, to rows of `output` (lists × filters).
    pub fn forward(
        &self,
        parameters: &Parameters,
        tokens: &[f32],
        starts: &[usize],
        space: &mut ConvolutionWorkspace,
        output: &mut [f32],
    ) {
        let (d, gap) = (self.dimensions, (self.length - 1) * self.dimensions);
        space.padded.clear();
        space.padded.resize(gap, 0.0);
        for list in starts.windows(2) {
            space.padded.extend_from_slice(&tokens[list[0] * d..list[1] * d]);
            space.padded.resize(space.padded.len() + gap, 0.0);
        }
        let windows = (space.padded.len() - gap) / d;
        space.maps.clear();
        (0..windows).for_each(|_| space.maps.extend_from_slice(parameters.values(self.bias)));
        let inputs = View::strided(&space.padded, windows, self.length * d, d);
        let filters = View::new(parameters.values(self.weight), self.filters, self.length * d);
        multiply(inputs, filters.transposed(), 1.0, &mut space.maps, self.filters);
        self.pool(starts, space);
        output.copy_from_slice(&space.pooled);
    }

    /// The maximum of every map, activated, and where it was.
    fn pool(&self, starts: &[usize], space: &mut ConvolutionWorkspace) {
        let (filters, lists) = (self.filters, starts.len() - 1);
        space.pooled.clear();
        space.pooled.resize(lists * filters, f32::NEG_INFINITY);
        space.winners.clear();
        space.winners.resize(lists * filters, 0);
        let mut window = 0;
        for (list, bounds) in starts.windows(2).enumerate() {
            let best = &mut space.pooled[list * filters..(list + 1) * filters];
            let winners = &mut space.winners[list * filters..(list + 1) * filters];
            let positions = bounds[1] - bounds[0] + self.length - 1;
            for position in window..window + positions {
                let map = &space.maps[position * filters..(position + 1) * filters];
                for ((best, winner), h) in best.iter_mut().zip(&mut *winners).zip(map) {
                    // A value that is no number wins, so that it is seen.
                    if *h > *best || h.is_nan() {
                        (*best, *winner) = (*h, position as u32);
                    }
                }
            }
            window += positions;
            self.activation.apply(best);
            if bounds[0] == bounds[1] {
                best.fill(0.0);
            }
        }
    }

    /// Adds the gradients of the filters, and those of the tokens where asked for.
    pub fn backward(
        &self,
        parameters: &Parameters,
        starts: &[usize],
        output_gradients: &[f32],
        space: &mut ConvolutionWorkspace,
        gradients: &mut Gradients,
        token_gradients: Option<&mut [f32]>,
    ) {
        let (d, width) = (self.dimensions, self.length * self.dimensions);
        space.padded_gradients.clear();
        space.padded_gradients.resize(space.padded.len(), 0.0);
        let filled = starts.windows(2).enumerate().filter(|(_, bounds)| bounds[0] < bounds[1]);
        for (list, _) in filled {
            for filter in 0..self.filters {
                let at = list * self.filters + filter;
                let delta = output_gradients[at] * self.activation.derivative(space.pooled[at]);
                let start = space.winners[at] as usize * d;
                let window = &space.padded[start..start + width];
                let sums = &mut gradients.dense(self.weight)[filter * width..(filter + 1) * width];
                sums.iter_mut().zip(window).for_each(|(sum, x)| *sum += delta * x);
                gradients.dense(self.bias)[filter] += delta;
                if token_gradients.is_some() {
                    let weights = &parameters.values(self.weight)[filter * width..(filter + 1) * width];
                    let sums = &mut space.padded_gradients[start..start + width];
                    sums.iter_mut().zip(weights).for_each(|(sum, w)| *sum += delta * w);
                }
            }
        }
        if let Some(token_gradients) = token_gradients {
            let gap = (self.length - 1) * d;
            for (list, bounds) in starts.windows(2).enumerate() {
                let from = (list + 1) * gap + bounds[0] * d;
                let sums = &mut token_gradients[bounds[0] * d..bounds[1] * d];
                sums.iter_mut().zip(&space.padded_gradients[from..]).for_each(|(sum, g)| *sum += g);
            }
        }
    }
}

#[cfg(test)]
mod tests;
