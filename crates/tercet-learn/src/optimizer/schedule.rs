//! Learning rate schedule: linear warm-up, and linear decay to zero.
//!
//! ```text
//! η_t = η · min(1, (t + 1) / w) · (1 − t / T),   t = 0 … T − 1
//! ```
//!
//! Warm-up keeps the first steps of Adam small, when its second moments come from few gradients (Goyal et al., 2017;
//! Vaswani et al., 2017, sec. 5.3); the decay is that of BERT (Devlin et al., 2019, app. A.2), but begins with the
//! first step.

use crate::error::{Error, Result};

/// Linear warm-up and linear decay of the learning rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// w: number of warm-up steps.
    pub warm_up: u64,
    /// T: number of steps of the training.
    pub steps: u64,
}

impl Schedule {
    /// Returns an error if there are no steps.
    pub fn check(&self) -> Result<()> {
        if self.steps == 0 { Err(Error::setting("steps", self.steps, "at least 1")) } else { Ok(()) }
    }

    /// η_t / η, for t counted from 0; zero after the last step.
    pub fn factor(&self, step: u64) -> f32 {
        let rise = (step as f64 + 1.0) / self.warm_up.max(1) as f64;
        let fall = 1.0 - step as f64 / self.steps.max(1) as f64;
        (rise.min(1.0) * fall.max(0.0)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_to_the_whole_and_falls_to_nothing() {
        let schedule = Schedule { warm_up: 4, steps: 10 };
        let factors: Vec<f32> = (0..12).map(|step| schedule.factor(step)).collect();
        let expected = [0.25, 0.45, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0, 0.0];
        factors.iter().zip(expected).for_each(|(f, e)| assert!((f - e).abs() < 1e-6, "{factors:?}"));
        assert_eq!(Schedule { warm_up: 0, steps: 2 }.factor(0), 1.0);
        let error = Schedule { warm_up: 1, steps: 0 }.check().unwrap_err().to_string();
        assert_eq!(error, "setting `steps` cannot be 0: expected at least 1");
    }
}
