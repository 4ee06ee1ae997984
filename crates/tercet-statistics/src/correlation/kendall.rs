//! Kendall's tau with ties: b (Kendall, 1945) and c (Stuart, 1953).
//!
//! ```text
//! τ_b = (C − D) / √(pairs − ties in x) / √(pairs − ties in y)
//! τ_c = 2 (C − D) / (n² (m − 1)/m),     m the smaller number of different values
//! ```
//!
//! C and D are the concordant and discordant pairs, counted in O(n log n).
//!
//! # Agreement
//! scipy 1.17's `kendalltau` with `method='auto'`: without ties, the exact distribution for up to 33 pairs and for at
//! most one pair out of order; otherwise C − D is treated as normal with the variance of Kendall ("Rank correlation
//! methods", 1970, ch. 5). Both variants have the p-value of C − D. A constant row, NaN among the numbers and fewer
//! than two pairs give NaN.

use super::order::Ties;
use super::{Correlation, PairCounts};
use crate::distributions::{kendall, normal};

/// Kendall's tau-b of two rows.
///
/// # Panics
/// If they differ in length.
pub fn kendall_b(x: &[f64], y: &[f64]) -> Correlation {
    correlate(x, y, Orders::tau_b)
}

/// The coefficient alone.
///
/// # Panics
/// If the rows differ in length.
pub fn kendall_b_value(x: &[f64], y: &[f64]) -> f64 {
    Orders::new(x, y).map_or(f64::NAN, |orders| orders.tau_b())
}

/// Tau-b from the number of pairs, those in order minus those out of order, and the pairs that are tied in x and in y;
/// NaN if all are tied in one of them.
pub(crate) fn tau_b_of_counts(pairs: u64, balance: i64, x: u64, y: u64) -> f64 {
    if pairs == x || pairs == y {
        return f64::NAN;
    }
    let free = |ties: u64| ((pairs - ties) as f64).sqrt();
    (balance as f64 / free(x) / free(y)).clamp(-1.0, 1.0)
}

/// Kendall's tau-c (Stuart's) of two rows.
///
/// # Panics
/// If they differ in length.
pub fn kendall_c(x: &[f64], y: &[f64]) -> Correlation {
    correlate(x, y, |orders| orders.counts.tau_c(orders.n, orders.x.classes.min(orders.y.classes)))
}

/// Counts from which the coefficients and their variance are computed.
struct Orders {
    n: u64,
    counts: PairCounts,
    x: Ties,
    y: Ties,
}

fn correlate(x: &[f64], y: &[f64], tau: impl Fn(&Orders) -> f64) -> Correlation {
    let of = |orders: Orders| Correlation { value: tau(&orders).clamp(-1.0, 1.0), p: orders.p_value() };
    Orders::new(x, y).map_or(Correlation::UNDEFINED, of)
}

impl Orders {
    /// `None` for rows without an order.
    fn new(x: &[f64], y: &[f64]) -> Option<Orders> {
        let counts = PairCounts::new(x, y, 0.0);
        let orders = Orders { n: x.len() as u64, counts, x: Ties::new(x), y: Ties::new(y) };
        let no_order = orders.x.pairs == counts.pairs() || orders.y.pairs == counts.pairs();
        (!no_order && !x.iter().chain(y).any(|value| value.is_nan())).then_some(orders)
    }

    fn tau_b(&self) -> f64 {
        let PairCounts { concordant, discordant, .. } = self.counts;
        let balance = concordant as i64 - discordant as i64;
        tau_b_of_counts(self.counts.pairs(), balance, self.x.pairs, self.y.pairs)
    }

    fn p_value(&self) -> f64 {
        let untied = self.x.pairs == 0 && self.y.pairs == 0;
        let exact = untied.then(|| kendall::two_sided(self.n, self.counts.concordant)).flatten();
        exact.unwrap_or_else(|| {
            let z = self.counts.balance() / self.variance().sqrt();
            2.0 * normal::survival(z.abs())
        })
    }

    /// The variance of C − D between unrelated rows with these ties.
    fn variance(&self) -> f64 {
        let n = self.n as f64;
        let ordered = n * (n - 1.0);
        let spread = ordered * (2.0 * n + 5.0) - self.x.variance as f64 - self.y.variance as f64;
        let pairs = 2.0 * self.x.pairs as f64 * self.y.pairs as f64 / ordered;
        let triples = self.x.triples as f64 * self.y.triples as f64;
        spread / 18.0 + pairs + triples / (9.0 * ordered * (n - 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = (&'static [f64], &'static [f64], f64, f64, f64);
    /// (x, y, τ_b, τ_c, p): `scipy.stats.kendalltau(x, y, variant=…)`, scipy 1.17.1.
    const TABLE: &[Row] = &[
        (&[1.0, 2.0], &[2.0, 1.0], -1.0, -1.0, 1.0),
        (&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0], 1.0, 1.0, 0.3333333333333333),
        (
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
            &[2.0, 1.0, 4.0, 3.0, 7.0, 5.0, 6.0],
            0.6190476190476191,
            0.6190476190476191,
            0.06904761904761905,
        ),
        (&[1.0, 2.0, 2.0, 3.0], &[1.0, 1.0, 3.0, 2.0], 0.39999999999999997, 0.375, 0.44421673013860674),
        (
            &[1.0, 1.0, 1.0, 2.0, 3.0, 3.0],
            &[6.0, 5.0, 5.0, 1.0, 2.0, 2.0],
            -0.5853694070049635,
            -0.5833333333333334,
            0.1373671546813069,
        ),
        (
            &[0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 5.0],
            &[3.0, 1.0, 2.0, 2.0, 2.0, 2.0, 4.0, 3.0],
            0.40951417967396114,
            0.375,
            0.20890181672045716,
        ),
    ];

    #[test]
    fn coefficients_and_probabilities_are_those_of_scipy() {
        for &(x, y, tau_b, tau_c, p) in TABLE {
            let (b, c) = (kendall_b(x, y), kendall_c(x, y));
            assert_eq!((b.value, c.value), (tau_b, tau_c), "{x:?} {y:?}");
            assert!((b.p - p).abs() <= 1e-14 && c.p == b.p, "{x:?} {y:?}: {} is not {p}", b.p);
        }
    }

    #[test]
    fn long_rows_in_order_are_exact_to_the_last_two_orders() {
        let x: Vec<f64> = (0..60).map(f64::from).collect();
        let mut y = x.clone();
        let factorial: f64 = (2..60).map(f64::from).product();
        assert!((kendall_b(&x, &y).p * factorial * 60.0 / 2.0 - 1.0).abs() < 1e-14);
        y.swap(10, 11);
        assert!((kendall_b(&x, &y).p * factorial / 2.0 - 1.0).abs() < 1e-14);
    }

    #[test]
    fn constant_rows_and_nan_have_no_correlation() {
        for (x, y) in
            [(&[1.0, 1.0, 1.0][..], &[1.0, 2.0, 3.0][..]), (&[1.0, 2.0, f64::NAN], &[1.0, 2.0, 3.0]), (&[], &[])]
        {
            assert!(kendall_b(x, y).value.is_nan() && kendall_c(x, y).p.is_nan());
        }
    }
}
