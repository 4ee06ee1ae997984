//! Dropout (Srivastava et al., 2014), inverted: kept units are multiplied by 1 / (1 − rate), so that inference needs no
//! change.

use crate::error::{Error, Result};
use crate::random::Random;

/// Drops each unit with a probability, its rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dropout {
    rate: f32,
}

impl Dropout {
    /// Returns an error unless 0 ≤ rate < 1.
    pub fn new(rate: f32) -> Result<Self> {
        Error::check_setting((0.0..1.0).contains(&rate), "dropout", rate, "a rate of at least 0 and below 1")?;
        Ok(Dropout { rate })
    }

    /// Drops units, and writes the factor of each to `mask` for the backward pass; an empty mask means that none was
    /// dropped. Without `random` nothing is dropped.
    pub fn forward(&self, values: &mut [f32], random: Option<&mut Random>, mask: &mut Vec<f32>) {
        mask.clear();
        let Some(random) = random.filter(|_| self.rate > 0.0) else { return };
        let kept = 1.0 / (1.0 - self.rate);
        mask.extend((0..values.len()).map(|_| if random.bernoulli(self.rate) { 0.0 } else { kept }));
        apply(values, mask);
    }

    /// Converts gradients of the outputs to those of the inputs.
    pub fn backward(&self, gradients: &mut [f32], mask: &[f32]) {
        apply(gradients, mask);
    }
}

/// Multiplies values by the mask, unless it is empty.
fn apply(values: &mut [f32], mask: &[f32]) {
    values.iter_mut().zip(mask).for_each(|(value, factor)| *value *= factor);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_kept_and_gradients_have_the_same_mask() {
        let dropout = Dropout::new(0.25).unwrap();
        let (mut values, mut mask) = (vec![1.0; 40_000], Vec::new());
        dropout.forward(&mut values, Some(&mut Random::stream(5, "dropout", 0)), &mut mask);
        let mean = values.iter().sum::<f32>() / 40_000.0;
        assert!((mean - 1.0).abs() < 0.02, "{mean}");
        let dropped = values.iter().filter(|value| **value == 0.0).count();
        assert!((9_500..10_500).contains(&dropped), "{dropped}");
        let mut gradients = vec![1.0; 40_000];
        dropout.backward(&mut gradients, &mask);
        assert_eq!(gradients, values);
    }

    #[test]
    fn scoring_drops_nothing_and_bad_rates_are_refused() {
        let (mut values, mut mask) = (vec![1.0; 10], vec![3.0]);
        Dropout::new(0.5).unwrap().forward(&mut values, None, &mut mask);
        assert_eq!((values, mask.len()), (vec![1.0; 10], 0));
        for rate in [1.0, -0.1, f32::NAN] {
            let error = Dropout::new(rate).unwrap_err().to_string();
            assert!(error.starts_with("setting `dropout` cannot be"), "{error}");
        }
    }
}
