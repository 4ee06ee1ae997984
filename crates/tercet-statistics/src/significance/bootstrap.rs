//! Bootstrap resampling: how much a score would vary with other test sentences (Efron, 1979; for translation: Koehn,
//! EMNLP 2004).
//!
//! A resample draws as many segments as there are, with replacement; its score is a replicate. Of n sorted replicates
//!
//! ```text
//! low = x[⌊n/40⌋],  high = x[n − 1 − ⌊n/40⌋],  interval = mean ± (high − low)/2
//! ```
//!
//! contain 95%.
//!
//! # Agreement
//! Draws, order of operations and precision are sacreBLEU 2.6.0's with numpy 2.4.6: single-precision replicates are
//! averaged and subtracted in single precision. Its command's `--confidence` takes the mean with Python's exact
//! `statistics.mean` ([`Replicates::exact_interval`]), its paired tests with numpy's ([`Replicates::interval`]). The
//! former fails on a mixture of precisions, which some resamples of chrF cause; here the mixture is double.

use crate::random::Generator;
use crate::summation::{Real, exact_mean, mean};
use serde::{Deserialize, Serialize};

/// The scores of resamples, in the precision in which they were computed.
#[derive(Clone, Debug, PartialEq)]
pub enum Replicates {
    /// All in single precision.
    Single(Vec<f32>),
    /// In double precision.
    Double(Vec<f64>),
}

/// The mean of the replicates and the interval that contains 95% of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The mean of the replicates.
    pub mean: f64,
    /// Half the distance between the ends: what is printed after ±.
    pub half_width: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Replicates {
    /// The number of replicates.
    pub fn len(&self) -> usize {
        match self {
            Replicates::Single(scores) => scores.len(),
            Replicates::Double(scores) => scores.len(),
        }
    }

    /// Whether there are no replicates.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Converted to double precision.
    pub fn to_double(&self) -> Vec<f64> {
        match self {
            Replicates::Single(scores) => scores.iter().copied().map(f64::from).collect(),
            Replicates::Double(scores) => scores.clone(),
        }
    }

    /// The interval around the mean that numpy computes.
    ///
    /// # Panics
    /// If there are no replicates.
    pub fn interval(&self) -> Interval {
        match self {
            Replicates::Single(scores) => interval(scores, mean),
            Replicates::Double(scores) => interval(scores, mean),
        }
    }

    /// The interval around the mean that Python's `statistics` computes.
    ///
    /// # Panics
    /// If there are no replicates.
    pub fn exact_interval(&self) -> Interval {
        match self {
            Replicates::Single(scores) => interval(scores, exact_mean),
            Replicates::Double(scores) => interval(scores, exact_mean),
        }
    }
}

fn interval<T: Real>(scores: &[T], mean: fn(&[T]) -> T) -> Interval {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(|&a, &b| f64::total_cmp(&a.into(), &b.into()));
    let outside = sorted.len() / 40;
    let (low, high) = (sorted[outside], sorted[sorted.len() - 1 - outside]);
    Interval {
        mean: mean(&sorted).into(),
        half_width: (T::nearest(0.5) * (high - low)).into(),
        low: low.into(),
        high: high.into(),
    }
}

/// Draws resamples in blocks: numpy's `choice(segments, size=(samples, segments))` read row by row.
#[derive(Clone, Debug)]
pub struct Resamples {
    generator: Generator,
    segments: u32,
    left: usize,
    rows: usize,
}

impl Resamples {
    /// `samples` resamples of `segments` segments, in blocks of at most `rows`.
    pub fn new(generator: Generator, samples: usize, segments: u32, rows: usize) -> Self {
        Resamples { generator, segments, left: samples, rows: rows.max(1) }
    }
}

impl Iterator for Resamples {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let (rows, segments) = (self.rows.min(self.left), self.segments as usize);
        self.left -= rows;
        (rows > 0).then(|| Block {
            segments,
            indices: (0..rows * segments).map(|_| self.generator.below(u64::from(self.segments)) as u32).collect(),
        })
    }
}

/// A block of resamples.
#[derive(Clone, Debug)]
pub struct Block {
    segments: usize,
    indices: Vec<u32>,
}

impl Block {
    /// The segments of each resample, in the order of the draw.
    pub fn resamples(&self) -> impl Iterator<Item = &[u32]> {
        self.indices.chunks_exact(self.segments)
    }

    /// How often each resample (row) has each segment (column).
    pub fn multiplicities(&self) -> Vec<f32> {
        let mut counts = vec![0.0; self.indices.len()];
        for (row, resample) in counts.chunks_exact_mut(self.segments).zip(self.resamples()) {
            for &segment in resample {
                row[segment as usize] += 1.0;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_fortieth_of_the_replicates_lies_outside_on_each_side() {
        let scores: Vec<f64> = (0..80).rev().map(f64::from).collect();
        let expected = Interval { mean: 39.5, half_width: 37.5, low: 2.0, high: 77.0 };
        assert_eq!(Replicates::Double(scores).interval(), expected);
    }

    #[test]
    fn a_single_replicate_has_no_width() {
        let interval = Replicates::Single(vec![33.3]).exact_interval();
        assert_eq!((interval.mean, interval.half_width), (f64::from(33.3f32), 0.0));
    }

    #[test]
    fn both_means_differ_in_single_precision_only_by_rounding() {
        let scores: Vec<f32> = (0..1000).map(|i| 30.0 + (i as f32).sin()).collect();
        let replicates = Replicates::Single(scores);
        let (numpy, exact) = (replicates.interval(), replicates.exact_interval());
        assert!((numpy.mean - exact.mean).abs() < 1e-5);
        assert_eq!(numpy.half_width, exact.half_width);
    }

    proptest! {
        #[test]
        fn the_size_of_blocks_does_not_change_the_draws(
            seed: u64,
            samples in 1usize..20,
            segments in 1u32..30,
            rows in 1usize..9,
        ) {
            let draw = |rows| -> Vec<u32> {
                let blocks = Resamples::new(Generator::new(Some(seed)), samples, segments, rows);
                blocks.flat_map(|block| block.indices).collect()
            };
            prop_assert_eq!(draw(rows), draw(samples));
        }

        #[test]
        fn a_resample_has_as_many_segments_as_the_test_set(seed: u64, segments in 1u32..50) {
            for block in Resamples::new(Generator::new(Some(seed)), 7, segments, 3) {
                for row in block.multiplicities().chunks_exact(segments as usize) {
                    prop_assert_eq!(row.iter().sum::<f32>(), segments as f32);
                }
            }
        }

        #[test]
        fn the_interval_contains_95_percent(scores in prop::collection::vec(0f64..100.0, 1..300)) {
            let interval = Replicates::Double(scores.clone()).interval();
            let inside = scores.iter().filter(|&&score| interval.low <= score && score <= interval.high);
            prop_assert!(inside.count() >= scores.len() - 2 * (scores.len() / 40));
            prop_assert!(interval.low <= interval.high);
        }
    }
}
