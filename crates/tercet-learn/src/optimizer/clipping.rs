//! Clipping by the global norm (Pascanu, Mikolov & Bengio, 2013, algorithm 1).
//!
//! ```text
//! g ← g · min(1, c / ‖g‖),   ‖g‖ over all tensors together
//! ```
//!
//! PyTorch's `clip_grad_norm_` adds 1e-6 to the norm; we do not.

use crate::parameters::Gradients;

/// Clips the gradients to the norm `most` and returns their norm before; if that is not finite, they are unchanged.
pub fn clip(gradients: &mut Gradients, most: f32) -> f64 {
    let norm = gradients.squares().sqrt();
    if norm > f64::from(most) && norm.is_finite() {
        gradients.scale((f64::from(most) / norm) as f32);
    }
    norm
}
