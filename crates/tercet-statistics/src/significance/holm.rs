//! Holm's step-down correction: p-values of several comparisons, adjusted so that the probability of any false
//! positive among them stays at the level of the test (Holm, 1979). Uniformly stronger than Bonferroni's.
//!
//! With p₍₁₎ ≤ … ≤ p₍ₘ₎:
//!
//! ```text
//! adjusted₍ᵢ₎ = min( 1, max over j ≤ i of (m − j + 1) · p₍ⱼ₎ )
//! ```
//!
//! # Example
//! ```
//! use tercet_statistics::significance::holm;
//!
//! assert_eq!(holm(&[0.0625, 0.015625, 0.03125]), [0.0625, 0.046875, 0.0625]);
//! ```

/// The adjusted p-values, in the order given.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0f64;
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[i]).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hand_computed_values() {
        // 4·0.005, 3·0.01, 2·0.03, then 0.04 raised to 0.06.
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (ours, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((ours - expected).abs() < 1e-15, "{adjusted:?}");
        }
    }

    #[test]
    fn one_comparison_needs_no_correction() {
        assert_eq!(holm(&[0.04]), [0.04]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn adjusted_values_are_at_most_one() {
        assert_eq!(holm(&[0.9, 0.6]), [1.0, 1.0]);
    }

    proptest! {
        #[test]
        fn adjusted_values_keep_the_order_and_never_shrink(p_values in prop::collection::vec(0f64..=1.0, 1..30)) {
            let adjusted = holm(&p_values);
            for i in 0..p_values.len() {
                prop_assert!(p_values[i] <= adjusted[i] && adjusted[i] <= 1.0);
                for j in 0..p_values.len() {
                    prop_assert!(p_values[i] > p_values[j] || adjusted[i] <= adjusted[j]);
                }
            }
        }
    }
}
