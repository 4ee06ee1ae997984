//! From counts to the score: smoothed precisions, brevity penalty, geometric mean.
//!
//! The arithmetic comes in two precisions. sacreBLEU sums the counts of a bootstrap resample in single precision and,
//! through numpy's promotion rules, computes the precisions pₙ in it too; logarithms, brevity penalty and score are
//! double in any case. The intervals it prints depend on this in the seventh digit.

use crate::Tally;
use std::ops::{Add, Div, Mul};

/// What an order without a match counts.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Smoothing {
    None,
    Exp,
    Mteval,
    Floor(f64),
    AddK(f64),
}

/// The floating-point type of precisions.
pub(super) trait Number:
    Copy + PartialOrd + Into<f64> + Add<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    fn nearest(value: f64) -> Self;
}

impl Number for f32 {
    fn nearest(value: f64) -> Self {
        value as f32
    }
}

impl Number for f64 {
    fn nearest(value: f64) -> Self {
        value
    }
}

/// A tally read as BLEU's counts: hypothesis length, reference length, matches by order, totals by order.
#[derive(Clone, Copy)]
pub(super) struct Counts<'a, T> {
    pub(super) hypothesis_length: f64,
    pub(super) reference_length: f64,
    pub(super) matches: &'a [T],
    pub(super) totals: &'a [T],
}

impl<'a, T: Number> Counts<'a, T> {
    /// The counts of a tally; the sum of no tallies counts nothing.
    pub(super) fn new(tally: &'a [T]) -> Self {
        let Some((lengths, by_order)) = tally.split_at_checked(2) else {
            return Counts { hypothesis_length: 0.0, reference_length: 0.0, matches: &[], totals: &[] };
        };
        let (matches, totals) = by_order.split_at(by_order.len() / 2);
        Counts { hypothesis_length: lengths[0].into(), reference_length: lengths[1].into(), matches, totals }
    }

    /// A tally of counts, whose lists have a number for each order.
    pub(super) fn tally(
        [hypothesis_length, reference_length]: [f64; 2],
        matches: impl ExactSizeIterator<Item = f64>,
        totals: impl Iterator<Item = f64>,
    ) -> Tally {
        let mut numbers = Vec::with_capacity(2 + 2 * matches.len());
        numbers.extend([hypothesis_length, reference_length]);
        numbers.extend(matches);
        numbers.extend(totals);
        Tally::new(numbers)
    }

    pub(super) fn ratio(self) -> f64 {
        if self.reference_length > 0.0 { self.hypothesis_length / self.reference_length } else { 0.0 }
    }

    /// BP = min(1, e^(1 − r/c)); 0 for an empty hypothesis with a non-empty reference.
    pub(super) fn brevity_penalty(self) -> f64 {
        if self.hypothesis_length >= self.reference_length {
            1.0
        } else if self.hypothesis_length > 0.0 {
            (1.0 - self.reference_length / self.hypothesis_length).exp()
        } else {
            0.0
        }
    }

    fn no_match(self) -> bool {
        self.matches.iter().all(|&matches| matches.into() == 0.0)
    }

    pub(super) fn bleu(self, smoothing: Smoothing, effective_order: bool) -> f64 {
        if self.hypothesis_length == 0.0 || (self.no_match() && smoothing != Smoothing::Mteval) {
            return 0.0;
        }
        let (percent, effective) = self.precisions(smoothing, effective_order);
        self.brevity_penalty() * geometric_mean(&percent[..effective])
    }

    /// The smoothed precisions pₙ in per cent, and how many orders count.
    pub(super) fn precisions(self, smoothing: Smoothing, effective_order: bool) -> (Vec<f64>, usize) {
        let orders = self.matches.len();
        let (mut percent, mut effective) = (vec![0.0; orders], orders);
        if self.no_match() && smoothing != Smoothing::Mteval {
            return (percent, effective);
        }
        let mut halved = 1.0;
        for n in 0..orders {
            let (mut matches, mut total) = (self.matches[n], self.totals[n]);
            if let (Smoothing::AddK(k), 1..) = (smoothing, n) {
                matches = matches + T::nearest(k);
                total = total + T::nearest(k);
            }
            if total.into() == 0.0 {
                if smoothing == Smoothing::Mteval {
                    percent[n..].fill(100.0);
                }
                break;
            }
            if effective_order {
                effective = n + 1;
            }
            percent[n] = if matches.into() > 0.0 {
                (T::nearest(100.0) * matches / total).into()
            } else {
                match smoothing {
                    Smoothing::Exp | Smoothing::Mteval => {
                        halved *= 2.0;
                        (T::nearest(100.0) / (T::nearest(halved) * total)).into()
                    }
                    Smoothing::Floor(value) => (T::nearest(100.0 * value) / total).into(),
                    Smoothing::AddK(_) | Smoothing::None => 0.0,
                }
            };
        }
        (percent, effective)
    }
}

fn geometric_mean(values: &[f64]) -> f64 {
    // sacreBLEU's logarithm of zero: finite, and small enough to make the mean zero.
    let logarithm = |value: f64| if value == 0.0 { -9_999_999_999.0 } else { value.ln() };
    (values.iter().map(|&value| logarithm(value)).sum::<f64>() / values.len() as f64).exp()
}
