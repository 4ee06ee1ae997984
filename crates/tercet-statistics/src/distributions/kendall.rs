//! The exact distribution of the number of pairs on which two random orders of n items agree (Kendall, "A new measure
//! of rank correlation", 1938).
//!
//! The number of permutations of n with c inversions is the coefficient of q^c in Πⱼ (1 + q + … + q^(j−1)),
//! j = 1…n: each factor is a running sum over j coefficients.
//!
//! # Agreement
//! With the p-values of scipy 1.17's `kendalltau(method='exact')`, which come from the same recursion in doubles. 33!,
//! for the largest sample that scipy's `'auto'` treats exactly, fits into 128 bits; beyond it only the two largest
//! values of c are supported, which have closed forms.

/// The largest sample whose permutations are counted.
pub const MAX_COUNTED: u64 = 33;

/// Half the pairs of [`MAX_COUNTED`] items, plus one.
const CELLS: usize = 265;

/// The probability, for untied samples of n, that the number of concordant pairs is at least as far from the middle
/// as `concordant`, on either side. `None` if it cannot be computed: n above [`MAX_COUNTED`] and more than one pair
/// away from all or none.
///
/// As in scipy, it is 0 for perfect agreement of 171 and more, where n! overflows a double.
pub fn two_sided(n: u64, concordant: u64) -> Option<f64> {
    let pairs = n * n.saturating_sub(1) / 2;
    let inversions = concordant.min(pairs - concordant);
    match inversions {
        _ if n <= 2 || 2 * inversions == pairs => Some(1.0),
        0 => Some(2.0 / factorial(n)),
        1 => Some(2.0 / factorial(n - 1)),
        _ if n <= MAX_COUNTED => Some(2.0 * permutations(n, inversions as usize) as f64 / factorial(n)),
        _ => None,
    }
}

fn factorial(n: u64) -> f64 {
    (2..=n).map(|factor| factor as f64).product()
}

/// The number of permutations of n with at most this many inversions.
fn permutations(n: u64, inversions: usize) -> u128 {
    let mut counts = [0u128; CELLS];
    let counts = &mut counts[..=inversions];
    counts[0] = 1;
    for factor in 2..=n as usize {
        for i in 1..counts.len() {
            counts[i] += counts[i - 1];
        }
        for i in (factor..counts.len()).rev() {
            counts[i] -= counts[i - factor];
        }
    }
    counts.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (n, concordant, p): `scipy.stats.mstats_basic._kendall_p_exact(n, c)`, scipy 1.17.1.
    const TABLE: &[(u64, u64, f64)] = &[
        (2, 1, 1.0),
        (3, 0, 0.3333333333333333),
        (3, 3, 0.3333333333333333),
        (4, 3, 1.0),
        (5, 2, 0.23333333333333334),
        (5, 8, 0.23333333333333334),
        (10, 12, 0.07255015432098766),
        (10, 30, 0.21637345679012346),
        (15, 53, 1.0),
        (20, 40, 0.00019531614824281216),
        (33, 100, 4.4484131942210905e-08),
        (33, 263, 0.9877388230126016),
        (33, 264, 1.0),
        (33, 2, 1.2898295895264586e-34),
        (34, 1, 2.30326712415439e-37),
        (60, 0, 2.4035609872986455e-82),
        (100, 4949, 2.1430205762509337e-156),
        (170, 0, 2.755801935583541e-307),
        (171, 1, 2.755801935583541e-307),
    ];

    #[test]
    fn probabilities_are_those_of_scipy() {
        for &(n, concordant, p) in TABLE {
            let ours = two_sided(n, concordant).unwrap();
            assert!((ours - p).abs() <= 1e-13 * p, "{n} {concordant}: {ours:e} is not {p:e}");
        }
    }

    #[test]
    fn all_permutations_are_counted_once() {
        for n in 1..9 {
            let (pairs, all) = (n * (n - 1) / 2, factorial(n));
            assert_eq!(permutations(n, pairs as usize) as f64, all, "{n}");
        }
    }

    #[test]
    fn large_samples_have_no_exact_value() {
        assert_eq!(two_sided(34, 200), None);
        assert!(two_sided(34, 34 * 33 / 2 - 1).is_some());
        assert_eq!(two_sided(400, 0), Some(0.0));
    }
}
