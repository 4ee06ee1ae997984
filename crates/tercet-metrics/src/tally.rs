//! Summable counts of a segment.

use super::TallySum;
use crate::error::{Error, Result};
use std::ops::{AddAssign, Deref};

/// The counts of one segment from which a metric computes scores (BLEU: lengths, matches, totals). Corpus scores,
/// intervals and paired tests are computed from sums of tallies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally(Vec<f64>);

impl Tally {
    /// A tally of these numbers, whose meaning the metric defines.
    pub fn new(counts: Vec<f64>) -> Self {
        Tally(counts)
    }

    /// Returns an error if one of the numbers is NaN or infinite. `what` says whose tally it is.
    pub fn check_finite(&self, what: impl FnOnce() -> String) -> Result<()> {
        match self.0.iter().find(|number| !number.is_finite()) {
            Some(&found) => Err(Error::NotFinite { what: what(), found, hint: None }),
            None => Ok(()),
        }
    }

    /// The mean of segment scores that were tallied as (score, 1); 0 for none.
    pub fn mean(&self) -> f64 {
        match self.0.as_slice() {
            [sum, count, ..] if *count > 0.0 => sum / count,
            _ => 0.0,
        }
    }

    /// The sum of many tallies; empty if there are none. Numbers are summed exactly and rounded once, so the order of
    /// the tallies does not matter. [`TallySum`] is the same for tallies that come in parts.
    pub fn sum<'a>(tallies: impl IntoIterator<Item = &'a Tally>) -> Self {
        tallies.into_iter().collect::<TallySum>().total()
    }

    /// The sum in the order of the tallies, rounded after each of them: what sacreBLEU computes. It differs from
    /// [`Tally::sum`] in the last bit only, and only for counts that are not whole, as TER's mean length of several
    /// references.
    pub fn sum_in_order<'a>(tallies: impl IntoIterator<Item = &'a Tally>) -> Self {
        let mut sum = Tally::default();
        tallies.into_iter().for_each(|tally| sum += tally);
        sum
    }
}

/// Declares the numbers of a tally by name, in their order: a struct that reads them, missing ones as 0, makes tallies
/// of them, and names them as components. Those after a semicolon are no components.
macro_rules! counts {
    ($(#[$attribute:meta])* $visibility:vis struct $counts:ident {
        $($field:ident),* $(,)? $(; $($hidden:ident),+)?
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default)]
        $visibility struct $counts {
            $($visibility $field: f64,)*
            $($($visibility $hidden: f64,)+)?
        }

        #[allow(dead_code)]
        impl $counts {
            /// The names of the components, in the order of the numbers.
            $visibility const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            /// The numbers of a tally, or of a sum of them.
            $visibility fn read(tally: &[f64]) -> Self {
                let mut numbers = tally.iter().copied();
                $counts {
                    $($field: numbers.next().unwrap_or_default(),)*
                    $($($hidden: numbers.next().unwrap_or_default(),)+)?
                }
            }

            /// A tally of these numbers.
            $visibility fn tally(&self) -> $crate::Tally {
                $crate::Tally::new(vec![$(self.$field,)* $($(self.$hidden,)+)?])
            }

            /// The numbers of a tally under their names.
            $visibility fn components(tally: &$crate::Tally) -> Vec<$crate::Component> {
                let named = Self::NAMES.iter().zip(tally.iter());
                named.map(|(name, value)| $crate::Component::new(*name, *value)).collect()
            }
        }
    };
}
pub(crate) use counts;

impl Deref for Tally {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl From<Vec<f64>> for Tally {
    fn from(counts: Vec<f64>) -> Self {
        Tally(counts)
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
            return;
        }
        if other.0.is_empty() {
            return; // the sum of no tallies
        }
        assert_eq!(self.0.len(), other.0.len(), "tallies of different metrics do not add up");
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum += count;
        }
    }
}
