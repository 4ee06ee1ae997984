//! Stochastic gradient descent: w ← w − η g.

use super::Penalised;

pub(super) fn step(values: &mut [f32], gradient: &Penalised<'_>, rate: f32) {
    gradient.for_each(values, |_, value, g| *value -= rate * g);
}
