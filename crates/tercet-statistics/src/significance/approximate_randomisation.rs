//! Approximate randomisation: is the difference larger than when the outputs of the two systems are exchanged at
//! random? (Noreen, 1989; for translation: Riezler & Maxwell, 2005; Clark et al., ACL 2011.)
//!
//! A trial tosses a coin for every segment and swaps the two outputs on tails, which makes two pseudo-systems A and B:
//!
//! ```text
//! p = ( #{ trials : |score(A) − score(B)| ≥ |Δ| } + 1 ) / ( trials + 1 )
//! ```
//!
//! # Choices
//! A trial that equals Δ counts ([`EqualTrials::Counted`]), as in the definition of a p-value: two systems that differ
//! in one segment get p = 1, since every trial has the difference Δ or −Δ. sacreBLEU leaves such trials out
//! ([`EqualTrials::LeftOut`]) and gives these two, and two equal systems, the smallest possible p.
//!
//! # Agreement
//! sacreBLEU 2.6.0 with numpy 2.4.6, the tosses included, if equal trials are left out.

use crate::random::{CoinTosses, Generator};

/// What happens to trials whose difference equals the observed one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EqualTrials {
    /// They count, as in the definition of a p-value.
    #[default]
    Counted,
    /// They do not count, as in sacreBLEU.
    LeftOut,
}

/// The number of trials, given as (score of A, score of B), that are at least as far apart as the observed difference
/// Δ.
pub fn as_extreme(trials: &[(f64, f64)], difference: f64, equal: EqualTrials) -> usize {
    let counts = |&&(a, b): &&(f64, f64)| match equal {
        EqualTrials::Counted => (a - b).abs() >= difference.abs() - rounding(a, b),
        EqualTrials::LeftOut => (a - b).abs() > difference.abs(),
    };
    trials.iter().filter(counts).count()
}

/// The largest difference that may come from adding up the same segments in another order.
fn rounding(a: f64, b: f64) -> f64 {
    1e-10 * (a.abs() + b.abs())
}

/// Draws the coin tosses of trials in blocks: numpy's `integers(2, size=(trials, segments), dtype=bool)` read row by
/// row.
#[derive(Clone, Debug)]
pub struct Selections {
    generator: Generator,
    tosses: CoinTosses,
    segments: usize,
    left: usize,
    rows: usize,
}

impl Selections {
    /// The tosses of `trials` trials over `segments` segments, in blocks of at most `rows`.
    pub fn new(generator: Generator, trials: usize, segments: usize, rows: usize) -> Self {
        Selections { generator, tosses: CoinTosses::default(), segments, left: trials, rows: rows.max(1) }
    }
}

impl Iterator for Selections {
    /// For every trial (row) and segment (column): does A keep the first system's output?
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        let rows = self.rows.min(self.left);
        self.left -= rows;
        let mut toss = || self.tosses.toss(&mut self.generator);
        (rows > 0).then(|| (0..rows * self.segments).map(|_| toss()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::significance::p_value;
    use proptest::prelude::*;

    #[test]
    fn trials_that_equal_the_observed_difference_count_except_in_sacrebleu() {
        let p = |trials: &[(f64, f64)], difference, equal| p_value(as_extreme(trials, difference, equal), trials.len());
        let trials = [(1.0, 0.0), (0.0, 2.0), (5.0, 2.0)];
        assert_eq!(p(&trials, 2.0, EqualTrials::Counted), 0.75);
        assert_eq!(p(&trials, 2.0, EqualTrials::LeftOut), 0.5);
        for equal in [EqualTrials::Counted, EqualTrials::LeftOut] {
            assert_eq!(p(&trials, -0.5, equal), 1.0);
            assert_eq!(p(&[], 0.0, equal), 1.0);
        }
        assert_eq!(p(&[(3.0, 3.0)], 0.0, EqualTrials::Counted), 1.0);
    }

    #[test]
    fn differences_that_differ_by_rounding_are_equal() {
        let (one, other) = (0.1 + 0.2 + 30.0, 0.3 + 30.0 + 1e-14);
        assert_ne!(one, other);
        assert_eq!(as_extreme(&[(one, 20.0)], other - 20.0, EqualTrials::Counted), 1);
    }

    proptest! {
        #[test]
        fn the_size_of_blocks_does_not_change_the_tosses(
            seed: u64,
            trials in 1usize..20,
            segments in 1usize..40,
            rows in 1usize..9,
        ) {
            let toss = |rows| -> Vec<bool> {
                Selections::new(Generator::new(Some(seed)), trials, segments, rows).flatten().collect()
            };
            prop_assert_eq!(toss(rows), toss(trials));
        }
    }
}
