//! Draws of segments with replacement: how much a value would vary with other segments (Efron, 1979).
//!
//! Every metric of a table sees the same draws, and so do the human scores where they are averages over segments.
//! Draw for draw numpy's `default_rng(seed).choice(segments, size=(draws, segments))`, as everywhere in tercet.

use crate::statistics::random::Generator;
use crate::statistics::significance::bootstrap::Resamples;
use rayon::prelude::*;

/// Many draws of all segments, each with replacement.
#[derive(Clone, Debug)]
pub struct Draws {
    seed: Option<u64>,
    draws: usize,
    segments: usize,
    /// Draw after draw, `segments` numbers each.
    numbers: Vec<u32>,
}

impl Draws {
    /// So many draws from a seed.
    pub fn new(draws: usize, segments: usize, seed: Option<u64>) -> Self {
        if segments == 0 {
            return Draws { seed, draws, segments, numbers: Vec::new() };
        }
        let resamples = Resamples::new(Generator::new(seed), draws, segments as u32, draws);
        let numbers = resamples.flat_map(|block| block.resamples().collect::<Vec<_>>().concat()).collect();
        Draws { seed, draws, segments, numbers }
    }

    /// As many draws, from the same seed, of so many other things: systems, where nothing is known of segments.
    pub fn of_others(&self, things: usize) -> Draws {
        Draws::new(self.draws, things, self.seed)
    }

    /// How many draws.
    pub fn len(&self) -> usize {
        if self.segments == 0 { 0 } else { self.draws }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A value for each draw, in order.
    pub fn map<T: Send>(&self, value: impl Fn(&[u32]) -> T + Sync + Send) -> Vec<T> {
        if self.segments == 0 {
            return Vec::new();
        }
        self.numbers.par_chunks(self.segments).map(value).collect()
    }
}

/// The middle 95% of replicates: of n sorted ones, ⌊n/40⌋ are cut off at each end. NaNs are left out; without any
/// number there is no interval.
pub fn percentile_interval(replicates: &[f64]) -> Option<(f64, f64)> {
    let mut sorted: Vec<f64> = replicates.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let outside = sorted.len() / 40;
    Some((*sorted.get(outside)?, *sorted.get(sorted.len().checked_sub(1 + outside)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_numpys() {
        // numpy.random.default_rng(12345).choice(3004, size=(2, 2)) begins like this.
        let draws = Draws::new(2, 3004, Some(12345));
        assert_eq!(draws.map(|draw| draw[..4].to_vec())[0], [2100, 682, 2369, 951]);
        assert_eq!(draws.len(), 2);
    }

    #[test]
    fn an_interval_cuts_both_ends_and_leaves_out_what_is_undefined() {
        let mut replicates: Vec<f64> = (0..1000).rev().map(f64::from).collect();
        replicates.push(f64::NAN);
        assert_eq!(percentile_interval(&replicates), Some((25.0, 974.0)));
        assert_eq!(percentile_interval(&[f64::NAN]), None);
        assert_eq!(percentile_interval(&[3.0]), Some((3.0, 3.0)));
    }
}
