//! The activation of transformers, with the exact error function (Hendrycks & Gimpel, 2016).
//!
//! ```text
//! gelu(x) = x Φ(x),   gelu'(x) = Φ(x) + x φ(x),   Φ(x) = (1 + erf(x / √2)) / 2,   φ(x) = e^(−x²/2) / √(2π)
//! ```

use crate::activation::{exp, normal_cdf};
use tercet_math::widest;

/// 1 / √(2π).
const DENSITY: f32 = 0.398_942_3;

/// gelu of each number of `x`, to `y`.
pub(super) fn gelu(x: &[f32], y: &mut Vec<f32>) {
    y.clear();
    y.extend_from_slice(x);
    crate::activation::gelu(y);
}

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
    use crate::gradient_check::{assert_all_close, check_inputs};

    #[test]
    fn values_are_pytorchs_and_gradients_agree_with_differences() {
        // torch.nn.functional.gelu(torch.tensor([-6., -3., -1., -.1, 0., .1, .5, 1., 2., 6.]))
        let x = [-6.0, -3.0, -1.0, -0.1, 0.0, 0.1, 0.5, 1.0, 2.0, 6.0];
        let mut y = Vec::new();
        gelu(&x, &mut y);
        let expected = [
            -5.919_257_4e-9,
            -0.004_049_694,
            -0.158_655_25,
            -0.046_017_22,
            0.0,
            0.053_982_78,
            0.345_731_23,
            0.841_344_8,
            1.954_499_7,
            6.0,
        ];
        assert_all_close(&y, &expected);
        let mut gradients = [1.0; 10];
        gelu_backward(&x, &mut gradients);
        check_inputs(&x, &gradients, 2e-3, |x| {
            let mut y = Vec::new();
            gelu(x, &mut y);
            y.iter().map(|y| f64::from(*y)).sum()
        });
    }
}
