//! The logistic loss: minus the log likelihood of a Bernoulli variable (Guzmán et al., 2017, eq. 4).
//!
//! ```text
//! J = −y log ŷ − (1 − y) log(1 − ŷ),   ŷ = sig(logit),   dJ/dlogit = ŷ − y
//! ```
//!
//! Computed from the logit as max(x, 0) − x y + log(1 + e^(−|x|)), which neither overflows nor takes log 0.

use crate::activation::sigmoid_exact;

/// The loss of one example, and its derivative by the logit.
#[inline]
pub fn logistic(logit: f32, target: f32) -> (f64, f32) {
    let (x, y) = (f64::from(logit), f64::from(target));
    let loss = x.max(0.0) - x * y + (-x.abs()).exp().ln_1p();
    (loss, (sigmoid_exact(x) - y) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::derivative;

    #[test]
    fn the_loss_is_the_log_likelihood() {
        for (x, y) in [(0.3f32, 1.0f32), (-2.0, 1.0), (1.5, 0.0), (0.0, 0.5), (-0.7, 0.2)] {
            let p = 1.0 / (1.0 + (-f64::from(x)).exp());
            let expected = -f64::from(y) * p.ln() - (1.0 - f64::from(y)) * (1.0 - p).ln();
            assert!((logistic(x, y).0 - expected).abs() < 1e-12);
            let slope = derivative(f64::from(x), |x| logistic(x as f32, y).0);
            assert!((slope - f64::from(logistic(x, y).1)).abs() < 1e-4);
        }
    }

    #[test]
    fn large_logits_neither_overflow_nor_vanish() {
        assert_eq!(logistic(1000.0, 0.0), (1000.0, 1.0));
        assert_eq!(logistic(-1000.0, 1.0), (1000.0, -1.0));
        assert_eq!(logistic(1000.0, 1.0), (0.0, 0.0));
        assert!(logistic(f32::NAN, 1.0).0.is_nan());
    }
}
