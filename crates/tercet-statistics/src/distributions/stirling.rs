//! The error of Stirling's formula and the deviance of a count from its expectation: the two terms of Loader's
//! saddle-point expansion of the binomial ("Fast and accurate computation of binomial probabilities", 2000).
//!
//! ```text
//! δ(x) = ln Γ(x+1) − (x + ½) ln x + x − ½ ln 2π
//! D(x, m) = x ln(x/m) + m − x
//! ```
//!
//! Both are small where the logarithms in these formulas are large and would cancel.

/// δ(x) for x > 0. Stirling's series from 16 on (DLMF 5.11.1); below, by the recurrence
/// δ(x) = δ(x+1) + (x + ½) ln(1 + 1/x) − 1.
pub(super) fn stirling_error(x: f64) -> f64 {
    // B₂ₖ / (2k (2k−1)), from k = 8 down to 1.
    const SERIES: [f64; 8] = [
        -3617.0 / 122_400.0,
        1.0 / 156.0,
        -691.0 / 360_360.0,
        1.0 / 1188.0,
        -1.0 / 1680.0,
        1.0 / 1260.0,
        -1.0 / 360.0,
        1.0 / 12.0,
    ];
    let (mut x, mut below) = (x, 0.0);
    while x < 16.0 {
        below += (x + 0.5) * (1.0 / x).ln_1p() - 1.0;
        x += 1.0;
    }
    let inverse_square = 1.0 / (x * x);
    below + SERIES.iter().fold(0.0, |sum, &term| sum * inverse_square + term) / x
}

/// D(x, m) for x > 0 and m > 0: never negative, 0 where x = m. Near there by its power series in v = (x − m)/(x + m).
pub(super) fn deviance(x: f64, m: f64) -> f64 {
    let difference = x - m;
    if difference.abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() - difference;
    }
    let v = difference / (x + m);
    let (mut sum, mut term) = (difference * v, 2.0 * x * v);
    for odd in (3..).step_by(2) {
        term *= v * v;
        let longer = sum + term / f64::from(odd);
        if longer == sum {
            break;
        }
        sum = longer;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ½ ln 2π.
    const HALF_LOG_TAU: f64 = 0.918_938_533_204_672_8;

    #[test]
    fn stirlings_formula_with_its_error_is_the_factorial() {
        let mut logarithm = 0.0f64;
        for n in 1..40 {
            let x = f64::from(n);
            logarithm += x.ln();
            let formula = (x + 0.5) * x.ln() - x + HALF_LOG_TAU;
            assert!((formula + stirling_error(x) - logarithm).abs() < 1e-13, "{n}!");
        }
        // Γ(½ + 1) = √π / 2
        let half = 0.5 * 0.5f64.ln() * 2.0 - 0.5 + HALF_LOG_TAU + stirling_error(0.5);
        assert!((half - (std::f64::consts::PI.sqrt() / 2.0).ln()).abs() < 1e-15);
    }

    #[test]
    fn the_deviance_is_the_same_by_series_and_by_logarithm() {
        assert_eq!(deviance(7.0, 7.0), 0.0);
        for m in [9.0, 10.5, 11.0, 12.2, 12.3, 40.0] {
            let direct = 10.0 * (10.0f64 / m).ln() + m - 10.0;
            assert!((deviance(10.0, m) - direct).abs() < 1e-14, "{m}");
        }
    }
}
