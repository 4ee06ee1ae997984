//! Kullback–Leibler divergence of a predicted distribution from a target, from logits (as Tai et al., 2015, use it).
//!
//! ```text
//! J = Σ_k p_k (log p_k − log q_k),   q = softmax(x),   dJ/dx_k = q_k Σp − p_k
//! ```
//!
//! Terms with p_k = 0 are 0. The log of the softmax is x − max − log Σ exp(x − max).

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::derivative;

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
}
