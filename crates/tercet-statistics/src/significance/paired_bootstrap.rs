//! Paired bootstrap resampling: is the difference of two systems significant? (Koehn, EMNLP 2004, sec. 4; the
//! shifted form of Graham, Mathur & Baldwin, WMT 2014, and of Moses.)
//!
//! Both systems are scored on the same resamples. The absolute differences δᵢ, shifted to mean zero, are the
//! distribution under the null hypothesis:
//!
//! ```text
//! p = ( #{ i : δᵢ − mean(δ) > |Δ| } + 1 ) / ( n + 1 )
//! ```
//!
//! with Δ the difference on the whole test set.
//!
//! # Choices
//! As in sacreBLEU, two equal systems get the smallest possible p, since no δᵢ exceeds a Δ of 0: look at Δ first.
//!
//! # Agreement
//! sacreBLEU 2.6.0 with numpy 2.4.6, to the last bit: two arrays in single precision are subtracted, averaged and
//! compared in it, |Δ| being rounded to it.

use super::bootstrap::Replicates;
use super::p_value;
use crate::summation::{Real, mean};

/// The p-value of two systems' replicates on the same resamples, `difference` being Δ.
///
/// # Panics
/// If the systems do not have equally many replicates.
pub fn paired_bootstrap(baseline: &Replicates, system: &Replicates, difference: f64) -> f64 {
    assert_eq!(baseline.len(), system.len(), "both systems have a score on every resample");
    match (baseline, system) {
        (Replicates::Single(baseline), Replicates::Single(system)) => test(baseline, system, difference),
        _ => test(&baseline.to_double(), &system.to_double(), difference),
    }
}

fn test<T: Real>(baseline: &[T], system: &[T], difference: f64) -> f64 {
    let absolute = |(&a, &b): (&T, &T)| if a > b { a - b } else { b - a };
    let differences: Vec<T> = baseline.iter().zip(system).map(absolute).collect();
    let (centre, real) = (mean(&differences), T::nearest(difference.abs()));
    let exceeding = differences.iter().filter(|&&difference| difference - centre > real);
    p_value(exceeding.count(), differences.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn differences_beyond_the_real_one_count() {
        let baseline = Replicates::Double(vec![0.0; 4]);
        let system = Replicates::Double(vec![1.0, 1.0, 1.0, 9.0]);
        assert_eq!(paired_bootstrap(&baseline, &system, 3.0), 0.4);
        assert_eq!(paired_bootstrap(&baseline, &system, -6.0), 0.2);
    }

    #[test]
    fn a_mixture_of_precisions_is_double() {
        let (single, double) = (Replicates::Single(vec![0.1; 3]), Replicates::Double(vec![0.1; 3]));
        assert_eq!(paired_bootstrap(&single, &double, 0.0), 0.25);
    }

    proptest! {
        #[test]
        fn p_is_a_probability_and_symmetric(
            pairs in prop::collection::vec((0f64..100.0, 0f64..100.0), 1..200),
            real in -5f64..5.0,
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let (a, b) = (Replicates::Double(a), Replicates::Double(b));
            let p = paired_bootstrap(&a, &b, real);
            prop_assert!(0.0 < p && p <= 1.0);
            prop_assert_eq!(p, paired_bootstrap(&b, &a, -real));
        }
    }
}
