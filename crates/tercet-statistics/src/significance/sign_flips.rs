//! Sign flips: is a mean of paired differences significantly different from 0? (Fisher, 1935, sec. 21; for many
//! differences by random trials: Noreen, 1989.)
//!
//! If neither of two is better, dᵢ and −dᵢ are equally likely. A trial flips the sign of each difference with
//! probability ½; two-sided,
//!
//! ```text
//! p = ( #{ trials : |Σ ± dᵢ| ≥ |Σ dᵢ| } + 1 ) / ( trials + 1 )
//! ```
//!
//! # Choices
//! A trial that equals the observed sum counts, as in the definition of a p-value; so a single difference gives p = 1,
//! and so do differences that are all 0. (sacreBLEU's randomisation of systems leaves such trials out: see
//! [`approximate_randomisation`](super::approximate_randomisation).) Sums that differ by rounding only are equal.
//!
//! # Agreement
//! With scipy 1.17.1's `permutation_test(permutation_type='samples')`, which enumerates all flips of a few differences,
//! within Monte-Carlo error.

/// The number of trials, given as rows of coins (true keeps the sign), whose sum is at least as large as the observed
/// one.
pub fn at_least_as_large(differences: &[f64], coins: &[bool]) -> usize {
    // Sums of the same terms with other signs are rounded differently.
    const ROUNDING: f64 = 1e-12;
    if differences.is_empty() {
        return 0;
    }
    let real = differences.iter().sum::<f64>().abs();
    let size: f64 = differences.iter().map(|difference| difference.abs()).sum();
    let sum = |coins: &[bool]| -> f64 {
        let flip = |(&difference, &keep): (&f64, &bool)| if keep { difference } else { -difference };
        differences.iter().zip(coins).map(flip).sum()
    };
    let trials = coins.chunks_exact(differences.len());
    trials.filter(|coins| sum(coins).abs() >= real - ROUNDING * size).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_that_reach_the_real_sum_count() {
        let differences = [0.5, -0.25, 0.125];
        let all: Vec<bool> = (0..8).flat_map(|bits: u8| (0..3).map(move |i| bits >> i & 1 == 1)).collect();
        // |±0.5 ± 0.25 ± 0.125| is 0.875, 0.625, 0.375 or 0.125, twice each; the real sum is 0.375.
        assert_eq!(at_least_as_large(&differences, &all), 6);
        assert_eq!(at_least_as_large(&[0.0; 3], &all), 8);
        assert_eq!(at_least_as_large(&[0.3], &[true, false]), 2);
        assert_eq!(at_least_as_large(&[], &[]), 0);
    }

    #[test]
    fn equal_sums_are_equal_despite_rounding() {
        // 0.1 + 0.2 − 0.3 is not 0 in binary, and its negation is rounded differently.
        let all: Vec<bool> = (0..8).flat_map(|bits: u8| (0..3).map(move |i| bits >> i & 1 == 1)).collect();
        assert_eq!(at_least_as_large(&[0.1, 0.2, -0.3], &all), 8);
    }
}
