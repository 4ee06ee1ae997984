//! What a score means: its place among outputs of systems, and the probability that one of two is better.

use crate::error::{Error, Result};
use crate::metrics::preference::logistic;

/// Raw scores at the percentiles 0 to 100 of outputs of systems, and the temperature of comparisons.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Calibration {
    percentiles: Vec<f64>,
    temperature: f64,
}

/// The number of percentiles, 0 and 100 included.
pub(super) const PERCENTILES: usize = 101;

impl Calibration {
    pub fn new(percentiles: Vec<f64>, temperature: f64) -> Result<Self> {
        let rises = percentiles.is_sorted() && percentiles.iter().all(|value| value.is_finite());
        if percentiles.len() != PERCENTILES || !rises || percentiles[0] == percentiles[PERCENTILES - 1] {
            let what = format!("its calibration is not {PERCENTILES} rising numbers");
            return Err(Error::Unusable(what));
        }
        if !temperature.is_finite() || temperature <= 0.0 {
            return Err(Error::Unusable(format!("its temperature is {temperature}, expected above 0")));
        }
        Ok(Calibration { percentiles, temperature })
    }

    /// The percentage of outputs with a lower score, between two percentiles in proportion.
    pub fn percentile(&self, raw: f64) -> f64 {
        let above = self.percentiles.partition_point(|value| *value <= raw);
        if above == 0 || raw.is_nan() {
            return 0.0;
        }
        match self.percentiles.get(above) {
            None => 100.0,
            Some(high) => {
                let low = self.percentiles[above - 1];
                (above - 1) as f64 + (raw - low) / (high - low)
            }
        }
    }

    /// The lowest and the highest score that an output of a system had.
    pub fn ends(&self) -> [f64; 2] {
        [self.percentiles[0], self.percentiles[PERCENTILES - 1]]
    }

    /// The probability that people prefer the translation with the first score.
    pub fn preference(&self, [a, b]: [f64; 2]) -> f64 {
        logistic((a - b) / self.temperature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibration() -> Calibration {
        let values = (0..PERCENTILES).map(|at| at as f64 / 50.0 - 1.0).collect();
        Calibration::new(values, 0.5).unwrap()
    }

    #[test]
    fn a_percentile_is_the_share_of_lower_scores() {
        let calibration = calibration();
        for (raw, expected) in
            [(-7.0, 0.0), (-1.0, 0.0), (0.0, 50.0), (0.01, 50.5), (1.0, 100.0), (9.0, 100.0)]
        {
            assert!((calibration.percentile(raw) - expected).abs() < 1e-9, "{raw}");
        }
        assert_eq!(calibration.percentile(f64::NAN), 0.0);
    }

    #[test]
    fn equal_scores_are_a_coin_toss_and_differences_count_by_temperature() {
        assert_eq!(calibration().preference([0.3, 0.3]), 0.5);
        assert_eq!(calibration().preference([0.5, 0.0]), logistic(1.0));
    }

    #[test]
    fn calibrations_that_mean_nothing_are_refused() {
        assert!(Calibration::new(vec![0.0; 101], 1.0).is_err());
        assert!(Calibration::new(vec![0.0, 1.0], 1.0).is_err());
        assert!(Calibration::new((0..101).map(f64::from).collect(), 0.0).is_err());
    }
}
