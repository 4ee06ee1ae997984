//! Adam (Kingma & Ba, 2015, algorithm 1), ε outside the root of the corrected second moment.
//!
//! ```text
//! m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²,   w ← w − η m̂ / (√v̂ + ε)
//! ```

use super::Penalised;

/// Constants of one step, bias corrections included.
pub(super) struct Constants {
    rate: f32,
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    /// 1 / √(1 − β₂ᵗ).
    second_scale: f32,
}

impl Constants {
    pub fn new(rate: f32, beta1: f32, beta2: f32, epsilon: f32, steps: u64) -> Self {
        let remaining = |beta: f32| 1.0 - f64::from(beta).powf(steps as f64);
        Constants {
            rate: (f64::from(rate) / remaining(beta1)) as f32,
            beta1,
            beta2,
            epsilon,
            second_scale: (1.0 / remaining(beta2).sqrt()) as f32,
        }
    }
}

pub(super) fn step(
    values: &mut [f32],
    gradient: &Penalised<'_>,
    first: &mut [f32],
    second: &mut [f32],
    constants: &Constants,
) {
    let &Constants { rate, beta1, beta2, epsilon, second_scale } = constants;
    let (first, second) = (&mut first[..values.len()], &mut second[..values.len()]);
    gradient.for_each(values, |i, value, g| {
        first[i] = beta1 * first[i] + (1.0 - beta1) * g;
        second[i] = beta2 * second[i] + (1.0 - beta2) * g * g;
        *value -= rate * first[i] / (second[i].sqrt() * second_scale + epsilon);
    });
}
