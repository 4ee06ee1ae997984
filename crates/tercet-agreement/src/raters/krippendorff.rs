//! Krippendorff's α for interval scales (Krippendorff 2004, Content Analysis, chapter 11).
//!
//! ```text
//! α = 1 − Dₒ / Dₑ
//! Dₒ = (1/n) Σ over units u, Σ over pairs i ≠ j of u, (xᵢ − xⱼ)² / (mᵤ − 1)
//! Dₑ = (1/(n (n − 1))) Σ over all pairs i ≠ j, (xᵢ − xⱼ)²
//! ```
//!
//! where u are the outputs with mᵤ ≥ 2 scores and n is the number of their scores. It is not defined where there are no
//! such outputs, or all scores are the same.

/// What a unit adds to the sums.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct UnitSums {
    count: f64,
    sum: f64,
    squares: f64,
    within: f64,
}

impl UnitSums {
    /// The sums of a unit's scores, as differences to `center`, which keeps them exact enough.
    pub(super) fn new(scores: &[f64], center: f64) -> UnitSums {
        if scores.len() < 2 {
            return UnitSums::default();
        }
        let count = scores.len() as f64;
        let sum: f64 = scores.iter().map(|score| score - center).sum();
        let squares: f64 = scores.iter().map(|score| (score - center).powi(2)).sum();
        let mean = scores.iter().sum::<f64>() / count;
        // Σ over pairs i ≠ j of (xᵢ − xⱼ)² is 2 m Σ (xᵢ − mean)².
        let spread: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        UnitSums { count, sum, squares, within: 2.0 * count * spread / (count - 1.0) }
    }

    pub(super) fn add(&mut self, other: &UnitSums) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.within += other.within;
    }

    pub(super) fn alpha(&self) -> f64 {
        let n = self.count;
        let among_all = 2.0 * (n * self.squares - self.sum * self.sum);
        match n >= 2.0 && among_all > 1e-12 * n * self.squares {
            true => 1.0 - (self.within / n) / (among_all / (n * (n - 1.0))),
            false => f64::NAN,
        }
    }
}

/// α of units with their scores; NaN where it is not defined.
///
/// ```
/// use tercet_agreement::raters::krippendorff_alpha;
///
/// assert_eq!(krippendorff_alpha(&[vec![1.0, 1.0], vec![2.0, 2.0]]), 1.0);
/// assert!(krippendorff_alpha(&[vec![1.0], vec![2.0]]).is_nan());
/// ```
pub fn krippendorff_alpha(units: &[Vec<f64>]) -> f64 {
    let scores = || units.iter().filter(|unit| unit.len() > 1).flatten();
    let count = scores().count().max(1) as f64;
    let center = scores().sum::<f64>() / count;
    let mut total = UnitSums::default();
    units.iter().for_each(|unit| total.add(&UnitSums::new(unit, center)));
    total.alpha()
}
