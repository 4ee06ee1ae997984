//! Do metrics tell a good translation from a damaged one? Challenge sets, as DEMETR (Karpinska et al., 2022) and ACES
//! (Amrhein et al., 2022) have them.
//!
//! - **Accuracy**: the share of pairs whose good translation has the better score, with the 95% interval of Wilson.
//!   **Equal scores are not right**, as in both papers; how many there are is counted.
//! - **τ** as ACES defines it: the share of pairs that are right minus that of the others, twice the accuracy minus 1.
//! - **ACES-Score**, where there are items of all ten categories of ACES: see [`ACES_CATEGORIES`].
//!
//! All pairs together, by severity, by kind, by both where a kind has several severities, and by category of ACES where
//! all kinds belong to one.

mod aces;
mod job;

pub use aces::{ACES_CATEGORIES, aces_category};
pub use job::{ChallengeGroup, ChallengeJob, ChallengeMetric, ChallengeReport, ChallengeResult, GroupedBy};

#[cfg(test)]
mod tests;
