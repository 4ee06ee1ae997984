//! Williams' test of two correlations with the same gold scores (Williams, 1959; for metrics: Graham & Baldwin, EMNLP
//! 2014).
//!
//! ```text
//! t = (r₁₂ − r₁₃) √((n−1)(1+r₂₃)) / √( 2K (n−1)/(n−3) + ((r₁₂+r₁₃)/2)² (1−r₂₃)³ )
//! K = 1 − r₁₂² − r₁₃² − r₂₃² + 2 r₁₂ r₁₃ r₂₃
//! ```
//!
//! follows Student's t with n − 3 degrees of freedom if gold (1) correlates equally with both metrics (2, 3). The
//! more the metrics correlate with each other, the smaller the difference that is significant.
//!
//! # Agreement
//! mt-metrics-eval 68a481a's `WilliamsTest`. It takes |t|, so the one-sided p-value is that of the metric with the
//! larger coefficient, and never exceeds ½.

use crate::distributions::student;

/// The one-sided p-value that the larger of r₁₂ and r₁₃ is larger by chance; r₂₃ is the correlation of the two
/// metrics, n the number of scores. NaN for n ≤ 3, or coefficients that are impossible together.
pub fn williams(r12: f64, r13: f64, r23: f64, n: usize) -> f64 {
    if n <= 3 {
        return f64::NAN;
    }
    let (n, freedom) = (n as f64, n as f64 - 3.0);
    let k = 1.0 - r12 * r12 - r13 * r13 - r23 * r23 + 2.0 * r12 * r23 * r13;
    let mean = (r12 + r13) / 2.0;
    let numerator = (r12 - r13) * ((n - 1.0) * (1.0 + r23)).sqrt();
    let denominator = (2.0 * (n - 1.0) / freedom * k + mean * mean * (1.0 - r23).powi(3)).sqrt();
    student::survival((numerator / denominator).abs(), freedom)
}

/// The two-sided p-value: that r₁₂ and r₁₃ differ by chance.
pub fn williams_two_sided(r12: f64, r13: f64, r23: f64, n: usize) -> f64 {
    2.0 * williams(r12, r13, r23, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_mt_metrics_eval() {
        // mt_metrics_eval.stats.WilliamsTest(r12, r13, r23, n)
        for (r12, r13, r23, n, p) in [
            (0.55, 0.66, 0.7, 560, 4.465617204302424e-06),
            (0.2, 0.1, 0.0, 12, 0.416676536395538),
            (0.9, 0.89, 0.99, 1000, 1.8084376821881689e-07),
            (-0.3, 0.4, -0.5, 40, 0.005260800579425612),
            (0.95, 0.1, 0.2, 3000, 0.0),
        ] {
            let ours = williams(r12, r13, r23, n);
            assert!((ours - p).abs() <= 1e-13 * p, "{r12} {r13} {r23} {n}: {ours:e} is not {p:e}");
            assert_eq!(williams(r13, r12, r23, n), ours);
            assert_eq!(williams_two_sided(r12, r13, r23, n), 2.0 * ours);
        }
    }

    #[test]
    fn what_cannot_be_tested_is_nan() {
        assert!(williams(0.5, 0.4, 0.3, 3).is_nan());
        assert!(williams(0.9, -0.9, 0.9, 10).is_nan());
        assert!(williams(f64::NAN, 0.4, 0.3, 30).is_nan());
        assert_eq!(williams(0.5, 0.5, 0.3, 30), 0.5);
    }
}
