//! Shares of counted things.

/// The normal quantile of .975.
const Z: f64 = 1.959_963_984_540_054;

/// The 95% interval of a share by the score of Wilson (1927): `successes` of `trials`. Without trials it is from 0 to
/// 1.
pub fn wilson_interval(successes: usize, trials: usize) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let n = trials as f64;
    let share = successes as f64 / n;
    let square = Z * Z;
    let center = (share + square / (2.0 * n)) / (1.0 + square / n);
    let half = Z / (1.0 + square / n) * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    let low = if successes == 0 { 0.0 } else { center - half };
    let high = if successes == trials { 1.0 } else { center + half };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_statsmodels() {
        // statsmodels 0.15, proportion_confint(count, nobs, method="wilson").
        let close = |(low, high): (f64, f64), expected: (f64, f64)| {
            assert!((low - expected.0).abs() < 1e-12 && (high - expected.1).abs() < 1e-12, "{low} {high}");
        };
        close(wilson_interval(8, 10), (0.49016247153664183, 0.9433178485456248));
        close(wilson_interval(0, 5), (0.0, 0.43448246478317487));
        close(wilson_interval(5, 5), (0.5655175352168252, 1.0));
        assert_eq!(wilson_interval(0, 0), (0.0, 1.0));
    }
}
