//! AdamW (Loshchilov & Hutter, 2019, algorithm 2): Adam on the gradient of the loss alone, weight decay added
//! separately.
//!
//! ```text
//! w ← w − η λ w,   then Adam's step with η
//! ```
//!
//! λ is multiplied with the learning rate, as in PyTorch's `AdamW`; a tensor with an anchor E⁰ decays towards it. Rows
//! of an embedding matrix that a batch did not touch are updated as in PyTorch's dense case: with a zero gradient and
//! decaying moments. A row that is touched once in a hundred steps moves about 13 times as far as with sparse moments
//! (β = 0.9, 0.95), which helps rare items.

use super::adam;

/// Weight decay, then Adam's step; without a gradient it is taken as zero.
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
        Some(anchor) => values.iter_mut().zip(anchor).for_each(|(value, home)| *value -= shrink * (*value - home)),
    }
    let bare = super::Penalised { gradient: gradient.gradient, anchor: None, decay: 0.0 };
    adam::step(values, &bare, first, second, constants);
}
