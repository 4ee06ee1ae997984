//! The backward pass of attention of the rows of a list to each other, with several heads (Vaswani et al., 2017); the
//! forward pass is [`attend`](tercet_transformer::attention::attend).
//!
//! ```text
//! S = Q Kᵀ / √d + B,   A = softmax of each row of S,   Y = A V                 for each head of d numbers
//! dV = Aᵀ dY,   dA = dY Vᵀ,   dS = A ⊙ (dA − rows' sums of dA ⊙ A),   dQ = dS K / √d,   dK = dSᵀ Q / √d
//! ```
//!
//! B is a bias by head and by the distance of two rows, where there is one (MPNet); it is not learned.

use crate::matrix::{View, multiply};

/// The gradients of Q, K and V of the rows of lists, which are one after the other in a row of `products`; `weights`
/// are A, `dy` are the gradients of Y, whose rows have `width` numbers.
pub(crate) fn attention_backward(
    products: &[f32],
    [heads, width]: [usize; 2],
    starts: &[usize],
    weights: &[f32],
    dy: &[f32],
) -> Vec<f32> {
    let (d, stride) = (width / heads, 3 * width);
    let scale = 1.0 / (d as f32).sqrt();
    let mut gradients = vec![0.0; products.len()];
    let (mut ds, mut rest) = (Vec::new(), weights);
    for ends in starts.windows(2).filter(|ends| ends[1] > ends[0]) {
        let rows = ends[1] - ends[0];
        for head in 0..heads {
            let (own, after) = rest.split_at(rows * rows);
            rest = after;
            let place = |part: usize| ends[0] * stride + part * width + head * d;
            let [q, k, v] = [0, 1, 2].map(|part| View::strided(&products[place(part)..], rows, d, stride));
            let dy = View::strided(&dy[ends[0] * width + head * d..], rows, d, width);
            multiply(View::new(own, rows, rows).transposed(), dy, 0.0, &mut gradients[place(2)..], stride);
            ds.resize(rows * rows, 0.0);
            multiply(dy, v.transposed(), 0.0, &mut ds, rows);
            for (ds, a) in ds.chunks_exact_mut(rows).zip(own.chunks_exact(rows)) {
                let mean: f32 = ds.iter().zip(a).map(|(g, a)| g * a).sum();
                ds.iter_mut().zip(a).for_each(|(g, a)| *g = a * (*g - mean) * scale);
            }
            let ds = View::new(&ds, rows, rows);
            multiply(ds, k, 0.0, &mut gradients[place(0)..], stride);
            multiply(ds.transposed(), q, 0.0, &mut gradients[place(1)..], stride);
        }
    }
    gradients
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{check_inputs, wave};
    use tercet_transformer::attention::{AttentionSpace, Heads, RELATIVE_BUCKETS, RelativeBias, attend};

    #[test]
    fn gradients_agree_with_differences_with_and_without_a_bias() {
        let (starts, [heads, width]) = ([0, 3, 3, 4, 9], [2, 6]);
        let bias = RelativeBias::new(&wave(2 * RELATIVE_BUCKETS, 0.4), heads, 5);
        for relative in [None, Some(&bias)] {
            let (all, goal) = (wave(3 * 9 * width, 0.1), wave(9 * width, 0.9));
            let forward = |all: &[f32]| {
                let (mut weights, mut y, mut space) = (Vec::new(), vec![0.0; 9 * width], AttentionSpace::default());
                for ends in starts.windows(2) {
                    let heads = Heads { count: heads, width: width / heads, relative };
                    let (from, to) = (ends[0] * width, ends[1] * width);
                    let mut kept = vec![0.0; heads.count * (ends[1] - ends[0]).pow(2)];
                    attend(&all[3 * from..3 * to], heads, &mut space, &mut y[from..to], Some(&mut kept));
                    weights.extend(kept);
                }
                (weights, y)
            };
            let loss = |all: &[f32]| forward(all).1.iter().zip(&goal).map(|(y, g)| f64::from(y * g)).sum::<f64>();
            let (weights, _) = forward(&all);
            let gradients = attention_backward(&all, [heads, width], &starts, &weights, &goal);
            check_inputs(&all, &gradients, 2e-3, loss);
        }
    }
}
