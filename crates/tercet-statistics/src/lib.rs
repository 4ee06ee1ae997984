//! Correlation coefficients, resampling, significance tests.
//!
//! - [`Grouping`]: which scores of a matrix are correlated together.
//! - [`correlation`]: coefficients between two rows of numbers.
//! - [`random`]: numpy's random generators: the same seed gives the same draws.
//! - [`rank_lanes`]: rank correlations of many draws at once.
//! - [`significance`]: confidence intervals and significance tests.
//! - [`calibrate_ties`]: accuracy over pairs when close scores count as tied.
//! - [`soft_pairwise_accuracy`]: agreement on the p-values of "one system beats the other".
//!
//! ```
//! use tercet_statistics::correlation::{PairCounts, pearson};
//! use tercet_statistics::significance::holm;
//!
//! let (people, metric) = ([1.0, 2.0, 2.0, 4.0], [0.1, 0.3, 0.2, 0.25]);
//! assert_eq!(format!("{:.3}", pearson(&people, &metric).value), "0.582");
//! assert_eq!(PairCounts::new(&people, &metric, 0.0).acc_23(), 4.0 / 6.0);
//! assert_eq!(holm(&[0.01, 0.04]), [0.02, 0.04]);
//! ```

pub mod correlation;
pub mod distributions;
pub mod exact_sum;
mod grouping;
mod proportion;
pub mod random;
pub mod rank_lanes;
pub mod significance;
mod soft_pairwise_accuracy;
pub mod summation;
mod tie_calibration;

pub use grouping::Grouping;
pub use proportion::wilson_interval;
pub use soft_pairwise_accuracy::{CoinSigns, soft_pairwise_agreement};
pub use soft_pairwise_accuracy::{Permutations, pairwise_p_values, soft_pairwise_accuracy};
pub use tie_calibration::{Calibration, TieVariant, calibrate_ties, calibrate_ties_sampled};

pub(crate) use tercet_base::progress;
