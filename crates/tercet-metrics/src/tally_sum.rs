//! Sums of tallies without rounding, for texts that are scored in parts.

use super::Tally;
use crate::statistics::exact_sum::ExactSum;

/// The sum of the tallies of any number of segments, not rounded yet. Sums of parts of a text, merged in any order,
/// give the same total to the last bit.
#[derive(Clone, Debug, Default)]
pub struct TallySum(Vec<ExactSum>);

impl TallySum {
    /// Adds the tally of a segment.
    ///
    /// # Panics
    /// If the tallies are of different metrics.
    pub fn add(&mut self, tally: &Tally) {
        if self.0.is_empty() {
            self.0.resize_with(tally.len(), ExactSum::default);
        }
        if tally.is_empty() {
            return; // the sum of no tallies
        }
        assert_eq!(self.0.len(), tally.len(), "tallies of different metrics do not add up");
        self.0.iter_mut().zip(tally.iter()).for_each(|(sum, &count)| sum.add(count));
    }

    /// Adds the tallies of another sum.
    ///
    /// # Panics
    /// If the tallies are of different metrics.
    pub fn merge(&mut self, other: &TallySum) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
        } else if !other.0.is_empty() {
            assert_eq!(self.0.len(), other.0.len(), "tallies of different metrics do not add up");
            self.0.iter_mut().zip(&other.0).for_each(|(sum, other)| sum.merge(other));
        }
    }

    /// The sum as a tally: whole counts as they are, other numbers rounded once. Empty if nothing was added.
    pub fn total(&self) -> Tally {
        Tally::new(self.0.iter().map(ExactSum::value).collect())
    }

    /// The number of counts in a tally; 0 if nothing was added.
    pub fn width(&self) -> usize {
        self.0.len()
    }

    /// Appends the sum in bytes: the number of counts in 4 bytes, little-endian, and each count's sum.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.0.len() as u32).to_le_bytes());
        self.0.iter().for_each(|sum| sum.write(bytes));
    }

    /// Reads a sum from the start of `bytes`, and moves them past it; `None` if they are no such sum.
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        (0..u32::from_le_bytes(*length)).map(|_| ExactSum::read(bytes)).collect::<Option<_>>().map(TallySum)
    }
}

impl<'a> FromIterator<&'a Tally> for TallySum {
    fn from_iter<I: IntoIterator<Item = &'a Tally>>(tallies: I) -> Self {
        let mut sum = TallySum::default();
        tallies.into_iter().for_each(|tally| sum.add(tally));
        sum
    }
}
