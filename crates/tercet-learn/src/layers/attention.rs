//! Attention of the rows of a list to each other, with several heads (Vaswani et al., 2017).
//!
//! ```text
//! S = Q Kᵀ / √d + B,   A = softmax of each row of S,   Y = A V                 for each head of d numbers
//! dV = Aᵀ dY,   dA = dY Vᵀ,   dS = A ⊙ (dA − rows' sums of dA ⊙ A),   dQ = dS K / √d,   dK = dSᵀ Q / √d
//! ```
//!
//! B is a bias by head and by the distance of two rows, where there is one (MPNet); it is not learned.

use crate::activation::exp;
use crate::matrix::{View, multiply};
use std::sync::Arc;

/// A bias of attention by head and by distance.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceBias {
    /// Rows of a list at most.
    pub reach: usize,
    /// For each head, those of the distances from 1 − reach to reach − 1 (of the row that is attended to).
    pub values: Vec<f32>,
}

impl DistanceBias {
    fn of(&self, head: usize, row: usize, rows: usize) -> &[f32] {
        let start = head * (2 * self.reach - 1) + self.reach - 1 - row;
        &self.values[start..start + rows]
    }
}

/// Attention without the products before and after it.
#[derive(Clone, Debug)]
pub(crate) struct Attention {
    pub heads: usize,
    /// Numbers of a row, of all heads together.
    pub width: usize,
    pub bias: Option<Arc<DistanceBias>>,
}

/// The part of one head in one list.
#[derive(Clone, Copy)]
struct Block {
    rows: usize,
    /// Where the numbers of its first row start.
    start: usize,
    /// Where its weights start.
    weights: usize,
}

impl Attention {
    fn head_width(&self) -> usize {
        self.width / self.heads
    }

    fn scale(&self) -> f32 {
        1.0 / (self.head_width() as f32).sqrt()
    }

    /// The blocks of all heads of all lists, with the head's number.
    fn blocks(&self, starts: &[usize]) -> Vec<(usize, Block)> {
        let (mut blocks, mut weights) = (Vec::new(), 0);
        for ends in starts.windows(2) {
            let rows = ends[1] - ends[0];
            for head in 0..self.heads {
                let start = ends[0] * self.width + head * self.head_width();
                blocks.push((head, Block { rows, start, weights }));
                weights += rows * rows;
            }
        }
        blocks
    }

    /// The numbers of a head in one list: rows × d.
    fn view<'a>(&self, values: &'a [f32], block: Block) -> View<'a> {
        View::strided(&values[block.start.min(values.len())..], block.rows, self.head_width(), self.width)
    }

    /// Y of rows with these Q, K and V, to `y`; and A, to `weights`.
    pub fn forward(
        &self,
        [q, k, v]: [&[f32]; 3],
        starts: &[usize],
        weights: &mut Vec<f32>,
        y: &mut Vec<f32>,
    ) {
        let blocks = self.blocks(starts);
        weights.resize(blocks.iter().map(|(_, block)| block.rows * block.rows).sum(), 0.0);
        y.resize(q.len(), 0.0);
        for (head, block) in blocks {
            let rows = block.rows;
            let own = &mut weights[block.weights..block.weights + rows * rows];
            multiply(self.view(q, block), self.view(k, block).transposed(), 0.0, own, rows);
            for (number, row) in own.chunks_exact_mut(rows.max(1)).enumerate() {
                let bias = self.bias.as_ref().map(|bias| bias.of(head, number, rows));
                soften(row, self.scale(), bias);
            }
            if rows > 0 {
                multiply(
                    View::new(own, rows, rows),
                    self.view(v, block),
                    0.0,
                    &mut y[block.start..],
                    self.width,
                );
            }
        }
    }

    /// The gradients of Q, K and V.
    pub fn backward(
        &self,
        [q, k, v]: [&[f32]; 3],
        starts: &[usize],
        weights: &[f32],
        dy: &[f32],
    ) -> [Vec<f32>; 3] {
        let [mut dq, mut dk, mut dv] = [q, k, v].map(|values| vec![0.0; values.len()]);
        let mut ds = Vec::new();
        for (_, block) in self.blocks(starts).into_iter().filter(|(_, block)| block.rows > 0) {
            let rows = block.rows;
            let own = &weights[block.weights..block.weights + rows * rows];
            let a = View::new(own, rows, rows);
            multiply(a.transposed(), self.view(dy, block), 0.0, &mut dv[block.start..], self.width);
            ds.resize(rows * rows, 0.0);
            multiply(self.view(dy, block), self.view(v, block).transposed(), 0.0, &mut ds, rows);
            for (ds, a) in ds.chunks_exact_mut(rows).zip(own.chunks_exact(rows)) {
                let mean: f32 = ds.iter().zip(a).map(|(g, a)| g * a).sum();
                ds.iter_mut().zip(a).for_each(|(g, a)| *g = a * (*g - mean) * self.scale());
            }
            let ds = View::new(&ds, rows, rows);
            multiply(ds, self.view(k, block), 0.0, &mut dq[block.start..], self.width);
            multiply(ds.transposed(), self.view(q, block), 0.0, &mut dk[block.start..], self.width);
        }
        [dq, dk, dv]
    }
}

/// Softmax of scaled scores with a bias, in place.
fn soften(scores: &mut [f32], scale: f32, bias: Option<&[f32]>) {
    scores.iter_mut().for_each(|score| *score *= scale);
    if let Some(bias) = bias {
        scores.iter_mut().zip(bias).for_each(|(score, bias)| *score += bias);
    }
    let most = scores.iter().fold(f32::NEG_INFINITY, |most, score| most.max(*score));
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = exp(*score - most);
        sum += *score;
    }
    scores.iter_mut().for_each(|score| *score /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{check_inputs, wave};

    #[test]
    fn gradients_agree_with_differences_with_and_without_a_bias() {
        let starts = [0, 3, 3, 4, 9];
        for bias in [None, Some(Arc::new(DistanceBias { reach: 5, values: wave(18, 0.4) }))] {
            let attention = Attention { heads: 2, width: 6, bias };
            let all = wave(3 * 9 * 6, 0.1);
            let goal = wave(9 * 6, 0.9);
            let parts = |all: &[f32]| -> [Vec<f32>; 3] {
                [0, 1, 2].map(|part| all[part * 54..(part + 1) * 54].to_vec())
            };
            let forward = |all: &[f32]| {
                let ([q, k, v], mut weights, mut y) = (parts(all), Vec::new(), Vec::new());
                attention.forward([&q, &k, &v], &starts, &mut weights, &mut y);
                (weights, y)
            };
            let loss =
                |all: &[f32]| forward(all).1.iter().zip(&goal).map(|(y, g)| f64::from(y * g)).sum::<f64>();
            let (weights, _) = forward(&all);
            let [q, k, v] = parts(&all);
            let gradients = attention.backward([&q, &k, &v], &starts, &weights, &goal).concat();
            check_inputs(&all, &gradients, 2e-3, loss);
        }
    }
}
