//! The rank-sum test (Wilcoxon, 1945; Mann & Whitney, 1947): is one sample shifted above another?
//!
//! With U the number of pairs (a, b) in which a is greater, ties counting ½, of samples of sizes m and n, N = m + n:
//!
//! ```text
//! z = (U − mn/2 − ½) / √(mn/12 · (N + 1 − Σ (t³ − t)/(N (N − 1)))),   p = P(Z > z)
//! ```
//!
//! t runs over the sizes of groups of equal values, ½ is the correction for continuity.
//!
//! # Agreement
//! With scipy 1.17.1's `mannwhitneyu(a, b, alternative='greater', method='asymptotic')`, and so with R's
//! `wilcox.test(a, b, alternative = "greater", exact = FALSE)`.

use crate::distributions::normal;

/// The one-sided p-value of "`a` is above `b`"; 1 if the samples do not differ or one is empty.
pub fn greater(a: &[f64], b: &[f64]) -> f64 {
    let (m, n) = (a.len() as f64, b.len() as f64);
    let mut pooled: Vec<(f64, bool)> = a.iter().map(|&x| (x, true)).chain(b.iter().map(|&x| (x, false))).collect();
    pooled.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let (mut rank_sum, mut ties, mut below) = (0.0, 0.0, 0.0);
    for group in pooled.chunk_by(|one, other| one.0 == other.0) {
        let size = group.len() as f64;
        let of_a = group.iter().filter(|(_, is_a)| *is_a).count() as f64;
        rank_sum += of_a * (below + (size + 1.0) / 2.0);
        ties += size.powi(3) - size;
        below += size;
    }
    let u = rank_sum - m * (m + 1.0) / 2.0;
    let all = m + n;
    let variance = m * n / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance > 0.0 { normal::survival((u - m * n / 2.0 - 0.5) / variance.sqrt()) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::greater;

    // Expected: scipy 1.17.1, mannwhitneyu(x, y, alternative='greater', method='asymptotic').pvalue
    #[test]
    fn p_values_are_scipys() {
        let a = [0.3, 1.2, -0.5, 0.8, 0.8, 0.1, 1.9, 0.4];
        let b = [-0.2, 0.8, -1.0, 0.3, -0.7, 0.05];
        for (x, y, expected) in [
            (&a[..], &b[..], 0.03457751865322331),
            (&b, &a, 0.9742458319755966),
            (&a, &a, 0.5211895779953962),
            (&[1.0, 2.0, 2.0, 3.0], &[2.0, 2.0, 1.0], 0.3466409087522405),
        ] {
            assert!((greater(x, y) - expected).abs() < 1e-14, "{} {expected}", greater(x, y));
        }
    }

    #[test]
    fn nothing_to_compare_is_no_evidence() {
        assert_eq!(greater(&[], &[1.0]), 1.0);
        assert_eq!(greater(&[2.0, 2.0], &[2.0]), 1.0);
    }
}
