//! The Kendall loss: a smooth count of discordant and tied pairs (Guzmán et al., 2017, eq. 6 and below).
//!
//! ```text
//! Δ = sig(x) − sig(x′)          x, x′: the logits of (a, b, c) and of (b, a, c)
//! J = y sig(−γ Δ) + (1 − y) sig(γ Δ) + ρ exp(−β Δ² / 2)
//! ```
//!
//! # Choices
//! Eq. 6 is printed with a minus before the sum; minimised, that would reward discordance, which the sentence after it
//! says is penalised. The minus is left out: J is near 1 for a discordant pair, near 0 for a concordant one, and the
//! Gaussian adds up to ρ for a tie. γ = β = 100, as in the paper.
//!
//! The paper has no ρ; it calls the Gaussian a regularization term and gives no weight for it. Its gradient pushes a
//! discordant pair further from 0, the wrong way, and for |Δ| above 0.03 it is the larger of the two: with ρ = 1
//! training from random weights learns almost nothing (a τ of 8 where the logistic loss has 26:
//! `tercet reproduce guzman --table ablation`). The default is ρ = 1e-4, the paper's weight of its other regularization
//! term.

use crate::activation::sigmoid_exact;

/// The constants of the Kendall loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kendall {
    /// γ: how steep the step from concordant to discordant is.
    pub gamma: f64,
    /// β: how narrow the region of ties is; `None` removes the term for ties.
    pub beta: Option<f64>,
    /// ρ: the weight of the term for ties.
    pub tie_weight: f64,
}

impl Default for Kendall {
    fn default() -> Self {
        Kendall { gamma: 100.0, beta: Some(100.0), tie_weight: 1e-4 }
    }
}

impl Kendall {
    /// The loss of one example, and its derivatives by the logits of both orders.
    pub fn loss(&self, logits: [f32; 2], target: f32) -> (f64, [f32; 2]) {
        let [p, q] = logits.map(|logit| sigmoid_exact(f64::from(logit)));
        let (delta, y) = (p - q, f64::from(target));
        let step = sigmoid_exact(self.gamma * delta);
        let beta = self.beta.unwrap_or(0.0);
        let gaussian = (-beta * delta * delta / 2.0).exp();
        let tie = if self.beta.is_some() { self.tie_weight * gaussian } else { 0.0 };
        let loss = y * (1.0 - step) + (1.0 - y) * step + tie;
        let slope = (1.0 - 2.0 * y) * self.gamma * step * (1.0 - step) - beta * delta * tie;
        (loss, [(slope * p * (1.0 - p)) as f32, (-slope * q * (1.0 - q)) as f32])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::derivative;

    #[test]
    fn discordance_and_ties_cost_and_concordance_does_not() {
        let kendall = Kendall { tie_weight: 1.0, ..Kendall::default() };
        assert!(kendall.loss([2.0, -2.0], 1.0).0 < 1e-6);
        assert!((kendall.loss([2.0, -2.0], 0.0).0 - 1.0).abs() < 1e-6);
        assert!((kendall.loss([0.4, 0.4], 1.0).0 - 1.5).abs() < 1e-6);
        assert!((Kendall { beta: None, ..kendall }.loss([0.4, 0.4], 1.0).0 - 0.5).abs() < 1e-6);
    }

    #[test]
    fn derivatives_by_both_logits_are_right_for_every_target() {
        let kendall = Kendall { tie_weight: 1.0, ..Kendall::default() };
        for kendall in [
            kendall,
            Kendall { gamma: 5.0, beta: None, ..kendall },
            Kendall { gamma: 2.0, beta: Some(9.0), tie_weight: 0.3 },
        ] {
            for target in [0.0, 1.0, 0.3] {
                for [x, y] in [[0.1f32, 0.05], [-0.3, -0.25], [0.02, 0.0], [1.0, -0.5], [0.3, 0.3]] {
                    let gradients = kendall.loss([x, y], target).1;
                    let first = derivative(f64::from(x), |x| kendall.loss([x as f32, y], target).0);
                    let second = derivative(f64::from(y), |y| kendall.loss([x, y as f32], target).0);
                    for (slope, gradient) in [(first, gradients[0]), (second, gradients[1])] {
                        let error = (slope - f64::from(gradient)).abs();
                        assert!(error < 1e-3 + 5e-3 * slope.abs(), "{x} {y} {target}: {slope} {gradient}");
                    }
                }
            }
        }
    }
}
