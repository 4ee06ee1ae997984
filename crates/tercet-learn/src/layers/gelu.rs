//! The derivative of the activation of transformers, with the exact error function (Hendrycks & Gimpel, 2016).
//!
//! ```text
//! gelu(x) = x Φ(x),   gelu'(x) = Φ(x) + x φ(x),   Φ(x) = (1 + erf(x / √2)) / 2,   φ(x) = e^(−x²/2) / √(2π)
//! ```

use crate::activation::{exp, normal_cdf};
use tercet_math::widest;

/// 1 / √(2π).
const DENSITY: f32 = 0.398_942_3;

widest! {
    /// Multiplies gradients of outputs by the derivative.
    pub(super) fn gelu_backward(x: &[f32], dy: &mut [f32]) {
        for (dy, x) in dy.iter_mut().zip(x) {
            *dy *= normal_cdf(*x) + x * DENSITY * exp(-0.5 * x * x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activation::gelu;
    use crate::gradient_check::check_inputs;

    #[test]
    fn gradients_agree_with_differences() {
        let x = [-6.0, -3.0, -1.0, -0.1, 0.0, 0.1, 0.5, 1.0, 2.0, 6.0];
        let mut gradients = [1.0; 10];
        gelu_backward(&x, &mut gradients);
        check_inputs(&x, &gradients, 2e-3, |x| {
            let mut y = x.to_vec();
            gelu(&mut y);
            y.iter().map(|y| f64::from(*y)).sum()
        });
    }
}
