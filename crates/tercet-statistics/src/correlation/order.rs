//! Maps doubles to integers of the same order, which sort faster, and counts ties.

/// An integer for each double: in the same order, equal where the doubles are (0 and −0 too). NaN comes last, or first
/// if negative.
pub(crate) fn key(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The inverse of [`key`].
pub(super) fn value(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// Writes every index with its key into `sorted`, in the order of the keys.
pub(super) fn sort_places(values: &[f64], sorted: &mut Vec<(u64, u32)>) {
    sorted.clear();
    sorted.extend(values.iter().zip(0..).map(|(&value, place)| (key(value), place)));
    sorted.sort_unstable();
}

/// Ranks from 0 without gaps; equal numbers share one.
pub(super) fn dense_ranks(values: &[f64]) -> (Vec<u32>, Ties) {
    let mut sorted = Vec::new();
    sort_places(values, &mut sorted);
    let (mut ranks, mut ties) = (vec![0; values.len()], Ties::default());
    for run in sorted.chunk_by(|a, b| a.0 == b.0) {
        for &(_, place) in run {
            ranks[place as usize] = ties.classes as u32;
        }
        ties.add(run.len() as u64);
    }
    (ranks, ties)
}

/// The ties in one row, as Kendall's coefficients need them: sums over its classes of t equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ties {
    /// How many different numbers there are.
    pub classes: u64,
    /// Σ t(t−1)/2: the tied pairs.
    pub pairs: u64,
    /// Σ t(t−1)(t−2).
    pub triples: u128,
    /// Σ t(t−1)(2t+5).
    pub variance: u128,
}

impl Ties {
    pub(super) fn new(values: &[f64]) -> Ties {
        let mut keys: Vec<u64> = values.iter().copied().map(key).collect();
        keys.sort_unstable();
        let mut ties = Ties::default();
        keys.chunk_by(|a, b| a == b).for_each(|run| ties.add(run.len() as u64));
        ties
    }

    fn add(&mut self, size: u64) {
        self.classes += 1;
        let (t, ordered) = (u128::from(size), size * (size - 1));
        self.pairs += ordered / 2;
        self.triples += u128::from(ordered) * t.saturating_sub(2);
        self.variance += u128::from(ordered) * (2 * t + 5);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_order_of_their_numbers_and_lead_back() {
        let numbers = [f64::NEG_INFINITY, -1e300, -2.5, -5e-324, 0.0, 5e-324, 1e-9, 7.0, f64::INFINITY];
        for pair in numbers.windows(2) {
            assert!(key(pair[0]) < key(pair[1]), "{pair:?}");
        }
        assert!(numbers.iter().all(|&number| value(key(number)) == number));
        assert_eq!(key(0.0), key(-0.0));
    }

    #[test]
    fn equal_numbers_share_a_rank() {
        let (ranks, ties) = dense_ranks(&[3.0, 1.0, 3.0, -0.0, 0.0, 3.0]);
        assert_eq!(ranks, [2, 1, 2, 0, 0, 2]);
        assert_eq!(ties, Ties { classes: 3, pairs: 4, triples: 6, variance: 2 * 9 + 6 * 11 });
        assert_eq!(ties, Ties::new(&[0.0, 0.0, 1.0, 3.0, 3.0, 3.0]));
    }
}
