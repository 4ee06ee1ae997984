//! The backward pass, from the highest level down.

use super::{TreeLstm, TreeLstmWorkspace};
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters};

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
            values.clear();
            values.resize(space.trees.len() * h, 0.0);
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
