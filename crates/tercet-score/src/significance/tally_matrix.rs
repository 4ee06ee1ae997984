//! The tallies of all systems as a matrix with one row per segment, for sums by matrix product.

use super::MetricTallies;
use crate::metrics::Tally;
use crate::statistics::summation::Real;
use tercet_math::{Element, matrix_product};

/// Above this, single precision does not represent all integers.
pub(super) const EXACT: f32 = 16_777_216.0;

/// Segments × (systems · counts), row-major.
pub(super) struct TallyMatrix<T> {
    /// Counts per system.
    pub(super) width: usize,
    /// Counts of all systems.
    pub(super) columns: usize,
    values: Vec<T>,
}

impl<T: Element + Real> TallyMatrix<T> {
    pub(super) fn new(measured: &MetricTallies<'_>) -> Self {
        let (segments, width) = (measured.systems[0].len(), measured.systems[0][0].len());
        assert!(width > 0, "a tally without counts");
        let columns = width * measured.systems.len();
        let mut values = Vec::with_capacity(columns * segments);
        for segment in 0..segments {
            for tallies in &measured.systems {
                assert_eq!(tallies[segment].len(), width, "tallies of one metric are of one size");
                values.extend(tallies[segment].iter().map(|&count| T::nearest(count)));
            }
        }
        TallyMatrix { width, columns, values }
    }

    /// The product of (rows × segments) weights and this matrix: rows × columns.
    pub(super) fn weighted(&self, weights: &[T]) -> Vec<T> {
        matrix_product(weights, &self.values, self.values.len() / self.columns, self.columns)
    }

    /// The sums of some segments, added up in this order as numpy adds up rows.
    pub(super) fn sum(&self, segments: &[u32]) -> Vec<T> {
        let mut sums = vec![T::default(); self.columns];
        for &segment in segments {
            let row = &self.values[segment as usize * self.columns..][..self.columns];
            for (sum, &count) in sums.iter_mut().zip(row) {
                *sum = *sum + count;
            }
        }
        sums
    }
}

/// Whether all counts are whole and not negative, so that sums below 2²⁴ are exact in any order, and sums that reach it
/// stay there in any order: rounding is monotone.
pub(super) fn is_whole(measured: &MetricTallies<'_>) -> bool {
    let whole = |tally: &Tally| tally.iter().all(|&count| count >= 0.0 && count.fract() == 0.0);
    measured.systems.iter().all(|tallies| tallies.iter().all(whole))
}
