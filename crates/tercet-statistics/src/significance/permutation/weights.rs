//! Integer weights for groups of different size.
//!
//! The mean over G groups of right/n is a sum of right pairs, each worth 1/(G·n) of the whole. Pairs get integer
//! weights in that proportion, so that sums are exact in any order and equal agreement compares equal: 1 if all groups
//! have equally many pairs; else L/n, with L the least common multiple of all n, where that stays below 2⁵³; else
//! 2⁵²/(G·n), rounded, which is off by less than 10⁻¹¹ of the whole on any data that fits in memory today.

/// The weight of a pair in each group.
pub(super) struct Weights {
    /// By group, in the order given.
    pub(super) of_groups: Vec<i64>,
    /// The weight of all pairs together.
    pub(super) whole: i64,
}

/// The largest total: sums are exact in doubles too.
const MAX_TOTAL: i64 = 1 << 52;

impl Weights {
    /// For groups with this many pairs each, none of them 0.
    pub(super) fn new(pairs: &[usize]) -> Self {
        let groups = pairs.len() as i64;
        let Some(&first) = pairs.first() else {
            return Weights { of_groups: Vec::new(), whole: 1 };
        };
        if pairs.iter().all(|&n| n == first) {
            return Weights { of_groups: vec![1; pairs.len()], whole: groups * first as i64 };
        }
        let multiple = pairs.iter().try_fold(1i64, |multiple, &n| {
            let n = n as i64;
            let next = (multiple / greatest_common_divisor(multiple, n)).checked_mul(n)?;
            (next <= MAX_TOTAL / groups).then_some(next)
        });
        match multiple {
            Some(multiple) => {
                Weights { of_groups: pairs.iter().map(|&n| multiple / n as i64).collect(), whole: multiple * groups }
            }
            None => {
                let share = |&n: &usize| (MAX_TOTAL as f64 / (groups as f64 * n as f64)).round() as i64;
                Weights { of_groups: pairs.iter().map(share).collect(), whole: MAX_TOTAL }
            }
        }
    }

    /// Whether all weights are 1.
    pub(super) fn are_ones(&self) -> bool {
        self.of_groups.iter().all(|&weight| weight == 1)
    }
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_groups_count_pairs() {
        let weights = Weights::new(&[10, 10, 10]);
        assert!(weights.are_ones());
        assert_eq!(weights.whole, 30);
    }

    #[test]
    fn unequal_groups_have_equal_worth() {
        let weights = Weights::new(&[1, 3, 10]);
        assert_eq!((weights.of_groups, weights.whole), (vec![30, 10, 3], 90));
    }

    #[test]
    fn awkward_sizes_are_rounded() {
        let sizes: Vec<usize> = (1000..1040).collect();
        let weights = Weights::new(&sizes);
        let sum: i64 = sizes.iter().zip(&weights.of_groups).map(|(&n, weight)| n as i64 * weight).sum();
        assert!((sum as f64 / weights.whole as f64 - 1.0).abs() < 1e-11);
    }
}
