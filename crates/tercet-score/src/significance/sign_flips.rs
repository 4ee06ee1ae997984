//! The sign-flip test of paired differences, in blocks of trials.

use super::{Resampling, blocks, check_samples};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::statistics::random::Generator;
use crate::statistics::significance::approximate_randomisation::Selections;
use crate::statistics::significance::p_value;
use crate::statistics::significance::sign_flips::at_least_as_large;

/// The two-sided p-value of "the mean of these differences is 0": see
/// [`sign_flips`](crate::statistics::significance::sign_flips). The coin tosses are those of
/// [`approximate_randomisation`](super::approximate_randomisation()) for as many segments.
pub fn sign_flips(differences: &[f64], trials: &Resampling, progress: Progress<'_>) -> Result<f64> {
    check_samples(trials, 1)?;
    if differences.is_empty() {
        return Err(Error::NothingToResample { missing: "there are no segments" });
    }
    let rows = blocks::rows(trials.samples, differences.len());
    let draws = Selections::new(Generator::new(trials.seed), trials.samples, differences.len(), rows);
    progress.stage("exchanging translations", trials.samples, "trials")?;
    let counts = blocks::map(draws, (rows, trials.samples), progress, |coins| at_least_as_large(differences, &coins))?;
    Ok(p_value(counts.iter().sum(), trials.samples))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_come_near_to_all_flips() {
        // All 1024 flips, by scipy 1.17.1:
        // python -c "from scipy.stats import permutation_test as t; d=[.31,.12,-.08,.44,.05,-.21,.17,.29,-.02,.11];
        // print(t((d,), lambda x, axis: abs(x.sum(axis=axis)), permutation_type='samples', vectorized=True,
        // alternative='greater', n_resamples=9**9).pvalue)"
        let differences = [0.31, 0.12, -0.08, 0.44, 0.05, -0.21, 0.17, 0.29, -0.02, 0.11];
        let p = |seed| {
            sign_flips(&differences, &Resampling { samples: 20_000, seed: Some(seed) }, Progress::none()).unwrap()
        };
        let exact = 0.095703125;
        // Three standard errors.
        let error = 3.0 * (exact * (1.0 - exact) / 20_000f64).sqrt();
        for seed in [1, 2, 12345] {
            assert!((p(seed) - exact).abs() < error, "{}", p(seed));
        }
    }

    #[test]
    fn no_segments_or_trials_are_refused() {
        let error = |differences: &[f64], samples| {
            sign_flips(differences, &Resampling { samples, seed: None }, Progress::none()).unwrap_err().to_string()
        };
        assert_eq!(error(&[], 10), "nothing to resample: there are no segments");
        assert!(error(&[1.0], 0).starts_with("0 resamples say nothing"));
    }
}
