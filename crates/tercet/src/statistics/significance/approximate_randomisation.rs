//! Approximate randomisation: is the difference larger than when the outputs of the two systems are exchanged at random?
//! (Noreen, 1989; for translation: Riezler & Maxwell, 2005; Clark et al., ACL 2011.)
//!
//! A trial tosses a coin for every segment and swaps the two outputs on tails, which makes two pseudo-systems A and B:
//!
//! ```text
//! p = ( #{ trials : |score(A) − score(B)| > |Δ| } + 1 ) / ( trials + 1 )
//! ```
//!
//! # Choices
//! As in sacreBLEU, a trial that only equals Δ does not count, so two equal systems get the smallest possible p:
//! look at Δ first.
//!
//! # Agreement
//! sacreBLEU 2.6.0 with numpy 2.4.6, the tosses included.

use crate::statistics::random::{CoinTosses, Generator};

/// The number of trials, given as (score of A, score of B), that differ by more than Δ.
pub fn exceeding(trials: &[(f64, f64)], difference: f64) -> usize {
    let beyond = |&&(a, b): &&(f64, f64)| (a - b).abs() > difference.abs();
    trials.iter().filter(beyond).count()
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
    use crate::statistics::significance::p_value;
    use proptest::prelude::*;

    #[test]
    fn only_larger_differences_count() {
        let p = |trials: &[(f64, f64)], difference| p_value(exceeding(trials, difference), trials.len());
        let trials = [(1.0, 0.0), (0.0, 2.0), (5.0, 2.0)];
        assert_eq!(p(&trials, 2.0), 0.5);
        assert_eq!(p(&trials, -0.5), 1.0);
        assert_eq!(p(&[], 0.0), 1.0);
    }

    proptest! {
        #[test]
        fn the_size_of_blocks_does_not_change_the_tosses(seed: u64, trials in 1usize..20, segments in 1usize..40, rows in 1usize..9) {
            let toss = |rows| -> Vec<bool> {
                Selections::new(Generator::new(Some(seed)), trials, segments, rows).flatten().collect()
            };
            prop_assert_eq!(toss(rows), toss(trials));
        }
    }
}
