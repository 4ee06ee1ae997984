//! AdaGrad (Duchi, Hazan & Singer, 2011): past gradients lower the learning rate of each parameter.
//!
//! ```text
//! s ← s + g²,   w ← w − η g / (√s + ε)
//! ```
//!
//! ε is outside the root and s starts at 0, as in PyTorch's `Adagrad` (lasagne's, of the paper's time, has ε = 1e-6
//! inside the root; the difference is negligible once s is not tiny).

use super::Penalised;

pub(super) fn step(values: &mut [f32], gradient: &Penalised<'_>, squares: &mut [f32], rate: f32, epsilon: f32) {
    let squares = &mut squares[..values.len()];
    gradient.for_each(values, |i, value, g| {
        squares[i] += g * g;
        *value -= rate * g / (squares[i].sqrt() + epsilon);
    });
}
