//! A wide convolution with max pooling over time (Guzmán et al., 2017, eq. 7–8; Kalchbrenner et al., 2014).
//!
//! ```text
//! h_t = g(u · x_{t−L+1 : t} + b),  t = 1 … M,  M = T + L − 1           for each of N filters u ∈ ℝ^{L·D}
//! m   = max_t h_t                                                      over the whole map, or with a length p:
//! m   = mean_s max_{s ≤ t < s+p} h_t,  s = 1 … max(1, M − p + 1)
//! ```
//!
//! Vectors before the first word and after the last are zero, so a map has T + L − 1 positions.
//!
//! # Choices
//! The paper's text takes the maximum of *each* window of p positions, a number of values that grows with T; its figure
//! 2, and the next layer, need one number per map. The default follows the figure: the maximum over time. With a
//! pooling length, windows move by one position, as in the paper's example with p = 2, and their maxima are averaged: p
//! = 1 is the mean of the map, p ≥ M the maximum over time. Windows stay inside the map: a zero beyond its end would be
//! larger than negative values. There is one bias per filter. g is monotone, so the maximum is taken before it; of
//! equal maxima the first gets the gradient. A list without words gives zeros, not g(b).
//!
//! # Speed
//! Lists are concatenated with L − 1 zero vectors between them, so the windows of all lists are overlapping rows of one
//! matrix, and all maps are one matrix product.

use super::set_zeros;
use crate::activation::Activation;
use crate::initialisation::glorot_uniform;
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Convolution {
    dimensions: usize,
    filters: usize,
    length: usize,
    pooling: Option<usize>,
    activation: Activation,
    weight: TensorId,
    bias: TensorId,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct ConvolutionWorkspace {
    /// All lists with zeros between them.
    padded: Vec<f32>,
    /// Positions × filters.
    maps: Vec<f32>,
    /// The maxima of the windows of all maps, list by list: windows × filters.
    maxima: Vec<f32>,
    /// The position of every maximum.
    winners: Vec<u32>,
    map_gradients: Vec<f32>,
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
        Convolution { dimensions, filters, length, pooling: None, activation, weight, bias }
    }

    /// Pools over windows of p positions. `None` (default): the whole map.
    pub fn with_pooling(self, pooling: Option<usize>) -> Self {
        Convolution { pooling, ..self }
    }

    /// Numbers per list: the number of filters.
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
        set_zeros(&mut space.padded, gap);
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
        self.pool(starts, space, output);
    }

    /// Number of windows of a map with this many positions.
    fn pools(&self, positions: usize) -> usize {
        self.pooling.map_or(1, |p| (positions + 1).saturating_sub(p).max(1))
    }

    /// The activated maxima of every map's windows, their positions, and their mean.
    fn pool(&self, starts: &[usize], space: &mut ConvolutionWorkspace, output: &mut [f32]) {
        let filters = self.filters;
        space.maxima.clear();
        space.winners.clear();
        let mut first = 0;
        for (bounds, output) in starts.windows(2).zip(output.chunks_exact_mut(filters)) {
            let positions = bounds[1] - bounds[0] + self.length - 1;
            output.fill(0.0);
            if bounds[0] < bounds[1] {
                let pools = self.pools(positions);
                for start in first..first + pools {
                    let end =
                        self.pooling.map_or(first + positions, |p| start.saturating_add(p).min(first + positions));
                    let maxima = self.maxima(start..end, space);
                    output.iter_mut().zip(maxima).for_each(|(sum, maximum)| *sum += maximum);
                }
                output.iter_mut().for_each(|sum| *sum /= pools as f32);
            }
            first += positions;
        }
    }

    /// Appends the activated maxima of a window, and their positions.
    fn maxima<'a>(&self, window: Range<usize>, space: &'a mut ConvolutionWorkspace) -> &'a [f32] {
        let (filters, at) = (self.filters, space.maxima.len());
        space.maxima.resize(at + filters, f32::NEG_INFINITY);
        space.winners.resize(at + filters, 0);
        let (maxima, winners) = (&mut space.maxima[at..], &mut space.winners[at..]);
        for position in window {
            let map = &space.maps[position * filters..(position + 1) * filters];
            for ((maximum, winner), h) in maxima.iter_mut().zip(&mut *winners).zip(map) {
                // NaN is taken as the maximum, so that it is noticed later.
                if *h > *maximum || h.is_nan() {
                    (*maximum, *winner) = (*h, position as u32);
                }
            }
        }
        self.activation.apply(maxima);
        maxima
    }

    /// Adds the gradients of the filters, and those of the tokens if requested.
    pub fn backward(
        &self,
        parameters: &Parameters,
        starts: &[usize],
        output_gradients: &[f32],
        space: &mut ConvolutionWorkspace,
        gradients: &mut Gradients,
        token_gradients: Option<&mut [f32]>,
    ) {
        self.unpool(starts, output_gradients, space);
        let (d, width) = (self.dimensions, self.length * self.dimensions);
        set_zeros(&mut space.padded_gradients, space.padded.len());
        for (position, deltas) in space.map_gradients.chunks_exact(self.filters).enumerate() {
            let window = position * d..position * d + width;
            for (filter, &delta) in deltas.iter().enumerate().filter(|(_, delta)| **delta != 0.0) {
                let sums = &mut gradients.dense(self.weight)[filter * width..(filter + 1) * width];
                let inputs = &space.padded[window.clone()];
                sums.iter_mut().zip(inputs).for_each(|(sum, x)| *sum += delta * x);
                gradients.dense(self.bias)[filter] += delta;
                if token_gradients.is_some() {
                    let weights = &parameters.values(self.weight)[filter * width..(filter + 1) * width];
                    let sums = &mut space.padded_gradients[window.clone()];
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

    /// The gradients of the maps, from those of the maxima.
    fn unpool(&self, starts: &[usize], output_gradients: &[f32], space: &mut ConvolutionWorkspace) {
        let filters = self.filters;
        set_zeros(&mut space.map_gradients, space.maps.len());
        let mut winners = space.winners.iter().zip(&space.maxima);
        for (bounds, output) in starts.windows(2).zip(output_gradients.chunks_exact(filters)) {
            if bounds[0] == bounds[1] {
                continue;
            }
            let pools = self.pools(bounds[1] - bounds[0] + self.length - 1);
            for _ in 0..pools {
                for ((filter, g), (winner, maximum)) in output.iter().enumerate().zip(&mut winners) {
                    let delta = g / pools as f32 * self.activation.derivative(*maximum);
                    space.map_gradients[*winner as usize * filters + filter] += delta;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
