//! What a score means: its place among outputs of systems, and the probability that one of two is better.

use super::strings::LineStrings;
use crate::error::{Error, Result};
use crate::metrics::preference::logistic;

/// Raw scores at the percentiles 0 to 100 of outputs of systems, and the temperature of comparisons.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    percentiles: Vec<f64>,
    temperature: f64,
    shape: TemperatureShape,
}

/// How the temperature depends on two outputs that are compared, a and b:
///
/// ```text
/// ln T(a, b) = ln T + α·ln((L + 1)/100) + β·(d − ½)           the logarithm from −2 to 2
/// ```
///
/// L is the mean number of their characters without white space, d is 1 − the F of their character n-grams, the first
/// of the features of [strings](super::strings).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TemperatureShape {
    /// α.
    pub length: f64,
    /// β.
    pub distance: f64,
}

impl TemperatureShape {
    /// Whether the temperature is the same for all outputs.
    pub fn is_constant(self) -> bool {
        self == TemperatureShape::default()
    }

    /// T(a, b) / T.
    fn factor(self, [a, b]: [&LineStrings; 2]) -> f64 {
        let length = (a.characters() + b.characters()) / 2.0;
        let distance = 1.0 - f64::from(a.features(b)[0]);
        let length = ((length + 1.0) / 100.0).ln().clamp(-2.0, 2.0);
        (self.length * length + self.distance * (distance - 0.5)).exp()
    }
}

/// The number of percentiles, 0 and 100 included.
pub const PERCENTILES: usize = 101;

impl Calibration {
    /// From the percentiles of the network's numbers and the temperature of probabilities.
    pub fn new(percentiles: Vec<f64>, temperature: f64) -> Result<Self> {
        let rises = percentiles.is_sorted() && percentiles.iter().all(|value| value.is_finite());
        if percentiles.len() != PERCENTILES || !rises || percentiles[16] == percentiles[84] {
            let what = format!("its calibration is not {PERCENTILES} rising numbers");
            return Err(Error::Unusable(what));
        }
        if !temperature.is_finite() || temperature <= 0.0 {
            return Err(Error::Unusable(format!("its temperature is {temperature}, expected above 0")));
        }
        Ok(Calibration { percentiles, temperature, shape: TemperatureShape::default() })
    }

    /// The same with a temperature that depends on the outputs.
    pub fn with_shape(self, shape: TemperatureShape) -> Result<Self> {
        // Larger ones are mistakes, and their powers could overflow.
        const MAX_EXPONENT: f64 = 10.0;
        if [shape.length, shape.distance].iter().all(|number| number.abs() <= MAX_EXPONENT) {
            return Ok(Calibration { shape, ..self });
        }
        let TemperatureShape { length, distance } = shape;
        let what = format!(
            "its temperature has the exponents {length} and {distance}, expected from −{MAX_EXPONENT} to {MAX_EXPONENT}"
        );
        Err(Error::Unusable(what))
    }

    /// Whether probabilities depend on the strings of the outputs.
    pub fn needs_strings(&self) -> bool {
        !self.shape.is_constant()
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

    /// The score in points: the median of outputs has 50, and their standard deviation is 20. Below 10 and above 90 the
    /// steps become ever smaller, so that points are between 0 and 100 and no two scores become equal.
    pub fn points(&self, raw: f64) -> f64 {
        const END: f64 = 10.0;
        let spread = (self.percentiles[84] - self.percentiles[16]) / 2.0;
        let points = 50.0 + 20.0 * (raw - self.percentiles[50]) / spread;
        let near_end = |distance: f64| END * (distance / END - 1.0).exp();
        if points < END {
            near_end(points)
        } else if points > 100.0 - END {
            100.0 - near_end(100.0 - points)
        } else {
            points
        }
    }

    /// The lowest and the highest score that an output of a system had.
    pub fn ends(&self) -> [f64; 2] {
        [self.percentiles[0], self.percentiles[PERCENTILES - 1]]
    }

    /// The probability that people prefer the translation with the first score. Their strings change it if the
    /// calibration [needs](Calibration::needs_strings) them.
    pub fn preference(&self, [a, b]: [f64; 2], strings: Option<[&LineStrings; 2]>) -> f64 {
        let factor = strings.map_or(1.0, |strings| self.shape.factor(strings));
        logistic((a - b) / (self.temperature * factor))
    }

    /// A score on the scale on which differences are log-odds of being preferred.
    pub fn log_odds(&self, raw: f64) -> f64 {
        raw / self.temperature
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
        for (raw, expected) in [(-7.0, 0.0), (-1.0, 0.0), (0.0, 50.0), (0.01, 50.5), (1.0, 100.0), (9.0, 100.0)] {
            assert!((calibration.percentile(raw) - expected).abs() < 1e-9, "{raw}");
        }
        assert_eq!(calibration.percentile(f64::NAN), 0.0);
    }

    #[test]
    fn points_are_in_proportion_to_the_score_except_near_0_and_100() {
        let calibration = calibration();
        let spread = 0.68;
        let near_end = 10.0 * (-1f64).exp();
        for (raw, expected) in [(0.0, 50.0), (spread, 70.0), (-2.0 * spread, 10.0), (-2.5 * spread, near_end)] {
            assert!((calibration.points(raw) - expected).abs() < 1e-9, "{raw}");
            assert!((calibration.points(-raw) - (100.0 - expected)).abs() < 1e-9, "{raw}");
        }
        let all: Vec<f64> = (-50..=50).map(|at| calibration.points(f64::from(at) / 10.0)).collect();
        assert!(all.is_sorted_by(|one, other| one < other) && all[0] > 0.0 && all[100] < 100.0, "{all:?}");
    }

    #[test]
    fn equal_scores_are_a_coin_toss_and_differences_count_by_temperature() {
        assert_eq!(calibration().preference([0.3, 0.3], None), 0.5);
        assert_eq!(calibration().preference([0.5, 0.0], None), logistic(1.0));
    }

    #[test]
    fn the_temperature_grows_with_the_length_and_the_distance_of_outputs() {
        let strings = |text: &str| LineStrings::new(text);
        let (short, other) = (strings("a cat"), strings("one dog"));
        let (long, near) = (strings(&"a cat ".repeat(60)), strings(&"a cat ".repeat(59)));
        let with = |length, distance| calibration().with_shape(TemperatureShape { length, distance }).unwrap();
        let preference = |calibration: &Calibration, pair| calibration.preference([0.5, 0.0], Some(pair));
        assert_eq!(preference(&with(0.0, 0.0), [&short, &other]), logistic(1.0));
        assert!(preference(&with(0.5, 0.0), [&long, &near]) < logistic(1.0));
        assert!(preference(&with(0.5, 0.0), [&short, &other]) > logistic(1.0));
        let expected = logistic(1.0 / (2.0 * (1.0 - 0.5_f64)).exp());
        let nothing_in_common = [&strings("abc"), &strings("xyz")];
        assert!((preference(&with(0.0, 2.0), nothing_in_common) - expected).abs() < 1e-12);
        assert!(with(0.0, 2.0).needs_strings() && !with(0.0, 0.0).needs_strings());
        assert!(calibration().with_shape(TemperatureShape { length: f64::NAN, distance: 0.0 }).is_err());
    }

    #[test]
    fn calibrations_that_mean_nothing_are_refused() {
        assert!(Calibration::new(vec![0.0; 101], 1.0).is_err());
        assert!(Calibration::new(vec![0.0, 1.0], 1.0).is_err());
        assert!(Calibration::new((0..101).map(f64::from).collect(), 0.0).is_err());
    }
}
