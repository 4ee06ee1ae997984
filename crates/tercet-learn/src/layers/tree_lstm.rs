//! Child-sum Tree-LSTM (Tai, Socher & Manning, 2015, eq. 2–8): a node's state from its word and the states of its
//! children.
//!
//! ```text
//! h̃  = Σ_k h_k                                   i = sig(W_i x + U_i h̃ + b_i)
//! f_k = sig(W_f x + U_f h_k + b_f)               u = tanh(W_u x + U_u h̃ + b_u)
//! c   = i ⊙ u + Σ_k f_k ⊙ c_k                    o = sig(W_o x + U_o h̃ + b_o)
//! h   = o ⊙ tanh(c), or tanh(c) without an output gate
//! ```
//!
//! The output is h of the root. A list is a tree in which every word is the head of the word before: on it the layer is
//! an ordinary LSTM, whose output is h after the last word.
//!
//! # Choices
//! - Without an output gate and with two bias vectors per gate, one beside W and one beside U, the layer has the number
//!   of parameters that Gupta et al. (2015) give: 203,400 for 300 inputs and 150 units. Both biases have the same
//!   gradient, so AdaGrad moves their sum twice as fast as one bias.
//! - Weights and biases start uniform in ±1/√n, where n is the number of inputs of the matrix, as Torch's `nn.Linear`
//!   does.
//! - Gates are stacked in the order f, i, u, o: W is GH × D, U is GH × H, with G = 4, or 3 without o.
//!
//! # Speed
//! Rows are nodes in the order of [`TreeBatch`]. W x is one product over the distinct words of the batch. U h̃ is one
//! product for each level; so is U_f h, computed when h is known because every node has at most one head. In the
//! backward pass all gradients of W, U_f and the other U are one product each.

mod backward;
mod batch;
#[cfg(test)]
mod tests;

pub use batch::TreeBatch;

use crate::activation::{sigmoid, tanh};
use crate::initialisation::fan_in_uniform;
use crate::matrix::{View, multiply};
use crate::parameters::{Parameters, Role, TensorId};
use crate::random::Random;
use std::ops::Range;
use tercet_math::widest;

/// The layer.
#[derive(Clone, Debug)]
pub struct TreeLstm {
    inputs: usize,
    units: usize,
    /// G.
    gates: usize,
    w: TensorId,
    w_bias: TensorId,
    u: TensorId,
    u_bias: TensorId,
}

/// The trees of a batch, and results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct TreeLstmWorkspace {
    /// The trees; the caller fills and arranges them.
    pub trees: TreeBatch,
    /// Inputs × GH: W x + b; in the backward pass its gradient.
    projected: Vec<f32>,
    /// Rows × (G − 1)H: i, u, o; in the backward pass gradients before the activation.
    z: Vec<f32>,
    /// Rows × H: U_f h, then f of the edge to the head; in the backward pass its gradient before the activation.
    forget: Vec<f32>,
    /// Rows × H, without leaves: h̃; in the backward pass its gradient.
    sums: Vec<f32>,
    /// Rows × H: c, tanh(c), h.
    c: Vec<f32>,
    squashed: Vec<f32>,
    h: Vec<f32>,
    /// Rows × H: gradients of h, of c, and of W_f x + b_f.
    dh: Vec<f32>,
    dc: Vec<f32>,
    df: Vec<f32>,
}

impl TreeLstm {
    /// Adds `name.W`, `name.W.bias`, `name.U` and `name.U.bias` to the parameters.
    pub fn new(
        parameters: &mut Parameters,
        name: &str,
        [inputs, units]: [usize; 2],
        output_gate: bool,
        random: &mut Random,
    ) -> Self {
        let gates = if output_gate { 4 } else { 3 };
        let mut add = |part: &str, role: Role, shape: [usize; 2], fan_in: usize| {
            let values = fan_in_uniform(shape[0] * shape[1], fan_in, random);
            parameters.add(&format!("{name}.{part}"), role, shape, values)
        };
        TreeLstm {
            inputs,
            units,
            gates,
            w: add("W", Role::Weight, [gates * units, inputs], inputs),
            w_bias: add("W.bias", Role::Bias, [1, gates * units], inputs),
            u: add("U", Role::Weight, [gates * units, units], units),
            u_bias: add("U.bias", Role::Bias, [1, gates * units], units),
        }
    }

    /// Number of learned values of a layer of this size.
    pub(crate) fn count(inputs: u64, units: u64, output_gate: bool) -> u64 {
        let gates = if output_gate { 4 } else { 3 };
        (inputs + units + 2).saturating_mul(gates * units)
    }

    /// H, numbers per tree.
    pub fn width(&self) -> usize {
        self.units
    }

    /// h of the root of every tree of the workspace, to `output` (trees × H); zeros for trees without words. `x` are
    /// inputs (rows of D), `input_of` the input of every word.
    pub fn forward(
        &self,
        parameters: &Parameters,
        x: &[f32],
        input_of: &[u32],
        space: &mut TreeLstmWorkspace,
        output: &mut [f32],
    ) {
        let h = self.units;
        self.project(parameters, x, &mut space.projected);
        self.begin_rows(input_of, space);
        let [u_f, u] = self.recurrent(parameters).map(View::transposed);
        let width = (self.gates - 1) * h;
        for level in 1..space.trees.levels().len() {
            let (start, end) = (space.trees.levels()[level - 1], space.trees.levels()[level]);
            if level > 1 {
                self.sum_children(start, end, space);
                let sums = View::new(&space.sums[(start - space.trees.leaves()) * h..], end - start, h);
                multiply(sums, u, 1.0, &mut space.z[start * width..end * width], width);
            }
            compute_rows(self, start..end, input_of, space);
            // At the last level there are only roots, which have no head.
            if end < space.trees.len() {
                let states = View::new(&space.h[start * h..end * h], end - start, h);
                multiply(states, u_f, 0.0, &mut space.forget[start * h..end * h], h);
            }
        }
        for (root, to) in space.trees.roots().iter().zip(output.chunks_exact_mut(h)) {
            match root.map(|root| root as usize) {
                None => to.fill(0.0),
                Some(root) => to.copy_from_slice(&space.h[root * h..(root + 1) * h]),
            }
        }
    }

    /// U_f and the other rows of U.
    fn recurrent<'a>(&self, parameters: &'a Parameters) -> [View<'a>; 2] {
        let h = self.units;
        let (forget, others) = parameters.values(self.u).split_at(h * h);
        [View::new(forget, h, h), View::new(others, (self.gates - 1) * h, h)]
    }

    /// W x + b of all inputs.
    fn project(&self, parameters: &Parameters, x: &[f32], projected: &mut Vec<f32>) {
        let (d, width) = (self.inputs, self.gates * self.units);
        let biases = parameters.values(self.w_bias).iter().zip(parameters.values(self.u_bias));
        let bias: Vec<f32> = biases.map(|(w, u)| w + u).collect();
        let rows = x.len() / d;
        projected.clear();
        (0..rows).for_each(|_| projected.extend_from_slice(&bias));
        let w = View::new(parameters.values(self.w), width, d).transposed();
        multiply(View::new(x, rows, d), w, 1.0, projected, width);
    }

    /// Sets i, u and o of every row to W x + b, and makes room for the rest.
    fn begin_rows(&self, input_of: &[u32], space: &mut TreeLstmWorkspace) {
        let (h, width) = (self.units, self.gates * self.units);
        let rows = space.trees.len();
        space.z.clear();
        for &word in space.trees.words() {
            let input = input_of[word as usize] as usize;
            space.z.extend_from_slice(&space.projected[input * width + h..(input + 1) * width]);
        }
        for values in [&mut space.forget, &mut space.c, &mut space.squashed, &mut space.h] {
            values.resize(rows * h, 0.0);
        }
        space.sums.clear();
        space.sums.resize((rows - space.trees.leaves()) * h, 0.0);
    }

    /// h̃ of a level; children in the order of words, so that the sum does not depend on the rest of the batch.
    fn sum_children(&self, start: usize, end: usize, space: &mut TreeLstmWorkspace) {
        let (h, leaves) = (self.units, space.trees.leaves());
        for row in start..end {
            let sum = &mut space.sums[(row - leaves) * h..(row - leaves + 1) * h];
            for &child in space.trees.children(row) {
                let state = &space.h[child as usize * h..(child as usize + 1) * h];
                sum.iter_mut().zip(state).for_each(|(sum, h)| *sum += h);
            }
        }
    }

    /// Gates, cell and h of a row, whose z is complete before the activation.
    #[inline(always)]
    fn compute_row(&self, row: usize, input_of: &[u32], space: &mut TreeLstmWorkspace) {
        let (h, width) = (self.units, (self.gates - 1) * self.units);
        let (i, others) = space.z[row * width..(row + 1) * width].split_at_mut(h);
        let (u, o) = others.split_at_mut(h);
        for x in i.iter_mut() {
            *x = sigmoid(*x);
        }
        for x in u.iter_mut() {
            *x = tanh(*x);
        }
        for x in o.iter_mut() {
            *x = sigmoid(*x);
        }
        let (below, c) = space.c.split_at_mut(row * h);
        let c = &mut c[..h];
        for ((c, i), u) in c.iter_mut().zip(&*i).zip(&*u) {
            *c = i * u;
        }
        let input = input_of[space.trees.words()[row] as usize] as usize;
        let from_word = &space.projected[input * self.gates * h..][..h];
        for &child in space.trees.children(row) {
            let range = child as usize * h..(child as usize + 1) * h;
            let forget = &mut space.forget[range.clone()];
            for (f, w) in forget.iter_mut().zip(from_word) {
                *f = sigmoid(*f + w);
            }
            for ((c, f), below) in c.iter_mut().zip(&*forget).zip(&below[range]) {
                *c += f * below;
            }
        }
        let squashed = &mut space.squashed[row * h..(row + 1) * h];
        for (s, c) in squashed.iter_mut().zip(&*c) {
            *s = tanh(*c);
        }
        let state = &mut space.h[row * h..(row + 1) * h];
        if self.gates == 4 {
            for ((state, s), o) in state.iter_mut().zip(&*squashed).zip(&*o) {
                *state = o * s;
            }
        } else {
            state.copy_from_slice(squashed);
        }
    }
}

widest! {
    /// Computes the rows of a level.
    fn compute_rows(layer: &TreeLstm, rows: Range<usize>, input_of: &[u32], space: &mut TreeLstmWorkspace) {
        for row in rows {
            layer.compute_row(row, input_of, space);
        }
    }
}
