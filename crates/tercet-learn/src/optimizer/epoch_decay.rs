//! Learning rate by epoch: it decays with every epoch, and falls when an epoch brings no better development value.
//!
//! ```text
//! η_e = η · d^(e − 1) / s^n,   e = 1, 2, …;   n: earlier epochs whose value was not above all values before
//! ```
//!
//! With d = 0.99, s = 5 and an end below 1e-5 this is the rule of Conneau et al. (2017, sec. 3.3). Their article
//! divides "if the dev accuracy decreases"; their program, followed here, if it is not above the best so far.

use crate::error::{Error, Result};

/// How the learning rate falls from epoch to epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochDecay {
    /// d: the rate is multiplied by it after every epoch.
    pub decay: f32,
    /// s: the rate is divided by it after an epoch without a new best development value.
    pub divisor: f32,
    /// The training ends when the rate falls below this.
    pub lowest: f32,
}

impl EpochDecay {
    /// Returns an error if a number is out of its range.
    pub fn check(&self) -> Result<()> {
        if !(self.decay > 0.0 && self.decay <= 1.0) {
            return Err(Error::setting("decay", self.decay, "a number above 0, at most 1"));
        }
        if !(self.divisor >= 1.0 && self.divisor.is_finite()) {
            return Err(Error::setting("divisor", self.divisor, "a number of at least 1"));
        }
        if !(self.lowest >= 0.0 && self.lowest.is_finite()) {
            return Err(Error::setting("lowest", self.lowest, "a number of at least 0"));
        }
        Ok(())
    }

    /// η_e / η after epochs with these development values; `None` for epochs without one.
    pub fn factor(&self, values: impl Iterator<Item = Option<f64>>) -> f32 {
        let (mut factor, mut best) = (1.0, f64::NEG_INFINITY);
        for value in values {
            factor *= f64::from(self.decay);
            match value {
                Some(value) if value > best => best = value,
                Some(_) => factor /= f64::from(self.divisor),
                None => {}
            }
        }
        factor as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: EpochDecay = EpochDecay { decay: 0.99, divisor: 5.0, lowest: 1e-5 };

    #[test]
    fn the_rate_falls_after_every_epoch_and_more_without_a_new_best() {
        let factor = |values: &[f64]| PUBLISHED.factor(values.iter().map(|value| Some(*value)));
        let near = |found: f32, expected: f64| assert!((f64::from(found) - expected).abs() < 1e-7, "{found}");
        near(factor(&[]), 1.0);
        near(factor(&[0.5, 0.6]), 0.99f64.powi(2));
        // Equal to the best is no new best, and neither is a rise below it.
        near(factor(&[0.5, 0.6, 0.6]), 0.99f64.powi(3) / 5.0);
        near(factor(&[0.5, 0.6, 0.3, 0.4, 0.7]), 0.99f64.powi(5) / 25.0);
        near(PUBLISHED.factor([None, None].into_iter()), 0.99f64.powi(2));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        PUBLISHED.check().unwrap();
        let refused = |decay: EpochDecay| decay.check().unwrap_err().to_string();
        assert!(refused(EpochDecay { decay: 0.0, ..PUBLISHED }).contains("`decay`"));
        assert!(refused(EpochDecay { divisor: 0.5, ..PUBLISHED }).contains("`divisor`"));
        assert!(refused(EpochDecay { lowest: f32::NAN, ..PUBLISHED }).contains("`lowest`"));
    }
}
