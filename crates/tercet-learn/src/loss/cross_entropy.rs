//! Cross entropy of a softmax: −log p_t with p = softmax(x), whose gradient is p − 1_t.
//!
//! A score of −∞ marks an impossible choice: its probability and its gradient are exactly zero.

use crate::activation::exp;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::check_inputs;

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
}
