//! Loss functions: values in double precision, with their gradients.
//!
//! # Cross entropy
//! Of a softmax: −log p_t with p = softmax(x), whose gradient is p − 1_t.
//!
//! A score of −∞ marks an impossible choice: its probability and its gradient are exactly zero.
//!
//! # Kullback–Leibler divergence
//! Of a predicted distribution from a target, from logits (as Tai et al., 2015, use it).
//!
//! ```text
//! J = Σ_k p_k (log p_k − log q_k),   q = softmax(x),   dJ/dx_k = q_k Σp − p_k
//! ```
//!
//! Terms with p_k = 0 are 0. The log of the softmax is x − max − log Σ exp(x − max).
//!
//! # Logistic loss
//! Minus the log likelihood of a Bernoulli variable (Guzmán et al., 2017, eq. 4).
//!
//! ```text
//! J = −y log ŷ − (1 − y) log(1 − ŷ),   ŷ = sig(logit),   dJ/dlogit = ŷ − y
//! ```
//!
//! Computed from the logit as max(x, 0) − x y + log(1 + e^(−|x|)), which neither overflows nor takes log 0.
//!
//! # Squared error
//! J = (x − y)² / 2, dJ/dx = x − y.
//!
//! # Kendall loss
//! A smooth count of discordant and tied pairs (Guzmán et al., 2017, eq. 6 and below).
//!
//! ```text
//! Δ = sig(x) − sig(x′)          x, x′: the logits of (a, b, c) and of (b, a, c)
//! J = y sig(−γ Δ) + (1 − y) sig(γ Δ) + ρ exp(−β Δ² / 2)
//! ```
//!
//! Eq. 6 is printed with a minus before the sum; minimised, that would reward discordance, which the sentence after it
//! says is penalised. The minus is left out: J is near 1 for a discordant pair, near 0 for a concordant one, and the
//! Gaussian adds up to ρ for a tie. γ = β = 100, as in the paper.
//!
//! The paper has no ρ; it calls the Gaussian a regularization term and gives no weight for it. Its gradient pushes a
//! discordant pair further from 0, the wrong way, and for |Δ| above 0.03 it is the larger of the two: with ρ = 1
//! training from random weights learns almost nothing (a τ of 8 where the logistic loss has 26:
//! `tercet reproduce guzman --table ablation`). The default is ρ = 1e-4, the paper's weight of its other regularization
//! term.

use crate::activation::{exp, sigmoid_exact};

/// The largest score; −∞ for an empty slice.
pub fn largest(scores: &[f32]) -> f32 {
    scores.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

/// Replaces scores by probabilities; returns log Σ eˣ.
pub fn softmax(scores: &mut [f32]) -> f64 {
    let top = largest(scores);
    let weight = |x: f32| if x == f32::NEG_INFINITY { 0.0 } else { exp(x - top) };
    scores.iter_mut().for_each(|x| *x = weight(*x));
    let sum: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|x| *x /= sum);
    f64::from(top) + f64::from(sum).ln()
}

/// The cross entropy of the choice `target`; replaces the scores by the gradient times `scale`.
pub fn cross_entropy(scores: &mut [f32], target: usize, scale: f32) -> f64 {
    let chosen = f64::from(scores[target]);
    let total = softmax(scores);
    scores[target] -= 1.0;
    scores.iter_mut().for_each(|g| *g *= scale);
    total - chosen
}

/// The divergence of one example; its derivatives by the logits go to `gradient`.
///
/// # Panics
/// If the three slices differ in length.
pub fn kl_divergence(logits: &[f32], target: &[f32], gradient: &mut [f32]) -> f64 {
    assert!(logits.len() == target.len() && target.len() == gradient.len(), "slices differ in length");
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|x| f64::from(x - max).exp()).sum();
    let mass: f64 = target.iter().map(|p| f64::from(*p)).sum();
    let mut loss = 0.0;
    for ((x, p), g) in logits.iter().zip(target).zip(gradient) {
        let (log_q, p) = (f64::from(x - max) - sum.ln(), f64::from(*p));
        if p > 0.0 {
            loss += p * (p.ln() - log_q);
        }
        *g = (log_q.exp() * mass - p) as f32;
    }
    loss
}

/// The loss of one example, and its derivative by the logit.
#[inline]
pub fn logistic(logit: f32, target: f32) -> (f64, f32) {
    let (x, y) = (f64::from(logit), f64::from(target));
    let loss = x.max(0.0) - x * y + (-x.abs()).exp().ln_1p();
    (loss, (sigmoid_exact(x) - y) as f32)
}

/// The loss of one example, and its derivative by the output.
#[inline]
pub fn squared_error(output: f32, target: f32) -> (f64, f32) {
    let difference = f64::from(output) - f64::from(target);
    (difference * difference / 2.0, difference as f32)
}

tercet_base::defaults! {
    /// The constants of the Kendall loss.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Kendall {
        /// γ: how steep the step from concordant to discordant is.
        pub gamma: f64 = 100.0,
        /// β: how narrow the region of ties is; `None` removes the term for ties.
        pub beta: Option<f64> = Some(100.0),
        /// ρ: the weight of the term for ties.
        pub tie_weight: f64 = 1e-4,
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
    use crate::gradient_check::{check_inputs, derivative};

    #[test]
    fn the_loss_is_that_of_pytorch_and_its_gradient_that_of_differences() {
        // torch.nn.functional.cross_entropy(torch.tensor([[.3, -1.2, 2.]]), torch.tensor([0])), PyTorch 2.15
        let scores = [0.3, -1.2, 2.0];
        let mut gradient = scores;
        assert!((cross_entropy(&mut gradient, 0, 1.0) - 1.9016712).abs() < 1e-6);
        check_inputs(&scores, &gradient, 1e-2, |x| cross_entropy(&mut x.to_vec(), 0, 1.0));
        let mut half = scores;
        cross_entropy(&mut half, 0, 0.5);
        assert_eq!(half, gradient.map(|g| 0.5 * g));
    }

    #[test]
    fn what_cannot_be_chosen_has_no_share() {
        let mut scores = [1.0, f32::NEG_INFINITY, 1.0, -500.0];
        let loss = cross_entropy(&mut scores, 2, 1.0);
        assert!((loss - 2f64.ln()).abs() < 1e-6, "{loss}");
        assert_eq!((scores[0], scores[1], scores[2]), (0.5, 0.0, -0.5));
    }

    #[test]
    fn the_divergence_of_a_distribution_from_itself_is_zero() {
        let logits = [0.2f32.ln(), 0.5f32.ln(), 0.3f32.ln()];
        let mut gradient = [9.0; 3];
        assert!(kl_divergence(&logits, &[0.2, 0.5, 0.3], &mut gradient).abs() < 1e-7);
        assert!(gradient.iter().all(|g| g.abs() < 1e-7));
        let certain = kl_divergence(&logits, &[0.0, 1.0, 0.0], &mut gradient);
        assert!((certain - 2.0f64.ln()).abs() < 1e-7);
    }

    #[test]
    fn derivatives_are_right() {
        let (logits, target) = ([0.3f32, -1.0, 2.0, 0.1], [0.1, 0.6, 0.0, 0.3]);
        let mut gradient = [0.0; 4];
        kl_divergence(&logits, &target, &mut gradient);
        for k in 0..4 {
            let slope = derivative(f64::from(logits[k]), |x| {
                let mut moved = logits;
                moved[k] = x as f32;
                kl_divergence(&moved, &target, &mut [0.0; 4])
            });
            assert!((slope - f64::from(gradient[k])).abs() < 1e-4, "{k}: {slope} {}", gradient[k]);
        }
    }

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

    #[test]
    fn value_and_derivative_agree() {
        assert_eq!(squared_error(3.0, 1.0), (2.0, 2.0));
        let slope = derivative(-0.4, |x| squared_error(x as f32, 0.7).0);
        assert!((slope - f64::from(squared_error(-0.4, 0.7).1)).abs() < 1e-4);
    }

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
