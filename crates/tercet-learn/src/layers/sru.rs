//! A bidirectional simple recurrent unit (Lei et al., 2018): all matrix products come before the recurrence, which is
//! elementwise.
//!
//! ```text
//! [g; f; o] = W u + b                      2H each: H units forward, then H units backward
//! h_t = sig(f_t) ⊙ h_{t∓1} + (1 − sig(f_t)) ⊙ g_t,   h before the first = 0
//! y_t = h_t ⊙ sig(o_t)
//! ```
//!
//! # Choices
//! Lei et al. have v ⊙ c_{t−1} in the gates and a highway connection to the input; here gates depend on the input only
//! (as in the first version of their paper, and in QRNNs) and the residual connection is part of the network. The bias
//! of f starts at 1, others at 0.

use super::{Dense, set_zeros};
use crate::activation::{Activation, sigmoid};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;

#[derive(Clone, Debug)]
pub struct Sru {
    units: usize,
    gates: Dense,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct SruWorkspace {
    /// Rows × 6H: g, sig(f), sig(o).
    z: Vec<f32>,
    /// Rows × 2H.
    h: Vec<f32>,
    /// Rows × 6H: gradients of W u + b.
    dz: Vec<f32>,
    /// 2H: the previous row, and zeros.
    carried: Vec<f32>,
    zeros: Vec<f32>,
}

impl Sru {
    /// Adds `name.weight` (6H × inputs, Glorot) and `name.bias` to the parameters.
    pub fn new(parameters: &mut Parameters, name: &str, [inputs, units]: [usize; 2], random: &mut Random) -> Self {
        let gates = Dense::new(parameters, name, [inputs, 6 * units], Activation::Identity, random);
        parameters.values_mut(gates.bias())[2 * units..4 * units].fill(1.0);
        Sru { units, gates }
    }

    /// W and b.
    pub(crate) fn gates(&self) -> &Dense {
        &self.gates
    }

    /// y of every row of `u`, to `y` (rows × 2H).
    pub fn forward(
        &self,
        parameters: &Parameters,
        u: &[f32],
        starts: &[usize],
        space: &mut SruWorkspace,
        y: &mut Vec<f32>,
    ) {
        let width = 2 * self.units;
        self.gates.forward(parameters, u, &mut space.z);
        for row in space.z.chunks_exact_mut(3 * width) {
            row[width..].iter_mut().for_each(|x| *x = sigmoid(*x));
        }
        set_zeros(&mut space.h, space.z.len() / 3);
        for list in starts.windows(2) {
            self.recur(list[0]..list[1], 0, space);
            self.recur((list[0]..list[1]).rev(), self.units, space);
        }
        y.clear();
        for (h, z) in space.h.chunks_exact(width).zip(space.z.chunks_exact(3 * width)) {
            y.extend(h.iter().zip(&z[2 * width..]).map(|(h, o)| h * o));
        }
    }

    /// h of H units from `first`, over rows in the order of one direction.
    fn recur(&self, rows: impl Iterator<Item = usize>, first: usize, space: &mut SruWorkspace) {
        let (units, width) = (self.units, 2 * self.units);
        let SruWorkspace { z, h, carried, .. } = space;
        set_zeros(carried, units);
        for row in rows {
            let z = &z[row * 3 * width + first..];
            let h = &mut h[row * width + first..][..units];
            for (((h, before), g), f) in h.iter_mut().zip(&mut *carried).zip(z).zip(&z[width..]) {
                *before = f * *before + (1.0 - f) * g;
                *h = *before;
            }
        }
    }

    /// Adds the gradients of weights and biases, and returns those of `u`.
    pub fn backward(
        &self,
        parameters: &Parameters,
        u: &[f32],
        starts: &[usize],
        dy: &[f32],
        space: &mut SruWorkspace,
        gradients: &mut Gradients,
    ) -> Vec<f32> {
        set_zeros(&mut space.dz, space.z.len());
        space.zeros.resize(self.units, 0.0);
        for list in starts.windows(2) {
            let (start, end) = (list[0], list[1]);
            let before = |row: usize| (row > start).then(|| row - 1);
            self.recur_back((start..end).rev(), before, 0, dy, space);
            let after = |row: usize| (row + 1 < end).then_some(row + 1);
            self.recur_back(start..end, after, self.units, dy, space);
        }
        self.gates.backward(parameters, u, &space.z, &mut space.dz, gradients)
    }

    /// Gradients of the gates of H units from `first`, over rows in reverse order; `before` is the row that precedes a
    /// row in the forward pass.
    fn recur_back(
        &self,
        rows: impl Iterator<Item = usize>,
        before: impl Fn(usize) -> Option<usize>,
        first: usize,
        dy: &[f32],
        space: &mut SruWorkspace,
    ) {
        let (units, width) = (self.units, 2 * self.units);
        let SruWorkspace { z, h, dz, carried, zeros } = space;
        set_zeros(carried, units);
        for row in rows {
            let at = row * width + first;
            let seen = before(row).map_or(&zeros[..units], |row| &h[row * width + first..][..units]);
            let (dy, h) = (&dy[at..at + units], &h[at..at + units]);
            let gate = |part: usize| row * 3 * width + part * width + first;
            let (g, f, o) = (&z[gate(0)..], &z[gate(1)..], &z[gate(2)..]);
            let (dg, rest) = dz[gate(0)..].split_at_mut(width);
            let (df, d_o) = rest.split_at_mut(width);
            for i in 0..units {
                let dh = dy[i] * o[i] + carried[i];
                carried[i] = dh * f[i];
                dg[i] = dh * (1.0 - f[i]);
                df[i] = dh * (seen[i] - g[i]) * f[i] * (1.0 - f[i]);
                d_o[i] = dy[i] * h[i] * o[i] * (1.0 - o[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{assert_all_close, check_layer, wave};

    fn run(sru: &Sru, parameters: &Parameters, u: &[f32], starts: &[usize], space: &mut SruWorkspace) -> Vec<f32> {
        let mut y = Vec::new();
        sru.forward(parameters, u, starts, space, &mut y);
        y
    }

    #[test]
    fn gradients_agree_with_differences_for_many_shapes() {
        let shapes: [(usize, usize, &[usize]); 4] =
            [(1, 1, &[1]), (3, 2, &[2, 0, 5, 1]), (2, 4, &[3, 3]), (4, 3, &[0, 1, 2, 3, 4])];
        for (number, (inputs, units, lengths)) in shapes.into_iter().enumerate() {
            let mut parameters = Parameters::default();
            let random = &mut Random::stream(number as u64, "test", 1);
            let sru = Sru::new(&mut parameters, "sru", [inputs, units], random);
            let mut starts = vec![0];
            lengths.iter().for_each(|length| starts.push(starts.last().unwrap() + length));
            let rows = *starts.last().unwrap();
            let (u, weights) = (wave(rows * inputs, 0.4), wave(rows * 2 * units, 0.2));
            let forward =
                |parameters: &Parameters, u: &[f32], space: &mut SruWorkspace| run(&sru, parameters, u, &starts, space);
            check_layer(&mut parameters, (&u, &weights), 5e-3, forward, |parameters, dy, space, gradients| {
                sru.backward(parameters, &u, &starts, dy, space, gradients)
            });
        }
    }

    #[test]
    fn units_remember_in_their_direction_and_lists_do_not_touch() {
        // One unit in each direction, gates half open: f = o = sig(0), g = u.
        let mut parameters = Parameters::default();
        let sru = Sru::new(&mut parameters, "sru", [1, 1], &mut Random::stream(0, "test", 0));
        parameters.values_mut(sru.gates.weight()).copy_from_slice(&[1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        parameters.values_mut(sru.gates.bias()).fill(0.0);
        let y = run(&sru, &parameters, &[4.0, 0.0, 8.0, 2.0], &[0, 3, 3, 4], &mut SruWorkspace::default());
        assert_all_close(&y, &[1.0, 1.5, 0.5, 1.0, 2.25, 2.0, 0.5, 0.5]);
    }
}
