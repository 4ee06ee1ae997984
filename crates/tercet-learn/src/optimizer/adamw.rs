//! AdamW (Loshchilov & Hutter, 2019, algorithm 2): Adam on the gradient of the loss alone, decay beside it.
//!
//! ```text
//! w ← w − η λ w,   then Adam's step with η
//! ```
//!
//! λ is multiplied with the learning rate, as in PyTorch's `AdamW`; a tensor with an anchor E⁰ is drawn to it instead.
//! Rows of an embedding matrix that a batch did not touch move as PyTorch's dense ones do: their gradient is zero, their
//! moments fade and carry them on. A row that is touched once in a hundred steps goes about 13 times as far by that as it
//! would with sparse moments (β = 0.9, 0.95), and rare items are where such a matrix learns slowly.

use super::adam;

/// Decays, then steps as Adam does; without a gradient as with zeros.
pub(super) fn step(
    values: &mut [f32],
    gradient: &super::Penalised<'_>,
    [first, second]: [&mut [f32]; 2],
    constants: &adam::Constants,
    rate: f32,
) {
    let shrink = rate * gradient.decay;
    match gradient.anchor {
        None => values.iter_mut().for_each(|value| *value -= shrink * *value),
        Some(anchor) => {
            values.iter_mut().zip(anchor).for_each(|(value, home)| *value -= shrink * (*value - home))
        }
    }
    let bare = super::Penalised { gradient: gradient.gradient, anchor: None, decay: 0.0 };
    adam::step(values, &bare, first, second, constants);
}
