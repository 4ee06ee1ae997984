//! Confidence intervals of Pearson's r, two ways.
//!
//! ```text
//! Fisher (1921):    tanh( artanh r ± z/√(n−3) )
//! Student (1908):   r ± t √( (1−r²)/(n−2) ),   t of n − 2 degrees of freedom
//! ```
//!
//! Fisher's is the usual one: it lies between −1 and 1 and is longer towards 0. Student's is the textbook interval made
//! of the standard error of the test that r is 0, taken as if it held for every r: it is symmetric, may reach beyond
//! ±1, and is wider than Fisher's on the side away from 0. For small r and large n they are the same.
//!
//! # Agreement
//! Fisher's is that of scipy 1.17's `pearsonr(…).confidence_interval()`, with −1 and 1 for up to three pairs.

use crate::distributions::{normal, student};

/// A confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Fisher's interval of Pearson's r of n pairs; 0.95 is the usual confidence.
pub fn pearson_interval_fisher(r: f64, n: usize, confidence: f64) -> Bounds {
    if n <= 3 {
        return Bounds { low: -1.0, high: 1.0 };
    }
    let half_width = normal::quantile(0.5 - confidence / 2.0) * (1.0 / (n - 3) as f64).sqrt();
    let middle = r.atanh();
    Bounds { low: (middle - half_width).tanh(), high: (middle + half_width).tanh() }
}

/// Student's interval of Pearson's r of n pairs; NaN for fewer than three.
pub fn pearson_interval_student(r: f64, n: usize, confidence: f64) -> Bounds {
    let freedom = n as f64 - 2.0;
    let half_width = student::quantile(0.5 - confidence / 2.0, freedom) * ((1.0 - r) * (1.0 + r) / freedom).sqrt();
    Bounds { low: r - half_width, high: r + half_width }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(ours: Bounds, low: f64, high: f64) {
        assert!((ours.low - low).abs() < 1e-14 && (ours.high - high).abs() < 1e-14, "{ours:?}: {low} {high}");
    }

    #[test]
    fn fishers_interval_is_that_of_scipy() {
        // scipy.stats._stats_py._pearsonr_fisher_ci(np.float64(r), n, confidence, 'two-sided')
        close(pearson_interval_fisher(0.5568, 560, 0.95), 0.49686658952625584, 0.6114473209374548);
        close(pearson_interval_fisher(-0.2, 25, 0.99), -0.6362818160172818, 0.33321111297031775);
        close(pearson_interval_fisher(0.97, 8, 0.9), 0.8756242546881712, 0.9930299798658777);
        close(pearson_interval_fisher(0.5, 3, 0.95), -1.0, 1.0);
        close(pearson_interval_fisher(1.0, 9, 0.95), 1.0, 1.0);
    }

    #[test]
    fn students_interval_is_that_of_the_textbook() {
        // r ± scipy.stats.t.isf((1 − confidence)/2, n − 2) · sqrt((1 − r²)/(n − 2))
        close(pearson_interval_student(0.5568, 560, 0.95), 0.48772986581330036, 0.6258701341866996);
        close(pearson_interval_student(-0.2, 25, 0.99), -0.7735430803619092, 0.37354308036190925);
        close(pearson_interval_student(0.97, 8, 0.9), 0.7771448637307061, 1.1628551362692938);
        assert!(pearson_interval_student(0.5, 2, 0.95).low.is_nan());
    }

    #[test]
    fn both_agree_on_small_coefficients_of_many_pairs() {
        let (fisher, student) = (pearson_interval_fisher(0.02, 5000, 0.95), pearson_interval_student(0.02, 5000, 0.95));
        assert!((fisher.low - student.low).abs() < 1e-4 && (fisher.high - student.high).abs() < 1e-4);
    }
}
