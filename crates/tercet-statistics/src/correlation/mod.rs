//! Coefficients of agreement between two rows of numbers, one file each.
//!
//! - [`pearson`], with [`pearson_interval_fisher`] and [`pearson_interval_student`]; [`spearman`]; [`kendall_b`] and
//!   [`kendall_c`]: scipy's coefficients with its p-values; [`pearson_value`], [`spearman_value`] and
//!   [`kendall_b_value`] without, for resampling.
//! - [`PairCounts`]: how often gold and metric agree on which of two is better, and the variants of Kendall's tau with
//!   ties computed from it.
//! - [`kendall_like`]: the same on pairs whose human scores are far apart (WMT17 to WMT20).
//! - [`pairwise_accuracy`]: the same for systems.
//! - [`grouped`]: the average of any of them over systems or items; [`pairwise_difference_pearson`], which compares
//!   within items without averaging.
//!
//! Functions panic if the two rows differ in length. An undefined coefficient is NaN.
//!
//! ```
//! use tercet_statistics::correlation::{PairCounts, kendall_b, pearson};
//!
//! let (gold, metric) = ([1.0, 2.0, 2.0, 4.0], [0.1, 0.3, 0.2, 0.25]);
//! assert_eq!(format!("{:.3}", pearson(&gold, &metric).value), "0.582");
//! assert_eq!(format!("{:.3}", kendall_b(&gold, &metric).value), "0.548");
//! assert_eq!(PairCounts::new(&gold, &metric, 0.0).acc_23(), 4.0 / 6.0);
//! ```

mod fenwick;
mod grouped;
mod kendall;
mod kendall_like;
mod order;
mod pair_counts;
mod pairwise_accuracy;
mod pairwise_difference;
mod pearson;
mod pearson_interval;
mod spearman;

pub use grouped::{Grouped, Term, Undefined, grouped};
pub(crate) use kendall::tau_b_of_counts;
pub use kendall::{kendall_b, kendall_b_value, kendall_c};
pub use kendall_like::{KendallLike, kendall_like};
pub(crate) use order::key;
pub use pair_counts::PairCounts;
pub use pairwise_accuracy::{PairwiseAccuracy, pairwise_accuracy};
pub use pairwise_difference::pairwise_difference_pearson;
pub use pearson::{pearson, pearson_value};
pub use pearson_interval::{Bounds, pearson_interval_fisher, pearson_interval_student};
pub(crate) use spearman::spearman_of_sums;
pub use spearman::{spearman, spearman_value};

/// A coefficient and its p-value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    /// Between −1 and 1, or NaN where the coefficient is not defined.
    pub value: f64,
    /// The two-sided p-value.
    pub p: f64,
}

impl Correlation {
    /// For rows that are too short or constant.
    const UNDEFINED: Correlation = Correlation { value: f64::NAN, p: f64::NAN };
}

fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}
