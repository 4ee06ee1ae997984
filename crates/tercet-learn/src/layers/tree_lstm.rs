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
//!
//! # Trees of a batch
//! Nodes are sorted by height. All nodes of equal height are computed together: their children are lower, so they are
//! known. Node and row are the same here: rows are sorted by height and, at equal height, by tree and word, so rows of
//! a level are contiguous and leaves come first. The backward pass goes from the highest level down.

use super::set_zeros;
use crate::activation::{sigmoid, tanh};
use crate::initialisation::fan_in_uniform;
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;
use std::ops::Range;
use tercet_base::stop;
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
            stop::steps((end - start) * h);
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
        set_zeros(&mut space.sums, (rows - space.trees.leaves()) * h);
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

/// Trees that are encoded together.
#[derive(Clone, Debug, Default)]
pub struct TreeBatch {
    /// The head of every word as a number in the batch; `u32::MAX` for roots.
    heads: Vec<u32>,
    heights: Vec<u32>,
    /// The end of every tree among the words.
    ends: Vec<usize>,
    /// The row of every word.
    rows: Vec<u32>,
    /// The word of every row.
    words: Vec<u32>,
    /// The first row of every level, and the number of rows.
    levels: Vec<usize>,
    /// Rows of the children of all rows, in the order of words.
    children: Vec<u32>,
    /// Row r has the children `child_starts[r]..child_starts[r + 1]`.
    child_starts: Vec<usize>,
    /// The row of the root of every tree; `None` for trees without words.
    roots: Vec<Option<u32>>,
}

/// No head.
const ROOT: u32 = u32::MAX;

impl TreeBatch {
    pub fn clear(&mut self) {
        self.heads.clear();
        self.heights.clear();
        self.ends.clear();
    }

    /// Adds a tree: heads (0: root, k: the k-th word), and the heights of its words.
    pub fn push_tree(&mut self, heads: &[u32], heights: &[u32]) {
        let start = self.heads.len() as u32;
        let absolute = |head: &u32| if *head == 0 { ROOT } else { start + head - 1 };
        self.heads.extend(heads.iter().map(absolute));
        self.heights.extend_from_slice(heights);
        self.ends.push(self.heads.len());
    }

    /// Adds a chain: every word is the head of the one before, so that the last is the root.
    pub fn push_chain(&mut self, words: usize) {
        let start = self.heads.len() as u32;
        let length = words as u32;
        self.heads.extend((1..=length).map(|next| if next == length { ROOT } else { start + next }));
        self.heights.extend(0..length);
        self.ends.push(self.heads.len());
    }

    /// Sorts the words of all trees; to be called when all are added.
    pub fn arrange(&mut self) {
        self.sort_by_height();
        self.link_children();
        self.roots.clear();
        let mut start = 0;
        for &end in &self.ends {
            let root = (start..end).find(|word| self.heads[*word] == ROOT);
            self.roots.push(root.map(|root| self.rows[root]));
            start = end;
        }
    }

    /// A counting sort, which keeps the order of words within a level.
    fn sort_by_height(&mut self) {
        let levels = self.heights.iter().max().map_or(0, |height| *height as usize + 1);
        self.levels.clear();
        self.levels.resize(levels + 1, 0);
        self.heights.iter().for_each(|height| self.levels[*height as usize + 1] += 1);
        (0..levels).for_each(|level| self.levels[level + 1] += self.levels[level]);
        let mut next = self.levels.clone();
        self.words.resize(self.heads.len(), 0);
        self.rows.clear();
        for (word, &height) in self.heights.iter().enumerate() {
            let row = &mut next[height as usize];
            self.rows.push(*row as u32);
            self.words[*row] = word as u32;
            *row += 1;
        }
    }

    fn link_children(&mut self) {
        let row_of_head = |word: usize| self.rows.get(self.heads[word] as usize).map(|row| *row as usize);
        self.child_starts.clear();
        self.child_starts.resize(self.heads.len() + 1, 0);
        for word in 0..self.heads.len() {
            row_of_head(word).into_iter().for_each(|head| self.child_starts[head + 1] += 1);
        }
        (0..self.heads.len()).for_each(|row| self.child_starts[row + 1] += self.child_starts[row]);
        let mut next = self.child_starts.clone();
        self.children.resize(self.child_starts[self.heads.len()], 0);
        for word in 0..self.heads.len() {
            if let Some(head) = row_of_head(word) {
                self.children[next[head]] = self.rows[word];
                next[head] += 1;
            }
        }
    }

    /// Number of words of all trees.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// The word of every row, counted through all trees.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The first row of every level, and the number of rows.
    pub fn levels(&self) -> &[usize] {
        &self.levels
    }

    /// Number of leaves, which are the first rows.
    pub fn leaves(&self) -> usize {
        self.levels.get(1).copied().unwrap_or(0)
    }

    /// The rows of the children of a row, all of them lower.
    #[inline]
    pub fn children(&self, row: usize) -> &[u32] {
        &self.children[self.child_starts[row]..self.child_starts[row + 1]]
    }

    /// The row of the root of every tree; `None` for trees without words.
    pub fn roots(&self) -> &[Option<u32>] {
        &self.roots
    }
}

impl TreeLstm {
    /// Backward pass for the last forward pass with this workspace: adds the gradients of W, U and the biases, given
    /// those of the output, and those of the inputs if requested. `x` and `input_of` as in the forward pass.
    pub fn backward(
        &self,
        parameters: &Parameters,
        [x, output_gradients]: [&[f32]; 2],
        input_of: &[u32],
        space: &mut TreeLstmWorkspace,
        gradients: &mut Gradients,
        input_gradients: Option<&mut [f32]>,
    ) {
        self.begin_gradients(output_gradients, space);
        let (h, width) = (self.units, (self.gates - 1) * self.units);
        let [u_f, u] = self.recurrent(parameters);
        for level in (1..space.trees.levels().len()).rev() {
            let (start, end) = (space.trees.levels()[level - 1], space.trees.levels()[level]);
            if end < space.trees.len() {
                let deltas = View::new(&space.forget[start * h..end * h], end - start, h);
                multiply(deltas, u_f, 1.0, &mut space.dh[start * h..end * h], h);
            }
            (start..end).for_each(|row| self.row_back(row, space));
            if level > 1 {
                let deltas = View::new(&space.z[start * width..end * width], end - start, width);
                let mut sums = vec![0.0; (end - start) * h];
                multiply(deltas, u, 0.0, &mut sums, h);
                for (row, sum) in (start..end).zip(sums.chunks_exact(h)) {
                    for &child in space.trees.children(row) {
                        let to = &mut space.dh[child as usize * h..(child as usize + 1) * h];
                        to.iter_mut().zip(sum).for_each(|(to, sum)| *to += sum);
                    }
                }
            }
        }
        self.add_recurrent_gradients(space, gradients);
        self.collect_by_input(input_of, space);
        self.add_input_gradients(parameters, x, space, gradients, input_gradients);
    }

    /// Zeros, except for h of the roots.
    fn begin_gradients(&self, output_gradients: &[f32], space: &mut TreeLstmWorkspace) {
        let h = self.units;
        for values in [&mut space.dh, &mut space.dc, &mut space.df] {
            set_zeros(values, space.trees.len() * h);
        }
        for (root, gradient) in space.trees.roots().iter().zip(output_gradients.chunks_exact(h)) {
            let Some(root) = root.map(|root| root as usize) else { continue };
            space.dh[root * h..(root + 1) * h].copy_from_slice(gradient);
            // The edge to a head that a root does not have.
            space.forget[root * h..(root + 1) * h].fill(0.0);
        }
    }

    /// Replaces the gates of a row and of the edges to its children by their gradients before the activation.
    fn row_back(&self, row: usize, space: &mut TreeLstmWorkspace) {
        let (h, width) = (self.units, (self.gates - 1) * self.units);
        let (below, cell) = space.dc.split_at_mut(row * h);
        let (cell, dh) = (&mut cell[..h], &space.dh[row * h..(row + 1) * h]);
        let squashed = &space.squashed[row * h..(row + 1) * h];
        let (i, others) = space.z[row * width..(row + 1) * width].split_at_mut(h);
        let (u, o) = others.split_at_mut(h);
        if self.gates == 4 {
            let o = &mut o[..h];
            for k in 0..h {
                let (s, gate) = (squashed[k], o[k]);
                cell[k] += dh[k] * gate * (1.0 - s * s);
                o[k] = dh[k] * s * gate * (1.0 - gate);
            }
        } else {
            cell.iter_mut().zip(dh).zip(squashed).for_each(|((cell, dh), s)| *cell += dh * (1.0 - s * s));
        }
        let (i, u) = (&mut i[..h], &mut u[..h]);
        for k in 0..h {
            let (input, update) = (i[k], u[k]);
            i[k] = cell[k] * update * input * (1.0 - input);
            u[k] = cell[k] * input * (1.0 - update * update);
        }
        let from_word = &mut space.df[row * h..(row + 1) * h];
        for &child in space.trees.children(row) {
            let range = child as usize * h..(child as usize + 1) * h;
            let (c, forget) = (&space.c[range.clone()], &mut space.forget[range.clone()]);
            let below = &mut below[range];
            for k in 0..h {
                let f = forget[k];
                below[k] = cell[k] * f;
                forget[k] = cell[k] * c[k] * f * (1.0 - f);
                from_word[k] += forget[k];
            }
        }
    }

    fn add_recurrent_gradients(&self, space: &TreeLstmWorkspace, gradients: &mut Gradients) {
        let (h, width) = (self.units, (self.gates - 1) * self.units);
        let (rows, leaves) = (space.trees.len(), space.trees.leaves());
        let (forget, others) = gradients.dense(self.u).split_at_mut(h * h);
        let deltas = View::new(&space.forget, rows, h).transposed();
        multiply(deltas, View::new(&space.h, rows, h), 1.0, forget, h);
        let deltas = View::new(&space.z[leaves * width..], rows - leaves, width).transposed();
        multiply(deltas, View::new(&space.sums, rows - leaves, h), 1.0, others, h);
    }

    /// Sums the gradients before the activation by input.
    fn collect_by_input(&self, input_of: &[u32], space: &mut TreeLstmWorkspace) {
        let (h, width) = (self.units, self.gates * self.units);
        space.projected.fill(0.0);
        let rows = space.df.chunks_exact(h).zip(space.z.chunks_exact(width - h));
        for (&word, (forget, others)) in space.trees.words().iter().zip(rows) {
            let input = input_of[word as usize] as usize;
            let (to_forget, to_others) = space.projected[input * width..(input + 1) * width].split_at_mut(h);
            to_forget.iter_mut().zip(forget).for_each(|(sum, g)| *sum += g);
            to_others.iter_mut().zip(others).for_each(|(sum, g)| *sum += g);
        }
    }

    /// The gradients of W and of both biases, and those of the inputs if requested.
    fn add_input_gradients(
        &self,
        parameters: &Parameters,
        x: &[f32],
        space: &TreeLstmWorkspace,
        gradients: &mut Gradients,
        input_gradients: Option<&mut [f32]>,
    ) {
        let (d, width) = (self.inputs, self.gates * self.units);
        let inputs = x.len() / d;
        for bias in [self.w_bias, self.u_bias] {
            let sums = gradients.dense(bias);
            for row in space.projected.chunks_exact(width) {
                sums.iter_mut().zip(row).for_each(|(sum, g)| *sum += g);
            }
        }
        let deltas = View::new(&space.projected, inputs, width);
        multiply(deltas.transposed(), View::new(x, inputs, d), 1.0, gradients.dense(self.w), d);
        if let Some(sums) = input_gradients {
            multiply(deltas, View::new(parameters.values(self.w), width, d), 1.0, sums, d);
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod batch_tests {
    use super::*;

    #[test]
    fn rows_are_sorted_by_height_and_know_their_children() {
        let mut batch = TreeBatch::default();
        batch.push_tree(&[3, 1, 0, 3], &[1, 0, 2, 0]);
        batch.push_tree(&[], &[]);
        batch.push_chain(3);
        batch.arrange();
        assert_eq!(batch.words(), [1, 3, 4, 0, 5, 2, 6]);
        assert_eq!(batch.levels(), [0, 3, 5, 7]);
        assert_eq!(batch.leaves(), 3);
        let children: Vec<&[u32]> = (0..7).map(|row| batch.children(row)).collect();
        assert_eq!(children, [&[][..], &[], &[], &[0], &[2], &[3, 1], &[4]]);
        assert_eq!(batch.roots(), [Some(5), None, Some(6)]);
        batch.clear();
        batch.push_chain(1);
        batch.arrange();
        assert_eq!((batch.words(), batch.levels(), batch.roots()), (&[0][..], &[0, 1][..], &[Some(0)][..]));
        batch.clear();
        batch.arrange();
        assert_eq!((batch.len(), batch.leaves()), (0, 0));
    }
}
