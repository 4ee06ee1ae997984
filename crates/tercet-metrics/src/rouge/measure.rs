//! Precision, recall and F of counted units.

use super::units::Units;

/// How counts become a score.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    /// The share of precision.
    pub(super) alpha: f64,
    /// The root that is taken of precision and recall; 1 for none.
    pub(super) root: f64,
    /// Whether all numbers are rounded to five decimals, as the tool does.
    pub(super) rounds: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measured {
    pub(super) f: f64,
    pub(super) precision: f64,
    pub(super) recall: f64,
}

impl Measure {
    pub(super) fn measure(self, units: &Units) -> Measured {
        let precision = self.share(units.shared, units.hypothesis);
        let recall = self.share(units.shared, units.reference);
        Measured { f: self.round(self.f(precision, recall)), precision, recall }
    }

    fn share(self, shared: f64, all: f64) -> f64 {
        let share = if all > 0.0 { shared / all } else { 0.0 };
        self.round(if self.root == 1.0 { share } else { share.powf(1.0 / self.root) })
    }

    fn f(self, precision: f64, recall: f64) -> f64 {
        let divisor = (1.0 - self.alpha) * precision + self.alpha * recall;
        match self.alpha {
            0.0 => recall,
            1.0 => precision,
            _ if divisor > 0.0 => precision * recall / divisor,
            _ => 0.0,
        }
    }

    /// Rounded as C's `printf("%.5f")` does.
    fn round(self, number: f64) -> f64 {
        if self.rounds { format!("{number:.5}").parse().expect("a printed number") } else { number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_of_precision_goes_from_none_to_all() {
        let units = Units { shared: 2.0, reference: 4.0, hypothesis: 10.0, unfinished: false };
        let f = |alpha: f64| Measure { alpha, root: 1.0, rounds: false }.measure(&units).f;
        assert_eq!((f(0.0), f(1.0)), (0.5, 0.2));
        assert_eq!(f(0.5), 0.2 * 0.5 / (0.5 * 0.2 + 0.5 * 0.5));
    }

    #[test]
    fn rounding_is_that_of_printf() {
        let measure = Measure { alpha: 0.5, root: 1.0, rounds: true };
        // Halfway between two numbers of five decimals: the even one. (perl -e 'printf "%.5f %.5f", 1/64, 3/64')
        assert_eq!((measure.round(1.0 / 64.0), measure.round(3.0 / 64.0)), (0.01562, 0.04688));
        assert_eq!(measure.round(2.0 / 3.0), 0.66667);
    }
}
