//! Long short-term memory (Hochreiter & Schmidhuber, 1997), as Guzmán et al. (2017) write it in eq. 9–13.
//!
//! ```text
//! i = sig(U_i h′ + V_i x + b_i)      f = sig(U_f h′ + V_f x + b_f)      o = sig(U_o h′ + V_o x + b_o)
//! c = i ⊙ tanh(U_c h′ + V_c x) + f ⊙ c′                                 h = o ⊙ tanh(c)
//! ```
//!
//! The output is the last h of each list, or of every number the largest over all h.
//!
//! # Choices
//! - The cell has no bias: eq. 11 has none. Gates are stacked in the order i, f, o, c: `V` is 4H × D, `U` 4H × H, the
//!   bias 3H.
//! - `sig` is the hard sigmoid, as in the paper ([`Gate::Hard`]), or the logistic function.
//! - U and V are Glorot uniform gate by gate; the bias of the forget gate starts at 1 (Gers et al., 2000; Jozefowicz et
//!   al., 2015), the others at 0. The paper does not say.
//! - [`Lstm::new_as_torch`] is PyTorch's `nn.LSTM` instead: all four gates have a bias, which is the sum of two, and
//!   all numbers start uniform in ±1 / √H. Its output is pooled.
//!
//! # Speed
//! Lists are sorted by length, longest first, so that those still active at step t are the first rows of step t − 1;
//! all steps are in one array without padding. V x of all steps is one matrix product, U h′ is one per step; in the
//! backward pass all gradients of U and V are one product each.
//!
//! # Max pooling and both directions
//! Max pooling (Collobert & Weston, 2008): of every number the largest over all h of a list. The gradient goes to the
//! step of the largest, the first of equal ones. Bidirectional LSTM (Schuster & Paliwal, 1997): the last states of both
//! directions, [→h_T, ←h_T], or the largest of every number over all their states.

use super::set_zeros;
use crate::activation::{hard_sigmoid, sigmoid, tanh};
use crate::initialisation::{fan_in_uniform, glorot_uniform};
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;

tercet_base::choices! {
    /// The nonlinearity of the gates.
    pub enum Gate: "gate" = Hard {
        /// 0.2 x + 0.5, clipped to [0, 1].
        Hard = "hard",
        /// 1 / (1 + e⁻ˣ).
        Logistic = "logistic",
    }
}

impl Gate {
    fn apply(self, values: &mut [f32]) {
        match self {
            Gate::Hard => values.iter_mut().for_each(|x| *x = hard_sigmoid(*x)),
            Gate::Logistic => values.iter_mut().for_each(|x| *x = sigmoid(*x)),
        }
    }

    /// The derivative, computed from the output y.
    #[inline(always)]
    fn derivative(self, y: f32) -> f32 {
        match self {
            Gate::Hard => 0.2 * f32::from(y > 0.0 && y < 1.0),
            Gate::Logistic => y * (1.0 - y),
        }
    }
}

/// The layer, in one direction.
#[derive(Clone, Debug)]
pub struct Lstm {
    inputs: usize,
    units: usize,
    gate: Gate,
    reversed: bool,
    /// Whether the output is of every number the largest over all h, not the last h.
    is_pooled: bool,
    v: TensorId,
    u: TensorId,
    /// Their sum is the bias of the first gates, or of all four.
    biases: Vec<TensorId>,
}

/// The order of the lists of a batch, and results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct LstmWorkspace {
    /// Lists, longest first.
    order: Vec<usize>,
    /// The first row of every step, and the number of rows.
    steps: Vec<usize>,
    /// The token of every row.
    tokens: Vec<usize>,
    /// Rows × D.
    x: Vec<f32>,
    /// Rows × 4H: the gates; in the backward pass, gradients before the activation.
    z: Vec<f32>,
    /// Rows × H: c, tanh(c), h.
    c: Vec<f32>,
    squashed: Vec<f32>,
    h: Vec<f32>,
    /// Lists × H: gradients of the current step.
    dh: Vec<f32>,
    dc: Vec<f32>,
    /// Rows × H: h of the step before; or rows × D: gradients of x.
    previous: Vec<f32>,
    /// Lists × H: the step whose h is in the output.
    taken_from: Vec<usize>,
}

impl LstmWorkspace {
    /// Sorts the lists by length.
    fn arrange(&mut self, starts: &[usize], reversed: bool) {
        let length = |list: usize| starts[list + 1] - starts[list];
        self.order.clear();
        self.order.extend(0..starts.len() - 1);
        self.order.sort_by_key(|&list| std::cmp::Reverse(length(list)));
        self.steps.clear();
        self.steps.push(0);
        self.tokens.clear();
        let mut active = self.order.partition_point(|&list| length(list) > 0);
        let mut t = 0;
        while active > 0 {
            let token = |&list: &usize| if reversed { starts[list + 1] - 1 - t } else { starts[list] + t };
            self.tokens.extend(self.order[..active].iter().map(token));
            self.steps.push(self.tokens.len());
            t += 1;
            active = self.order[..active].partition_point(|&list| length(list) > t);
        }
    }

    fn rows(&self) -> usize {
        self.tokens.len()
    }
}

impl Lstm {
    /// Adds `name.V`, `name.U` and `name.bias` to the parameters. Reversed, lists are read from their end.
    pub fn new(
        parameters: &mut Parameters,
        name: &str,
        [inputs, units]: [usize; 2],
        gate: Gate,
        reversed: bool,
        random: &mut Random,
    ) -> Self {
        let v = glorot_uniform(4 * units * inputs, inputs, units, random);
        let v = parameters.add(&format!("{name}.V"), Role::Weight, [4 * units, inputs], v);
        let u = glorot_uniform(4 * units * units, units, units, random);
        let u = parameters.add(&format!("{name}.U"), Role::Weight, [4 * units, units], u);
        let mut bias = vec![0.0; 3 * units];
        bias[units..2 * units].fill(1.0);
        let bias = parameters.add(&format!("{name}.bias"), Role::Bias, [1, 3 * units], bias);
        Lstm { inputs, units, gate, reversed, is_pooled: false, v, u, biases: vec![bias] }
    }

    /// Adds `name.V`, `name.U`, `name.V.bias` and `name.U.bias` to the parameters: the layer as PyTorch has it, with
    /// max pooling.
    pub fn new_as_torch(
        parameters: &mut Parameters,
        name: &str,
        [inputs, units]: [usize; 2],
        reversed: bool,
        random: &mut Random,
    ) -> Self {
        let mut add = |part: &str, role, shape: [usize; 2]| {
            let values = fan_in_uniform(shape[0] * shape[1], units, random);
            parameters.add(&format!("{name}.{part}"), role, shape, values)
        };
        let v = add("V", Role::Weight, [4 * units, inputs]);
        let u = add("U", Role::Weight, [4 * units, units]);
        let biases = ["V.bias", "U.bias"].map(|part| add(part, Role::Bias, [1, 4 * units])).to_vec();
        Lstm { inputs, units, gate: Gate::Logistic, reversed, is_pooled: true, v, u, biases }
    }

    /// Number of learned values of a layer as PyTorch has it.
    pub(crate) fn count_as_torch(inputs: u64, units: u64) -> u64 {
        (inputs + units + 2).saturating_mul(4 * units)
    }

    /// V, U and the two biases of a layer as PyTorch has it, with the gates in PyTorch's order i, f, c, o.
    pub(crate) fn torch_tensors(&self, parameters: &Parameters) -> [Vec<f32>; 4] {
        [self.v, self.u, self.biases[0], self.biases[1]].map(|id| {
            let values = parameters.values(id);
            let [i, f, o, c] = quarters(values, values.len() / 4);
            [i, f, c, o].concat()
        })
    }

    /// H, numbers per list.
    pub fn width(&self) -> usize {
        self.units
    }

    /// The last h of every list, or of every number the largest, to `output` at columns `column..column + H` of rows of
    /// `stride`.
    pub fn forward(
        &self,
        parameters: &Parameters,
        tokens: &[f32],
        starts: &[usize],
        space: &mut LstmWorkspace,
        output: &mut [f32],
        [column, stride]: [usize; 2],
    ) {
        let h = self.units;
        self.run(parameters, tokens, starts, space);
        let LstmWorkspace { order, steps, h: states, taken_from, .. } = space;
        taken_from.clear();
        taken_from.resize(order.len() * h, 0);
        for ((rank, &list), taken_from) in order.iter().enumerate().zip(taken_from.chunks_exact_mut(h)) {
            let length = starts[list + 1] - starts[list];
            let to = &mut output[list * stride + column..list * stride + column + h];
            to.fill(0.0);
            let first = if self.is_pooled { 0 } else { length.saturating_sub(1) };
            for (t, &start) in steps[..length].iter().enumerate().skip(first) {
                let state = &states[(start + rank) * h..(start + rank + 1) * h];
                for ((to, taken_from), &number) in to.iter_mut().zip(&mut *taken_from).zip(state) {
                    if t == first || number > *to {
                        (*to, *taken_from) = (number, t);
                    }
                }
            }
        }
    }

    /// All h.
    fn run(&self, parameters: &Parameters, tokens: &[f32], starts: &[usize], space: &mut LstmWorkspace) {
        let (h, d) = (self.units, self.inputs);
        space.arrange(starts, self.reversed);
        let rows = space.rows();
        space.x.clear();
        space.tokens.iter().for_each(|&token| space.x.extend_from_slice(&tokens[token * d..(token + 1) * d]));
        self.begin_gates(parameters, space);
        for values in [&mut space.c, &mut space.squashed, &mut space.h] {
            values.resize(rows * h, 0.0);
        }
        let u = View::new(parameters.values(self.u), 4 * h, h).transposed();
        for t in 0..space.steps.len() - 1 {
            let (start, end) = (space.steps[t], space.steps[t + 1]);
            if t > 0 {
                let before = View::new(&space.h[space.steps[t - 1] * h..], end - start, h);
                multiply(before, u, 1.0, &mut space.z[start * 4 * h..end * 4 * h], 4 * h);
            }
            self.step(t, space);
        }
    }

    /// V x + b of all rows.
    fn begin_gates(&self, parameters: &Parameters, space: &mut LstmWorkspace) {
        let (h, d, rows) = (self.units, self.inputs, space.rows());
        space.z.resize(rows * 4 * h, 0.0);
        let mut bias = vec![0.0; 4 * h];
        for id in &self.biases {
            bias.iter_mut().zip(parameters.values(*id)).for_each(|(sum, b)| *sum += b);
        }
        space.z.chunks_exact_mut(4 * h).for_each(|z| z.copy_from_slice(&bias));
        let v = View::new(parameters.values(self.v), 4 * h, d).transposed();
        multiply(View::new(&space.x, rows, d), v, 1.0, &mut space.z, 4 * h);
    }

    /// Gates, cell and h of one step.
    fn step(&self, t: usize, space: &mut LstmWorkspace) {
        let h = self.units;
        let (start, end) = (space.steps[t], space.steps[t + 1]);
        let before = if t > 0 { space.steps[t - 1] } else { start };
        for row in start..end {
            let z = &mut space.z[row * 4 * h..(row + 1) * 4 * h];
            self.gate.apply(&mut z[..3 * h]);
            z[3 * h..].iter_mut().for_each(|x| *x = tanh(*x));
            let (old, new) = space.c.split_at_mut(row * h);
            let c = &mut new[..h];
            let ([i, f, o, g], at) = (quarters(z, h), before + row - start);
            if t > 0 {
                let old = &old[at * h..(at + 1) * h];
                for k in 0..h {
                    c[k] = i[k] * g[k] + f[k] * old[k];
                }
            } else {
                c.iter_mut().enumerate().for_each(|(k, c)| *c = i[k] * g[k]);
            }
            let squashed = &mut space.squashed[row * h..(row + 1) * h];
            let hidden = &mut space.h[row * h..(row + 1) * h];
            for k in 0..h {
                squashed[k] = tanh(c[k]);
                hidden[k] = o[k] * squashed[k];
            }
        }
    }

    /// Adds the gradients of U, V and the biases, and those of the tokens if requested.
    pub fn backward(
        &self,
        parameters: &Parameters,
        output_gradients: &[f32],
        [column, stride]: [usize; 2],
        space: &mut LstmWorkspace,
        gradients: &mut Gradients,
        token_gradients: Option<&mut [f32]>,
    ) {
        let h = self.units;
        let lists = space.order.len();
        for values in [&mut space.dh, &mut space.dc] {
            set_zeros(values, lists * h);
        }
        let u = View::new(parameters.values(self.u), 4 * h, h);
        for t in (0..space.steps.len() - 1).rev() {
            let (start, end) = (space.steps[t], space.steps[t + 1]);
            let LstmWorkspace { order, dh, taken_from, .. } = &mut *space;
            // The gradients of lists that end here are zero so far, the others come from the next step.
            let lists = order[..end - start].iter().zip(dh.chunks_exact_mut(h)).zip(taken_from.chunks_exact(h));
            for ((&list, dh), taken_from) in lists {
                let from = &output_gradients[list * stride + column..list * stride + column + h];
                for ((sum, g), taken_from) in dh.iter_mut().zip(from).zip(taken_from) {
                    *sum += if *taken_from == t { *g } else { 0.0 };
                }
            }
            self.step_back(t, space);
            if t > 0 {
                let deltas = View::new(&space.z[start * 4 * h..end * 4 * h], end - start, 4 * h);
                multiply(deltas, u, 0.0, &mut space.dh, h);
            }
        }
        self.add_gradients(space, gradients);
        if let Some(token_gradients) = token_gradients {
            self.add_token_gradients(parameters, space, token_gradients);
        }
    }

    /// Replaces the gates of one step by their gradients before the activation, and dc by that of the previous step.
    fn step_back(&self, t: usize, space: &mut LstmWorkspace) {
        let h = self.units;
        let (start, end) = (space.steps[t], space.steps[t + 1]);
        let zero = vec![0.0; h];
        for row in start..end {
            let rank = row - start;
            let old = if t > 0 { &space.c[(space.steps[t - 1] + rank) * h..][..h] } else { &zero[..] };
            let squashed = &space.squashed[row * h..(row + 1) * h];
            let dh = &space.dh[rank * h..(rank + 1) * h];
            let dc = &mut space.dc[rank * h..(rank + 1) * h];
            let [i, f, o, g] = quarters_mut(&mut space.z[row * 4 * h..(row + 1) * 4 * h], h);
            for k in 0..h {
                let (s, hidden) = (squashed[k], dh[k]);
                let cell = dc[k] + hidden * o[k] * (1.0 - s * s);
                let (input, forget, output, candidate) = (i[k], f[k], o[k], g[k]);
                dc[k] = cell * forget;
                i[k] = cell * candidate * self.gate.derivative(input);
                f[k] = cell * old[k] * self.gate.derivative(forget);
                o[k] = hidden * s * self.gate.derivative(output);
                g[k] = cell * input * (1.0 - candidate * candidate);
            }
        }
    }

    fn add_gradients(&self, space: &mut LstmWorkspace, gradients: &mut Gradients) {
        let (h, d, rows) = (self.units, self.inputs, space.rows());
        for id in &self.biases {
            let bias = gradients.dense(*id);
            for z in space.z.chunks_exact(4 * h) {
                bias.iter_mut().zip(z).for_each(|(sum, z)| *sum += z);
            }
        }
        let deltas = View::new(&space.z, rows, 4 * h).transposed();
        multiply(deltas, View::new(&space.x, rows, d), 1.0, gradients.dense(self.v), d);
        space.previous.clear();
        let mut steps = space.steps.windows(3);
        while let Some(&[before, start, end]) = steps.next() {
            space.previous.extend_from_slice(&space.h[before * h..(before + end - start) * h]);
        }
        if let Some(&first) = space.steps.get(1).filter(|first| **first < rows) {
            let deltas = View::new(&space.z[first * 4 * h..], rows - first, 4 * h).transposed();
            let previous = View::new(&space.previous, rows - first, h);
            multiply(deltas, previous, 1.0, gradients.dense(self.u), h);
        }
    }

    fn add_token_gradients(&self, parameters: &Parameters, space: &mut LstmWorkspace, sums: &mut [f32]) {
        let (h, d, rows) = (self.units, self.inputs, space.rows());
        space.previous.resize(rows * d, 0.0);
        let v = View::new(parameters.values(self.v), 4 * h, d);
        multiply(View::new(&space.z, rows, 4 * h), v, 0.0, &mut space.previous, d);
        for (token, gradient) in space.tokens.iter().zip(space.previous.chunks_exact(d)) {
            let sums = &mut sums[token * d..(token + 1) * d];
            sums.iter_mut().zip(gradient).for_each(|(sum, g)| *sum += g);
        }
    }
}

/// i, f, o and the candidate of a row.
#[inline(always)]
fn quarters(z: &[f32], h: usize) -> [&[f32]; 4] {
    [&z[..h], &z[h..2 * h], &z[2 * h..3 * h], &z[3 * h..4 * h]]
}

#[inline(always)]
fn quarters_mut(z: &mut [f32], h: usize) -> [&mut [f32]; 4] {
    let (gates, g) = z.split_at_mut(3 * h);
    let (input_forget, o) = gates.split_at_mut(2 * h);
    let (i, f) = input_forget.split_at_mut(h);
    [i, f, o, &mut g[..h]]
}

#[derive(Clone, Debug)]
pub struct BidirectionalLstm {
    directions: [Lstm; 2],
}

impl BidirectionalLstm {
    /// Adds the tensors of `name.forward` and `name.backward` to the parameters; `units` per direction.
    pub fn new(parameters: &mut Parameters, name: &str, sizes: [usize; 2], gate: Gate, random: &mut Random) -> Self {
        let forward = Lstm::new(parameters, &format!("{name}.forward"), sizes, gate, false, random);
        let backward = Lstm::new(parameters, &format!("{name}.backward"), sizes, gate, true, random);
        BidirectionalLstm { directions: [forward, backward] }
    }

    /// The same with layers as PyTorch has them, with max pooling.
    pub fn new_as_torch(parameters: &mut Parameters, name: &str, sizes: [usize; 2], random: &mut Random) -> Self {
        let directions = [("forward", false), ("backward", true)].map(|(direction, reversed)| {
            Lstm::new_as_torch(parameters, &format!("{name}.{direction}"), sizes, reversed, random)
        });
        BidirectionalLstm { directions }
    }

    /// Both directions, forward first.
    pub fn directions(&self) -> &[Lstm; 2] {
        &self.directions
    }

    /// 2H, numbers per list.
    pub fn width(&self) -> usize {
        2 * self.directions[0].width()
    }

    /// Each direction with its space, and the first column and the width of its outputs.
    fn sides<'s>(
        &'s self,
        space: &'s mut [LstmWorkspace; 2],
    ) -> impl Iterator<Item = (&'s Lstm, &'s mut LstmWorkspace, [usize; 2])> {
        let sides = self.directions.iter().zip(space).enumerate();
        sides.map(|(side, (lstm, space))| (lstm, space, [side * lstm.width(), self.width()]))
    }

    /// Both last states of every list, or of every number the largest over all states, to rows of
    /// `output` (lists × 2H).
    pub fn forward(
        &self,
        parameters: &Parameters,
        tokens: &[f32],
        starts: &[usize],
        space: &mut [LstmWorkspace; 2],
        output: &mut [f32],
    ) {
        for (lstm, space, place) in self.sides(space) {
            lstm.forward(parameters, tokens, starts, space, output, place);
        }
    }

    /// Adds the gradients of both directions.
    pub fn backward(
        &self,
        parameters: &Parameters,
        output_gradients: &[f32],
        space: &mut [LstmWorkspace; 2],
        gradients: &mut Gradients,
        mut token_gradients: Option<&mut [f32]>,
    ) {
        for (lstm, space, place) in self.sides(space) {
            let tokens = token_gradients.as_deref_mut();
            lstm.backward(parameters, output_gradients, place, space, gradients, tokens);
        }
    }
}

#[cfg(test)]
mod tests;
