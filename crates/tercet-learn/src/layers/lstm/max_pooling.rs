//! Max pooling (Collobert & Weston, 2008): of every number the largest over all h of a list. The gradient goes to the
//! step of the largest, the first of equal ones.

use super::{Lstm, LstmWorkspace};
use crate::parameters::{Gradients, Parameters};

impl Lstm {
    /// The largest of every number of h over all steps of a list, to `output` at columns `column..column + H` of rows
    /// of `stride`.
    pub fn forward_max(
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
        let LstmWorkspace { order, steps, h: states, largest, .. } = space;
        largest.clear();
        largest.resize(order.len() * h, 0);
        for ((rank, &list), largest) in order.iter().enumerate().zip(largest.chunks_exact_mut(h)) {
            let length = starts[list + 1] - starts[list];
            let to = &mut output[list * stride + column..list * stride + column + h];
            to.fill(if length == 0 { 0.0 } else { f32::NEG_INFINITY });
            for (t, &start) in steps[..length].iter().enumerate() {
                let state = &states[(start + rank) * h..(start + rank + 1) * h];
                for ((to, largest), &number) in to.iter_mut().zip(&mut *largest).zip(state) {
                    if number > *to {
                        (*to, *largest) = (number, t);
                    }
                }
            }
        }
    }

    /// Adds the gradients of U, V and the biases, after [`forward_max`](Self::forward_max).
    pub fn backward_max(
        &self,
        parameters: &Parameters,
        output_gradients: &[f32],
        [column, stride]: [usize; 2],
        space: &mut LstmWorkspace,
        gradients: &mut Gradients,
    ) {
        let h = self.units;
        self.run_back(parameters, space, gradients, |t, ended, space| {
            let LstmWorkspace { order, dh, largest, .. } = space;
            let lists = order[..ended.end].iter().zip(dh.chunks_exact_mut(h)).zip(largest.chunks_exact(h));
            for ((&list, dh), largest) in lists {
                let from = &output_gradients[list * stride + column..list * stride + column + h];
                for ((sum, g), largest) in dh.iter_mut().zip(from).zip(largest) {
                    *sum += if *largest == t { *g } else { 0.0 };
                }
            }
        });
    }
}
